// Embeddings of providers over a socket: which calls are made, what is taken for a vector, what happens when the provider errs, and
// what it costs.

import { afterEach, describe, expect, it } from 'vitest';
import type { ModelBudget } from '../../../src/core/budget.ts';
import { isFootnoteError } from '../../../src/core/errors.ts';
import { parseEmbeddingReference } from '../../../src/models/embedding/facts.ts';
import { openProviderEmbeddings, type ProviderEmbeddings } from '../../../src/models/embedding/provider-embeddings.ts';
import { createModelBudget } from '../../../src/models/money/model-budget.ts';
import type { SeenRequest } from '../../../src/testing/fake-http.ts';
import {
  type FakeEmbedding,
  type FakeEmbeddings,
  fakeVector,
  openFakeEmbeddings,
  textsOf,
} from '../../../src/testing/openai-embeddings.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

interface Opened {
  readonly fake: FakeEmbeddings;
  readonly model: ProviderEmbeddings;
  /** Pauses that were made. */
  readonly waited: number[];
}

/** A model before a fake that answers as told; pauses take no time. */
async function open(
  answer: (request: SeenRequest, index: number) => FakeEmbedding = () => ({}),
  {
    setting = 'openai:text-embedding-3-small@16',
    dimensions = 16,
    callsAtOnce = 4,
    textsPerCall = 0,
    prices = '',
    budget = undefined as ModelBudget | undefined,
  } = {},
): Promise<Opened> {
  const fake = await openFakeEmbeddings(answer, dimensions);
  closing.push(fake);
  const { address } = fake.server;
  const waited: number[] = [];
  let nowMs = 0;
  const reference = parseEmbeddingReference(setting);
  if (!reference) throw new Error(setting);
  const model = await openProviderEmbeddings(
    {
      roles: {},
      prices,
      openai: { apiKey: 'sk-secret' },
      azure: { apiKey: 'az-secret', address, ...(setting.includes('dated') && { apiVersion: '2024-10-21' }) },
      compatible: { address: `${address}/v1` },
    },
    reference,
    {
      openaiAddress: `${address}/v1`,
      callsAtOnce,
      ...(textsPerCall > 0 && { textsPerCall }),
      ...(budget && { budget }),
      random: () => 0.5,
      elapsedMs: () => nowMs,
      async wait(ms, signal) {
        signal.throwIfAborted();
        waited.push(ms);
        nowMs += ms;
      },
    },
  );
  closing.push(model);
  return { fake, model, waited };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `text number ${at}`);
const cosine = (left: ArrayLike<number>, right: ArrayLike<number>): number => {
  let [product, a, b] = [0, 0, 0];
  for (let at = 0; at < left.length; at++) {
    product += (left[at] ?? 0) * (right[at] ?? 0);
    a += (left[at] ?? 0) ** 2;
    b += (right[at] ?? 0) ** 2;
  }
  return product / Math.sqrt(a * b);
};
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFootnoteError(error)) throw new Error(`not a FootnoteError: ${String(error)}`);
  expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toMatch(/secret/u);
  return error;
};

describe('the id of a model', () => {
  it('names provider, model, dimensions, prefixes and length; each of them makes a space of its own', async () => {
    const ids: string[] = [];
    for (const setting of [
      'openai:text-embedding-3-small',
      'openai:text-embedding-3-small@512',
      'compatible:intfloat/multilingual-e5-large',
      'compatible:bge-m3',
    ])
      ids.push((await open(() => ({}), { setting, dimensions: 1024 })).model.id);
    expect(ids).toEqual([
      'openai:text-embedding-3-small@1536:plain:unit',
      'openai:text-embedding-3-small@512:plain:unit',
      'compatible:intfloat/multilingual-e5-large@1024:e5:unit',
      'compatible:bge-m3@1024:plain:unit',
    ]);
    const azure = await open(() => ({}), { setting: 'azure:mine', dimensions: 24 });
    expect(azure.model.id).toMatch(/^azure:mine@24:plain:unit:at-[0-9a-f]{8}$/u);
  });

  it('is known without a call where the name or the setting tells the length, else after one', async () => {
    expect((await open()).fake.server.requests).toHaveLength(0);
    expect((await open(() => ({}), { setting: 'openai:text-embedding-3-large' })).model.dimensions).toBe(3072);
    const probed = await open(() => ({}), { setting: 'compatible:bge-m3', dimensions: 24 });
    expect([probed.model.dimensions, probed.fake.server.requests.length]).toEqual([24, 1]);
  });

  it.each(['corpus', 'none', 'local:tiny', 'anthropic:claude', 'openai:'])('is none for %s', (setting) => {
    expect(parseEmbeddingReference(setting)).toBeUndefined();
  });
});

