// Any searcher as a leg: asked by text where it makes vectors itself, by a vector where it is given them. Invariants: a hit that names a piece
// of the store's own becomes one of our chunks or is left out, which is told; it takes at most half of what is left of the request.
import { createDeadline, type Deadline } from '../../core/deadline.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { DeadlineClock } from '../../core/ids.ts';
import type { Degradation, Mode } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Searcher, StoreHit, StoreMode, StoreQuery } from '../../stores/store.ts';
import type { Leg, LegQuery } from './leg.ts';
import type { RankedHit } from './leg-result.ts';
import { nearByFixed, nearByOwn } from './nearness.ts';

/** Which chunk of ours each passage is of; undefined where the record does not hold it. */
export type LocateHits = (hits: readonly StoreHit[]) => Promise<readonly (string | undefined)[]>;

/** The vector is of zeros where the model knows nothing of the text. */
export type EmbedQuery = (
  text: string,
  within: { readonly signal: AbortSignal; readonly withinMs: number },
) => Promise<{ readonly vector: Float32Array; readonly space: string }>;

export interface StoreLegOptions {
  /** Default: the name of the store. */
  readonly name?: string;
  readonly kind: StoreMode;
  readonly modes: readonly Mode[];
  readonly source?: string;
  /** For a store whose hits carry passages. */
  readonly locate?: LocateHits | undefined;
  /** The query in a space of the store, for one that is given vectors. */
  readonly embed?: EmbedQuery | undefined;
  /** Of the request, as its clock is. */
  readonly deadline?: Deadline | undefined;
  readonly clock?: DeadlineClock | undefined;
  /** Longest time that the store is waited for. Default: its share of the request. */
  readonly longestMs?: number | undefined;
}

/** A silent store must not cost what the others found. */
const requestShare = 0.5;
/** And a silent embedding model not what the store finds by words. */
const embeddingShare = 0.5;

type LegTime = Pick<Deadline, 'signal' | 'remainingMs'>;

interface AskedQuery {
  readonly asked: StoreQuery;
  readonly degraded: readonly Degradation[];
}

/** Another store may serve in its place, which is told. */
const lackingVectors = (name: string): FootnoteError =>
  new FootnoteError(
    'unsupported',
    `The store ${name} is given vectors of a fixed embedding model, and there is none: MODEL_EMBED names it, such as openai:text-embedding-3-small.`,
    { details: { lacks: 'vectors' } },
  );

export function createStoreLeg(searcher: Searcher, options: StoreLegOptions): Leg {
  const { name = searcher.name, kind, modes, source, locate, embed, deadline, clock } = options;
  const { longestMs = Number.POSITIVE_INFINITY } = options;
  const { capabilities } = searcher;

  const near: (hit: StoreHit) => StoreHit & Pick<RankedHit, 'nearness'> =
    capabilities.vectors === 'given' ? nearByFixed : capabilities.vectors === 'own' ? nearByOwn : (hit) => hit;

  async function toQuery(
    { text, mode, limit, filter, explain, sourceType }: LegQuery,
    own: LegTime,
  ): Promise<AskedQuery> {
    const isByMeaning = kind === 'hybrid' && mode === 'vector' && capabilities.vector;
    const asked: StoreQuery = {
      text,
      // By meaning alone its scores are likenesses, which can be judged.
      mode: isByMeaning ? 'vector' : kind,
      limit,
      ...(filter && { filter }),
      ...(explain && capabilities.explain && { explain }),
      ...(sourceType && { statistics: 'own' }),
    };
    if (kind === 'lexical' || capabilities.vectors === 'own') return { asked, degraded: [] };
    const byWords = kind === 'hybrid' && !isByMeaning && capabilities.lexical;
    const without = ({ code, message }: FootnoteError): AskedQuery => ({
      asked: capabilities.vectors === 'none' ? { ...asked, mode: 'lexical' } : asked,
      degraded: [{ component: name, code, detail: message, effect: 'It was searched by words only.' }],
    });
    if (!embed || capabilities.vectors === 'none') {
      const lacking = lackingVectors(name);
      if (byWords && mode !== 'vector') return without(lacking);

      throw lacking;
    }
    try {
      return { asked: { ...asked, ...(await embedWithin(text, embed, { own, byWords })) }, degraded: [] };
    } catch (thrown) {
      if (own.signal.aborted || !byWords) throw thrown;
      return without(toFootnoteError(thrown));
    }
  }

  /** A silent embedding model is not waited for as long as the store could find something by words. */
  async function embedWithin(
    text: string,
    embed: EmbedQuery,
    { own, byWords }: { readonly own: LegTime; readonly byWords: boolean },
  ): Promise<Awaited<ReturnType<EmbedQuery>>> {
    const withinMs = own.remainingMs() * (byWords ? embeddingShare : 1);
    const { signal } = Number.isFinite(withinMs) ? createDeadline(withinMs, own.signal, clock) : own;
    const made = await untilAborted(embed(text, { signal, withinMs }), signal).catch((thrown: unknown) => {
      if (!signal.aborted || own.signal.aborted) throw thrown;
      throw new FootnoteError(
        'deadline-exceeded',
        `The embedding model gave no vector for the store ${name} within ${Math.round(withinMs)} ms.`,
      );
    });
    if (made.vector.some((one) => one !== 0)) return made;
    throw new FootnoteError('unsupported', 'The model of search by meaning knows none of the words of the query.', {
      details: { lacks: 'words' },
    });
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
      const own: LegTime = deadline
        ? createDeadline(Math.min(deadline.remainingMs() * requestShare, longestMs), signal, clock)
        : { signal: signal ?? new AbortController().signal, remainingMs: () => Number.POSITIVE_INFINITY };
      const search = async () => {
        const { asked, degraded } = await toQuery(query, own);
        const page = await searcher.search(asked, own.signal);
        const isEnough = page.hits.length >= (query.needed ?? query.limit);
        const told = isEnough ? page.degraded.filter(({ code }) => code !== 'truncated') : page.degraded;
        return { ...page, degraded: [...degraded, ...told] };
      };
      const page = await untilAborted(search(), own.signal).catch((thrown: unknown) => {
        if (!own.signal.aborted || signal?.aborted) throw thrown;
        throw new FootnoteError('deadline-exceeded', `The store ${name} gave no answer in the time that it was given.`);
      });
      const { ours, degraded } = await toOurs(page.hits);
      return {
        hits: ours.map(near).map(({ chunkId, score, scores, explanation, nearness }, place) => ({
          chunkId,
          score,
          scores,
          ...(nearness && { nearness }),
          ranks: { [name]: place + 1 },
          ...(explanation && { explanation }),
        })),
        degraded: [...page.degraded, ...degraded],
        ...(page.kept && { kept: page.kept }),
      };
    },
  };
}
