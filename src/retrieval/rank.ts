// The order of hits once it is known what they are of: named terms (authority of a source, age of a document) are added to what the legs
// gave. Invariant: the fused score and the terms, as they are printed, sum to the score; without terms nothing changes.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { RankedHit } from './legs/leg-result.ts';

export interface RankedRow {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
}

export interface RankTerm {
  /** As it is printed. */
  readonly name: string;
  /** What it adds at least and at most, as shares of the best fused score. Absent: nobody knows, so that every hit must be read. */
  readonly bounds?: readonly [least: number, most: number];
  /** Added to the hit's score; `best` is the best fused score of the search. */
  weigh(hit: RankedHit, row: RankedRow, best: number): number;
}

/** A hit with what the ranking made of it. */
export interface OrderedHit extends RankedHit {
  /** Before the terms. */
  readonly fused?: number;
  readonly ranking?: readonly { readonly name: string; readonly weight: number }[];
}

/**
 * How many of the first hits hold all that can come among the best `limit`, whatever the terms say: what is behind need not be read. A term that
 * counts what went before says the same of these, as what is left out stands behind them.
 */
export function reachableDepth(hits: readonly RankedHit[], terms: readonly RankTerm[], limit: number): number {
  if (limit <= 0 || hits.length <= limit) return hits.length;
  const best = hits[0]?.score ?? 0;
  let spread = 0;
  for (const { bounds } of terms) {
    if (bounds === undefined) return hits.length;
    spread += best * (bounds[1] - bounds[0]);
  }
  const least = hits.slice(0, limit).reduce((least, { score }) => Math.min(least, score), Number.POSITIVE_INFINITY);
  return hits.findLastIndex(({ score }) => score >= least - spread) + 1;
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
