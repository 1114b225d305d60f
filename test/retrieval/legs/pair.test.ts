// Every way that the legs of a search can go, over a store and a model made for it: what each is asked, how they are joined,
// and that meaning which is missing, fails, or is swapped away never takes the words' hits with it.

import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { systemClock } from '../../../src/core/ids.ts';
import type { Degradation, Mode } from '../../../src/core/search.ts';
import { feedbackVector } from '../../../src/models/embedding/feedback-vector.ts';
import type { EmbeddingModel } from '../../../src/models/embedding/model.ts';
import type { MissingSemantics, ReadySemantics, Semantics } from '../../../src/models/embedding/semantics.ts';
import type { Expander } from '../../../src/retrieval/expand/expand.ts';
import {
  corpusFusion,
  encodedFusion,
  type FusionSettings,
  fixedFusion,
  fuse,
} from '../../../src/retrieval/fusion/fuse.ts';
import type { MeaningLimits } from '../../../src/retrieval/legs/meaning-time.ts';
import { createPair } from '../../../src/retrieval/legs/pair.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import type { Store, StoreHit, StoreQuery } from '../../../src/stores/store.ts';

type Listed = readonly (readonly [chunkId: string, score: number])[];

const toHits = (listed: Listed, leg: 'lexical' | 'vector', explain = false): StoreHit[] =>
  listed.map(([chunkId, score], place) => ({
    chunkId,
    documentId: `doc_${chunkId}`,
    score,
    scores: leg === 'lexical' ? { bm25: score - 0.5 } : { vector: score },
    rank: place + 1,
    ...(explain && { explanation: { terms: [], notes: [`${leg} note of ${chunkId}`] } }),
  }));

const words: Listed = [
  ['a', 9],
  ['b', 6],
  ['c', 3],
];
const meaning: Listed = [
  ['c', 0.9],
  ['d', 0.8],
  ['a', 0.2],
  ['e', 0],
  ['f', -0.1],
];
const queryVector = Float32Array.of(1, 0, 0);
/** Of the best hits by words; b has none. */
const chunkVectors = new Map([
  ['a', Float32Array.of(0, 1, 0)],
  ['c', Float32Array.of(0, 0, 1)],
]);

function model(kind: 'corpus' | 'fixed', { id = `${kind}-1`, vector = queryVector } = {}): ReadySemantics {
  const made = { id, kind, dimensions: 3, metric: 'cosine', embed: async () => [vector] } as unknown as EmbeddingModel;
  return { ready: true, model: made as ReadySemantics['model'], space: id, learnedFrom: kind === 'corpus' ? 2000 : 0 };
}

/** A model of a provider. */
function remoteModel(embed: EmbeddingModel['embed'] = async () => [queryVector]): ReadySemantics['model'] {
  const { model: made } = model('fixed');
  return { ...made, embed, remote: { name: 'compatible:small' } } as unknown as ReadySemantics['model'];
}

interface Setup {
  readonly limits?: Partial<MeaningLimits>;
  readonly isRemote?: boolean;
  readonly semantics?: ReadySemantics | MissingSemantics | Semantics['current'];
  readonly fusion?: Partial<FusionSettings>;
  readonly store?: Partial<EmbeddedStore>;
  readonly lexical?: Listed;
  readonly vector?: Listed;
  /** What the leg by vector does instead of finding. */
  readonly onVector?: (query: StoreQuery, signal?: AbortSignal) => Promise<never> | undefined;
  readonly degraded?: readonly Degradation[];
  readonly expander?: Expander;
}

function setup(given: Setup = {}) {
  const { semantics = model('corpus'), lexical = words, vector = meaning, degraded = [] } = given;
  const queries: StoreQuery[] = [];
  const store = {
    name: 'embedded',
    async search(query: StoreQuery, signal?: AbortSignal) {
      queries.push(query);
      if (query.mode === 'vector') await given.onVector?.(query, signal);
      const leg = query.mode === 'vector' ? 'vector' : 'lexical';
      return { hits: toHits(leg === 'vector' ? vector : lexical, leg, query.explain).slice(0, query.limit), degraded };
    },
    vectorsOf: async (_space: string, ids: readonly string[]) => ids.map((id) => chunkVectors.get(id)),
    ...given.store,
  } as unknown as Store;
  const pair = createPair({
    names: { words: 'embedded', meaning: 'vector', joined: 'hybrid' },
    store,
    semantics: {
      ...(given.isRemote && { isRemote: true }),
      current: typeof semantics === 'function' ? semantics : async () => semantics,
    },
    clock: systemClock,
    ...given.limits,
    fusion: { method: 'min-max', semanticWeight: undefined, rankConstant: 60, ...given.fusion },
    expander: given.expander,
  });
  const search = (mode: Mode, more: { limit?: number; explain?: boolean; text?: string; signal?: AbortSignal } = {}) =>
    pair.search(
      { text: more.text ?? 'otters', mode, limit: more.limit ?? 15, explain: more.explain ?? false },
      more.signal,
    );
  return { search, queries };
}

