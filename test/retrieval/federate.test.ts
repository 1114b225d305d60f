import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import type { SourceType } from '../../src/core/document.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import { systemClock } from '../../src/core/ids.ts';
import { type AskKind, federate } from '../../src/retrieval/federate.ts';
import type { JoinedResult } from '../../src/retrieval/legs/join-legs.ts';
import type { SearchPlan } from '../../src/retrieval/route/plan.ts';

const planOf = (plan: Partial<SearchPlan>): SearchPlan => ({
  routing: { sources: [], reason: '' },
  first: ['code', 'docs', 'qa'],
  later: [],
  preferred: [],
  ...plan,
});

function resultOf(
  type: SourceType,
  { scores = [4, 3, 2, 1], reach }: { scores?: readonly number[]; reach?: number } = {},
): JoinedResult {
  return {
    hits: scores.map((score, at) => ({
      chunkId: `${type}-${at + 1}`,
      score,
      scores: { bm25: score },
      ranks: { embedded: at + 1 },
      stores: ['embedded'],
    })),
    degraded: [],
    ...(reach !== undefined && { reach }),
  };
}

const options = (timeoutMs = 60_000) => ({
  wanted: 5,
  limit: 50,
  explain: true,
  deadline: createDeadline(timeoutMs),
  clock: systemClock,
});

