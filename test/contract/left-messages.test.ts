// A client that leaves a session keeps what it said: over a real socket, at each moment of a message and in sessions that are new, empty or
// under way, the message stands in the session afterwards, with a word that it has no answer; and the talk goes on from there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { answerSchema } from '../../src/core/answer.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { turnListSchema } from '../../src/operations/sessions.ts';
import { type FakeServer, openFakeServer } from '../../src/testing/fake-http.ts';
import { answerOf } from '../../src/testing/model-replies.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const sentence = 'Marta Oliveira designed the lighthouse of Cabo Frio.';
const question = 'Who designed the lighthouse of Cabo Frio?';

let provider: FakeServer;
let isSilent = false;
/** What of an answer comes before the silence: events of the stream. */
let saidEvents = 0;
let asked: (() => void) | undefined;
let folder: string;
let opened: OpenedFootnote;
let server: HttpServer;

beforeAll(async () => {
  provider = await openFakeServer((request) => {
    queueMicrotask(() => asked?.());
    const reply = { text: answerOf([{ text: sentence, quote: sentence }]) };
    return renderChat(isSilent ? { ...reply, hangAfter: saidEvents } : reply, request);
  });
  folder = await mkdtemp(join(tmpdir(), 'footnote-left-'));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${provider.address}/v1`,
    MODEL_ANSWER: 'compatible:writer',
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  server = await startHttpServer({
    system: opened,
    authenticate: (secret) => opened.keys.authenticate(secret),
    hasKeys: () => opened.keys.required(),
    idempotency: opened.idempotency,
    version: 'test',
    ownerToken: 'owner',
    host: '127.0.0.1',
    port: 0,
  });
  await post('/v1/documents?wait=true', {
    text: `${sentence} Marta Oliveira was born in Porto in 1849.`,
    mime: 'text/plain',
  });
});
afterAll(async () => {
  await server.close({ deadlineMs: 1000 });
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

const post = (path: string, body: object, more: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...more,
  });

const turnsOf = async (session: string) => {
  const reply = await fetch(`${server.url}/v1/rag/sessions/${session}/messages`);
  return reply.status === 404 ? [] : turnListSchema.parse(await reply.json()).data;
};
const turnsWhen = (session: string, count: number): ReturnType<typeof turnsOf> =>
  vi.waitFor(
    async () => {
      const turns = await turnsOf(session);
      expect(turns.length).toBeGreaterThanOrEqual(count);
      return turns;
    },
    { timeout: 60_000 },
  );

/** Sends a message to a model that falls silent, and leaves at a moment of it. */
const moments: Readonly<Record<string, (path: string) => Promise<void>>> = {
  async 'while the whole answer is awaited'(path) {
    const leaving = new AbortController();
    const called = new Promise<void>((resolve) => (asked = resolve));
    const sent = post(path, { content: question }, { signal: leaving.signal }).catch(() => undefined);
    await called;
    leaving.abort();
    await sent;
  },
  async 'at the first event of a stream'(path) {
    const leaving = new AbortController();
    const reply = await post(path, { content: question, stream: true }, { signal: leaving.signal });
    await reply.body?.getReader().read();
    leaving.abort();
  },
  async 'when a stream has come as far as the model'(path) {
    const leaving = new AbortController();
    const called = new Promise<void>((resolve) => (asked = resolve));
    const reply = await post(path, { content: question, stream: true }, { signal: leaving.signal });
    await called;
    await reply.body?.getReader().read();
    leaving.abort();
  },
};
const places: Readonly<Record<string, (id: string) => Promise<{ session: string; before: number }>>> = {
  'a session that begins with it': async (id) => ({ session: id, before: 0 }),
  async 'a session that was made for it'() {
    const { id } = (await (await post('/v1/rag/sessions', {})).json()) as { id: string };
    return { session: id, before: 0 };
  },
  async 'a session that is under way'(id) {
    await post(`/v1/rag/sessions/${id}/messages`, { content: 'Hello!' });
    return { session: id, before: 1 };
  },
};
const table = Object.keys(places).flatMap((place) =>
  Object.keys(moments).flatMap((moment) => [0, 12].map((events) => ({ place, moment, events }))),
);

describe('a client that leaves', () => {
  it.each(table)(
    '$place, $moment, after $events events of the model, keeps its message',
    async ({ place, moment, events }) => {
      isSilent = false;
      const { session, before } = await places[place]!(
        `talk-${table.findIndex((one) => one.place === place && one.moment === moment && one.events === events)}`,
      );
      isSilent = true;
      saidEvents = events;
      await moments[moment]!(`/v1/rag/sessions/${session}/messages`);
      const turns = await turnsWhen(session, before + 1);
      expect(turns).toHaveLength(before + 1);
      const kept = turns[before]!;
      expect(kept).toMatchObject({ content: question, ordinal: before + 1, sessionId: session });
      expect(kept.answer).toMatchObject({ abstained: true, claims: [], degraded: [{ code: 'cancelled' }] });
      expect(await (await fetch(`${server.url}/v1/rag/sessions/${session}`)).json()).toMatchObject({
        turnCount: before + 1,
      });
      const saved = await fetch(`${server.url}/v1/answers/${kept.answer.id}`);
      expect(answerSchema.parse(await saved.json())).toEqual(kept.answer);

      // Whoever comes back goes on from there.
      isSilent = false;
      const next = await post(`/v1/rag/sessions/${session}/messages`, { content: 'When was she born?' });
      expect(next.status).toBe(200);
      expect((await turnsOf(session)).map(({ content }) => content).slice(before)).toEqual([
        question,
        'When was she born?',
      ]);
    },
  );

  it('is told apart from a mistake: a message that fails leaves none', async () => {
    const failed = await post('/v1/rag/sessions/failing/messages', { content: question, sources: ['nowhere'] });
    expect(failed.status).toBe(404);
    expect(await turnsOf('failing')).toEqual([]);
  });
});