const missing: MissingSemantics = { ready: false, code: 'training', detail: 'Being learned.' };
const byWordsOnly = toHits(words, 'lexical').map(({ chunkId, score, scores, rank }) => ({
  chunkId,
  score,
  scores,
  ranks: { embedded: rank },
}));

describe('mode embedded', () => {
  it('is the words alone: no model is asked for', async () => {
    const { search, queries } = setup({ semantics: () => Promise.reject(new Error('asked')) });
    expect(await search('embedded')).toEqual({ hits: byWordsOnly, degraded: [] });
    expect(queries).toEqual([{ text: 'otters', mode: 'lexical', limit: 15 }]);
  });
});

describe('mode vector', () => {
  it('searches half way between the query and its best hits by words, for a model learned from the corpus', async () => {
    const { search, queries } = setup();
    const { hits, degraded } = await search('vector');
    expect(hits.map(({ chunkId, scores, ranks }) => [chunkId, scores, ranks])).toEqual([
      ['c', { vector: 0.9 }, { vector: 1 }],
      ['d', { vector: 0.8 }, { vector: 2 }],
      ['a', { vector: 0.2 }, { vector: 3 }],
    ]);
    expect(degraded).toEqual([]);
    const asked = queries.find(({ mode }) => mode === 'vector');
    expect(asked).toMatchObject({ space: 'corpus-1', limit: 15 });
    const best = [
      { vector: Float32Array.of(0, 1, 0), score: 9 },
      { vector: Float32Array.of(0, 0, 1), score: 3 },
    ];
    expect(asked?.vector).toEqual(feedbackVector(queryVector, best));
    expect(asked?.vector).not.toEqual(queryVector);
  });

  it('takes at most five hits by words for it, and does without a store that gives no vectors', async () => {
    const seen: (readonly string[])[] = [];
    const many: Listed = Array.from({ length: 8 }, (_, at) => [`w${at}`, 9 - at]);
    const store = {
      vectorsOf: async (_: string, ids: readonly string[]) => {
        seen.push(ids);
        return ids.map(() => undefined);
      },
    };
    await setup({ lexical: many, store }).search('vector');
    expect(seen).toEqual([['w0', 'w1', 'w2', 'w3', 'w4']]);
    const { search, queries } = setup({ store: { vectorsOf: undefined } as unknown as Partial<Store> });
    await search('vector');
    expect(queries.find(({ mode }) => mode === 'vector')?.vector).toEqual(queryVector);
  });

  it('moves only what is learned of a query towards the best hits, where an encoder stands beside it', async () => {
    const two = model('corpus', { vector: Float32Array.of(1, 0, 1) });
    const semantics = { ...two, model: { ...two.model, learnedDimensions: 2 } };
    const { search, queries } = setup({ semantics });
    const { degraded } = await search('hybrid');
    expect(degraded).toEqual([]);
    const { vector } = queries.find(({ mode }) => mode === 'vector') ?? {};
    expect(vector?.[2]).toBe(1);
    // Of the hits by words a has a learned part, c none.
    expect(vector?.[1]).toBeGreaterThan(0);
    expect(Math.hypot(vector?.[0] ?? 0, vector?.[1] ?? 0)).toBeCloseTo(0.25, 6);
  });

  it('joins as with the learned model alone where the encoder says nothing, which is told where it failed', async () => {
    const learned = await setup({ semantics: model('corpus') }).search('hybrid');
    for (const [vector, codes] of [
      [Float32Array.of(1, 0, 0, 0), []],
      [Float32Array.of(1, 0, 0), ['no-vector']],
    ] as const) {
      const two = model('corpus', { vector });
      const semantics = { ...two, model: { ...two.model, dimensions: 4, learnedDimensions: 3 } };
      const { hits, degraded } = await setup({ semantics }).search('hybrid');
      expect(hits.map(({ score }) => score)).toEqual(learned.hits.map(({ score }) => score));
      expect(degraded.map(({ code }) => code)).toEqual(codes);
    }
    const spoken = model('corpus', { vector: Float32Array.of(1, 0, 0, 1) });
    const semantics = { ...spoken, model: { ...spoken.model, dimensions: 4, learnedDimensions: 3 } };
    const joined = fuse(
      { lexical: toHits(words, 'lexical'), vector: toHits(meaning.slice(0, 3), 'vector') },
      encodedFusion,
    );
    expect((await setup({ semantics }).search('hybrid')).hits.map(({ score }) => score)).toEqual(
      joined.hits.map(({ score }) => score),
    );
  });

  it('does not ask for words with a fixed model, and takes the query as it is', async () => {
    const { search, queries } = setup({ semantics: model('fixed') });
    await search('vector');
    expect(queries).toEqual([{ text: 'otters', mode: 'vector', vector: queryVector, space: 'fixed-1', limit: 15 }]);
  });

  it('is served by words where the model knows nothing of the query', async () => {
    const { search } = setup({ semantics: model('corpus', { vector: new Float32Array(3) }), lexical: [] });
    expect(await search('vector')).toMatchObject({ hits: [], degraded: [{ code: 'query-unknown' }] });
    // The best hits by words say what it means.
    const known = await setup({ semantics: model('corpus', { vector: new Float32Array(3) }) }).search('vector');
    expect(known.hits[0]).toMatchObject({ chunkId: 'c', ranks: { vector: 1 } });
    expect(known.degraded).toEqual([]);
  });
});

