// Who served is told everywhere: over real providers on the loopback, each role has a list of two models of which the first fails in one way
// after another. Answers and searches name the model that served and the one that failed with its reason; the log, the health and the
// standings tell the same. Nothing of it is asked of a provider.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import { type SearchResponse, searchResponseSchema } from '../../src/core/search.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import type { ModelLogLine } from '../../src/models/calls/watch.ts';
import { modelsHealthSchema } from '../../src/operations/server.ts';
import { type FakeServer, openFakeServer, type SeenRequest, type Wire } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { appOf } from '../../testkit/serve-opened.ts';

const sentence = 'The lighthouse is 43 metres tall.';
const question = 'How tall is the lighthouse?';

/** How the first model of a list fails, and what is said of it. */
const failures: readonly (readonly [name: string, reply: FakeReply, code: string])[] = [
  ['a key that is refused', { error: { status: 401 } }, 'config-invalid'],
  ['a key without the right', { error: { status: 403 } }, 'config-invalid'],
  ['no such model', { error: { status: 404 } }, 'config-invalid'],
  ['no credit', { error: { status: 429, code: 'insufficient_quota' } }, 'quota-exceeded'],
  ['too many requests', { error: { status: 429 } }, 'rate-limited'],
  ['a server that is down', { error: { status: 503 } }, 'upstream-unavailable'],
  ['a parameter that is refused', { error: { status: 400 } }, 'upstream-invalid'],
  ['a connection that is cut', { text: '{}', cutAfter: 0 }, 'upstream-unavailable'],
];

const replies: readonly (readonly [form: RegExp, reply: unknown])[] = [
  [
    /^grades/u,
    {
      grades: [
        { id: 1, grade: 3 },
        { id: 2, grade: 0 },
      ],
    },
  ],
  [/^judge/u, { verdicts: [{ id: 1, verdict: 'supported', reason: 'it says so' }] }],
  [/^(intent|router|classify)/u, { intent: 'research', reason: 'it asks for more' }],
  [/^/u, { claims: [{ text: sentence, quotes: [{ id: 1, quote: sentence }] }], insufficient: false }],
];

let provider: FakeServer;
let failing: FakeReply | undefined;
const folders: string[] = [];

const answerOf = (request: SeenRequest): Wire => {
  if (request.path.endsWith('/embeddings')) {
    const input = request.body['input'] as string[];
    const data = input.map((text, index) => ({ index, embedding: [1, text.length, 0.5] }));
    return {
      headers: { 'content-type': 'application/json' },
      chunks: [JSON.stringify({ data, usage: { prompt_tokens: 5, total_tokens: 5 } })],
    };
  }
  if (String(request.body['model']).startsWith('first') && failing) return renderChat(failing, request);
  const form = (request.body['response_format'] as { json_schema?: { name?: string } } | undefined)?.json_schema?.name;
  const [, value] = replies.find(([pattern]) => pattern.test(form ?? '')) ?? [];
  return renderChat({ text: JSON.stringify(value) }, request);
};

interface Place {
  readonly opened: OpenedFootnote;
  readonly app: HttpApp;
  readonly lines: ModelLogLine[];
  ask(): Promise<Answer>;
  close(): Promise<void>;
}

async function openPlace(settings: Record<string, string>): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'footnote-served-'));
  folders.push(folder);
  const lines: ModelLogLine[] = [];
  const environment = { FOOTNOTE_DATA: join(folder, 'data'), OPENAI_BASE_URL: `${provider.address}/v1`, ...settings };
  const opened = await openFootnote(loadConfig({ folder, environment }), {
    log: (line) => line.event !== 'search' && line.event !== 'archive' && lines.push(line),
  });
  const app = appOf(opened, {
    ownerToken: 'owner',
  });
  for (const text of [sentence, 'The harbour opens at six. The lighthouse keeper knows how tall the mast is.'])
    await app.inject({ method: 'POST', url: '/v1/documents?wait=true', payload: { text, mime: 'text/plain' } });
  return {
    opened,
    app,
    lines,
    async ask() {
      const reply = await app.inject({ method: 'POST', url: '/v1/ask', payload: { question } });
      expect(reply.statusCode).toBe(200);
      return answerSchema.parse(reply.json());
    },
    async close() {
      await app.close();
      await opened.close();
    },
  };
}

