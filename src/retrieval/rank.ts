// The order of hits once it is known what they are of: named terms (authority of a source, age of a document) are added to what the legs
// gave. Invariant: the fused score and the terms, as they are printed, sum to the score; without terms nothing changes.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { RankedHit } from './legs/leg.ts';

export interface RankedRow {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
}

export interface RankTerm {
  /** As it is printed. */
  readonly name: string;
  /** Added to the hit's score; `best` is the best fused score of the search. */
  weigh(hit: RankedHit, row: RankedRow, best: number): number;
}

/** A hit with what the ranking made of it. */
export interface OrderedHit extends RankedHit {
  /** Before the terms. */
  readonly fused?: number;
  readonly ranking?: readonly { readonly name: string; readonly weight: number }[];
}

/** Best first; equal scores by chunk id. Hits whose rows are gone are left out. */
export function rankHits(
  hits: readonly RankedHit[],
  rows: ReadonlyMap<string, RankedRow>,
  terms: readonly RankTerm[],
): readonly OrderedHit[] {
  if (terms.length === 0) return hits;
  const best = hits[0]?.score ?? 0;
  const ordered = hits.flatMap((hit): OrderedHit[] => {
    const row = rows.get(hit.chunkId);
    if (!row) return [];
    const ranking = terms.map((term) => ({ name: term.name, weight: term.weigh(hit, row, best) }));
    return [
      { ...hit, fused: hit.score, score: ranking.reduce((total, { weight }) => total + weight, hit.score), ranking },
    ];
  });
  return ordered.sort(
    (left, right) =>
      right.score - left.score || (left.chunkId < right.chunkId ? -1 : left.chunkId > right.chunkId ? 1 : 0),
  );
}
