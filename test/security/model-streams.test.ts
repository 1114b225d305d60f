// Each hostile behaviour once through everything: a provider on a socket, the real system, the real server, a client that reads the stream
// to its end. What was answered is checked by a program that knows the HTTP contract alone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Answer, answerSchema } from '../../src/core/answer.ts';
import { localScope } from '../../src/core/scope.ts';
import { type HttpServer, startHttpServer } from '../../src/http/server.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import type { FakeReply } from '../../src/testing/fake-reply.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { checkAnswers } from '../../testkit/forge/independent-check.ts';
import { hostileBehaviours, seededRandom } from '../../testkit/models/hostile-gallery.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';
import { modelText } from '../answer/model-turn.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const timeoutMs = 6_000;
const text =
  'The pier of Brenna is 340 metres long. It was opened on 3 May 1872.\n\nThe pier of Brenna carries 1,240 visitors a day in summer.\n';
const question = 'How long is the pier of Brenna, and how many visitors does it carry?';
const honest = modelText([
  ['The pier of Brenna is 340 metres long.', [1, 'The pier of Brenna is 340 metres long.']],
  [
    'The pier of Brenna carries 1,240 visitors a day in summer.',
    [1, 'The pier of Brenna carries 1,240 visitors a day in summer.'],
  ],
]);

let folder: string;
let provider: FakeServer;
let opened: OpenedFootnote;
let server: HttpServer;
let say: (request: SeenRequest) => FakeReply = () => ({ text: honest });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-streams-'));
  provider = await openFakeServer((request) => renderChat(say(request), request));
  const environment = {
    FOOTNOTE_DATA: join(folder, 'data'),
    OPENAI_BASE_URL: `${provider.address}/v1`,
    MODEL_ANSWER: 'compatible:hostile',
    MODEL_EMBED: 'none',
    DEFAULT_MODE: 'embedded',
    REQUEST_TIMEOUT_MS: String(timeoutMs),
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  await opened.forScope(localScope()).documents.add({ text, mime: 'text/plain', uri: 'pier.txt', title: 'Pier' });
  server = await startHttpServer({
    system: opened,
    idempotency: opened.idempotency,
    version: 'test',
    host: '127.0.0.1',
    port: 0,
    authenticate: (secret) => opened.keys.authenticate(secret),
    hasKeys: () => opened.keys.required(),
  });
  opened.setAddress(server.url);
});
afterAll(async () => {
  await server.close({ deadlineMs: 1_000 });
  await opened.close();
  await provider.close();
  await rm(folder, { recursive: true });
});

interface Frame {
  readonly type: string;
  readonly text?: string;
  readonly answer?: unknown;
  readonly problem?: { readonly code: string };
}

async function stream(): Promise<Frame[]> {
  const reply = await fetch(`${server.url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ question }),
  });
  expect(reply.status).toBe(200);
  return (await reply.text()).split('\n\n').flatMap((frame) => {
    const data = /^data: (.*)$/mu.exec(frame)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as Frame];
  });
}

function check(frames: readonly Frame[]): Answer | undefined {
  const last = frames.at(-1);
  expect(frames.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1);
  if (last?.type === 'error') {
    expect(last.problem?.code).toBe('deadline-exceeded');
    return undefined;
  }
  expect(last?.type).toBe('done');
  const answer = answerSchema.parse(last?.answer);
  expect(frames.map((frame) => (frame.type === 'delta' ? frame.text : '')).join('')).toBe(answer.answer);
  return answer;
}

describe('hostile models behind the server', () => {
  it.each(hostileBehaviours.map((behaviour) => [behaviour.name, behaviour] as const))(
    '%s',
    { timeout: 120_000 },
    async (_, { reply, isHonest, isEndless }) => {
      for (let seed = 1; seed <= (isLong ? 5 : 1); seed += 1) {
        // An honest answer between two: five failures in a row would keep calls away from the model.
        say = () => ({ text: honest });
        check(await stream());
        const random = seededRandom(seed);
        let index = -1;
        say = ({ body }) => {
          index += 1;
          return reply({ index, honest, random, prompt: JSON.stringify(body) });
        };
        const startedAt = performance.now();
        const [frames, checked] = await Promise.all([stream(), checkAnswers(server.url, isEndless ? [] : [question])]);
        const answer = check(frames);
        if (isEndless) expect(performance.now() - startedAt).toBeLessThan(3 * timeoutMs + 60_000);
        expect(checked.faults).toEqual([]);
        expect(checked.citations.filter(({ faults }) => faults.length > 0)).toEqual([]);
        if (answer) {
          const isDisclosed = answer.degraded.some(({ component }) => /answer-model|verifier/u.test(component));
          expect(answer.answer).toMatch(/340 metres|1,240 visitors/u);
          if (isHonest) expect(isDisclosed).toBe(false);
          expect(answer.usage.outputTokens).toBeLessThan(100_000);
        }
        for (const frame of frames) expect(JSON.stringify(frame)).not.toMatch(/evil\.test|77 million|\\ud83d(?!\\ud)/u);
      }
    },
  );

  it('left no connection open', async () => {
    opened.forScope(localScope());
    expect(provider.requests.length).toBeGreaterThan(hostileBehaviours.length * 2);
    // Kept alive and idle: as many as were used at once.
    expect(provider.openSockets()).toBeLessThan(10);
  });
});
