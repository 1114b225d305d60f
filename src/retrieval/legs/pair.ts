// Words and meaning of one store as one leg: runs what a mode asks for and joins what they found, by scores that were measured to fit
// each other (fuse.ts). Invariant: meaning can only add. Where there is no model, it fails, or it is silent,
// words serve alone and `degraded` says why; only a stop from outside ends a search.
import { type FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { namedModel } from '../../core/named-model.ts';
import type { Degradation } from '../../core/search.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import { defaultFeedback, feedbackInParts } from '../../models/embedding/feedback-vector.ts';
import type { ReadySemantics, Semantics } from '../../models/embedding/semantics.ts';
import type { EmbeddedStore } from '../../stores/embedded/port.ts';
import type { Searcher, StoreHit, StorePage } from '../../stores/store.ts';
import type { ExpandedQuery, Expander } from '../expand/expand.ts';
import { explainFused } from '../fusion/explain-fused.ts';
import { type FusionSettings, fuse, fusionFor } from '../fusion/fuse.ts';
import { unique } from './failures-told.ts';
import { clearLanguage, findMismatch, type LanguageMismatch, toDegradation } from './language-mismatch.ts';
import type { Leg, LegQuery } from './leg.ts';
import type { LegResult, RankedHit } from './leg-result.ts';
import { type MeaningLimits, type MeaningTime, startMeaningTime } from './meaning-time.ts';
import { nearByFixed } from './nearness.ts';

/** A store, with what the embedded one knows beside it. */
export type Searched = Searcher & Partial<Pick<EmbeddedStore, 'vectorsOf' | 'statistics'>>;

/** What its lists are called, in ranks. */
export interface PairNames {
  readonly words: string;
  readonly meaning: string;
  readonly joined: string;
}

/** Of one request: a provider that was silent is not waited for again. */
export interface PairPorts extends MeaningLimits {
  readonly names: PairNames;
  readonly store: Searched;
  readonly semantics: Semantics;
  readonly fusion: FusionSettings;
  readonly expander?: Expander | undefined;
}

/** Legs that are joined look at least this deep: a hit deep in one may be high in the other. */
const leastDepth = 50;
const deepest = 1000;

interface WordsLeg {
  readonly hits: readonly StoreHit[];
  readonly degraded: readonly Degradation[];
  readonly notes: readonly string[];
  /** Share of what the words of the query weigh that the best hit holds, where the store weighed them in one kind of source. */
  readonly reach: number | undefined;
}

type NearHit = StoreHit & Pick<RankedHit, 'nearness'>;

interface MeaningLeg {
  readonly semantics: ReadySemantics;
  /** What its order goes by. */
  readonly kind: 'fixed' | 'corpus' | 'encoded';
  readonly hits: readonly NearHit[];
  readonly degraded: readonly Degradation[];
  readonly notes: readonly string[];
}

interface MissingLeg {
  readonly missing: Degradation;
}

type WordsOnce = () => Promise<WordsLeg>;

const wordsOnly = (code: string, detail: string): MissingLeg => ({
  missing: { component: 'vector', code, detail, effect: 'Searched by words only.' },
});

/** To an encoder every two texts are somewhat alike: nine sets and folders lose nothing that is farther. */
const leastEncoded = 0.15;

const encoderSilent: Degradation = {
  component: 'encoder',
  code: 'no-vector',
  detail:
    'The sentence encoder gave no vector of the query. "footnote doctor" says whether it runs here; ENCODER_TIMEOUT_MS is how long it may take.',
  effect: 'Meaning was searched by what was learned from the documents alone.',
};

/** Failures that the next search of the same request would have again, after as long a wait. */
const outages: ReadonlySet<string> = new Set(['deadline-exceeded', 'rate-limited', 'upstream-unavailable']);

/** Whether an error means that the request is over, not that a leg failed. */
function endsRequest(error: FootnoteError, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || error.code === 'cancelled' || error.code === 'deadline-exceeded';
}

export function createPair({ names, store, semantics, fusion, expander, ...limits }: PairPorts): Pick<Leg, 'search'> {
  let outage: MissingLeg | undefined;

  async function expand(query: LegQuery, degraded: Degradation[], signal?: AbortSignal): Promise<ExpandedQuery> {
    if (!expander) return { also: [], notes: [] };
    try {
      return await expander.expand(query.text, { filter: query.filter, signal });
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      if (endsRequest(error, signal)) throw error;
      degraded.push({
        component: 'expansion',
        code: error.code,
        detail: error.message,
        effect: 'Searched by the words of the query alone.',
      });
      return { also: [], notes: [] };
    }
  }

  async function byWords(query: LegQuery, limit: number, signal?: AbortSignal): Promise<WordsLeg> {
    const degraded: Degradation[] = [];
    const { also, notes } = await expand(query, degraded, signal);
    const page = await store.search(
      {
        text: query.text,
        mode: 'lexical',
        limit,
        ...(also.length > 0 && { also }),
        ...(query.filter && { filter: query.filter }),
        ...(query.explain && { explain: true }),
        ...(query.sourceType && { statistics: 'own' as const }),
      },
      signal,
    );
    const { ceiling = 0 } = page;
    const reach = ceiling > 0 ? (page.hits[0]?.score ?? 0) / ceiling : undefined;
    return { hits: page.hits, degraded: [...degraded, ...page.degraded], notes, reach };
  }

  /** The query as the model sees it; for a model learned from the corpus, what is learned of it is moved towards the best hits by words. */
  async function toVector(
    text: string,
    { model, space }: ReadySemantics,
    { words, time }: { words: WordsOnce; time: MeaningTime },
  ): Promise<Pick<MeaningLeg, 'kind' | 'notes' | 'degraded'> & { vector: Float32Array }> {
    const { signal } = time;
    const withinMs = time.remainingMs();
    const embedded = await model.embed([text], { kind: 'query', signal, ...(withinMs !== undefined && { withinMs }) });
    const vector = embedded[0];
    if (!vector) throw toFootnoteError(new Error(`${model.id} returned no vector for the query.`));
    if (model.kind === 'fixed') return { vector, kind: 'fixed', notes: [], degraded: [] };
    const best = (await words()).hits.slice(0, defaultFeedback.hits);
    const vectors = best.length === 0 ? [] : ((await store.vectorsOf?.(space, ids(best), signal)) ?? []);
    const used = best.flatMap((hit, place) => {
      const own = vectors[place];
      return own ? [{ chunkId: hit.chunkId, vector: own, score: hit.score }] : [];
    });
    const { dimensions, learnedDimensions: learned = dimensions } = model;
    const { vector: moved, isEncoded } = feedbackInParts(vector, used, { learned, dimensions });
    const what = isEncoded ? 'what is learned of meaning' : 'meaning';
    const notes =
      used.length === 0
        ? []
        : [`${what} was searched half way between the query and its best hits by words: ${ids(used).join(', ')}`];
    const degraded = vector.length < dimensions ? [encoderSilent] : [];
    return { vector: moved, kind: isEncoded ? 'encoded' : 'corpus', notes, degraded };
  }

  async function nearest(
    query: LegQuery,
    now: ReadySemantics,
    { words, limit, time }: { words: WordsOnce; limit: number; time: MeaningTime },
  ): Promise<MeaningLeg | MissingLeg> {
    const { vector, kind, notes, degraded } = await toVector(query.text, now, { words, time });
    if (vector.every((value) => value === 0))
      return wordsOnly('query-unknown', 'The model of search by meaning knows none of the words of the query.');
    const page: StorePage = await store.search(
      {
        text: query.text,
        mode: 'vector',
        vector,
        space: now.space,
        limit,
        ...(query.filter && { filter: query.filter }),
        ...(query.explain && { explain: true }),
      },
      time.signal,
    );
    // A chunk that shares nothing with the query is not found, however few there are.
    const found = page.hits.filter(({ score }) => score > (kind === 'encoded' ? leastEncoded : 0));
    const hits = now.model.kind === 'fixed' ? found.map(nearByFixed) : found;
    return { semantics: now, kind, hits, degraded: [...degraded, ...page.degraded], notes };
  }

  async function meant(
    query: LegQuery,
    { words, limit, time }: { words: WordsOnce; limit: number; time: MeaningTime },
  ): Promise<MeaningLeg | MissingLeg> {
    const now = await semantics.current(time.signal);
    if (!now.ready) return wordsOnly(now.code, now.detail);
    if (now.model.remote) time.isRemote();
    time.signal.throwIfAborted();
    return nearest(query, now, { words, limit, time });
  }

  /** Never throws but when the request is over. A model swapped away meanwhile is asked for anew, once. */
  async function byMeaning(
    query: LegQuery,
    { words, limit, signal }: { words: WordsOnce; limit: number; signal: AbortSignal | undefined },
  ): Promise<MeaningLeg | MissingLeg> {
    if (outage) return outage;
    const time = startMeaningTime(limits, signal);
    if (semantics.isRemote) time.isRemote();
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await untilAborted(meant(query, { words, limit, time }), time.signal);
        } catch (thrown) {
          const error = isFootnoteError(thrown) ? thrown : toFootnoteError(thrown);
          if (signal?.aborted) throw error;
          const late = time.over();
          if (!late && error.code === 'conflict' && attempt === 1) continue;
          const missing = wordsOnly(
            (late ?? error).code,
            late ? late.message : `Search by meaning failed: ${namedModel(error.details['model'], error.message)}`,
          );
          if (outages.has((late ?? error).code)) outage = missing;
          return missing;
        }
      }
    } finally {
      time.stop();
    }
  }

  const mismatches = new Map<string, Promise<LanguageMismatch | undefined>>();

  async function findLanguages(text: string): Promise<LanguageMismatch | undefined> {
    const question = clearLanguage(text);
    if (question === undefined || !store.statistics) return undefined;
    // Nothing is counted for a text without words: only the languages are wanted.
    const { languages } = await store.statistics('');
    return findMismatch(question, languages);
  }

  /** Whether the question is in a language that the documents are not in: the same for every kind of source that is asked. */
  function languagesOnce(text: string, signal: AbortSignal): Promise<LanguageMismatch | undefined> {
    const found = mismatches.get(text) ?? findLanguages(text);
    mismatches.set(text, found);
    found.catch(() => mismatches.delete(text));
    return untilAborted(found, signal);
  }

  function join(
    query: LegQuery,
    { words, meaning, mismatch }: { words: WordsLeg; meaning: MeaningLeg; mismatch: LanguageMismatch | undefined },
  ): Pick<LegResult, 'hits' | 'sharpness'> {
    const { kind, semantics: now } = meaning;
    const { guard, ...wanted } = fusionFor({ kind, learnedFrom: now.learnedFrom }, fusion);
    const options = guard && !mismatch ? { ...wanted, guard } : wanted;
    const fused = fuse({ lexical: words.hits, vector: meaning.hits }, options);
    const lexical = new Map(words.hits.map((hit) => [hit.chunkId, hit]));
    const vector = new Map(meaning.hits.map((hit) => [hit.chunkId, hit]));
    const explain = query.explain
      ? explainFused(fused, options, { notes: [...meaning.notes, ...words.notes], unguarded: mismatch !== undefined })
      : undefined;
    const hits = fused.hits.slice(0, query.limit).map((hit): RankedHit => {
      const own = { lexical: lexical.get(hit.chunkId), vector: vector.get(hit.chunkId) };
      return {
        chunkId: hit.chunkId,
        score: hit.score,
        scores: { ...own.lexical?.scores, ...own.vector?.scores },
        ...(own.vector?.nearness && { nearness: own.vector.nearness }),
        ranks: {
          ...(hit.lexical && { [names.words]: hit.lexical.rank }),
          ...(hit.vector && { [names.meaning]: hit.vector.rank }),
          [names.joined]: hit.rank,
        },
        ...(explain && { explanation: explain(hit, own) }),
      };
    });
    const sharpness = options.method === 'rrf' ? 1 : (options.lexicalSharpness ?? 1);
    return { hits, ...(sharpness !== 1 && { sharpness }) };
  }

  return {
    /** Throws what the leg by words throws, `cancelled` and `deadline-exceeded`. */
    async search(query: LegQuery, signal?: AbortSignal): Promise<LegResult> {
      const { mode, limit } = query;
      const depth = mode === 'hybrid' ? Math.min(deepest, Math.max(leastDepth, limit)) : limit;
      // What fails ends what runs beside it.
      const stop = new AbortController();
      const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
      let asked: Promise<WordsLeg> | undefined;
      const words: WordsOnce = () => {
        asked ??= byWords(query, depth, both);
        return asked;
      };
      try {
        const [found, wanted, mismatch] = await Promise.all([
          mode === 'embedded' ? undefined : byMeaning(query, { words, limit: depth, signal: both }),
          mode === 'vector' ? undefined : words(),
          languagesOnce(query.text, both),
        ]);
        const meant = found && !('missing' in found) ? found : undefined;
        const kind = meant?.semantics.model.kind ?? 'none';
        const degraded = mismatch?.isSure ? [toDegradation(mismatch, kind)] : [];
        if (!meant) {
          const only = wanted ?? (await words());
          const missing = found && 'missing' in found ? [found.missing] : [];
          return {
            ...reachOf(query, only),
            hits: only.hits.slice(0, limit).map(toRanked(names.words, only.notes)),
            degraded: unique([...missing, ...only.degraded, ...degraded]),
          };
        }
        const lexical = wanted ?? (await asked);
        const joined =
          mode === 'hybrid' && wanted ? join(query, { words: wanted, meaning: meant, mismatch }) : undefined;
        return {
          ...reachOf(query, wanted, meant),
          ...(joined ?? { hits: meant.hits.slice(0, limit).map(toRanked(names.meaning, meant.notes)) }),
          degraded: unique([...(lexical?.degraded ?? []), ...meant.degraded, ...degraded]),
          ...(query.explain && {
            legs: {
              ...(lexical && { lexical: ids(lexical.hits).slice(0, limit) }),
              vector: ids(meant.hits).slice(0, limit),
            },
          }),
        };
      } catch (thrown) {
        stop.abort();
        throw thrown;
      }
    },
  };
}

const ids = (hits: readonly { readonly chunkId: string }[]): string[] => hits.map(({ chunkId }) => chunkId);

/** Nearness in meaning says less of how much is answered than words do: every two texts share something. */
const meaningReach = 0.25;

function reachOf(
  { sourceType }: LegQuery,
  words: WordsLeg | undefined,
  meaning?: MeaningLeg,
): Pick<LegResult, 'reach'> {
  if (sourceType === undefined) return {};
  const nearest = Math.min(1, meaning?.hits[0]?.score ?? 0);
  if (!words) return { reach: nearest };
  return words.reach === undefined ? {} : { reach: Math.max(words.reach, meaningReach * nearest) };
}

/** A hit of one leg as it stands. */
const toRanked =
  (list: string, notes: readonly string[]) =>
  ({ chunkId, score, scores, rank, explanation, nearness }: NearHit): RankedHit => ({
    chunkId,
    score,
    scores,
    ...(nearness && { nearness }),
    ranks: { [list]: rank },
    ...(explanation && { explanation: { ...explanation, notes: [...explanation.notes, ...notes] } }),
  });