describe('mode hybrid', () => {
  it.each(['corpus', 'fixed'] as const)('is both legs of a %s model, joined and told', async (kind) => {
    const { search, queries } = setup({ semantics: model(kind) });
    const { hits, degraded } = await search('hybrid', { limit: 3 });
    const legs = { lexical: toHits(words, 'lexical'), vector: toHits(meaning, 'vector').slice(0, 3) };
    const expected = fuse(legs, kind === 'corpus' ? corpusFusion(2000) : fixedFusion).hits.slice(0, 3);
    expect(hits.map(({ chunkId, score }) => [chunkId, score])).toEqual(
      expected.map(({ chunkId, score }) => [chunkId, score]),
    );
    const both = hits.find(({ chunkId }) => chunkId === 'c');
    expect(both).toMatchObject({
      scores: { bm25: 2.5, vector: kind === 'corpus' ? 0.9 : 0.95 },
      ranks: { embedded: 3, vector: 1, hybrid: expected.find(({ chunkId }) => chunkId === 'c')?.rank },
    });
    expect(degraded).toEqual([]);
    // Deeper than what is shown: a hit deep in one leg may be high in the other.
    expect(queries.map(({ limit }) => limit)).toEqual([50, 50]);
    expect((await search('hybrid', { limit: 400 })) && queries.at(-1)?.limit).toBe(400);
  });

  it('follows the settings: weight, method and rank constant', async () => {
    const all = await setup({ fusion: { semanticWeight: 1 } }).search('hybrid');
    expect(all.hits.map(({ chunkId }) => chunkId)).toEqual(['c', 'd', 'a', 'b']);
    const none = await setup({ fusion: { semanticWeight: 0 } }).search('hybrid');
    expect(none.hits.map(({ chunkId }) => chunkId)).toEqual(['a', 'b', 'c', 'd']);
    const ranks = await setup({ fusion: { method: 'rrf', semanticWeight: 0.5, rankConstant: 1 } }).search('hybrid');
    expect(ranks.hits.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ['a', 0.5 / 2 + 0.5 / 4],
      ['c', 0.5 / 4 + 0.5 / 2],
      ['b', 0.5 / 3],
      ['d', 0.5 / 3],
    ]);
  });

  it('explains: contributions that add up, what each leg said, what the guard did, whose vectors were used', async () => {
    const { hits, legs } = await setup().search('hybrid', { explain: true, limit: 2 });
    for (const { chunkId, score, explanation } of hits) {
      const { lexical, vector } = explanation?.fusion ?? {};
      expect((lexical?.contribution ?? 0) + (vector?.contribution ?? 0), chunkId).toBe(score);
      for (const leg of [lexical, vector]) if (leg) expect(leg.weight * leg.normalised).toBe(leg.contribution);
    }
    const a = hits.find(({ chunkId }) => chunkId === 'a');
    expect(a?.explanation?.fusion).toMatchObject({ method: 'min-max', lexical: { rank: 1 }, vector: { rank: 3 } });
    expect(a?.explanation?.notes).toEqual([
      'lexical note of a',
      'vector note of a',
      'meaning was searched half way between the query and its best hits by words: a, c',
      'normalised: words score / best to the power of 5, meaning score / best',
      'guard: too few hits to judge by; meaning counts its whole weight 0.300',
    ]);
    expect(legs).toEqual({ lexical: ['a', 'b'], vector: ['c', 'd'] });
    expect((await setup().search('hybrid')).legs).toBeUndefined();
    expect((await setup().search('embedded', { explain: true })).legs).toBeUndefined();
  });

  it.each([
    ['fixed', {}, 'normalised: words score / best, meaning (score - least) / (best - least)'],
    ['corpus', { method: 'rrf', rankConstant: 7 }, 'normalised: 1 / (7 + rank)'],
  ] as const)('says by what rule scores of a %s model were joined (%j)', async (kind, fusion, rule) => {
    const { hits } = await setup({ semantics: model(kind), fusion }).search('hybrid', { explain: true });
    expect(hits[0]?.explanation?.notes).toContain(rule);
  });

  it('is guarded against meaning that agrees with nothing, and says so', async () => {
    const ranked = (letter: string): Listed => Array.from({ length: 12 }, (_, at) => [`${letter}${at}`, 12 - at]);
    const { hits } = await setup({ lexical: ranked('w'), vector: ranked('v') }).search('hybrid', { explain: true });
    expect(hits.slice(0, 12).map(({ chunkId }) => chunkId)).toEqual(ranked('w').map(([id]) => id));
    expect(hits[0]?.explanation?.fusion?.semanticWeight).toBe(0);
    expect(hits[0]?.explanation?.notes.at(-1)).toBe(
      'guard: 0 of the first 10 hits by meaning are among the first 15 by words, of 3 wanted; meaning counts 0.000 instead of 0.300',
    );
  });

  it('says that meaning counts its whole weight where the legs agree', async () => {
    const ranked: Listed = Array.from({ length: 12 }, (_, at) => [`w${at}`, 12 - at]);
    const { hits } = await setup({ lexical: ranked, vector: ranked }).search('hybrid', { explain: true });
    expect(hits[0]?.explanation?.notes.at(-1)).toBe(
      'guard: 10 of the first 10 hits by meaning are among the first 15 by words; meaning counts its whole weight 0.300',
    );
  });

  it('starts both legs at once with a fixed model, and ends one when the other fails', async () => {
    const begun: string[] = [];
    let reason: unknown;
    const { promise, reject } = Promise.withResolvers<never>();
    const store = {
      async search({ mode }: StoreQuery, signal?: AbortSignal): Promise<never> {
        begun.push(mode);
        if (mode === 'lexical') return promise;
        await new Promise((done) => signal?.addEventListener('abort', done, { once: true }));
        reason = signal?.aborted;
        throw new FootnoteError('cancelled', 'Stopped.');
      },
    };
    const { search } = setup({ semantics: model('fixed'), store });
    const found = search('hybrid');
    await new Promise(setImmediate);
    expect(begun.sort()).toEqual(['lexical', 'vector']);
    reject(new FootnoteError('data-corrupt', 'The index is damaged.'));
    await expect(found).rejects.toMatchObject({ code: 'data-corrupt' });
    expect(reason).toBe(true);
  });
});