describe('federate', () => {
  it('puts the kind whose best hit answers most of the query first, and keeps the order within each', async () => {
    const reach: Partial<Record<SourceType, number>> = { code: 0.3, docs: 0.9, qa: 0.7 };
    const { hits } = await federate(planOf({}), async (type) => resultOf(type, { reach: reach[type] ?? 0 }), options());
    expect(hits.slice(0, 3).map(({ chunkId }) => chunkId)).toEqual(['docs-1', 'docs-2', 'qa-1']);
    for (const type of ['code', 'docs', 'qa'])
      expect(hits.map(({ chunkId }) => chunkId).filter((id) => id.startsWith(type))).toEqual(
        [1, 2, 3, 4].map((at) => `${type}-${at}`),
      );
    for (const { score, explanation, ranks } of hits) {
      expect(explanation?.kind?.contribution).toBe(score);
      expect((explanation?.kind?.weight ?? 0) * (explanation?.kind?.normalised ?? 0)).toBe(score);
      expect(ranks['federated']).toBeGreaterThan(0);
    }
  });

  it('tells kinds apart as steeply as their scores fall, so that the best hit of a kind that says little stays behind', async () => {
    const steep = [1, 0.4, 0.05];
    const ask: AskKind = async (type) => ({
      ...resultOf(type, { scores: type === 'qa' ? [4, 3.3, 2.1] : steep, reach: type === 'code' ? 0.6 : 0.9 }),
      // The scores of Q&A fall less steeply: words alone found them.
      ...(type !== 'qa' && { sharpness: 5 }),
    });
    const { hits } = await federate(planOf({}), ask, options());
    expect(hits.map(({ chunkId }) => chunkId)).toEqual([
      ...['docs-1', 'qa-1', 'docs-2', 'qa-2', 'code-1', 'code-2', 'docs-3', 'qa-3', 'code-3'],
    ]);
    for (const { score, explanation } of hits)
      expect((explanation?.kind?.weight ?? 0) * (explanation?.kind?.normalised ?? 0)).toBe(score);
  });

  it('keeps the best of a kind that answers the question, however much more another has to say', async () => {
    const ask: AskKind = async (type) => ({
      ...resultOf(type, { scores: [9, 8.9, 8.8, 8.7, 8.6, 8.5], reach: type === 'docs' ? 2 : type === 'qa' ? 1 : 0.5 }),
      sharpness: 5,
    });
    const { hits } = await federate(planOf({}), ask, { ...options(), limit: 5 });
    expect(hits.map(({ chunkId }) => chunkId)).toEqual(['docs-1', 'docs-2', 'docs-3', 'docs-4', 'qa-1']);
  });

  it('lets what is not asked for count less where the question leaves little doubt', async () => {
    const ask: AskKind = async (type) => resultOf(type, { reach: 1 });
    const weights = async (plan: Partial<SearchPlan>) =>
      (await federate(planOf({ preferred: ['code'], ...plan }), ask, options())).hits.find(
        ({ chunkId }) => chunkId === 'docs-1',
      )?.explanation?.kind?.weight;
    expect([await weights({}), await weights({ isPlain: true })]).toEqual([0.7, 0.4]);
  });

  it('prefers what the question asks for where both answer as much', async () => {
    const { hits } = await federate(
      planOf({ preferred: ['qa'] }),
      async (type) => resultOf(type, { reach: 0.8 }),
      options(),
    );
    expect(hits[0]?.chunkId).toBe('qa-1');
  });

  it('asks further kinds only where the first ones say too little', async () => {
    const asked: SourceType[] = [];
    const ask =
      (scores: readonly number[], reach: number): AskKind =>
      async (type) => {
        asked.push(type);
        return resultOf(type, { scores, reach });
      };
    const plan = planOf({ first: ['code'], later: ['docs', 'qa'] });
    await federate(plan, ask([5, 4, 3, 2, 1], 0.9), options());
    expect(asked.splice(0)).toEqual(['code']);
    // Too few, then too far from the question.
    const { kinds } = await federate(plan, ask([5, 4], 0.9), options());
    expect(asked.splice(0)).toEqual(['code', 'docs', 'qa']);
    expect(kinds.map(({ isLater }) => isLater)).toEqual([undefined, true, true]);
    await federate(plan, ask([5, 4, 3, 2, 1], 0.2), options());
    expect(asked).toEqual(['code', 'docs', 'qa']);
  });

  const faults: Readonly<Record<string, (type: SourceType, signal: AbortSignal) => Promise<JoinedResult>>> = {
    'is down': async () => {
      throw new FootnoteError('upstream-unavailable', 'It is down.');
    },
    'throws what nobody knows': async () => {
      throw new TypeError('x is not a function');
    },
    'never answers': async () => new Promise<never>(() => undefined),
    'answers only when it is told to stop': async (_, signal) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  };
  const lies: Readonly<Record<string, (type: SourceType) => JoinedResult>> = {
    'finds nothing': (type) => resultOf(type, { scores: [], reach: 0.9 }),
    'claims to answer everything': (type) => resultOf(type, { reach: 1e9 }),
    'says nothing of its reach': (type) => resultOf(type),
    'scores by nonsense': (type) =>
      resultOf(type, { scores: [Number.NaN, Number.POSITIVE_INFINITY, -4], reach: Number.NaN }),
  };

  for (const [fault, work] of Object.entries(faults))
    for (const bad of ['code', 'docs', 'qa'] as const)
      it(`still gives what the others found where ${bad} ${fault}, and tells it`, async () => {
        const ask: AskKind = (type, signal) =>
          type === bad ? work(type, signal) : Promise.resolve(resultOf(type, { reach: 0.8 }));
        const { hits, degraded, kinds } = await federate(planOf({}), ask, options(200));
        expect(new Set(hits.map(({ chunkId }) => chunkId.split('-')[0]))).toEqual(
          new Set(['code', 'docs', 'qa'].filter((type) => type !== bad)),
        );
        expect(degraded.map(({ component, effect }) => [component, effect])).toEqual([
          [`source:${bad}`, `Searched without ${bad}.`],
        ]);
        expect(kinds.find(({ type }) => type === bad)?.failed).toBe(degraded[0]?.code);
      });

  for (const [lie, work] of Object.entries(lies))
    for (const bad of ['code', 'docs', 'qa'] as const)
      it(`keeps what the others found in sight where ${bad} ${lie}`, async () => {
        const ask: AskKind = async (type) => (type === bad ? work(type) : resultOf(type, { reach: 0.8 }));
        const { hits } = await federate(planOf({}), ask, options());
        for (const type of ['code', 'docs', 'qa'].filter((one) => one !== bad))
          expect(hits.slice(0, 8).some(({ chunkId }) => chunkId === `${type}-1`)).toBe(true);
        expect(hits.every(({ score }) => Number.isFinite(score))).toBe(true);
      });

  it('throws where all fail, and ends when the request does', async () => {
    const down: AskKind = async () => {
      throw new FootnoteError('upstream-unavailable', 'It is down.');
    };
    await expect(federate(planOf({}), down, options())).rejects.toMatchObject({ code: 'upstream-unavailable' });
    const gone = new AbortController();
    const asked = federate(planOf({}), async () => new Promise<never>(() => undefined), options(), gone.signal);
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });
});
