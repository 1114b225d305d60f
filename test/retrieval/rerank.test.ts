// Reranking: nothing lost, nothing late, nothing hidden — whatever the reranker does.

import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../src/core/deadline.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import type { Evidence } from '../../src/core/search.ts';
import { createModelBudget } from '../../src/models/money/model-budget.ts';
import { toRanking } from '../../src/models/rerank/ranking.ts';
import type { RankedText } from '../../src/models/rerank/rerank-model.ts';
import { type Reranking, rerank } from '../../src/retrieval/rerank.ts';
import { evidenceOf } from '../../testkit/evidence-of.ts';
import { createRandom } from '../../testkit/history.ts';
import { callContext } from '../../testkit/request-context.ts';
import { createScriptedReranker, ranking, rerankingBy, scoring } from './scripted-reranker.ts';

const evidence: readonly Evidence[] = ['a', 'b', 'c', 'd', 'e'].map((id, place) =>
  evidenceOf({ id, text: `text ${id}`, title: `Title ${id}`, score: 10 - place }),
);
const byId = (scores: Readonly<Record<string, number>>) => scoring((text) => scores[text.slice(-1)]);
const idsOf = (items: readonly Evidence[]): string => items.map(({ chunkId }) => chunkId).join('');
const reverse = scoring((_text, index) => index / 10);

async function run(reranking: Reranking, given = evidence, signal?: AbortSignal) {
  const events: FootnoteEvent[] = [];
  const result = await rerank(
    given,
    { query: 'q', reranking, context: callContext({ sink: (event) => events.push(event) }) },
    signal,
  );
  return { ...result, events };
}

