// Two stores that do not hold the same: the default mode finds what either of them finds alone, whatever both agree on, and says which of them
// lacks documents.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { localScope } from '../../src/core/scope.ts';
import { openFakeServer } from '../../src/testing/fake-http.ts';
import { createMemoryStores } from '../../testkit/memory-store.ts';
import { type OpenedFootnote, openFootnote } from '../../testkit/open-footnote.ts';

let folder: string;
let opened: OpenedFootnote;
const memory = createMemoryStores({ name: 'cloud', ownPieces: true });

afterEach(async () => {
  await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  memory.held('default').clear();
  folder = await mkdtemp(join(tmpdir(), 'footnote-two-'));
  opened = await openFootnote(
    loadConfig({ folder, environment: { FOOTNOTE_DATA: join(folder, 'data'), ...environment } }),
    {
      stores: [
        {
          name: 'cloud',
          open: (scope) => memory.store(scope),
          asked: { kind: 'vector', modes: ['vector', 'hybrid'] },
        },
      ],
    },
  );
}

const footnote = () => opened.forScope(localScope());

const towns = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gorse', 'Hazel'];
const questionOf = (town: string): string => `Which engineer keeps the pumping station of ${town}?`;
const factOf = (town: string): string => `The pumping station of ${town} is kept by the engineer Mara ${town}son.`;

/** Of the same words as the questions, in both stores. */
async function addShared(count: number, source = 'notes'): Promise<void> {
  const kinds = ['engineer', 'pumping station', 'station engineer', 'keeps pumping', 'engineer of the pumping station'];
  for (let at = 0; at < count; at++)
    await footnote().documents.add({
      uri: `shared-${at}.md`,
      source,
      text: `Note ${at}: which ${kinds[at % kinds.length]} keeps the log ${at % 7} of shift ${at % 11}, and of which ${kinds[(at * 3) % 5]}?`,
    });
}

async function found(mode: 'embedded' | 'vector' | 'hybrid') {
  const results = await Promise.all(
    towns.map(async (town) => {
      const { results: hits, degraded } = await footnote().search({ query: questionOf(town), mode });
      return { isFound: hits.some(({ text }) => text.includes(`Mara ${town}son`)), degraded };
    }),
  );
  return {
    count: results.filter(({ isFound }) => isFound).length,
    lacking: [
      ...new Set(
        results.flatMap(({ degraded }) =>
          degraded.flatMap(({ component, code }) => (code === 'not-delivered' ? component : [])),
        ),
      ),
    ],
  };
}

describe('documents that one of two stores holds', () => {
  it.each([
    ['cloud', 'vector', 'embedded', 24],
    ['embedded', 'embedded', 'cloud', 24],
    ['cloud', 'vector', 'embedded', 466],
    ['embedded', 'embedded', 'cloud', 466],
  ] as const)(
    '%s alone are found in mode %s and in hybrid, and %s says that it lacks them, among %i others',
    async (store, mode, other, shared) => {
      await open();
      await addShared(shared);
      await opened.settle('default');
      expect((await found('hybrid')).lacking).toEqual([]);
      for (const town of towns) await footnote().stores.add(store, { uri: `${town}.md`, text: factOf(town) });
      await opened.settle('default');
      expect((await found(mode)).count).toBe(towns.length);
      expect(await found('hybrid')).toEqual({ count: towns.length, lacking: [other] });
      const answer = await footnote().ask({ question: questionOf('Hazel') });
      expect(answer.answer).toContain('Mara Hazelson');
      expect(answer.degraded).toContainEqual(expect.objectContaining({ component: other, code: 'not-delivered' }));
    },
  );

  it('stay on the page where a reranker puts them last, and where each kind of source is searched by itself', async () => {
    // Whatever speaks of an engineer by name comes last.
    const server = await openFakeServer(({ body }) => {
      const texts = body['documents'] as readonly string[];
      const results = texts.map((text, index) => ({ index, relevance_score: text.includes('Mara') ? 0.1 : 0.9 }));
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        chunks: [JSON.stringify({ results })],
      };
    });
    await open({ MODEL_RERANK: 'service:tiny', RERANK_BASE_URL: `${server.address}/v1` });
    const kinds = { wiki: 'textbook', help: 'docs', forum: 'qa' } as const;
    for (const [name, type] of Object.entries(kinds)) {
      await footnote().sources.put({ name, type });
      await addShared(20, name);
    }
    for (const [at, town] of towns.entries())
      await footnote().stores.add('cloud', {
        uri: `${town}.md`,
        text: factOf(town),
        source: Object.keys(kinds)[at % 3] ?? 'wiki',
      });
    await opened.settle('default');
    const { results } = await footnote().search({ query: questionOf('Elm'), mode: 'vector' });
    expect(results.some(({ ranks }) => 'rerank' in ranks)).toBe(true);
    expect(await found('hybrid')).toEqual({ count: towns.length, lacking: ['embedded'] });
    await server.close();
  });

  it('of which a threshold leaves nothing are told as such, and not as nothing found', async () => {
    await open();
    await addShared(4);
    await opened.settle('default');
    const search = (minScore: number) => footnote().search({ query: questionOf('Elm'), mode: 'vector', minScore });
    expect(await search(1)).toMatchObject({
      results: [],
      degraded: [{ code: 'all-dropped', detail: expect.stringContaining('minScore 1') }],
    });
    expect((await search(0)).degraded).toEqual([]);
  });
});
