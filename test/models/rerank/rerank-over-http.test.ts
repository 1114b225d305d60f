// A rerank service over a socket: the shapes of the services that share them, and whatever else may come back.
import { afterEach, describe, expect, it } from 'vitest';
import { createDeadline } from '../../../src/core/deadline.ts';
import { createCircuit } from '../../../src/models/calls/circuit.ts';
import { countAll } from '../../../src/models/language/reading-tokens.ts';
import { createModelBudget } from '../../../src/models/money/model-budget.ts';
import { parsePrices } from '../../../src/models/money/prices.ts';
import type { SeenRequest, Wire } from '../../../src/testing/fake-http.ts';
import { endingDeadline } from '../../core/ending-deadline.ts';
import { type FakeReranker, openFakeReranker, planned, standardReply, teiReply } from '../../fakes/rerank-http.ts';

const query = 'how tall is the tower';
const texts = ['brown paint', 'the tower is tall', 'the old town', 'how tall the tower is'];
const opened: FakeReranker[] = [];
const open = async (...args: Parameters<typeof openFakeReranker>): Promise<FakeReranker> => {
  const service = await openFakeReranker(...args);
  opened.push(service);
  return service;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});
const rerank = ({ model }: FakeReranker, given: readonly string[] = texts, timeoutMs = 600_000) =>
  model.rerank({ query, texts: given }, { deadline: createDeadline(timeoutMs) });
const orderOf = ({ ranking }: { ranking: readonly { index: number }[] }): number[] => ranking.map(({ index }) => index);
const status = (code: number, headers: Record<string, string> = {}): Wire => ({
  status: code,
  headers,
  chunks: ['{"message": "planted-canary"}'],
});

