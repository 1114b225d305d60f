// What models cost, through the whole product and a provider on the loopback: figures that a person can add up, quotas that stop before
// the call and say so, and spending that neither a client who leaves, nor a midnight, nor a restart makes undone.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { Clock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { embeddingsOf } from '../../src/testing/openai-embeddings.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const sentence = 'The lighthouse is 43 metres tall.';
const question = 'How tall is the lighthouse of Cabo Frio?';
/** Dollars for a million tokens. */
const prices = 'compatible:qwen3:8b = 2 / 10';
const usage = { input: 1000, output: 200 };
/** By hand: 1,000 tokens at 2 dollars and 200 at 10 dollars for a million. */
const costOfOne = 0.002 + 0.002;

let server: FakeServer;
let seen: SeenRequest[] = [];
/** Calls of the provider's embedding model. */
let embedded: SeenRequest[] = [];
let say: (request: SeenRequest, index: number) => FakeReply;
let now = '2026-11-22T12:00:00.000Z';
const clock: Clock = { now: () => now, elapsedMs: () => performance.now() };
let folder: string;
let opened: OpenedFootnote;
let footnote: Footnote;

const claim = (text: string, quote: string) => ({ text, quotes: [{ id: 1, quote }] });
const answering: FakeReply = {
  text: JSON.stringify({ claims: [claim(sentence, sentence)], insufficient: false }),
  usage,
};

async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${server.address}/v1`,
    MODEL_ANSWER: 'compatible:qwen3:8b',
    MODEL_PRICES: prices,
    ...settings,
  };
  opened = await openFootnote(loadConfig({ folder, environment }), { clock });
  footnote = opened.forScope(localScope());
}

const refusals = ({ degraded }: Answer) => degraded.filter(({ component }) => component === 'answer-model');

/** A data folder with one document, copied for each test. */
let template: string;

beforeAll(async () => {
  server = await openFakeServer((request) => {
    if (request.path.endsWith('/embeddings')) {
      embedded.push(request);
      const body = JSON.stringify(embeddingsOf(request.body, {}, 32));
      return { headers: { 'content-type': 'application/json' }, chunks: [body] };
    }
    seen.push(request);
    return renderChat(say(request, seen.length - 1), request);
  });
});
beforeAll(async () => {
  template = folder = await mkdtemp(join(tmpdir(), 'footnote-spending-'));
  await open();
  const text = `# The lighthouse\n\nMarta Oliveira designed the lighthouse of Cabo Frio in 1887. ${sentence}\n`;
  await footnote.documents.add({ text, mime: 'text/markdown', uri: 'lighthouse.md', source: 'notes' });
  await opened.settle('default');
  await opened.close();
});
beforeEach(async () => {
  seen = [];
  embedded = [];
  now = '2026-11-22T12:00:00.000Z';
  say = () => answering;
  folder = await mkdtemp(join(tmpdir(), 'footnote-spending-'));
  await cp(template, folder, { recursive: true });
});
afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true });
});
afterAll(async () => {
  await rm(template, { recursive: true });
  await server.close();
});