describe('a call', () => {
  it('goes to the address of its provider with its key, and asks for what the setting says', async () => {
    const seen: [string, string | undefined, string | undefined, unknown][] = [];
    for (const setting of [
      'openai:text-embedding-3-small@16',
      'azure:mine@16',
      'azure:dated@16',
      'compatible:bge-m3',
    ]) {
      const { fake, model } = await open(() => ({}), { setting });
      await model.embed(['a river'], { kind: 'query' });
      const { path, headers, body } = fake.server.requests.at(-1) as SeenRequest;
      seen.push([path, headers.authorization, headers['api-key'] as string | undefined, body['dimensions']]);
    }
    expect(seen).toEqual([
      ['/v1/embeddings', 'Bearer sk-secret', undefined, 16],
      ['/openai/v1/embeddings', undefined, 'az-secret', 16],
      ['/openai/deployments/dated/embeddings?api-version=2024-10-21', undefined, 'az-secret', 16],
      ['/v1/embeddings', undefined, undefined, undefined],
    ]);
  });

  it('puts the prefixes of the family before queries and documents', async () => {
    const { fake, model } = await open(() => ({}), { setting: 'compatible:nomic-embed-text:latest' });
    await model.embed(['a river'], { kind: 'query' });
    await model.embed(['the otter'], { kind: 'document' });
    expect(fake.texts().slice(1)).toEqual(['search_query: a river', 'search_document: the otter']);
  });

  it('gives vectors of length 1 in the order of the texts, each text sent once, empty ones not at all', async () => {
    const { fake, model } = await open(() => ({ isReversed: true }));
    const texts = ['a river', ' ', 'an engine', 'a river', ''];
    const vectors = await model.embed(texts, { kind: 'document' });
    expect(fake.texts()).toEqual(['a river', 'an engine']);
    for (const at of [0, 2, 3]) {
      expect(cosine(vectors[at] as Float32Array, fakeVector(texts[at] as string, 16))).toBeCloseTo(1, 6);
      expect(Math.hypot(...(vectors[at] as Float32Array))).toBeCloseTo(1, 6);
    }
    expect(vectors[1]).toEqual(new Float32Array(16));
    expect(vectors[0]).not.toBe(vectors[3]);
  });

  it('holds no more than the texts and tokens of its limits, and no more calls run at once than allowed', async () => {
    const { fake, model } = await open(() => ({ delayMs: 5 }), { callsAtOnce: 3 });
    await model.embed(numbered(1050), { kind: 'document' });
    expect(fake.server.requests.map((request) => textsOf(request).length)).toEqual([...Array(10).fill(100), 50]);
    expect(new Set(fake.texts()).size).toBe(1050);
    // One for each call under way, and all are kept.
    expect(fake.server.openSockets()).toBe(3);
  });

  it('is filled by tokens where texts are long, and reads the start of one that is too long', async () => {
    const { fake, model } = await open();
    const long = Array.from({ length: 60 }, (_, at) => `${at} ${'zero one two three four five '.repeat(1300)}`);
    const plan = model.remote.plan(long);
    expect(plan.truncated).toBe(0);
    await model.embed(long, { kind: 'document' });
    const perCall = fake.server.requests.map((request) =>
      textsOf(request).reduce((sum, one) => sum + countTokens(one), 0),
    );
    expect(perCall.length).toBe(plan.calls);
    expect(Math.max(...perCall)).toBeLessThanOrEqual(300_000);
    // Calls are under way at once: either may come first.
    expect(Math.max(...perCall)).toBeGreaterThan(280_000);
    const before = fake.server.requests.length;
    await model.embed([`start ${'word '.repeat(9000)}`], { kind: 'document' });
    const [sent] = fake.server.requests.slice(before).flatMap(textsOf);
    expect(countTokens(sent as string)).toBe(8191);
    expect(model.remote.usage().truncated).toBe(1);
  });
});

