// What left the process for a request stands in its trace: providers of models, vectors and ranks and a hosted store, each on 127.0.0.1, are the
// referees. Every call that reached one is one call of the trace, with what was really sent, and the trace holds no other.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import type { PortCall } from '../../../src/core/events.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { Footnote } from '../../../src/footnote/facade.ts';
import { type FakeServer, openFakeServer } from '../../../src/testing/fake-http.ts';
import { answerOf, type FakeProviderServer, startFakeOpenAI } from '../../../src/testing/index.ts';
import { type AzureSearch, openAzureSearch } from '../../../testkit/azure-search/azure-search.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';
import { standardReply } from '../../fakes/rerank-http.ts';

let folder: string;
let azure: AzureSearch;
let provider: FakeProviderServer;
let ranks: FakeServer;
const inputs: unknown[] = [];
let opened: OpenedFootnote;
let footnote: Footnote;

const sentence = (n: number): string => `The mill of basin ${n} was built in ${1800 + n} and grinds oats.`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-calls-'));
  [azure, ranks, provider] = await Promise.all([
    openAzureSearch(),
    openFakeServer(standardReply),
    startFakeOpenAI(
      ({ prompt, body }) => {
        const quote = /The mill of basin \d+ was built in \d+ and grinds oats\./u.exec(prompt)?.[0] ?? '';
        return JSON.stringify(body).includes('"claims"')
          ? answerOf([{ text: quote, quote }])
          : '{"intent": "research", "reason": "it asks"}';
      },
      {
        embeddings: ({ body }) => {
          inputs.push(body['input']);
          return {};
        },
      },
    ),
  ]);
  const model = 'compatible:fake';
  const environment = {
    ...provider.environment,
    FOOTNOTE_DATA: join(folder, 'data'),
    OCR: 'off',
    AZURE_SEARCH_ENDPOINT: azure.address,
    AZURE_SEARCH_API_KEY: azure.apiKey,
    VECTOR_STORE: 'azure',
    MODEL_EMBED: 'compatible:fake',
    MODEL_RERANK: 'service:tiny',
    RERANK_BASE_URL: `${ranks.address}/v1`,
    BUDGET_REQUEST: 'none',
    ...{ MODEL_ANSWER: model, MODEL_JUDGE: model, MODEL_ROUTER: model, MODEL_PLANNER: model },
  };
  opened = await openFootnote(loadConfig({ folder, environment }));
  footnote = opened.forScope(localScope());
  for (let n = 0; n < 6; n += 1)
    await footnote.documents.add({ uri: `mill-${n}.md`, text: sentence(n), source: n % 2 === 0 ? 'north' : 'south' });
  await opened.settle('default');
});
afterAll(async () => {
  await opened.close();
  await Promise.all([azure.close(), provider.close(), ranks.close()]);
  await rm(folder, { recursive: true, force: true });
});

interface Seen {
  readonly chats: readonly string[];
  readonly embedded: readonly unknown[];
  readonly ranked: readonly unknown[];
  readonly searched: number;
}

/** What reached each of them while `work` ran. */
async function whatLeft(
  work: () => Promise<{ readonly traceId: string }>,
): Promise<Seen & { readonly traceId: string }> {
  const from = [provider.requests.length, inputs.length, ranks.requests.length, azure.server.requests.length] as const;
  const { traceId } = await work();
  return {
    traceId,
    chats: provider.requests.slice(from[0]).map(({ body }) => JSON.stringify(body)),
    embedded: inputs.slice(from[1]),
    ranked: ranks.requests.slice(from[2]).map(({ body }) => [body['query'], body['documents']]),
    // Deliveries look for what they brought, in nobody's request.
    searched: azure.server.requests.slice(from[3]).filter(({ body }) => body.includes('"vectorQueries"')).length,
  };
}

const messagesOf = ({ request }: PortCall): readonly { readonly content: string }[] =>
  ((request as { messages?: readonly { content: string }[] } | null)?.messages ?? []) as readonly { content: string }[];

/** The texts of a list of messages, as they stand in the JSON of a body. */
const inBody = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('every call that leaves the process', () => {
  it.each([
    ['a search', () => footnote.search({ query: 'When was the mill of basin 1 built?', mode: 'hybrid' })],
    ['a question', () => footnote.ask({ question: 'When was the mill of basin 2 built?', mode: 'vector' })],
    ['a message', () => footnote.sessions.send('s1', { content: 'When was the mill of basin 3 built?' })],
    [
      'parts',
      () => footnote.ask({ question: 'When was the mill of basin 4 built, and what does the mill of basin 5 grind?' }),
    ],
  ] as const)('of %s is one call of its trace', async (_, work) => {
    const left = await whatLeft(work);
    const { events } = await footnote.traces.get(left.traceId);
    const calls = events.flatMap(({ event }) => (event.type === 'call' ? [event.call] : []));
    const prompts = calls.filter((call) => messagesOf(call).length > 0);
    expect(prompts).toHaveLength(left.chats.length);
    const unmatched = [...left.chats];
    for (const call of prompts) {
      const place = unmatched.findIndex((body) =>
        messagesOf(call).every(({ content }) => body.includes(inBody(content))),
      );
      expect(place, `${call.port} ${call.method}`).toBeGreaterThanOrEqual(0);
      unmatched.splice(place, 1);
    }
    const ofPort = (port: string, method: string) =>
      calls.filter((call) => call.port === port && call.method === method).map(({ request }) => request as unknown[]);
    expect(ofPort('embedding', 'embed').map(([texts]) => texts)).toEqual(left.embedded);
    const ranked = ofPort('reranker', 'rerank').map(([asked]) => asked as { query: string; texts: readonly string[] });
    expect(ranked.map(({ query, texts }) => [query, texts])).toEqual(left.ranked);
    expect(ofPort('store.azure', 'search')).toHaveLength(left.searched);
    // None of it is in vain: each of them was asked.
    expect([left.embedded.length, left.ranked.length, left.searched].every((count) => count > 0)).toBe(true);
  });
});