beforeAll(async () => {
  provider = await openFakeServer(answerOf);
});
afterAll(async () => {
  await provider.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

const list = 'compatible:first, compatible:second';
const components: Readonly<Record<string, string>> = { answer: 'answer-model', judge: 'judge', rerank: 'reranker' };

describe.each(['answer', 'judge', 'rerank'])('the role %s', (role) => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace({
      MODEL_ANSWER: 'compatible:writer',
      RERANK_TIMEOUT_MS: '20000',
      [`MODEL_${role.toUpperCase()}`]: list,
    });
  });
  afterAll(() => place.close());

  it.each(failures)('names who served in the place of %s', async (_name, reply, code) => {
    failing = reply;
    const answer = await place.ask();
    expect(answer.models).toContainEqual({ role, model: 'compatible:second' });
    expect(answer.models).not.toContainEqual({ role, model: 'compatible:first' });
    const told = answer.degraded.filter(({ component }) => component === components[role]);
    expect(told).toEqual([
      {
        component: components[role],
        code,
        detail: expect.stringMatching(/^compatible:first failed: .+/u),
        effect: 'compatible:second was asked in its place.',
      },
    ]);
    expect(place.lines).toContainEqual(
      expect.objectContaining({ event: 'model-failed', model: 'compatible:first', code, reason: expect.any(String) }),
    );
    const { events } = await place.opened
      .forScope({ tenant: 'default', principal: { id: 'local', role: 'admin', groups: [] } })
      .traces.get(answer.traceId);
    expect(events.map(({ event }) => event)).toContainEqual({ type: 'degraded', degradation: told[0] });

    // What lasts is told by the health too; what passes with the next call is not until calls are kept away.
    const ready = (await place.app.inject('/readyz')).json<{ status: string; models: unknown[] }>();
    const isLasting = code === 'config-invalid' || code === 'quota-exceeded';
    expect(ready.status).toBe(isLasting ? 'degraded' : 'ok');
    expect(ready.models).toContainEqual(isLasting ? { role, status: 'degraded', code } : { role, status: 'ok' });
    const standings = modelsHealthSchema.parse((await place.app.inject('/admin/models')).json()).models;
    expect(standings).toContainEqual(
      expect.objectContaining({ model: 'compatible:first', lastFailure: expect.objectContaining({ code }) }),
    );
    expect(standings).toContainEqual(
      expect.objectContaining({ model: 'compatible:second', state: 'serving', circuit: 'closed', failuresInRow: 0 }),
    );

    // It serves again, and all say so.
    failing = undefined;
    const again = await place.ask();
    expect(again.models).toContainEqual({ role, model: 'compatible:first' });
    expect(again.degraded.filter(({ component }) => component === components[role])).toEqual([]);
    expect((await place.app.inject('/readyz')).json()).toMatchObject({ status: 'ok' });
    expect(place.lines.at(-1)).toMatchObject({ event: 'model-recovered', model: 'compatible:first' });
  });
});

/** Failures of a model that nobody stands behind, on the wire and in what it says. */
const alone: readonly (readonly [name: string, reply: FakeReply])[] = [
  ['a key that is refused', { error: { status: 401 } }],
  ['no such model', { error: { status: 404 } }],
  ['a connection that is cut', { text: '{}', cutAfter: 0 }],
  ['a refusal', { refusal: 'I cannot help with that.' }],
  ['no word', { text: '' }],
  ['prose', { text: 'It is tall, I believe.' }],
];