describe('what is no vector', () => {
  const wrong: Readonly<Record<string, FakeEmbedding>> = {
    'too few entries': { missing: 1 },
    'an index twice': { indexes: () => 0 },
    'an index beyond the texts': { indexes: (place) => place + 1 },
    'not a number': { change: (vector) => vector.map((one, at) => (at === 3 ? Number.NaN : one)) },
    'infinite numbers': { change: (vector) => vector.map(() => 1e39) },
    'zeros alone': { change: (vector) => vector.map(() => 0) },
    'vectors of different lengths': { change: (vector, place) => vector.slice(0, 16 - place) },
    'an empty vector': { change: () => [] },
    'no JSON': { raw: '<html>502</html>' },
    'no data': { raw: '{"object":"list"}' },
    'JSON null': { raw: 'null' },
    'text for a vector': { raw: '{"data":[{"index":0,"embedding":"!"},{"index":1,"embedding":[true]}]}' },
  };

  it.each(Object.entries(wrong))('%s is refused, and asked for again before that is told', async (_name, reply) => {
    const { fake, model } = await open(() => reply);
    const error = await failureOf(model.embed(['a river', 'an engine'], { kind: 'query' }));
    expect(error.code).toBe('upstream-invalid');
    expect(fake.server.requests).toHaveLength(3);
  });

  it('vectors of another length than the id says are refused at once', async () => {
    const { fake, model } = await open(() => ({ change: (vector) => [...vector, 1] }));
    const error = await failureOf(model.embed(['a river'], { kind: 'document' }));
    expect([error.code, error.details['isFinal'], fake.server.requests.length]).toEqual(['upstream-invalid', true, 1]);
    expect(error.message).toContain('17 dimensions, not of 16');
  });

  it('entries without an index are taken in their order', async () => {
    const { model } = await open(() => ({ indexes: () => 'none' }));
    const [river] = await model.embed(['a river', 'an engine'], { kind: 'document' });
    expect(cosine(river as Float32Array, fakeVector('a river', 16))).toBeCloseTo(1, 6);
  });
});

describe('a provider that fails', () => {
  it('for a moment is asked again after a growing pause', async () => {
    const { fake, model, waited } = await open((_, index) => (index < 3 ? { status: 500 } : {}));
    await model.embed(['a river'], { kind: 'document' });
    expect(fake.server.requests).toHaveLength(4);
    expect(waited).toEqual([125, 250, 500]);
  });

  it('and says for how long is left alone for so long, by all calls', async () => {
    const { fake, model, waited } = await open((_, index) =>
      index === 0 ? { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '20' } } : {},
    );
    await model.embed(['a river'], { kind: 'document' });
    expect(fake.server.requests).toHaveLength(2);
    expect(waited).toEqual([20_000]);
  });

  it('for longer than a person waits tells the person why', async () => {
    const { fake, model } = await open(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    const error = await failureOf(model.embed(['a river'], { kind: 'query' }));
    expect([error.code, error.details['retryAfterMs']]).toEqual(['rate-limited', 60_000]);
    const next = await failureOf(model.embed(['an engine'], { kind: 'query' }));
    expect([next.code, next.details['retryAfterMs'], fake.server.requests.length]).toEqual(['rate-limited', 60_000, 1]);
  });

  it('again and again is left alone, and who asks is told at once', async () => {
    const { fake, model } = await open(() => ({ status: 503 }));
    await failureOf(model.embed(['a river'], { kind: 'query' }));
    await failureOf(model.embed(['a river'], { kind: 'query' }));
    const asked = fake.server.requests.length;
    const error = await failureOf(model.embed(['a river'], { kind: 'query' }));
    expect([error.code, fake.server.requests.length, asked]).toEqual(['upstream-unavailable', 5, 5]);
    expect(error.message).toContain('left alone');
  });

  it.each([
    ['a wrong key', { status: 401, code: 'invalid_api_key' }, 'config-invalid'],
    ['an unknown model', { status: 404, code: 'model_not_found' }, 'config-invalid'],
    ['no credit', { status: 429, code: 'insufficient_quota' }, 'quota-exceeded'],
  ] as const)('for %s is not asked again', async (_name, reply, code) => {
    const { fake, model } = await open(() => reply);
    const error = await failureOf(model.embed(['a river'], { kind: 'document' }));
    expect([error.code, fake.server.requests.length]).toEqual([code, 1]);
  });

  it('by cutting its answer off or sending it in drops is asked again, or waited for', async () => {
    const { fake, model } = await open((_, index) =>
      index === 0 ? { cutAfter: 60 } : { dripBytes: 400, betweenMs: 1 },
    );
    const vectors = await model.embed(numbered(20), { kind: 'document' });
    expect(vectors).toHaveLength(20);
    expect(fake.server.requests).toHaveLength(2);
  });

  it.each(['hangs', 'drips'])('or %s lets go of the caller at an abort, with all calls', async (how) => {
    const { fake, model } = await open(() => (how === 'hangs' ? { hangAfter: 10 } : { dripBytes: 1, betweenMs: 1000 }));
    const controller = new AbortController();
    const embedding = failureOf(model.embed(numbered(700), { kind: 'document', signal: controller.signal }));
    while (fake.server.requests.length < 4) await new Promise((resolve) => setImmediate(resolve));
    // The provider would go on for hours.
    controller.abort();
    expect((await embedding).code).toBe('cancelled');
    await fake.server.whenLeft(4);
    // Its lanes are free again, and none of what waited was sent.
    expect(fake.server.requests).toHaveLength(4);
  });
});