describe('rerank', () => {
  it('orders the head by the reranker, and leaves the rest below as it was', async () => {
    const { evidence: found, events } = await run(rerankingBy(byId({ a: 0.1, b: 0.3, c: 0.9 }), { topK: 3 }));
    expect(idsOf(found)).toBe('cbade');
    expect(found.map(({ scores }) => scores.rerank)).toEqual([0.9, 0.3, 0.1, undefined, undefined]);
    expect(found.map(({ ranks }) => ranks['rerank'])).toEqual([1, 2, 3, undefined, undefined]);
    expect(events).toEqual([
      { type: 'reranking', inputCount: 3, outputCount: 3, method: 'cross-encoder', moved: 4 / 3, topKept: 1 },
    ]);
  });

  it('lets scores of the search fall along the new order, and keeps what each was', async () => {
    const { evidence: found } = await run(rerankingBy(reverse));
    expect(found.map(({ score }) => score)).toEqual([10, 9, 8, 7, 6]);
    expect(found.map(({ scores }) => scores.fused)).toEqual([6, 7, 8, 9, 10]);
  });

  it('reads title, headings and text', async () => {
    const model = createScriptedReranker(reverse);
    const item = { ...evidenceOf({ id: 'x', text: 'the text', title: 'Title' }), headingPath: ['Title', 'Part'] };
    await run(rerankingBy(model), [item, ...evidence]);
    expect(model.requests[0]?.texts.slice(0, 2)).toEqual(['Title > Part\nthe text', 'Title a\ntext a']);
  });

  it('drops what the reranker scored below the threshold, and nothing else', async () => {
    const script = byId({ a: 0.49, b: 0.5, d: 0.8 });
    const { evidence: found, events } = await run(rerankingBy(script, { topK: 4, threshold: 0.5 }));
    // c was not scored and e not seen: nothing says that they are bad.
    expect(idsOf(found)).toBe('dbce');
    expect(found.map(({ score }) => score)).toEqual([10, 9, 8, 6]);
    expect(events).toMatchObject([{ inputCount: 4, outputCount: 3 }]);
    expect(
      idsOf(
        (
          await run(
            rerankingBy(
              scoring(() => 0),
              { threshold: 0 },
            ),
          )
        ).evidence,
      ),
    ).toBe('abcde');
    expect(
      (
        await run(
          rerankingBy(
            scoring(() => 0),
            { threshold: 0.1 },
          ),
        )
      ).evidence,
    ).toEqual([]);
  });

  it('asks of one alone only whether it is good enough', async () => {
    const model = createScriptedReranker(scoring(() => 0.2));
    const [first = []] = [evidence.slice(0, 1)];
    expect(idsOf((await run(rerankingBy(model), first)).evidence)).toBe('a');
    expect((await run(rerankingBy(model), [])).events).toEqual([]);
    expect(model.requests).toEqual([]);
    const emptied = await run(rerankingBy(model, { threshold: 0.5 }), first);
    expect(emptied.evidence).toEqual([]);
    expect(emptied.degraded).toMatchObject({ component: 'reranker', code: 'all-below-threshold' });
  });

  it('says in an explanation what it did', async () => {
    const explained = evidence.map((item) => ({ ...item, explanation: { terms: [], notes: ['found'] } }));
    const { evidence: found } = await run(rerankingBy(byId({ a: 0.25, e: 0.5 })), explained);
    expect(found[0]?.explanation?.notes).toEqual([
      'found',
      'reranked by scripted:script: score 0.5000, place 5 -> 1 of 5',
    ]);
    expect(found[4]?.explanation?.notes[1]).toBe(
      'reranker scripted:script said nothing of it: place 4 -> 5 of 5, behind what it scored',
    );
  });

  it.each<[string, readonly RankedText[]]>([
    ['loses one', [{ index: 1 }, { index: 0 }, { index: 2 }, { index: 3 }]],
    ['doubles one', [0, 0, 1, 2, 3].map((index) => ({ index }))],
    ['adds one', [0, 1, 2, 3, 4, 5].map((index) => ({ index }))],
    ['invents one', [0, 1, 2, 3, 7].map((index) => ({ index }))],
    ['halves one', [0, 1, 2, 3, 3.5].map((index) => ({ index }))],
    ['scores NaN', [0, 1, 2, 3, 4].map((index) => ({ index, score: Number.NaN }))],
    ['scores beyond 1', [0, 1, 2, 3, 4].map((index) => ({ index, score: 1.5 }))],
    ['returns nothing', []],
  ])('keeps the order of the search where the reranker %s, and says so', async (_name, given) => {
    const { evidence: found, degraded, events } = await run(rerankingBy(ranking(given), { threshold: 0.5 }));
    expect(found).toEqual(evidence);
    expect(degraded).toMatchObject({ component: 'reranker', code: 'upstream-invalid' });
    expect(events).toEqual([]);
  });

  it.each([
    new FootnoteError('upstream-unavailable', 'Down.'),
    new FootnoteError('quota-exceeded', 'No credit.'),
    new FootnoteError('config-invalid', 'No key.'),
    new FootnoteError('cancelled', 'Its own thread went away.'),
    new Error('a bug'),
  ])('keeps the order of the search where the reranker fails: %s', async (error) => {
    const failing = () => Promise.reject(error);
    const { evidence: found, degraded } = await run(rerankingBy(failing));
    expect(found).toEqual(evidence);
    expect(degraded).toMatchObject({ component: 'reranker', effect: 'The results stand in the order of the search.' });
  });

  it('waits no longer than it was told, even for one that does not listen', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { evidence: found, degraded } = await run(rerankingBy(never, { timeoutMs: 30 }));
    expect(found).toEqual(evidence);
    expect(degraded).toMatchObject({ code: 'deadline-exceeded', detail: expect.stringContaining('within 30 ms') });
  });

  it('leaves the answer half of what the request has', async () => {
    const model = createScriptedReranker(() => new Promise<never>(() => undefined));
    const deadline = createDeadline(200);
    const result = await rerank(evidence, {
      query: 'q',
      reranking: rerankingBy(model),
      context: callContext({ deadline }),
    });
    expect(result.degraded?.code).toBe('deadline-exceeded');
    expect(deadline.signal.aborted).toBe(false);
    expect(deadline.remainingMs()).toBeGreaterThan(0);
  });

  it('ends with the request, and with nothing else', async () => {
    const left = new AbortController();
    const model = createScriptedReranker(() => {
      left.abort();
      return new Promise<never>(() => undefined);
    });
    await expect(run(rerankingBy(model), evidence, left.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(model.calls[0]?.deadline.signal.aborted).toBe(true);
  });

  it('hands the budget of the request on', async () => {
    const budget = createModelBudget({ calls: 3 }, { name: 'this request' });
    const model = createScriptedReranker((request, options) => {
      options.budget?.reserve({ calls: 1, inputTokens: 5, outputTokens: 0, costUsd: 0 });
      return scoring(() => 0.5)(request, options) as never;
    });
    await run(rerankingBy(model, { budget }));
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 5 });
  });

  it('loses nothing over any scores: 500 random ones', async () => {
    const random = createRandom(7);
    for (let round = 0; round < 500; round++) {
      const items = evidence.slice(0, 1 + random.below(5));
      const topK = 1 + random.below(6);
      const scores = new Map(
        items.flatMap((_, index) => (random.below(3) === 0 ? [] : [[index, random.below(4) / 3] as const])),
      );
      const script = scoring((_text, index) => scores.get(index));
      const { evidence: found } = await run(rerankingBy(script, { topK }), items);
      expect(idsOf([...found].sort((a, b) => (a.chunkId < b.chunkId ? -1 : 1)))).toBe(idsOf(items));
      expect(found.slice(topK)).toEqual(items.slice(topK));
      expect(found.every((item, place) => place === 0 || item.score <= (found[place - 1]?.score ?? 0))).toBe(true);
    }
  });
});

describe('toRanking', () => {
  it('puts best first, equal ones as they came, those without a score last', () => {
    const scores = new Map([
      [3, 0.5],
      [0, 0.5],
      [4, 0.9],
    ]);
    expect(toRanking(scores, 5).map(({ index }) => index)).toEqual([4, 0, 3, 1, 2]);
  });
});
