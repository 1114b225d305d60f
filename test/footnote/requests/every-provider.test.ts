// What a request asked of a hosted store, of a model that searches there by itself, of a provider of web search and of sites stands in its trace, once
// and with what was really sent: stand-ins on 127.0.0.1 are the referees. What jobs ask is held against theirs in test/footnote/jobs.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PortCall } from '../../../src/core/events.ts';
import { openaiModel } from '../../../src/models/language/ai-sdk/openai.ts';
import { type OpenaiSimulator, openOpenaiSimulator, simulatorKey } from '../../../testkit/openai/openai-simulator.ts';
import { openWebSystem, type WebSystem } from '../../../testkit/web/system.ts';

let simulator: OpenaiSimulator;
let system: WebSystem;

beforeAll(async () => {
  simulator = await openOpenaiSimulator({ hosted: { queries: () => ['barn owl grams'] } });
  const model = openaiModel('gpt-5.2', {
    apiKey: simulatorKey,
    address: simulator.address,
    fetch,
    keySetting: 'OPENAI_API_KEY',
    addressSetting: 'OPENAI_BASE_URL',
  });
  system = await openWebSystem({
    pages: {
      '/owl.html': 'The snowy owl of basin nine weighs 2000 grams.',
      '/mill.html': 'The mill of basin nine grinds oats, says the latest news.',
    },
    documents: [
      { uri: 'owl.md', text: '# Owls\n\nThe barn owl weighs 500 grams.\n' },
      { uri: 'heron.md', text: '# Herons\n\nThe grey heron weighs 1500 grams.\n' },
    ],
    environment: {
      OPENAI_API_KEY: simulatorKey,
      OPENAI_BASE_URL: simulator.address,
      VECTOR_STORE: 'openai',
      MODEL_EMBED: 'none',
      ENABLE_HOSTED_FILE_SEARCH: 'true',
    },
    // Only what is searched is looked at here: answers are in the documents' own sentences.
    options: { models: { of: (role) => (role === 'answer' ? model : undefined), answering: () => undefined } },
  });
  await system.opened.settle('default');
});
afterAll(async () => {
  await system.close();
  await simulator.close();
});

/** What reached each of them while `work` ran, and what its trace has. */
async function both(work: () => Promise<{ readonly traceId: string }>) {
  const { provider, site, footnote } = system;
  const from = [simulator.calls.length, provider.queries().length, site.asked.length] as const;
  const { traceId } = await work();
  const { events } = await footnote.traces.get(traceId);
  const calls = events.flatMap(({ event }) => (event.type === 'call' ? [event.call] : []));
  const of = (port: string, method?: string): readonly PortCall[] =>
    calls.filter((call) => call.port === port && (method === undefined || call.method === method));
  const first = ({ request }: PortCall): unknown => (request as readonly unknown[])[0];
  const hosted = simulator.calls.slice(from[0]);
  return {
    left: {
      searched: hosted.filter(({ name }) => name === 'search').map(({ body }) => (body as { query: unknown }).query),
      asked: hosted.filter(({ name }) => name === 'responses.create').length,
      queries: provider.queries().slice(from[1]),
      pages: site.asked.slice(from[2]).flatMap(({ path }) => (path === '/robots.txt' ? [] : [`${site.origin}${path}`])),
    },
    traced: {
      searched: of('store.openai', 'search').map((call) => (first(call) as { text: unknown }).text),
      asked: of('retrieval.file-search').length,
      queries: of('web', 'search').map(first),
      pages: of('web', 'read').map((call) => String(first(call))),
    },
  };
}

it('of a hosted store, and of a model that searches it', async () => {
  const { left, traced } = await both(() =>
    system.footnote.ask({ question: 'How heavy is Tyto alba?', mode: 'vector' }),
  );
  expect(traced).toEqual(left);
  expect(left).toMatchObject({ searched: [expect.anything()], asked: 1 });
});

it('of the web and its pages', async () => {
  const question = 'What is the latest news on the snowy owl?';
  const { left, traced } = await both(() => system.footnote.ask({ question, mode: 'embedded' }));
  expect({ ...traced, pages: traced.pages.toSorted() }).toEqual({ ...left, pages: left.pages.toSorted() });
  expect(left.queries.length).toBeGreaterThan(0);
  expect(left.pages.length).toBeGreaterThan(0);
});
