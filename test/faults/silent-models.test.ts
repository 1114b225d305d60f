// A language model that fails in any way on the wire or in the middle of its stream: the documents answer in time and `degraded` says so,
// what it had said stands and is completed, and in a list the next model answers.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Answer } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import { type OpenedFootnote, openFootnote } from '../../src/footnote/compose.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { openFaultProvider, wireFaults } from './fault-wire.ts';
import { watchStarvation } from './starvation.ts';

const firstTokenMs = 1_000;
const idleMs = 700;
const mostBeyondMs = 1_500;

const height = 'The lighthouse of Cabo Frio is 43 metres tall.';
/** The part that the model leaves out is answered by the documents. */
const keeper = 'Ana Reis keeps the lighthouse of Cabo Frio since 1999.';
const passage = `${height} ${keeper}`;
const question = 'How tall is the lighthouse of Cabo Frio, and who keeps it?';

const claim = (text: string): string => JSON.stringify({ text, quotes: [{ id: 1, quote: text }] });
const sound: FakeReply = { text: `{"claims": [${claim(height)}], "insufficient": false}` };

/** Before anything was said that could be shown. */
const unusable: Readonly<Record<string, FakeReply>> = {
  'is silent after its head': { text: 'x', hangAfter: 0 },
  'sends comments and is silent': { text: 'x', comments: 3, hangAfter: 0 },
  'is silent after its first words': { text: '{"claims": [{"text": "The lig', hangAfter: 3 },
  'breaks off after its first words': { text: '{"claims": [{"text": "The lig', cutAfter: 3 },
  'ends after its first words': { text: '{"claims": [{"text": "The lig', endAfter: 3 },
  'fails after its first words': { text: '{"claims": [{', streamError: { code: 'server_error', message: 'boom' } },
  'stops at its limit in the middle': { text: '{"claims": [{"text": "The lig', stop: 'length' },
  'says nothing': { text: '' },
  refuses: { refusal: 'I cannot help with that.' },
  'is filtered': { text: '', stop: 'content-filter' },
  'writes prose': { text: 'It is tall, I believe.' },
  'writes another form': { text: '{"answer": "43 metres"}' },
  'writes claims of another form': { text: '{"claims": [{"claim": "43 metres"}], "insufficient": false}' },
};
const firstClaim = `{"claims": [${claim(height)}, {"text": "The light`;
/** After a claim was shown. */
const broken: Readonly<Record<string, FakeReply>> = {
  'is silent': { text: firstClaim, pieceCharacters: 400, hangAfter: 3 },
  'breaks off': { text: firstClaim, pieceCharacters: 400, cutAfter: 3 },
  ends: { text: firstClaim, pieceCharacters: 400, stop: 'length' },
  fails: { text: firstClaim, pieceCharacters: 400, streamError: { code: 'server_error', message: 'boom' } },
};

let folder: string;
let opened: OpenedFootnote | undefined;
let tries = 0;
let slowestBeyondMs = Number.NEGATIVE_INFINITY;

async function open(environment: Readonly<Record<string, string>>): Promise<OpenedFootnote> {
  opened = await openFootnote(
    loadConfig({
      folder,
      environment: {
        FOOTNOTE_DATA: join(folder, 'data'),
        DEFAULT_MODE: 'embedded',
        ENCODER: 'off',
        ANSWER_FIRST_TOKEN_TIMEOUT_MS: String(firstTokenMs),
        ANSWER_IDLE_TIMEOUT_MS: String(idleMs),
        ...environment,
      },
    }),
  );
  return opened;
}

/** The answer, which came within the time that silence may take and 1.5 s. */
async function timed(allowedMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  const starvedMs = watchStarvation();
  const from = performance.now();
  const answer = await ask();
  const ms = performance.now() - from;
  const starved = starvedMs();
  expect(ms).toBeLessThan(allowedMs + mostBeyondMs + starved);
  tries += 1;
  slowestBeyondMs = Math.max(slowestBeyondMs, ms - allowedMs - starved);
  return answer;
}

