// The judge and the router configured as people configure them: what they say reaches answers, the trace and the bill, a judge takes
// away and never brings back, and without the settings nobody is called.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { localScope } from '../../src/core/scope.ts';
import { type FakeServer, openFakeServer, type SeenRequest } from '../../src/testing/fake-http.ts';
import { renderChat } from '../../src/testing/openai-chat.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

const tall = 'The lighthouse of Cabo Frio is 43 metres tall.';
const built = 'Marta Oliveira designed the lighthouse of Cabo Frio in 1887.';
const question = 'lighthouse of Cabo Frio height';

let server: FakeServer;
let seen: SeenRequest[] = [];
let refused = '';
let intent = 'faq';
/** In the place of the first claim, over the same quote. */
let reworded = '';
let folder: string;
const opened: OpenedFootnote[] = [];

const promptOf = ({ body }: SeenRequest): string => JSON.stringify(body['messages']);
const isJudging = (request: SeenRequest): boolean => promptOf(request).includes('You judge whether');
const isRouting = (request: SeenRequest): boolean => promptOf(request).includes('what kind of request');

async function open(name: string, environment: Readonly<Record<string, string>>) {
  const config = loadConfig({
    folder,
    environment: {
      FOOTNOTE_DATA: join(folder, name),
      OPENAI_BASE_URL: `${server.address}/v1`,
      MODEL_ANSWER: 'none',
      ...environment,
    },
  });
  const one = await openFootnote(config);
  opened.push(one);
  const footnote = one.forScope(localScope());
  await footnote.documents.add({
    text: `${tall} ${built}`,
    mime: 'text/plain',
    uri: 'light.txt',
    source: 'notes',
  });
  return async (asked = question) => {
    const events: FootnoteEvent[] = [];
    const answer = await footnote.ask(
      { question: asked, mode: 'embedded' },
      { onEvent: (event) => events.push(event) },
    );
    return { answer, events };
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-judge-'));
  server = await openFakeServer((request) => {
    seen.push(request);
    const claims = [tall, built].map((text) => ({
      text: text === tall && reworded !== '' ? reworded : text,
      quotes: [{ id: 1, quote: text }],
    }));
    const isRefused = refused !== '' && promptOf(request).includes(`| ${refused}\\n</claim>`);
    const value = isJudging(request)
      ? {
          verdicts: [
            {
              id: 1,
              verdict: isRefused ? 'unsupported' : 'supported',
              reason: 'so it reads',
            },
          ],
        }
      : isRouting(request)
        ? { intent, reason: 'so it reads' }
        : {
            claims: promptOf(request).includes('You correct one claim') ? [] : claims,
            insufficient: false,
          };
    return renderChat({ text: JSON.stringify(value) }, request);
  });
});
beforeEach(() => {
  seen = [];
  refused = '';
  intent = 'faq';
  reworded = '';
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await server.close();
  await rm(folder, { recursive: true });
});

describe('MODEL_JUDGE', () => {
  it('judges a model’s claims: what it refuses is left out and counted, and its calls are in trace and usage', async () => {
    const ask = await open('answer', {
      MODEL_ANSWER: 'compatible:big',
      MODEL_JUDGE: 'compatible:small',
    });
    const agreed = await ask();
    expect(agreed.answer.claims.map(({ text }) => text)).toEqual([tall, built]);
    expect(seen.filter(isJudging).map(({ body }) => body['model'])).toEqual(['small', 'small']);
    const calls = agreed.events.filter((event) => event.type === 'call' && event.call.port === 'answer.judge');
    expect(calls).toHaveLength(2);
    refused = built;
    const { answer } = await ask();
    expect(answer.claims.map(({ text }) => text)).toEqual([tall]);
    expect(answer.degraded.map(({ component }) => component)).toContain('verifier');
  });

  it('is asked nothing of passages, which are what they cite', async () => {
    const ask = await open('passages', { MODEL_JUDGE: 'compatible:small' });
    const { answer } = await ask();
    expect(answer.answer).toContain('43 metres');
    expect(seen).toEqual([]);
    expect(answer.usage.inputTokens).toBe(0);
  });
});

describe('CLAIM_POLICY', () => {
  const inWords = 'The lighthouse of Cabo Frio rises to 43 metres.';
  const kindsOf = ({ claims }: Awaited<ReturnType<Awaited<ReturnType<typeof open>>>>['answer']) =>
    claims.map(({ text, kind, judgedBy }) => [text, kind, judgedBy]);

  it('judged, the default: the model that wrote is asked about what rules cannot decide, as the judge on the bill', async () => {
    const ask = await open('by-answer-model', { MODEL_ANSWER: 'compatible:big' });
    reworded = inWords;
    const { answer } = await ask();
    expect(kindsOf(answer)).toEqual([
      [inWords, 'judged', 'compatible:big'],
      [built, 'quoted', undefined],
    ]);
    expect(seen.filter(isJudging)).toHaveLength(1);
    expect(answer.models?.map(({ role }) => role)).toEqual(expect.arrayContaining(['answer', 'judge']));
    seen = [];
    reworded = inWords.replace('43', '34');
    expect(JSON.stringify((await ask()).answer)).not.toContain('34 metres');
    expect(seen.filter(isJudging)).toEqual([]);
  });

  it('strict asks nobody', async () => {
    const ask = await open('strict', { MODEL_ANSWER: 'compatible:big', CLAIM_POLICY: 'strict' });
    reworded = inWords;
    const { answer } = await ask();
    expect(kindsOf(answer)).toEqual([
      [tall, 'quoted', undefined],
      [built, 'quoted', undefined],
    ]);
    expect(seen.filter(isJudging)).toEqual([]);
  });
});

describe('MODEL_ROUTER', () => {
  it('names the intent where patterns guess, on the bill once; small talk it invents is not believed', async () => {
    const ask = await open('router', { MODEL_ROUTER: 'compatible:small' });
    const { answer } = await ask();
    expect(answer.intent).toBe('faq');
    expect(seen.map(isRouting)).toEqual([true]);
    intent = 'conversational';
    const second = await ask();
    expect(second.answer).toMatchObject({
      intent: 'factual_lookup',
      ragEnabled: true,
      abstained: false,
    });
    expect(second.answer.usage).toMatchObject({
      inputTokens: answer.usage.inputTokens,
      outputTokens: expect.any(Number),
    });
    const talk = await ask('what was that?');
    expect(talk.answer).toMatchObject({
      intent: 'conversational',
      ragEnabled: false,
    });
    expect(talk.answer.usage.inputTokens).toBeGreaterThan(0);
    seen = [];
    await ask('When was the lighthouse of Cabo Frio designed?');
    expect(seen).toEqual([]);
  });
});

it('without the settings nobody is called, and the answer is the same', async () => {
  const plain = await (await open('plain', {}))();
  expect(seen).toEqual([]);
  expect(plain.answer).toMatchObject({
    intent: 'factual_lookup',
    degraded: [],
    usage: { inputTokens: 0, costUsd: 0 },
  });
  expect(plain.events.some((event) => event.type === 'call' && /judge|router/u.test(event.call.port))).toBe(false);
  const judged = await (
    await open('judged', {
      MODEL_JUDGE: 'compatible:small',
      MODEL_ROUTER: 'compatible:small',
    })
  )();
  const shown = ({ answer }: typeof plain) => [
    answer.answer,
    answer.claims.length,
    answer.citations.map(({ quote }) => quote),
  ];
  expect(shown(judged)).toEqual(shown(plain));
});
