// What leaves for a search of the web, and for whom: words of the question and nothing that documents say; nothing for requests that leave the
// web out; and what one tenant's question found is no document of another.
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope, tenantScope } from '../../../src/core/scope.ts';
import { openWebSearch } from '../../../src/footnote/web/web-search.ts';
import { startFakeOpenAI } from '../../../src/testing/index.ts';
import { openWebSystem, type WebSystem, type WebSystemOptions } from '../../../testkit/web/system.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function begin(options: WebSystemOptions = {}): Promise<WebSystem> {
  const system = await openWebSystem({
    pages: { '/a.html': 'The lighthouse of Cabo Frio is 61 metres tall.' },
    ...options,
  });
  ends.push(system.close);
  return system;
}

const question = 'How tall is the lighthouse of Cabo Frio?';

describe('nobody is asked', () => {
  it.each([
    ['for other sources', { sources: ['uploads'] }],
    ['for a filter of paths', { filter: { op: 'glob', field: 'path', value: '**/*.md' } }],
    ['for a filter of kinds', { filter: { op: 'ne', field: 'sourceType', value: 'web' } }],
    ['for a filter of dates', { filter: { op: 'gte', field: 'publishedAt', value: '2020-01-01' } }],
  ] as const)('%s', async (_, restriction) => {
    const { footnote, provider, site } = await begin();
    const asked = structuredClone(restriction) as object;
    expect(await footnote.ask({ question, ...asked })).toMatchObject({ abstained: true });
    await footnote.search({ query: question, ...asked });
    expect(provider.requests).toEqual([]);
    expect(site.connections()).toBe(0);
  });

  it('where no provider is named, whatever keys there are', () => {
    const open = (environment: Readonly<Record<string, string>>) =>
      openWebSearch(loadConfig({ folder: '/', environment }));
    const keys = { BRAVE_API_KEY: 'a', TAVILY_API_KEY: 'b', SEARXNG_URL: 'http://127.0.0.1:1' };
    expect(open(keys)).toBeUndefined();
    const named = open({ ...keys, WEB_SEARCH_PROVIDER: 'brave' });
    expect(named).toMatchObject({ name: 'brave' });
    named?.close();
    for (const [provider, lacking] of [
      ['searxng', 'SEARXNG_URL'],
      ['brave', 'BRAVE_API_KEY'],
      ['tavily', 'TAVILY_API_KEY'],
    ] as const)
      expect(() => open({ WEB_SEARCH_PROVIDER: provider })).toThrow(`${lacking} is not set`);
  });
});

it('the web is asked by its name, and by a filter that its pages pass', async () => {
  const { footnote, provider } = await begin();
  const named = await footnote.ask({ question, sources: ['web-search'] });
  expect(named.answer).toContain('61 metres');
  const filtered = await footnote.ask({ question, filter: { op: 'eq', field: 'sourceType', value: 'web' } });
  expect(filtered.answer).toContain('61 metres');
  expect(provider.queries()).toEqual([question, question]);
});

it('parts of a question go out in words of the question alone, though one is filled in from a document', async () => {
  const { footnote, provider } = await begin({
    documents: [{ text: 'Kestrel Holdings acquired Zorblax in 1999.', title: 'Zorblax', uri: 'zorblax.txt' }],
    pages: { '/b.html': 'Zorblax has its office in Lindau.' },
  });
  const asked = 'Which company acquired Zorblax and where is the office of the company that acquired Zorblax?';
  await footnote.ask({ question: asked });
  await footnote.ask({ question: 'Who is the chief executive of the company that acquired Zorblax?' });
  expect(provider.queries().length).toBeGreaterThan(0);
  expect(provider.queries().join(' ')).not.toMatch(/kestrel|holdings|1999/iu);
});

it('a model that plans may have the web searched, and takes no word of a document there', async () => {
  const call = (name: string, args: object) => ({ id: `c_${name}`, name, arguments: JSON.stringify(args) });
  const fake = await startFakeOpenAI([
    { reply: { toolCalls: [call('search_embedded', { query: 'valve', limit: 3 })] } },
    {
      expect: 'Kestrel',
      reply: { toolCalls: [call('search_web', { query: 'lighthouse Cabo Frio Kestrel SECRET-4711 basin', limit: 3 })] },
    },
    { expect: '61 metres', reply: 'Enough.' },
  ]);
  ends.push(() => fake.close());
  const { footnote, provider } = await begin({
    documents: [
      { text: 'The valve of basin four: its code is Kestrel SECRET-4711.', title: 'Valve', uri: 'valve.txt' },
    ],
    environment: {
      ...fake.environment,
      ENABLE_ORCHESTRATOR: 'true',
      MODEL_PLANNER: 'compatible:fake',
      MODEL_ANSWER: 'none',
    },
  });
  const answer = await footnote.ask({ question });
  fake.assertFinished();
  expect(answer.answer).toContain('61 metres');
  expect(provider.queries().length).toBeGreaterThan(0);
  for (const query of provider.queries()) expect(query).not.toMatch(/kestrel|secret|4711|basin/iu);
});

it('what one tenant found is no document of another, and is looked for anew', async () => {
  const { opened, footnote, provider } = await begin();
  const { citations } = await footnote.ask({ question });
  const id = citations[0]?.documentId ?? '';
  const other = opened.forScope(tenantScope('other', 'somebody'));
  await expect(other.documents.get(id)).rejects.toMatchObject({ code: 'not-found' });
  expect(await other.sources.list()).toEqual([]);
  expect(await opened.forScope(localScope()).documents.get(id)).toMatchObject({ id });
  await other.ask({ question });
  expect(provider.queries()).toEqual([question, question]);
});
