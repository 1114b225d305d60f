// The order of passages of the web: by their own words; by the ranks of their pages at the provider and by their words together, where web
// reranking is on (reciprocal ranks, SPEC R4); lifted by how near they are to the question in meaning, where the semantic boost is.
// Invariant: a lift that cannot be made leaves the order and is told.

import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { EventSink } from '../../core/events.ts';
import type { Degradation } from '../../core/search.ts';
import { dot } from '../../core/values/dot.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Semantics } from '../../models/embedding/semantics.ts';
import type { RankedHit } from '../legs/leg-result.ts';
import type { RowHit } from '../row-search.ts';

export interface WebOrder {
  /** By the provider's ranks, too; otherwise by words alone. */
  readonly isReranked: boolean;
  /** Passages that are left where they are reranked, and that may be lifted. */
  readonly topK: number;
  readonly rankConstant: number;
  /** What a likeness of 1 adds, as a share of the best score. 0: nothing is lifted. */
  readonly boost: number;
}

export interface FoundPassages {
  readonly query: string;
  /** Best first, by words. */
  readonly passages: readonly RowHit[];
  /** Of the pages, as the provider ranks them. */
  readonly addresses: readonly string[];
}

export type OrderPassages = (
  found: FoundPassages,
  signal: AbortSignal,
) => Promise<{ readonly hits: readonly RankedHit[]; readonly degraded: readonly Degradation[] }>;

interface OrderPorts {
  readonly semantics: Pick<Semantics, 'current'>;
  readonly sink: EventSink;
}

/** Names of ranks. */
const [words, provider, reranked] = ['web', 'web-provider', 'web-reranked'];

export function createWebOrder(
  { isReranked, topK, rankConstant, boost }: WebOrder,
  { semantics, sink }: OrderPorts,
): OrderPassages {
  /** Likeness of each passage to the question, 0..1. */
  async function likeness(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
    const now = await semantics.current(signal);
    if (!now.ready) throw new FootnoteError('unsupported', now.detail);
    const [asked] = await now.model.embed([query], { kind: 'query', signal });
    const vectors = await now.model.embed(texts, { kind: 'document', signal });
    // What a query has beside what is learned, the passages of a moment lack.
    return vectors.map((vector) => Math.max(0, cosineOf(asked?.subarray(0, vector.length), vector)));
  }

  return async ({ query, passages, addresses }, signal) => {
    const degraded: Degradation[] = [];
    const byWords = passages.map(({ row, score }, place): RankedHit => {
      const page = addresses.indexOf(row.document.uri);
      return {
        chunkId: row.chunk.id,
        score,
        scores: { bm25: score },
        ranks: { [words]: place + 1, ...(page >= 0 && { [provider]: page + 1 }) },
      };
    });
    let hits: readonly RankedHit[] = byWords;
    if (isReranked && hits.length > 0) {
      const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (rankConstant + rank));
      const joined = hits.map((hit) => ({
        ...hit,
        score: reciprocal(hit.ranks[words]) + reciprocal(hit.ranks[provider]),
      }));
      hits = withRanks(best(joined).slice(0, topK));
      sink({
        type: 'reranking',
        inputCount: byWords.length,
        outputCount: hits.length,
        method: 'web-ranks',
        first: { before: leading(byWords), after: leading(hits) },
      });
    }
    if (boost > 0 && hits.length > 0) {
      const [head, rest] = [hits.slice(0, topK), hits.slice(topK)];
      const texts = new Map(passages.map(({ row }) => [row.chunk.id, row.chunk.text]));
      const shown = head.map(({ chunkId }) => texts.get(chunkId) ?? '');
      try {
        const alike = await untilAborted(likeness(query, shown, signal), signal);
        const top = head[0]?.score ?? 0;
        hits = [...best(head.map((hit, place) => lifted(hit, boost * top, alike[place] ?? 0))), ...rest];
      } catch (thrown) {
        const { code, message: detail } = toFootnoteError(thrown);
        const effect = 'Passages of the web stand as without the semantic boost.';
        degraded.push({ component: 'semantic-boost', code, detail, effect });
      }
    }
    return { hits, degraded };
  };
}

const shownFirst = 3;
const leading = (hits: readonly RankedHit[]): readonly string[] =>
  hits.slice(0, shownFirst).map(({ chunkId }) => chunkId);

const withRanks = (hits: readonly RankedHit[]): readonly RankedHit[] =>
  hits.map((hit, place) => ({ ...hit, ranks: { ...hit.ranks, [reranked]: place + 1 } }));

const lifted = (hit: RankedHit, most: number, alike: number): RankedHit => ({
  ...hit,
  score: hit.score + most * alike,
  scores: { ...hit.scores, vector: alike },
});

/** Best first; equal scores as they stood. */
const best = (hits: readonly RankedHit[]): readonly RankedHit[] =>
  hits.toSorted((left, right) => right.score - left.score);

/** Vectors of a model have length 1. */
const cosineOf = (left: Float32Array | undefined, right: Float32Array | undefined): number =>
  left && right && left.length === right.length ? dot(left, right) : 0;