describe('a caller who can wait so long', () => {
  it('is told in that time that nothing came, and the provider is not asked again', async () => {
    const { fake, model } = await open(() => ({ hangAfter: 0 }));
    const error = await failureOf(model.embed(['a river'], { kind: 'query', withinMs: 100 }));
    expect([error.code, fake.server.requests.length]).toEqual(['upstream-unavailable', 1]);
    expect(error.message).toContain('gave no vectors within');
  });

  it('is answered by one that is slow and within it', async () => {
    const { model } = await open(() => ({ delayMs: 50 }));
    expect(await model.embed(['a river'], { kind: 'query', withinMs: 10_000 })).toHaveLength(1);
  });

  it('opens the breaker where that was long enough to tell', async () => {
    const { fake, model } = await open(() => ({ hangAfter: 0 }));
    const silence = (withinMs: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 5 }, (_, at) => failureOf(model.embed([`river ${at}`], { kind: 'query', withinMs }))),
      );
    await silence(50);
    await silence(1_200);
    const error = await failureOf(model.embed(['a river'], { kind: 'query', withinMs: 1_200 }));
    expect(error.message).toContain('left alone');
    // Where the machine has other work, some of those before arrive only now.
    expect(fake.server.requests.flatMap(textsOf)).not.toContain('a river');
  });
});

describe('several calls for one request', () => {
  it('end with the first that fails for good', async () => {
    const { fake, model } = await open((_, index) => (index === 2 ? { status: 401 } : { hangAfter: 10 }));
    const error = await failureOf(model.embed(numbered(700), { kind: 'document' }));
    expect(error.code).toBe('config-invalid');
    await fake.server.whenLeft(3);
    expect(fake.server.requests).toHaveLength(4);
  });
});

describe('a call that is refused for one text', () => {
  const refuses =
    (isBad: (text: string) => boolean) =>
    (request: SeenRequest): FakeEmbedding =>
      textsOf(request).some(isBad) ? { status: 400, code: 'invalid_request_error' } : {};

  it('is halved until it is found: the others have their vectors, and it is counted', async () => {
    const { fake, model } = await open(refuses((text) => text.includes('number 37')));
    const vectors = await model.embed(numbered(100), { kind: 'document' });
    expect(vectors.flatMap((vector, at) => (vector.every((one) => one === 0) ? [at] : []))).toEqual([37]);
    expect(model.remote.usage()).toMatchObject({ refused: 1, truncated: 0, texts: 100 });
    // The call, one that nobody refuses, and two for each halving.
    expect(fake.server.requests.length).toBeLessThanOrEqual(2 + 2 * Math.ceil(Math.log2(100)));
  });

  it('for its length is sent with the start of that text', async () => {
    const { model } = await open(refuses((text) => text.length > 1000));
    const vectors = await model.embed([...numbered(5), `otter ${'river '.repeat(500)}`], { kind: 'document' });
    expect(vectors.every((vector) => vector.some((one) => one !== 0))).toBe(true);
    expect(model.remote.usage()).toMatchObject({ refused: 0, truncated: 1 });
  });

  it('is an error where nothing is taken: no corpus of empty vectors', async () => {
    const { fake, model } = await open(refuses(() => true));
    const error = await failureOf(model.embed(numbered(100), { kind: 'document' }));
    expect([error.code, fake.server.requests.length]).toEqual(['upstream-invalid', 2]);
  });

  it('is an error where nothing is taken any more', async () => {
    const { model } = await open((request, index) => (index === 0 ? {} : refuses(() => true)(request)));
    await model.embed(['a river'], { kind: 'document' });
    expect((await failureOf(model.embed(numbered(8), { kind: 'document' }))).code).toBe('upstream-invalid');
  });

  it('tells whoever asked for it', async () => {
    const { model } = await open(refuses((text) => text.includes('poison')));
    expect((await failureOf(model.embed(['poison'], { kind: 'query' }))).code).toBe('upstream-invalid');
    await expect(model.embed(['a river'], { kind: 'query' })).resolves.toHaveLength(1);
  });
});

