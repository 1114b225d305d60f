// Any searcher as a leg: asked by text where it makes vectors itself, by a vector where it is given them. Invariants: a hit that names a piece
// of the store's own becomes one of our chunks or is left out, which is told; it takes at most half of what is left of the request.
import { createDeadline, type Deadline } from '../../core/deadline.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Clock } from '../../core/ids.ts';
import type { Degradation, Mode } from '../../core/search.ts';
import { untilAborted } from '../../core/until-aborted.ts';
import type { Searcher, StoreHit, StoreMode, StoreQuery } from '../../stores/store.ts';
import type { Leg, LegQuery } from './leg.ts';

/** Which chunk of ours each passage is of; undefined where the record does not hold it. */
export type LocateHits = (hits: readonly StoreHit[]) => Promise<readonly (string | undefined)[]>;

export interface StoreLegOptions {
  /** Default: the name of the store. */
  readonly name?: string;
  readonly kind: StoreMode;
  readonly modes: readonly Mode[];
  readonly source?: string;
  /** For a store whose hits carry passages. */
  readonly locate?: LocateHits | undefined;
  /** The query in a space of the store, for one that is given vectors. */
  readonly embed?: (
    text: string,
    signal: AbortSignal,
  ) => Promise<{ readonly vector: Float32Array; readonly space: string }>;
  /** Of the request, as its clock is. */
  readonly deadline?: Deadline | undefined;
  readonly clock?: Pick<Clock, 'elapsedMs'> | undefined;
  /** Longest time that the store is waited for. Default: its share of the request. */
  readonly longestMs?: number | undefined;
}

/** A silent store must not cost what the others found. */
const requestShare = 0.5;

export function createStoreLeg(searcher: Searcher, options: StoreLegOptions): Leg {
  const { name = searcher.name, kind, modes, source, locate, embed, deadline, clock } = options;
  const { longestMs = Number.POSITIVE_INFINITY } = options;
  const { capabilities } = searcher;

  async function toQuery({ text, limit, filter, explain }: LegQuery, signal: AbortSignal): Promise<StoreQuery> {
    const asked: StoreQuery = {
      text,
      mode: kind,
      limit,
      ...(filter && { filter }),
      ...(explain && capabilities.explain && { explain }),
    };
    if (kind === 'lexical' || capabilities.vectors !== 'given') return asked;
    if (!embed)
      throw new FootnoteError('unsupported', `The store ${name} is given vectors, and no embedding model makes them.`);
    return { ...asked, ...(await embed(text, signal)) };
  }

  async function toOurs(hits: readonly StoreHit[]): Promise<{ ours: readonly StoreHit[]; degraded: Degradation[] }> {
    const foreign = hits.filter((hit) => hit.passage);
    if (foreign.length === 0) return { ours: hits, degraded: [] };
    const located = (await locate?.(foreign)) ?? [];
    const chunkIds = new Map(foreign.map((hit, place) => [hit, located[place]]));
    const ours = new Map<string, StoreHit>();
    let lost = 0;
    for (const hit of hits) {
      const chunkId = hit.passage ? chunkIds.get(hit) : hit.chunkId;
      if (chunkId === undefined) lost += 1;
      else if (!ours.has(chunkId)) ours.set(chunkId, { ...hit, chunkId });
    }
    const detail = `${lost} of ${hits.length} hits stand in no recorded document.`;
    const effect = 'They were left out.';
    return {
      ours: [...ours.values()],
      degraded: lost === 0 ? [] : [{ component: name, code: 'not-located', detail, effect }],
    };
  }

  return {
    name,
    kind,
    modes,
    store: searcher.name,
    ...(source !== undefined && { source }),
    async search(query, signal) {
      const own = deadline
        ? createDeadline(Math.min(deadline.remainingMs() * requestShare, longestMs), signal, clock).signal
        : (signal ?? new AbortController().signal);
      const search = async () => searcher.search(await toQuery(query, own), own);
      const page = await untilAborted(search(), own).catch((thrown: unknown) => {
        if (!own.aborted || signal?.aborted) throw thrown;
        throw new FootnoteError('deadline-exceeded', `The store ${name} gave no answer in the time that it was given.`);
      });
      const { ours, degraded } = await toOurs(page.hits);
      return {
        hits: ours.map(({ chunkId, score, scores, explanation }, place) => ({
          chunkId,
          score,
          scores,
          ranks: { [name]: place + 1 },
          ...(explanation && { explanation }),
        })),
        degraded: [...page.degraded, ...degraded],
      };
    },
  };
}
