// A provider of embeddings that fails in any way on the wire: searches, answers and streams come in time all the same, by words, and say so.
// No try is helped by the breaker: all of a place are under way before it can open.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Degradation } from '../../src/core/search.ts';
import { type OpenedFootnote, openFootnote } from '../../src/footnote/compose.ts';
import { startHttpServer } from '../../src/http/server.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { embeddingsOf } from '../../src/testing/openai-embeddings.ts';
import { openFaultProvider, wireFaults } from './fault-wire.ts';
import { watchStarvation } from './starvation.ts';

const legMs = 400;
const mostBeyondMs = 1_500;
const triesEach = 8;

const lighthouses = ['Cabo Frio', 'Rota', 'Faro', 'Sines', 'Vigo'].map(
  (name, at) => `# ${name}\n\nThe lighthouse of ${name} is ${40 + at} metres tall. Its lamp was lit in ${1880 + at}.\n`,
);

let folder: string;
const took: number[] = [];

const environmentOf = (address: string): Readonly<Record<string, string>> => ({
  FOOTNOTE_DATA: join(folder, 'data'),
  ENCODER: 'off',
  MODEL_EMBED: 'compatible:small',
  OPENAI_BASE_URL: address,
  MODEL_ANSWER: 'none',
  EMBEDDING_TIMEOUT_MS: String(legMs),
});
const open = (address: string): Promise<OpenedFootnote> =>
  openFootnote(loadConfig({ folder, environment: environmentOf(address) }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-silent-'));
  const sound = await openFakeServer(({ body }) => ({
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify(embeddingsOf(body, {}, 8))],
  }));
  const opened = await open(`${sound.address}/v1`);
  const { documents, search } = opened.forScope(localScope());
  for (const [at, text] of lighthouses.entries())
    await documents.add({ text, mime: 'text/markdown', uri: `${at}.md`, source: 'notes' });
  await opened.settle('default');
  // Sound: what follows differs by the fault alone.
  expect((await search({ query: 'lighthouse of Rota' })).degraded).toEqual([]);
  await opened.close();
  await sound.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Tried {
  readonly ms: number;
  readonly degraded: readonly Degradation[];
  readonly found: string;
}

async function readStream(url: string, question: string): Promise<Omit<Tried, 'ms'>> {
  const response = await fetch(`${url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ question }),
  });
  const events = (await response.text())
    .split('\n\n')
    .map((frame) => ({ name: /^event: (.*)$/mu.exec(frame)?.[1], data: /^data: (.*)$/mu.exec(frame)?.[1] }));
  const ends = events.filter(({ name }) => name === 'done' || name === 'error');
  expect(ends.map(({ name }) => name)).toEqual(['done']);
  const { answer } = JSON.parse(ends[0]?.data ?? '{}');
  return { degraded: answer.degraded, found: answer.answer };
}

describe('a provider of embeddings that', () => {
  it.each(Object.keys(wireFaults))('%s: words serve in time, and say so', async (name) => {
    const provider = await openFaultProvider(wireFaults[name] ?? {});
    const opened = await open(provider.address);
    const server = await startHttpServer({
      system: opened,
      idempotency: opened.idempotency,
      version: '0',
      host: '127.0.0.1',
      port: 0,
      authenticate: async () => undefined,
      hasKeys: async () => false,
    });
    const { search, ask } = opened.forScope(localScope());
    const find = async (query: string, mode?: 'vector'): Promise<Omit<Tried, 'ms'>> => {
      const { results, degraded } = await search({ query, ...(mode && { mode }) });
      return { degraded, found: results[0]?.text ?? '' };
    };
    const answer = async (question: string): Promise<Omit<Tried, 'ms'>> => {
      const { degraded, answer: found } = await ask({ question });
      return { degraded, found };
    };
    const question = (at: number): string => `How tall is the lighthouse of Sines${'?'.repeat(at + 1)}`;
    const tries = [
      () => find('lighthouse of Sines tall'),
      () => find('lamp of Sines'),
      () => find('Sines', 'vector'),
      () => answer(question(0)),
      () => answer(question(1)),
      () => answer(question(2)),
      () => readStream(server.url, question(3)),
      () => readStream(server.url, question(4)),
    ];
    expect(tries.length).toBe(triesEach);
    const starvedMs = watchStarvation();
    try {
      const all = await Promise.all(
        tries.map(async (attempt): Promise<Tried> => {
          const from = performance.now();
          const tried = await attempt();
          return { ...tried, ms: performance.now() - from };
        }),
      );
      const starved = starvedMs();
      for (const { ms, degraded, found } of all) {
        took.push(ms);
        expect(found).toContain('Sines');
        expect(degraded).toMatchObject([{ component: 'vector', effect: 'Searched by words only.' }]);
        expect(ms).toBeLessThan(legMs + mostBeyondMs + starved);
      }
    } finally {
      starvedMs();
      await server.close({ deadlineMs: 100 });
      await opened.close();
      await provider.close();
    }
  });

  it.each(['refuses the connection', 'reads and never answers', 'drips its body'])(
    '%s from the first start on: words serve in time and say so, and closing does not wait for it',
    async (name) => {
      const provider = await openFaultProvider(wireFaults[name] ?? {});
      const environment = { ...environmentOf(provider.address), FOOTNOTE_DATA: join(folder, `new ${name}`) };
      const opened = await openFootnote(loadConfig({ folder, environment }));
      const { documents, search } = opened.forScope(localScope());
      await documents.add({ text: lighthouses[0] ?? '', mime: 'text/markdown', uri: '0.md', source: 'notes' });
      const starvedMs = watchStarvation();
      const from = performance.now();
      const { results, degraded } = await search({ query: 'lighthouse of Cabo Frio' });
      expect(performance.now() - from).toBeLessThan(legMs + mostBeyondMs + starvedMs());
      expect(results[0]?.text).toContain('Cabo Frio');
      expect(degraded).toMatchObject([{ component: 'vector', effect: 'Searched by words only.' }]);
      const starvedAtEndMs = watchStarvation();
      const closingFrom = performance.now();
      await opened.close();
      expect(performance.now() - closingFrom).toBeLessThan(mostBeyondMs + starvedAtEndMs());
      await provider.close();
    },
  );

  it('was tried 200 times', () => {
    expect(took.length).toBeGreaterThanOrEqual(200);
    process.stderr.write(
      `${took.length} tries at a limit of ${legMs} ms: median ${Math.round(took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0)} ms, slowest ${Math.round(Math.max(...took))} ms\n`,
    );
  });
});