describe.each(['answer', 'judge', 'rerank'])('the role %s of one model alone', (role) => {
  it.each(alone)('names it where the step is done without it for %s', async (_name, reply) => {
    const place = await openPlace({
      MODEL_ANSWER: 'compatible:writer',
      RERANK_TIMEOUT_MS: '20000',
      [`MODEL_${role.toUpperCase()}`]: 'compatible:first',
    });
    failing = reply;
    const answer = await place.ask();
    failing = undefined;
    const told = answer.degraded.filter(({ component }) => component === components[role]);
    // One that fails to write claims is asked for sentences, and named again where those do not hold.
    expect(new Set(told.map(({ detail }) => detail.split(': ', 1)[0]))).toEqual(new Set(['compatible:first']));
    await place.close();
  });
});

describe('who served', () => {
  it('is told of searches too, embeddings and reranking, with a vector that was kept as well', async () => {
    const place = await openPlace({
      MODEL_EMBED: 'compatible:vectors',
      MODEL_RERANK: list,
      RERANK_TIMEOUT_MS: '20000',
    });
    await place.opened.settle('default');
    failing = { error: { status: 401 } };
    for (let time = 0; time < 2; time += 1) {
      const reply = await place.app.inject({ method: 'POST', url: '/v1/search', payload: { query: question } });
      const found: SearchResponse = searchResponseSchema.parse(reply.json());
      expect(found.models).toEqual([
        { role: 'embed', model: 'compatible:vectors' },
        { role: 'rerank', model: 'compatible:second' },
      ]);
      expect(found.degraded.map(({ component, code }) => [component, code])).toEqual([['reranker', 'config-invalid']]);
    }
    failing = undefined;
    await place.close();
  });

  it('is nobody where the documents’ own sentences stand, and why is told of every model of the list', async () => {
    const place = await openPlace({ MODEL_ANSWER: 'compatible:first-a, compatible:first-b' });
    failing = { error: { status: 401 } };
    const answer = await place.ask();
    expect(answer.answer).toContain('43 metres');
    expect(answer.models).toBeUndefined();
    const [told] = answer.degraded.filter(({ component }) => component === 'answer-model');
    expect(told?.code).toBe('config-invalid');
    expect(told?.detail).toMatch(/compatible:first-a: .*401.* Then: compatible:first-b: .*401/u);
    expect((await place.app.inject('/readyz')).json()).toMatchObject({
      status: 'degraded',
      models: [{ role: 'answer', status: 'down', code: 'config-invalid' }],
    });
    failing = undefined;
    await place.close();
  });

  it('is told by a role’s health when calls are kept away, and the same failure is logged once a minute', async () => {
    const place = await openPlace({ MODEL_ANSWER: list });
    failing = { error: { status: 503 } };
    for (let time = 0; time < 6; time += 1) {
      const answer = await place.ask();
      expect(answer.models).toEqual([{ role: 'answer', model: 'compatible:second' }]);
      expect(answer.degraded.map(({ code }) => code)).toContain('upstream-unavailable');
    }
    expect((await place.app.inject('/readyz')).json()).toMatchObject({
      status: 'degraded',
      models: [{ role: 'answer', status: 'degraded', code: 'upstream-unavailable' }],
    });
    const { models } = modelsHealthSchema.parse((await place.app.inject('/admin/models')).json());
    expect(models.find(({ model }) => model === 'compatible:first')).toMatchObject({
      state: 'failing',
      circuit: 'open',
      failuresInRow: 5,
    });
    expect(place.lines).toEqual([
      expect.objectContaining({ event: 'model-failed', model: 'compatible:first', status: 503, circuit: 'closed' }),
    ]);
    failing = undefined;
    await place.close();
  });

  it('is absent without models, and calls are the only thing that is known', async () => {
    const place = await openPlace({ OPENAI_BASE_URL: provider.address });
    const answer = await place.ask();
    expect(answer).not.toHaveProperty('models');
    expect((await place.app.inject('/readyz')).json()).toMatchObject({ status: 'ok', models: [] });
    expect((await place.app.inject('/admin/models')).json()).toEqual({ roles: [], models: [] });
    await place.close();
  });
});
