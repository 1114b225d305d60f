// Something outside fails under a running server: within a minute of it the command line, HTTP or the metrics say which part it is. A hosted store, a model that is down and one that is silent, and a provider of web search, one after another.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerOf, type FakeReply, startFakeOpenAI } from '../../src/testing/index.ts';
import { type AzureSearch, openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { openWebProvider, type WebProvider } from '../../testkit/web/provider.ts';
import { openWorkplace, type Workplace } from '../cli/footnote-process.ts';

let place: Workplace;
let azure: AzureSearch;
let web: WebProvider;
type Manner = 'sound' | 'down' | 'silent';
let writing: Manner = 'sound';
let url: string;
const closing: (() => Promise<unknown>)[] = [];

const sentence = 'New employees receive 25 days of annual leave.';
const replies: Readonly<Record<Manner, () => FakeReply | string>> = {
  sound: () => answerOf([{ text: sentence, quote: sentence }]),
  down: () => ({ error: { status: 503, message: 'It is down.' } }),
  silent: () => ({ text: 'x', hangAfter: 0 }),
};

beforeAll(async () => {
  place = await openWorkplace();
  const [search, provider, model] = await Promise.all([
    openAzureSearch(),
    openWebProvider('searxng', []),
    startFakeOpenAI(() => replies[writing](), { embeddings: () => ({}) }),
  ]);
  [azure, web] = [search, provider];
  const served = await place.serve([], {
    ...model.environment,
    ...provider.environment,
    AZURE_SEARCH_ENDPOINT: azure.address,
    AZURE_SEARCH_API_KEY: azure.apiKey,
    VECTOR_STORE: 'azure',
    MODEL_EMBED: 'compatible:vectors',
    MODEL_ANSWER: 'compatible:writer',
    ANSWER_FIRST_TOKEN_TIMEOUT_MS: '5000',
    WEB_SEARCH_TTL_SECONDS: '0',
    OCR: 'off',
  });
  url = served.url;
  closing.push(
    () => azure.close(),
    () => provider.close(),
    () => model.close(),
    () => served.stop(),
  );
  await writeFile(join(place.folder, 'leave.md'), `# Leave\n\n${sentence}\n`);
  await place.run(['ingest', 'leave.md', '--wait']);
}, 300_000);
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await place.remove();
});

interface Answered {
  readonly answer: string;
  readonly degraded: readonly { readonly component: string; readonly detail: string }[];
}

async function ask(count: number, question = 'How many days of annual leave do new employees receive?') {
  const answers: Answered[] = [];
  for (let at = 0; at < count; at += 1) {
    const reply = await fetch(`${url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question, mode: 'hybrid' }),
    });
    expect(reply.status).toBe(200);
    answers.push((await reply.json()) as Answered);
  }
  return answers;
}

const ready = async () => (await (await fetch(`${url}/readyz`)).json()) as { status: string };
const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
const doctor = async (): Promise<string> => (await place.run(['doctor'])).out;
const components = (answers: readonly Answered[]): readonly (readonly string[])[] =>
  answers.map(({ degraded }) => degraded.map(({ component }) => component));

it('says nothing while all of it serves', { timeout: 300_000 }, async () => {
  expect((await ask(3)).every(({ answer }) => answer.includes('25 days'))).toBe(true);
  expect(await ready()).toMatchObject({ status: 'ok' });
  expect(await doctor()).not.toMatch(/^(?:!!|XX) {2}(?:store|model)/mu);
});

it('names a hosted store that is down', { timeout: 300_000 }, async () => {
  azure.server.fault = () => 'status-503-told';
  for (const names of components(await ask(3))) expect(names).toContain('azure');
  expect(await doctor()).toMatch(/^!! {2}store azure: down: /mu);
  const status = await place.run(['stores', 'status']);
  expect(status.out).toMatch(/^azure +down /mu);
  expect(status.err).toMatch(/azure: \S/u);
  // What probes are told is kept for three seconds, and the test before this one asked.
  await expect.poll(ready, { timeout: 60_000, interval: 500 }).toMatchObject({
    status: 'degraded',
    stores: expect.arrayContaining([expect.objectContaining({ name: 'azure', status: 'down' })]),
  });
  const text = await metrics();
  expect(text).toMatch(/footnote_leg_duration_count\{leg="store\.azure",error_type="[\w-]+"\} 3/u);
  expect(text).toMatch(/footnote_degraded_total\{component="azure",code="[\w-]+"\} 3/u);
  azure.server.fault = () => undefined;
});

it.each(['down', 'silent'] as const)(
  'names a model that is %s from its first failure',
  { timeout: 300_000 },
  async (kind) => {
    writing = kind;
    const [first] = await ask(1);
    expect(first).toMatchObject({ answer: expect.stringContaining('25 days') });
    expect(first?.degraded).toContainEqual(expect.objectContaining({ component: 'answer-model' }));
    const said = await doctor();
    expect(said).toMatch(
      /^!! {2}model compatible:writer: still asked, failed (?:once|\d+ times in a row), .*last failure \S+ at /mu,
    );
    expect((await place.run(['models'])).out).toMatch(/^!! {2}compatible:writer: still asked/mu);
    await ask(2);
    expect(await metrics()).toMatch(/footnote_leg_duration_count\{leg="model\.answer",error_type="[\w-]+"\} \d/u);
    writing = 'sound';
    // Where the failures were many enough to open the circuit, calls are kept away from it for a while.
    const servesAgain = async (): Promise<string> => {
      await ask(1);
      return doctor();
    };
    await expect.poll(servesAgain, { timeout: 120_000, interval: 1000 }).not.toMatch(/^(?:!!|XX) {2}model /mu);
  },
);

it('names a provider of web search that is down', { timeout: 300_000 }, async () => {
  web.fault = () => 'status-503-told';
  for (const names of components(await ask(3, 'What is the latest news on snowy owls?')))
    expect(names).toContain('source:web-search');
  expect(await metrics()).toMatch(/footnote_leg_duration_count\{leg="web",error_type="[\w-]+"\} \d/u);
});