describe('the cost of an answer', () => {
  it('is what the price list makes of the reported tokens', async () => {
    await open();
    const answer = await footnote.ask({ question });
    expect(seen).toHaveLength(1);
    expect(answer.usage).toMatchObject({ inputTokens: 1000, outputTokens: 200 });
    expect(answer.usage.costUsd).toBeCloseTo(costOfOne, 12);
    const report = await footnote.usage({ by: 'model' });
    expect(report.data).toMatchObject([
      { name: 'compatible:qwen3:8b', calls: 1, inputTokens: 1000, outputTokens: 200 },
    ]);
    expect(report.total.costUsd).toBeCloseTo(costOfOne, 12);
    expect((await footnote.usage({ by: 'role' })).data.map(({ name }) => name)).toEqual(['answer']);
  });

  it('counts all attempts, and what an answer that was stopped had said by then', async () => {
    await open();
    say = (_, index) => (index === 0 ? { error: { status: 503, message: 'overloaded' } } : answering);
    const retried = await footnote.ask({ question });
    expect(seen).toHaveLength(2);
    expect(retried.usage.costUsd).toBeCloseTo(costOfOne, 12);
    expect((await footnote.usage()).total).toMatchObject({ calls: 1, refusedCalls: 1, inputTokens: 1000 });
    // More claims than are wanted: the stream is left before the provider says what it took.
    const many = Array.from({ length: 40 }, () => claim(sentence, sentence));
    say = () => ({ text: JSON.stringify({ claims: many, insufficient: false }), usage, betweenMs: 1 });
    const stopped = await footnote.ask({ question: 'How tall is the lighthouse?' });
    const { total } = await footnote.usage();
    expect(stopped.usage.inputTokens).toBeGreaterThan(0);
    expect(stopped.usage.costUsd).toBeGreaterThan(0);
    expect(total.costUsd).toBeCloseTo(retried.usage.costUsd + stopped.usage.costUsd, 12);
    expect(total.inputTokens).toBe(retried.usage.inputTokens + stopped.usage.inputTokens);
    expect(total.outputTokens).toBe(retried.usage.outputTokens + stopped.usage.outputTokens);
  });

  it.each([
    ['a refused key', { error: { status: 401 } }, { refusedCalls: 1 }],
    ['no such model', { error: { status: 404 } }, { refusedCalls: 1 }],
    ['an empty account', { error: { status: 429, code: 'insufficient_quota' } }, { refusedCalls: 1 }],
    ['too many requests', { error: { status: 429 } }, { refusedCalls: 3 }],
    ['a server that is down', { error: { status: 503 } }, { refusedCalls: 3 }],
    ['an answer that is none, which is paid', { raw: { contentType: 'application/json', body: '{}' } }, { calls: 3 }],
  ] satisfies [string, FakeReply, object][])('counts attempts apart that end in %s', async (_name, reply, counted) => {
    await open({ BUDGET_KEY_DAY: 'calls 100', MODEL_PRICES: '' });
    say = () => reply;
    await footnote.ask({ question });
    const { total, data, budgets } = await footnote.usage({ by: 'model' });
    const { calls = 0, refusedCalls } = counted as { calls?: number; refusedCalls?: number };
    expect(seen).toHaveLength(calls + (refusedCalls ?? 0));
    expect(total.calls).toBe(calls);
    expect(total.refusedCalls).toBe(refusedCalls);
    expect(data.map(({ name }) => name)).toEqual(['compatible:qwen3:8b']);
    // Limits count what was tried, also after the sums were read back from the record.
    expect(budgets[0]?.spent.calls).toBe(seen.length);
    await opened.close();
    await open({ BUDGET_KEY_DAY: 'calls 100', MODEL_PRICES: '' });
    const again = await footnote.usage();
    expect(again.total).toEqual(total);
    expect(again.budgets[0]?.spent.calls).toBe(seen.length);
  });

  it('is told apart by session, and unknown prices are not taken for free', async () => {
    await open({ MODEL_PRICES: '' });
    await footnote.sessions.send('talk', { content: question });
    await footnote.ask({ question });
    const { data, total } = await footnote.usage({ by: 'session' });
    expect(Object.fromEntries(data.map(({ name, principal, calls }) => [name, [principal, calls]]))).toEqual({
      '': ['local', 1],
      talk: ['local', 1],
    });
    expect(total).toMatchObject({ calls: 2, costUsd: 0, unpricedCalls: 2 });
  });

  it('holds what a router took that was ended for its time, in small talk too', async () => {
    await open({ MODEL_ROUTER: 'compatible:qwen3:8b' });
    let isTalk = false;
    const routed: FakeReply = { text: JSON.stringify({ intent: 'conversational', reason: 'talk' }), usage };
    say = ({ body }) => {
      if (!JSON.stringify(body).includes('You say what kind of request')) return answering;
      return isTalk ? routed : { ...routed, hangAfter: 0 };
    };
    const late = await footnote.ask({ question: 'The lighthouse of Cabo Frio' }, { timeoutMs: 3_000 });
    expect(late.degraded.map(({ component, code }) => `${component} ${code}`)).toContain('router deadline-exceeded');
    const { total } = await footnote.usage();
    expect(total.calls).toBe(2);
    expect(late.usage).toMatchObject({ inputTokens: total.inputTokens, outputTokens: total.outputTokens });
    expect(late.usage.costUsd).toBeCloseTo(total.costUsd, 12);
    isTalk = true;
    const talk = await footnote.ask({ question: 'what was that?' });
    expect(talk).toMatchObject({ intent: 'conversational', usage: { inputTokens: 1000, outputTokens: 200 } });
    expect(talk.usage.costUsd).toBeCloseTo(costOfOne, 12);
  });

  it('is nothing where no model is configured', async () => {
    await open({ MODEL_ANSWER: 'none', BUDGET_DAY: 'calls 0' });
    const answer = await footnote.ask({ question });
    expect(answer.answer).toContain('43 metres');
    expect(refusals(answer)).toEqual([]);
    expect(answer.usage).toEqual({ inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: 1, costUsd: 0 });
    expect((await footnote.usage()).total.calls).toBe(0);
    expect(seen).toEqual([]);
  });
});