const servedBy = async (replies: Readonly<Record<string, (request: SeenRequest) => FakeReply>>): Promise<FakeServer> =>
  openFakeServer((request) => {
    const reply = replies[String(request.body['model'])] ?? (() => sound);
    return renderChat(reply(request), request);
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-silent-'));
  const { documents } = (await open({})).forScope(localScope());
  await documents.add({
    text: `# Cabo Frio\n\n${passage}\n`,
    mime: 'text/markdown',
    uri: 'lighthouse.md',
    source: 'notes',
  });
  await opened?.close();
  opened = undefined;
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
afterAll(async () => {
  process.stderr.write(`${tries} answers, the slowest ${Math.round(slowestBeyondMs)} ms after its limit\n`);
  await rm(folder, { recursive: true, force: true });
});

describe('a language model that', () => {
  it.each(Object.keys(wireFaults))('%s: the documents answer in time, and say so', async (name) => {
    const provider = await openFaultProvider(wireFaults[name] ?? {});
    const { forScope } = await open({ MODEL_ANSWER: 'compatible:bad', OPENAI_BASE_URL: provider.address });
    const { ask } = forScope(localScope());
    const answers = await Promise.all(
      [question, `${question}?`, `${question}??`].map((asked) => timed(firstTokenMs, () => ask({ question: asked }))),
    );
    for (const answer of answers) {
      expect(answer.answer).toContain('43 metres');
      expect(answer.degraded).toMatchObject([
        { component: 'answer-model', effect: 'Passages of the documents are shown as they stand.' },
      ]);
    }
    await provider.close();
  });

  it.each(Object.keys(unusable))('%s: the documents answer in time, and say so', async (name) => {
    const server = await servedBy({ bad: () => unusable[name] ?? sound });
    const { forScope } = await open({ MODEL_ANSWER: 'compatible:bad', OPENAI_BASE_URL: `${server.address}/v1` });
    const answer = await timed(firstTokenMs + idleMs, () => forScope(localScope()).ask({ question }));
    expect(answer.answer).toContain('43 metres');
    // One that fails to write claims is asked for sentences, and does not write those either.
    expect(answer.degraded.length).toBeLessThanOrEqual(2);
    expect(new Set(answer.degraded.map(({ component }) => component))).toEqual(new Set(['answer-model']));
    await server.close();
  });

  it.each(Object.keys(broken))('%s after a claim: that claim stands, the documents complete it', async (name) => {
    const server = await servedBy({ bad: () => broken[name] ?? sound });
    const { forScope } = await open({ MODEL_ANSWER: 'compatible:bad', OPENAI_BASE_URL: `${server.address}/v1` });
    const said: string[] = [];
    const answer = await timed(firstTokenMs + idleMs, () =>
      forScope(localScope()).ask(
        { question },
        {
          onEvent: (event) => {
            if (event.type === 'delta') said.push(event.text);
          },
        },
      ),
    );
    expect(answer.claims.map(({ text }) => text)).toEqual([height, passage]);
    expect(said.join('')).toBe(answer.answer);
    expect(answer.degraded).toMatchObject([
      { component: 'answer-model', effect: 'What the model had still to say is missing from the answer.' },
    ]);
    await server.close();
  });

  it('writes a word now and then is not hurried', async () => {
    // Longer in all than any silence may be.
    const slow = { ...sound, pieceCharacters: 20, delayMs: 300, betweenMs: 300 };
    const server = await servedBy({ slow: () => slow });
    const { forScope } = await open({
      MODEL_ANSWER: 'compatible:slow',
      OPENAI_BASE_URL: `${server.address}/v1`,
      ANSWER_FIRST_TOKEN_TIMEOUT_MS: '2000',
      ANSWER_IDLE_TIMEOUT_MS: '2000',
    });
    const answer = await forScope(localScope()).ask({ question });
    expect(answer.claims.map(({ text }) => text)).toEqual([height, passage]);
    expect(answer.degraded).toEqual([]);
    await server.close();
  });
});

describe('in a list, a language model that', () => {
  it.each(Object.keys(wireFaults))('%s gives way to the next', async (name) => {
    // The port of one that refuses is free again: the good one has its own before that.
    const good = await servedBy({});
    const bad = await openFaultProvider(wireFaults[name] ?? {});
    const { forScope } = await open({
      MODEL_ANSWER: 'azure:bad, compatible:good',
      AZURE_OPENAI_ENDPOINT: bad.address.replace('/v1', ''),
      AZURE_OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: `${good.address}/v1`,
    });
    const answer = await timed(2 * firstTokenMs, () => forScope(localScope()).ask({ question }));
    expect(answer.claims.map(({ text }) => text)).toEqual([height, passage]);
    expect(good.requests).toHaveLength(1);
    await bad.close();
    await good.close();
  });

  it.each(Object.keys(unusable))('%s gives way to the next, which is told', async (name) => {
    const server = await servedBy({ bad: () => unusable[name] ?? sound });
    const { forScope } = await open({
      MODEL_ANSWER: 'compatible:bad, compatible:good',
      OPENAI_BASE_URL: `${server.address}/v1`,
    });
    const answer = await timed(2 * firstTokenMs + idleMs, () => forScope(localScope()).ask({ question }));
    expect(answer.claims.map(({ text }) => text)).toEqual([height, passage]);
    expect(server.requests.map(({ body }) => body['model'])).toEqual(['bad', 'good']);
    // What was refused before it said a word is the list's own business.
    if (!/is silent$|after its head/u.test(name))
      expect(answer.degraded).toMatchObject([
        {
          component: 'answer-model',
          detail: expect.stringContaining('bad'),
          effect: 'The next model of the list was asked.',
        },
      ]);
    await server.close();
  });

  it('asks to wait is not asked again before that time, by any request', async () => {
    const told: FakeReply = { error: { status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after': '600' } } };
    const server = await servedBy({ bad: () => told });
    const { forScope } = await open({
      MODEL_ANSWER: 'compatible:bad, compatible:good',
      OPENAI_BASE_URL: `${server.address}/v1`,
    });
    for (let asked = 0; asked < 4; asked++)
      expect((await forScope(localScope()).ask({ question })).claims.map(({ text }) => text)).toEqual([
        height,
        passage,
      ]);
    expect(server.requests.map(({ body }) => body['model'])).toEqual(['bad', 'good', 'good', 'good', 'good']);
    await server.close();
  });
});