describe('createHttpReranker', () => {
  it('asks in the form that all share, and orders by what comes back', async () => {
    const service = await open();
    const result = await rerank(service);
    expect(orderOf(result)).toEqual([3, 1, 2, 0]);
    expect(result).toMatchObject({
      model: 'service:tiny-reranker',
      usage: { inputTokens: 48, isEstimated: false },
      ranking: [{ score: 1 }, { score: 0.8 }, { score: 0.2 }, { score: 0 }],
    });
    const [{ method, path, headers, body } = {} as SeenRequest] = service.server.requests;
    expect({ method, path, body }).toEqual({
      method: 'POST',
      path: '/v1/rerank',
      body: { model: 'tiny-reranker', query, documents: texts, top_n: 4 },
    });
    expect(headers.authorization).toBe('Bearer secret-key');
  });

  it.each(['/v1/', '/v1/rerank', '/v1/rerank/'])('finds the way from the address %s', async (path) => {
    const service = await open(standardReply, { path });
    await rerank(service);
    expect(service.server.requests[0]?.path).toBe('/v1/rerank');
  });

  it('asks Text Embeddings Inference in its own form, 32 texts at a time, found out once', async () => {
    const service = await open(teiReply, { apiKey: undefined, path: '' });
    const many = Array.from({ length: 70 }, (_, index) => (index === 69 ? query : `text ${index}`));
    const result = await rerank(service, many);
    expect(orderOf(result)).toHaveLength(70);
    expect(result.ranking[0]).toEqual({ index: 69, score: 1 });
    const [first, ...others] = service.server.requests;
    expect(first?.body).toHaveProperty('documents');
    expect(others.map(({ body }) => (body['texts'] as unknown[]).length)).toEqual([32, 32, 6]);
    expect(others[0]?.body).toMatchObject({ raw_scores: false, truncate: true });
    expect(first?.headers.authorization).toBeUndefined();
    expect(result.usage?.isEstimated).toBe(true);
    await rerank(service);
    expect(service.server.requests).toHaveLength(5);
  });

  it('goes on asking in the form that was taken once', async () => {
    const service = await open((request, index) => (index === 1 ? status(422) : standardReply(request)));
    await rerank(service);
    await expect(rerank(service)).rejects.toMatchObject({ code: 'upstream-invalid', details: { status: 422 } });
    expect(service.server.requests).toHaveLength(2);
  });

  it('reads logits (llama.cpp) as shares, from the first that cannot be one', async () => {
    const replies = [
      [-2, 3, 0, 1.5],
      [0.2, 0.9, 0.1, 0.3],
    ];
    const service = await open((_request, index) =>
      planned(replies[index]?.map((score, place) => ({ index: place, relevance_score: score }))),
    );
    const first = await rerank(service);
    expect(orderOf(first)).toEqual([1, 3, 2, 0]);
    expect(first.ranking.map(({ score }) => score?.toFixed(3))).toEqual(['0.953', '0.818', '0.500', '0.119']);
    expect((await rerank(service)).ranking[0]?.score).toBeCloseTo(1 / (1 + Math.exp(-0.9)));
  });

  it('keeps texts that were left out behind the scored ones, in their order, without a score', async () => {
    const service = await open(() => planned([{ index: 2, relevance_score: 0.7 }]));
    expect((await rerank(service)).ranking).toEqual([
      { index: 2, score: 0.7 },
      { index: 0 },
      { index: 1 },
      { index: 3 },
    ]);
  });

  it.each<[string, () => Wire]>([
    ['a text that is not there', () => planned([{ index: 4, relevance_score: 0.5 }])],
    ['a negative index', () => planned([{ index: -1, relevance_score: 0.5 }])],
    ['half an index', () => planned([{ index: 0.5, relevance_score: 0.5 }])],
    ['a text twice', () => planned([0, 0, 1].map((index) => ({ index, relevance_score: 0.5 })))],
    ['no text', () => planned([])],
    ['a score that is null', () => planned([{ index: 0, relevance_score: null }])],
    ['a score in words', () => planned([{ index: 0, relevance_score: 'high' }])],
    ['an infinite score', () => ({ chunks: ['{"results": [{"index": 0, "relevance_score": 1e999}]}'] })],
    ['NaN', () => ({ chunks: ['{"results": [{"index": 0, "relevance_score": NaN}]}'] })],
    ['another form', () => ({ chunks: ['{"data": [{"index": 0, "score": 1}]}'] })],
    ['a page', () => ({ chunks: ['<html>login</html>'] })],
    ['nothing', () => ({ chunks: [''] })],
    ['half of it', () => ({ chunks: ['{"results": [{"index": 0,'] })],
  ])('refuses %s whole, and does not ask again', async (_name, wire) => {
    const service = await open(wire);
    await expect(rerank(service)).rejects.toMatchObject({ code: 'upstream-invalid' });
    expect(service.server.requests).toHaveLength(1);
  });

  it.each<[number, string, RegExp]>([
    [401, 'config-invalid', /RERANK_API_KEY/u],
    [403, 'config-invalid', /RERANK_API_KEY/u],
    [404, 'config-invalid', /RERANK_BASE_URL/u],
    [402, 'quota-exceeded', /credit/u],
    [413, 'too-large', /longer/u],
  ])('tells HTTP %d once, as %s, without what the service wrote', async (code, expected, message) => {
    const service = await open(() => status(code));
    const error = await rerank(service).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: expected, message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toMatch(/planted-canary|secret-key/u);
    expect(service.server.requests).toHaveLength(1);
  });

  it('says so where neither form is taken', async () => {
    const service = await open(() => status(422));
    await expect(rerank(service)).rejects.toMatchObject({
      code: 'upstream-invalid',
      message: expect.stringMatching(/HTTP 422.*model name/u),
    });
    expect(service.server.requests.map(({ body }) => Object.keys(body).includes('texts'))).toEqual([false, true]);
  });

  it('tries again after an outage and a refusal for load, as long as it was told to wait', async () => {
    const replies = [status(503), status(429, { 'retry-after-ms': '250' })];
    const service = await open((request, index) => replies[index] ?? standardReply(request));
    const result = await rerank(service);
    expect(service.waits).toEqual([50, 250]);
    expect(result.attempts.map(({ code }) => code)).toEqual(['upstream-unavailable', 'rate-limited', undefined]);
  });

  it('does not wait past the deadline', async () => {
    const service = await open(() => status(429, { 'retry-after': '60' }));
    await expect(rerank(service, texts, 20_000)).rejects.toMatchObject({ code: 'rate-limited' });
    expect(service.waits).toEqual([]);
  });

  it('gives up after three attempts, one cut off in the middle', async () => {
    const service = await open((_request, index) =>
      index === 1 ? { chunks: ['{"results": ['], ending: 'cut' } : status(500),
    );
    await expect(rerank(service)).rejects.toMatchObject({
      code: 'upstream-unavailable',
      message: expect.stringMatching(/3 attempts were made/u),
      details: { attempts: Array.from({ length: 3 }, () => ({ code: 'upstream-unavailable' })) },
    });
    expect(service.server.requests).toHaveLength(3);
  });

  it('leaves a service that hangs, and after several keeps away from it', async () => {
    const clock = { ms: 0 };
    let end = (): void => undefined;
    const hangs = (): Wire => {
      // Its time is up once the service has the request, however busy this machine is.
      setImmediate(() => end());
      return { chunks: ['{"results": ['], ending: 'hang' };
    };
    const service = await open(hangs, {
      circuit: createCircuit({ failures: 2, pauseMs: 1000, elapsedMs: () => clock.ms }),
    });
    for (let time = 0; time < 2; time++) {
      const ending = endingDeadline(5000);
      end = ending.end;
      await expect(service.model.rerank({ query, texts }, { deadline: ending.deadline })).rejects.toMatchObject({
        code: 'deadline-exceeded',
      });
    }
    await service.server.whenLeft(2);
    await expect(rerank(service)).rejects.toMatchObject({
      code: 'upstream-unavailable',
      details: { retryAfterMs: 1000 },
    });
    expect(service.server.requests).toHaveLength(2);
  });

  it('ends when the caller leaves, which says nothing of the service', async () => {
    const service = await open(() => ({ chunks: [''], ending: 'hang' }), {
      circuit: createCircuit({ failures: 1, elapsedMs: () => 0 }),
    });
    const leaving = new AbortController();
    const asked = service.model.rerank({ query, texts }, { deadline: createDeadline(600_000), signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    const next = service.model.rerank({ query, texts }, { deadline: createDeadline(50) });
    await expect(next).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });

  it('reserves what it may cost before it asks, and settles what it took', async () => {
    const service = await open(standardReply, { prices: parsePrices('service:tiny-reranker = 2 / 0') });
    const budget = createModelBudget({ calls: 1, costUsd: 1 }, { name: 'this request' });
    const call = { deadline: createDeadline(600_000), budget };
    expect((await service.model.rerank({ query, texts }, call)).costUsd).toBeCloseTo(48 * 2e-6);
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 48 });
    await expect(service.model.rerank({ query, texts }, call)).rejects.toMatchObject({ code: 'quota-exceeded' });
    expect(service.server.requests).toHaveLength(1);
  });

  it('reserves what a model may count that reads with a tokenizer of its own', async () => {
    const service = await open();
    const counted = countAll(texts.flatMap((text) => [query, text]));
    for (const [inputTokens, calls] of [
      [counted, 0],
      [Math.ceil(counted * 1.4) + 2 * texts.length, 1],
    ] as const) {
      const budget = createModelBudget({ inputTokens }, { name: 'this request' });
      const asked = service.model.rerank({ query, texts }, { deadline: createDeadline(600_000), budget });
      if (calls === 0) await expect(asked).rejects.toMatchObject({ code: 'quota-exceeded' });
      else await asked;
      expect(service.server.requests).toHaveLength(calls);
    }
  });

  it('bills what a service took for an answer of no use, nothing for a refusal, and no more than there can be', async () => {
    const counted = createModelBudget({}, { name: 'this request' });
    const honest = await open(() => planned([{ index: 0, relevance_score: 0.5 }]));
    await honest.model.rerank({ query, texts }, { deadline: createDeadline(600_000), budget: counted });
    const { inputTokens } = counted.spent();
    expect(inputTokens).toBeGreaterThan(20);
    const score = { index: 0, relevance_score: 0.5 };
    const cases: [Wire, number, number][] = [
      [planned([{ index: 9, relevance_score: 0.5 }]), inputTokens, 1],
      [status(401), 0, 0],
      [{ chunks: [JSON.stringify({ results: [score], usage: { total_tokens: 9e9 } })] }, inputTokens, 1],
      [{ chunks: [JSON.stringify({ results: [score], usage: { total_tokens: 0 } })] }, inputTokens, 1],
    ];
    for (const [wire, tokens, unpriced] of cases) {
      const service = await open(() => wire);
      const settled: unknown[] = [];
      const budget = createModelBudget(
        {},
        { name: 'this request', above: { reserve: () => ({ settle: (actual) => void settled.push(actual) }) } },
      );
      const call = { deadline: createDeadline(600_000), budget };
      await service.model.rerank({ query, texts }, call).catch(() => undefined);
      const costUsd = unpriced ? undefined : 0;
      const refused = tokens === 0 ? { wasRefused: true } : {};
      expect(settled).toEqual([{ calls: 1, inputTokens: tokens, outputTokens: 0, costUsd, ...refused }]);
    }
  });

  it('asks nothing about nothing', async () => {
    const service = await open();
    expect((await rerank(service, [])).ranking).toEqual([]);
    expect(service.server.requests).toEqual([]);
  });
});