describe('a spent quota', () => {
  it.each([
    ['BUDGET_DAY', 'calls 1', 'this tenant today'],
    ['BUDGET_KEY_DAY', 'input-tokens 1500', 'this key today'],
    ['BUDGET_DAY', 'usd 0.005', 'this tenant today'],
  ])(
    '%s %s: no call is made, passages of the documents answer, and the answer says why',
    async (setting, limit, name) => {
      // The most that a call can cost is what is reserved: small enough here that one fits.
      await open({ [setting]: limit, ANSWER_MAX_OUTPUT_TOKENS: '200' });
      const first = await footnote.ask({ question });
      expect([seen.length, refusals(first)]).toEqual([1, []]);
      const second = await footnote.ask({ question });
      expect(seen).toHaveLength(1);
      expect(second.answer).toContain('43 metres');
      expect(second.citations.length).toBeGreaterThan(0);
      expect(second.usage.costUsd).toBe(0);
      const [refusal, ...others] = refusals(second);
      expect(others).toEqual([]);
      expect(refusal).toMatchObject({
        code: 'quota-exceeded',
        effect: 'Passages of the documents are shown as they stand.',
      });
      for (const part of [name, setting, '2026-11-23T00:00:00.000Z']) expect(refusal?.detail).toContain(part);
      const { budgets } = await footnote.usage();
      expect(budgets).toMatchObject([{ name, setting, spent: { calls: 1 }, opensAt: '2026-11-23T00:00:00.000Z' }]);
    },
  );

  it('holds after a restart, and begins anew with the next day', async () => {
    await open({ BUDGET_DAY: 'calls 1' });
    await footnote.ask({ question });
    await opened.close();
    await open({ BUDGET_DAY: 'calls 1' });
    now = '2026-11-22T23:59:59.999Z';
    expect(refusals(await footnote.ask({ question }))).toMatchObject([{ code: 'quota-exceeded' }]);
    expect(seen).toHaveLength(1);
    now = '2026-11-23T00:00:00.000Z';
    expect(refusals(await footnote.ask({ question }))).toEqual([]);
    expect(seen).toHaveLength(2);
    expect((await footnote.usage()).data.map(({ name, calls }) => [name, calls])).toEqual([
      ['2026-11-22', 1],
      ['2026-11-23', 1],
    ]);
  });

  it('of a session leaves other sessions alone, and of a request its other requests', async () => {
    await open({ BUDGET_SESSION: 'calls 1' });
    await footnote.sessions.send('one', { content: question });
    const second = await footnote.sessions.send('one', { content: question });
    expect(refusals(second)[0]?.detail).toMatch(/this session.*BUDGET_SESSION/u);
    expect(refusals(await footnote.sessions.send('two', { content: question }))).toEqual([]);
    await opened.close();
    await open({ BUDGET_REQUEST: 'calls 0' });
    expect(refusals(await footnote.ask({ question }))[0]?.detail).toMatch(/this request.*BUDGET_REQUEST/u);
  });

  it('is shared by requests at the same time', async () => {
    await open({ BUDGET_DAY: 'calls 3' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => footnote.ask({ question })));
    expect(seen).toHaveLength(3);
    expect(answers.filter((answer) => refusals(answer).length === 0)).toHaveLength(3);
    for (const answer of answers) expect(answer.answer).toContain('43 metres');
  });
});

describe('vectors of a provider', () => {
  it('are spent for the role embed, by whom they were made for, and stop at the quota', async () => {
    await open({
      MODEL_ANSWER: 'none',
      MODEL_EMBED: 'compatible:bge-m3',
      MODEL_PRICES: 'compatible:bge-m3 = 1 / 0',
      BUDGET_REQUEST: 'calls 1',
      BUDGET_KEY_DAY: 'calls 4',
    });
    await opened.settle('default');
    const forDocuments = embedded.length;
    const search = (query: string) => footnote.search({ query, mode: 'hybrid' });
    for (const query of ['How tall is it?', 'Who designed it?', 'How tall is it?']) await search(query);
    // The third was still at hand.
    expect(embedded).toHaveLength(forDocuments + 2);
    const { data, total } = await footnote.usage({ by: 'key' });
    expect(Object.fromEntries(data.map(({ name, calls }) => [name, calls]))).toEqual({
      // With the call that finds the length of the vectors.
      embedder: forDocuments,
      local: 2,
    });
    expect((await footnote.usage({ by: 'role' })).data.map(({ name }) => name)).toEqual(['embed']);
    expect(total.costUsd).toBeCloseTo(total.inputTokens / 1e6, 12);
    const { usage } = await footnote.ask({ question: 'In which year was it built?' });
    expect(usage.embeddingTokens).toBeGreaterThan(0);
    expect(usage.costUsd).toBeCloseTo(usage.embeddingTokens / 1e6, 12);
    await search('Where does it stand?');
    const refused = await search('Whose lighthouse is it?');
    expect(embedded).toHaveLength(forDocuments + 4);
    expect(refused.results).toHaveLength(1);
    expect(refused.degraded).toMatchObject([
      { component: 'vector', detail: expect.stringContaining('BUDGET_KEY_DAY') },
    ]);
  });
});