describe.each<Mode>(['vector', 'hybrid'])('mode %s without meaning', (mode) => {
  it('is served by words, and says why', async () => {
    const { search, queries } = setup({ semantics: missing });
    expect(await search(mode)).toEqual({
      hits: byWordsOnly,
      degraded: [
        { component: 'vector', code: 'training', detail: 'Being learned.', effect: 'Searched by words only.' },
      ],
    });
    expect(queries.map((query) => query.mode)).toEqual(['lexical']);
  });

  it.each(['corpus', 'fixed'] as const)('survives a leg that fails (%s)', async (kind) => {
    const onVector = () => Promise.reject(new FootnoteError('upstream-unavailable', 'The store is down.'));
    const { hits, degraded } = await setup({ semantics: model(kind), onVector }).search(mode);
    expect(hits).toEqual(byWordsOnly);
    expect(degraded).toMatchObject([
      { component: 'vector', code: 'upstream-unavailable', detail: 'Search by meaning failed: The store is down.' },
    ]);
  });

  it('survives a model that cannot be asked for', async () => {
    const semantics = () => Promise.reject(new FootnoteError('upstream-unavailable', 'No model.'));
    expect((await setup({ semantics }).search(mode)).degraded).toMatchObject([{ code: 'upstream-unavailable' }]);
  });

  it('asks once more when the model was swapped away, of the one that took its place', async () => {
    const models = [model('corpus', { id: 'old' }), model('corpus', { id: 'new' })];
    const onVector = ({ space }: StoreQuery) =>
      space === 'old' ? Promise.reject(new FootnoteError('conflict', 'Dropped.')) : undefined;
    const { search, queries } = setup({ semantics: async () => models.shift() ?? missing, onVector });
    const { hits, degraded } = await search(mode);
    expect(degraded).toEqual([]);
    expect(hits[0]?.ranks).toHaveProperty('vector');
    // Words are not searched again.
    expect(queries.map((query) => query.space ?? query.mode)).toEqual(['lexical', 'old', 'new']);
  });

  it('gives up after the second conflict', async () => {
    let asked = 0;
    const onVector = () => {
      asked++;
      return Promise.reject(new FootnoteError('conflict', 'Dropped.'));
    };
    expect((await setup({ onVector }).search(mode)).degraded).toMatchObject([{ code: 'conflict' }]);
    expect(asked).toBe(2);
  });

  it.each(['cancelled', 'deadline-exceeded'] as const)(
    'ends with the request, and with nothing else: %s',
    async (code) => {
      const onVector = () => Promise.reject(new FootnoteError(code, 'Over.'));
      expect((await setup({ onVector }).search(mode)).degraded).toMatchObject([{ component: 'vector', code }]);
      const aborted = AbortSignal.abort(new FootnoteError(code, 'Over.'));
      const failing = () => Promise.reject(new FootnoteError('upstream-unavailable', 'Broken off.'));
      await expect(setup({ onVector: failing }).search(mode, { signal: aborted })).rejects.toBeDefined();
    },
  );

  const never = new Promise<never>(() => undefined);
  const silent: Readonly<Record<string, Setup>> = {
    'when it is asked which model there is': { isRemote: true, semantics: () => never },
    'while it embeds the query': { semantics: { ...model('fixed'), model: remoteModel(() => never) } },
    'while vectors are compared': { semantics: { ...model('fixed'), model: remoteModel() }, onVector: () => never },
  };

  it.each(Object.keys(silent))('waits for what is silent %s no longer than is set, once a request', async (when) => {
    const embeddingTimeoutMs = 50;
    let asked = 0;
    const given = silent[when] ?? {};
    const { search } = setup({ ...given, limits: { deadline: createDeadline(60_000), embeddingTimeoutMs } });
    const { hits, degraded } = await search(mode);
    expect(hits).toEqual(byWordsOnly);
    expect(degraded).toMatchObject([{ component: 'vector', code: 'deadline-exceeded' }]);
    const late = setup({
      semantics: async () => {
        asked++;
        return never;
      },
      isRemote: true,
      limits: { embeddingTimeoutMs },
    });
    const first = await late.search(mode);
    expect(await late.search(mode)).toEqual(first);
    expect(asked).toBe(1);
  });

  it('takes at most half of what the request has left, whosever the model is', async () => {
    const deadline = createDeadline(400);
    const { hits, degraded } = await setup({ semantics: () => never, limits: { deadline } }).search(mode);
    expect(hits).toEqual(byWordsOnly);
    expect(degraded).toMatchObject([{ code: 'deadline-exceeded' }]);
    expect(degraded[0]?.detail).toMatch(/within (1\d\d|200) ms/u);
  });

  it('tells the model how long it has, and lets go of it at the end', async () => {
    let told: { readonly withinMs?: number; readonly signal?: AbortSignal } = {};
    const embed: EmbeddingModel['embed'] = (_texts, options) => {
      told = options;
      return never;
    };
    const semantics = { ...model('fixed'), model: remoteModel(embed) };
    await setup({ semantics, limits: { embeddingTimeoutMs: 50 } }).search(mode);
    expect(told.withinMs).toBeGreaterThan(0);
    expect(told.withinMs).toBeLessThanOrEqual(50);
    expect(told.signal?.aborted).toBe(true);
  });

  it('says once what both legs said', async () => {
    const one = { component: 'embedded', code: 'index-incomplete', detail: 'x', effect: 'y' };
    expect((await setup({ degraded: [one] }).search(mode)).degraded).toEqual([one]);
  });
});