describe('what it costs', () => {
  const prices = 'openai:text-embedding-3-small = 0.02 / 0';

  it('is counted as the provider reports it, or by us where it does not', async () => {
    const { model } = await open((_, index) => (index === 0 ? {} : { usage: 'none' }), { prices });
    const told: unknown[] = [];
    const onUsage = (usage: unknown): void => void told.push(usage);
    await model.embed(['one two three four'], { kind: 'document', onUsage });
    await model.embed(['one two three four'], { kind: 'document', onUsage });
    expect(told).toEqual([
      { tokens: 5, costUsd: expect.closeTo(1e-7, 12) },
      { tokens: 4, costUsd: expect.closeTo(8e-8, 12) },
    ]);
    expect(model.remote.usage()).toMatchObject({ calls: 2, texts: 2, tokens: 9 });
    expect(model.remote.usage().costUsd).toBeCloseTo(1.8e-7, 12);
    expect((await open()).model.remote.costOf(5)).toBeUndefined();
  });

  it('is counted by us where a report cannot be: one lie must not use up a day', async () => {
    const { model } = await open(() => ({ usage: 90_000_000 }), { prices });
    const budget = createModelBudget({ inputTokens: 1000 }, { name: 'this day' });
    await model.embed(['one two three four'], { kind: 'document', budget });
    expect([budget.spent().inputTokens, model.remote.usage().tokens]).toEqual([4, 4]);
  });

  it('is reserved before the call: what is not left is not sent', async () => {
    const { fake, model } = await open(() => ({}), { prices });
    const budget = createModelBudget({ inputTokens: 10, costUsd: 1 }, { name: 'this test' });
    await model.embed(['one two three'], { kind: 'document', budget });
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 4 });
    const error = await failureOf(model.embed(['one two three four five six seven'], { kind: 'document', budget }));
    expect([error.code, fake.server.requests.length]).toEqual(['quota-exceeded', 1]);
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 4 });
  });

  it('is reserved as the model itself may count it: exactly where its encoding is known, with a margin elsewhere', async () => {
    const text = 'one two three four five six seven eight nine ten';
    const counted = countTokens(text);
    for (const [setting, inputTokens, calls] of [
      ['openai:text-embedding-3-small@16', counted, 1],
      ['compatible:bge-m3@16', counted, 0],
      ['compatible:bge-m3@16', Math.ceil(counted * 1.4), 1],
    ] as const) {
      const { fake, model } = await open(() => ({}), { setting });
      const budget = createModelBudget({ inputTokens }, { name: 'this test' });
      const ended = await model.embed([text], { kind: 'document', budget }).catch((error: unknown) => error);
      expect(isFootnoteError(ended) ? ended.code : 'embedded').toBe(calls === 0 ? 'quota-exceeded' : 'embedded');
      expect(fake.server.requests).toHaveLength(calls);
    }
  });

  it('of the call that finds the length of the vectors is paid for like the others, and not sent where nothing is left', async () => {
    const budget = createModelBudget({ calls: 1 }, { name: 'this test' });
    const setting = 'compatible:bge-m3';
    const { model } = await open(() => ({}), { setting, budget });
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: model.remote.usage().tokens });
    expect((await failureOf(open(() => ({}), { setting, budget }))).code).toBe('quota-exceeded');
  });

  it('of failures is told with the attempts that were made', async () => {
    const { model } = await open(() => ({ status: 500 }), { prices });
    const error = await failureOf(model.embed(['a river'], { kind: 'query' }));
    expect(error.details['attempts']).toMatchObject(
      Array.from({ length: 3 }, () => ({ code: 'upstream-unavailable' })),
    );
  });

  it('of a refused call is nothing', async () => {
    const { model } = await open(() => ({ status: 401 }), { prices });
    const budget = createModelBudget({ inputTokens: 100 }, { name: 'this test' });
    await failureOf(model.embed(['a river'], { kind: 'document', budget }));
    expect([budget.spent().inputTokens, model.remote.usage().tokens]).toEqual([0, 0]);
  });
});

describe('a provider that is not configured', () => {
  it.each([
    ['openai:text-embedding-3-small', 'OPENAI_API_KEY'],
    ['azure:mine', 'AZURE_OPENAI_ENDPOINT'],
    ['compatible:bge-m3', 'OPENAI_BASE_URL'],
  ])('%s says what is missing', async (setting, missing) => {
    const reference = parseEmbeddingReference(setting);
    if (!reference) throw new Error(setting);
    const error = await failureOf(openProviderEmbeddings({ roles: {} }, reference));
    expect([error.code, error.message]).toEqual(['config-invalid', expect.stringContaining(missing)]);
  });
});