describe('a client who leaves', () => {
  it('has the call ended and settled: what was said is billed, what was reserved is free again', async () => {
    await open({ BUDGET_DAY: 'output-tokens 2000', ANSWER_MAX_OUTPUT_TOKENS: '1500' });
    const gone = new AbortController();
    say = () => {
      setTimeout(() => gone.abort(), 50);
      return { ...answering, hangAfter: 4 };
    };
    const left = server.left();
    await expect(footnote.ask({ question }, { signal: gone.signal })).rejects.toMatchObject({ code: 'cancelled' });
    await server.whenLeft(left + 1);
    const { total, budgets } = await footnote.usage();
    expect(total.calls).toBe(1);
    expect(total.inputTokens).toBeGreaterThan(0);
    expect(total.outputTokens).toBeLessThan(200);
    expect(budgets[0]?.spent.outputTokens).toBe(total.outputTokens);
    say = () => answering;
    expect(refusals(await footnote.ask({ question }))).toEqual([]);
  });

  it('is billed also when the process ends right behind them', async () => {
    await open();
    const gone = new AbortController();
    say = () => ({ ...answering, hangAfter: 4 });
    const asked = footnote.ask({ question }, { signal: gone.signal });
    while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    await opened.close();
    await open();
    expect((await footnote.usage()).total.calls).toBe(1);
  });
});

describe('settings', () => {
  it('that limit money of models without a price are refused, as they would refuse every call', async () => {
    await open();
    const refused = async (settings: Readonly<Record<string, string>>): Promise<string> => {
      const environment = {
        FOOTNOTE_DATA: join(folder, 'other'),
        OPENAI_BASE_URL: `${server.address}/v1`,
        OPENAI_API_KEY: 'sk-test',
        MODEL_ANSWER: 'compatible:a, compatible:b',
        MODEL_FAQ: 'compatible:c',
        BUDGET_DAY: 'usd 5',
        ...settings,
      };
      const ended = await openFootnote(loadConfig({ folder, environment })).catch((thrown: unknown) => thrown);
      if (ended instanceof Error) return ended.message;
      await (ended as OpenedFootnote).close();
      return 'opened';
    };
    expect(await refused({ MODEL_PRICES: 'compatible:b = free', BUDGET_KEY_DAY: 'usd 1' })).toMatch(
      /^BUDGET_KEY_DAY and BUDGET_DAY limit US dollars.*no price for compatible:a, compatible:c\./u,
    );
    expect(await refused({ MODEL_PRICES: 'compatible:b = free', BUDGET_DAY: 'calls 5' })).toBe('opened');
    expect(await refused({ MODEL_PRICES: 'compatible:a = 1/2, compatible:b = free, compatible:c = 1/2' })).toBe(
      'opened',
    );
    expect(
      await refused({
        MODEL_PRICES: 'compatible:a = 1/2, compatible:b = free, compatible:c = 1/2',
        MODEL_JUDGE: 'compatible:d',
      }),
    ).toContain('no price for compatible:d.');
    const others = { MODEL_ANSWER: 'none', MODEL_FAQ: 'none', MODEL_EMBED: 'compatible:e@512' };
    expect(await refused({ ...others, MODEL_RERANK: 'service:f', RERANK_BASE_URL: server.address })).toContain(
      'no price for compatible:e, service:f.',
    );
  });

  it('that cannot be read are refused together, before anything is opened', async () => {
    await open();
    const config = loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'other') } });
    const budgets = { ...config.budgets, day: 'calls 1.5', keyDay: 'usd 1, usd 2' };
    const error = await openFootnote({ ...config, budgets }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'config-invalid' });
    expect(String(error)).toMatch(/BUDGET_KEY_DAY.*\n.*BUDGET_DAY|BUDGET_DAY.*\n.*BUDGET_KEY_DAY/u);
  });
});