describe('a question in another language', () => {
  const text = 'Wie viele Punkte ließ die Verteidigung der Panthers in der Saison zu?';
  const store = {
    statistics: async () => ({ chunks: 9, frequencies: {}, languages: [{ language: 'en', chunks: 9 }] }),
  };
  const ranked = (letter: string): Listed => Array.from({ length: 12 }, (_, at) => [`${letter}${at}`, 12 - at]);
  const apart = { store, lexical: ranked('w'), vector: ranked('v') };

  it.each<[Mode, 'corpus' | 'fixed', RegExp]>([
    ['embedded', 'corpus', /^Words of one language/],
    ['vector', 'corpus', /^Neither words nor/],
    ['hybrid', 'corpus', /^Neither words nor/],
    ['vector', 'fixed', /its whole weight/],
    ['hybrid', 'fixed', /its whole weight/],
  ])('is noticed in mode %s (%s model)', async (mode, kind, effect) => {
    const { degraded } = await setup({ ...apart, semantics: model(kind) }).search(mode, { text });
    expect(degraded).toMatchObject([{ code: 'language-mismatch' }]);
    expect(degraded[0]?.effect).toMatch(effect);
    expect((await setup({ ...apart, semantics: model(kind) }).search(mode)).degraded).toEqual([]);
  });

  it('is not told where a document is in it, and takes the guard off there too', async () => {
    const languages = [
      { language: 'en', chunks: 99 },
      { language: 'de', chunks: 1 },
    ];
    const one = { statistics: async () => ({ chunks: 100, frequencies: {}, languages }) };
    const { search } = setup({ ...apart, store: one, semantics: model('fixed') });
    const { degraded, hits } = await search('hybrid', { text, explain: true });
    expect(degraded).toEqual([]);
    expect(hits[0]?.explanation?.notes.at(-1)).toMatch(/^guard off/);
  });

  it('is looked for once for all that ask it at the same time; who gives up leaves it to the others', async () => {
    const counted: PromiseWithResolvers<void> = Promise.withResolvers();
    let asked = 0;
    const slow = {
      statistics: async () => {
        asked += 1;
        await counted.promise;
        return store.statistics();
      },
    };
    const { search } = setup({ ...apart, store: slow });
    const gone = new AbortController();
    const leaving = search('embedded', { text, signal: gone.signal });
    const staying = [search('embedded', { text }), search('hybrid', { text })];
    gone.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    counted.resolve();
    for (const { degraded } of await Promise.all(staying))
      expect(degraded).toMatchObject([{ code: 'language-mismatch' }]);
    expect(asked).toBe(1);
  });

  it('takes the guard off: words that cannot match say nothing about meaning', async () => {
    const { hits } = await setup({ ...apart, semantics: model('fixed') }).search('hybrid', { text, explain: true });
    expect(hits[0]?.explanation?.fusion?.semanticWeight).toBe(0.5);
    expect(hits[0]?.explanation?.notes.at(-1)).toMatch(/^guard off/);
    expect(hits.slice(0, 2).map(({ chunkId }) => chunkId)).toEqual(['v0', 'w0']);
  });
});

describe('a widened query', () => {
  it('reaches the leg by words, and is told', async () => {
    const also = [{ text: 'lutra', weight: 0.5 }];
    const expander = { expand: async () => ({ also, notes: ['“otters” are “lutra” too'] }) };
    const { search, queries } = setup({ expander });
    const { hits } = await search('hybrid', { explain: true });
    expect(queries.map((query) => query.also)).toEqual([also, undefined]);
    expect(hits[0]?.explanation?.notes).toContain('“otters” are “lutra” too');
  });

  it('is done without where widening fails, and says so', async () => {
    const expander = { expand: () => Promise.reject(new FootnoteError('upstream-unavailable', 'No.')) };
    const { search } = setup({ expander });
    expect(await search('embedded')).toMatchObject({ hits: byWordsOnly, degraded: [{ component: 'expansion' }] });
    const over = { expand: () => Promise.reject(new FootnoteError('cancelled', 'Over.')) };
    await expect(setup({ expander: over }).search('embedded')).rejects.toMatchObject({ code: 'cancelled' });
  });
});
