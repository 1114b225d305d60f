// Lists of several looks as one: the best of each, then the second of each, and so on.
import type { Evidence } from '../../core/search.ts';

export function inTurn<One>(lists: readonly (readonly One[])[]): readonly One[] {
  const deepest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: deepest }, (_, rank) => lists.flatMap((list) => list.slice(rank, rank + 1))).flat();
}

/** Each chunk once, as the first look that found it gave it. */
export const evidenceInTurn = (lists: readonly (readonly Evidence[])[]): readonly Evidence[] =>
  uniqueEvidence(inTurn(lists));

/** Each chunk once, as it was found first. */
export function uniqueEvidence(evidence: readonly Evidence[]): readonly Evidence[] {
  const seen = new Set<string>();
  return evidence.filter(({ chunkId }) => !seen.has(chunkId) && seen.add(chunkId));
}
