// The promises of the store port, each as a check that a broken store fails. One list for every adapter; the suite runs it
// against each, and against stores broken on purpose, to see the checks fail.
import { expect } from 'vitest';
import type { DocumentRecord } from '../../src/core/document.ts';
import type { Filter } from '../../src/core/search.ts';
import { matchesFilter } from '../../testkit/matches-filter.ts';
import { startProcessorTime } from '../../testkit/processor-time.ts';
import { scopeOf } from '../../testkit/record-fixture.ts';
import { admin, modeOf, names, type StoreHarness, search, write } from './store-harness.ts';

export interface StoreCheck {
  readonly name: string;
  /** Left out for stores without this ability; `transaction`: of joining the record's. */
  readonly needs?: 'transaction' | 'explain' | 'lexical' | 'counts';
  run(harness: StoreHarness): Promise<void>;
}

const rejects = async (work: Promise<unknown>, code: string): Promise<void> => {
  await expect(work).rejects.toMatchObject({ name: 'FootnoteError', code });
};

const animals = [
  write('otter', 'An otter swims in the river and eats fish.'),
  write('fox', 'The fox runs in the forest; a fox hunts at night.'),
  write('crane', 'A crane stands in the river. The crane is a bird.'),
];

export const storeChecks: readonly StoreCheck[] = [
  {
    name: 'finds chunks by their words, best first, with ranks from 1',
    async run({ store, put }) {
      await put(admin, animals);
      const hits = await search(store(admin), 'crane river');
      expect(hits.map((hit) => hit.documentId)).toEqual(['doc_crane', 'doc_otter']);
      expect(hits.map((hit) => hit.rank)).toEqual([1, 2]);
      expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? Number.NaN);
      if (hits[0]?.passage) expect(animals[2]?.text).toContain(hits[0].passage.text);
      else expect(hits[0]?.chunkId).toBe(animals[2]?.chunks[0]?.id);
      // A store may add to BM25 (proximity), never take from it.
      const by = store(admin).capabilities.lexical ? 'bm25' : 'vector';
      expect(hits[0]?.scores[by]).toBeGreaterThan(0);
      expect(hits[0]?.scores[by]).toBeLessThanOrEqual(hits[0]?.score ?? Number.NaN);
    },
  },
  {
    name: 'finds nothing in an empty store, and nothing for words that no chunk has',
    async run({ store, put }) {
      expect(await names(store(admin), 'crane')).toEqual([]);
      await put(admin, animals);
      expect(await names(store(admin), 'xylophone')).toEqual([]);
      const page = await store(admin).search({ text: 'xylophone', mode: modeOf(store(admin)), limit: 5 });
      expect(page.nextCursor).toBeUndefined();
    },
  },
  {
    name: 'upsert is idempotent',
    async run({ store, put }) {
      await put(admin, animals);
      const before = await search(store(admin), 'river fish');
      await put(admin, animals);
      const outcomes = await store(admin).upsert(animals.map(({ document, chunks }) => ({ document, chunks })));
      expect(outcomes.map(({ documentId, error }) => [documentId, error])).toEqual(
        animals.map(({ document }) => [document.id, undefined]),
      );
      expect(await search(store(admin), 'river fish')).toEqual(before);
      expect(await store(admin).health()).toMatchObject({ documents: 3, chunks: 3 });
    },
  },
  {
    name: 'upsert replaces every chunk of the revision before',
    async run({ store, put }) {
      const long = `${'The heron waits. '.repeat(40)}`;
      await put(admin, [write('bird', long), ...animals]);
      expect((await search(store(admin), 'heron')).length).toBeGreaterThan(2);
      await put(admin, [write('bird', 'An egret waits.', { revision: 2 })]);
      expect(await names(store(admin), 'heron')).toEqual([]);
      expect(await names(store(admin), 'egret')).toEqual(['bird']);
      expect(await store(admin).health()).toMatchObject({ documents: 4, chunks: 4 });
    },
  },
  {
    name: 'delete takes documents away for good, and is idempotent',
    async run({ store, put, remove }) {
      await put(admin, animals);
      await remove(admin, ['doc_otter', 'doc_unknown']);
      await remove(admin, ['doc_otter']);
      const gone = [{ documentId: 'doc_otter', revision: 1, storeDocumentId: 'unknown' }];
      expect(await store(admin).delete(gone)).toEqual([{ documentId: 'doc_otter' }]);
      expect(await names(store(admin), 'otter river fish')).toEqual(['crane']);
      expect(await store(admin).health()).toMatchObject({ documents: 2, chunks: 2 });
    },
  },
  {
    name: 'a deleted document leaves no weight behind: scores are those of a store that never had it',
    async run({ store, put, remove }) {
      await put(admin, animals);
      const before = await search(store(admin), 'river crane');
      await put(admin, [write('more', 'River, river, crane and river.')]);
      expect(await search(store(admin), 'river crane')).not.toEqual(before);
      await remove(admin, ['doc_more']);
      expect(await search(store(admin), 'river crane')).toEqual(before);
    },
  },
  {
    name: 'orders equal scores by chunk id, whatever the order of writing',
    async run({ store, put }) {
      const twins = ['h', 'c', 'a', 'g', 'b', 'f', 'e', 'd'].map((name) =>
        write(name, 'Twelve identical geese fly south.'),
      );
      for (const twin of twins) await put(admin, [twin]);
      const hits = await search(store(admin), 'identical geese fly, twelve geese');
      expect(new Set(hits.map((hit) => hit.score)).size).toBe(1);
      expect(new Set(hits.map((hit) => hit.documentId)).size).toBe(twins.length);
      // Pieces of the store's own have names of its own.
      const ids = hits[0]?.passage ? hits.map((hit) => hit.chunkId) : twins.map((twin) => twin.chunks[0]?.id ?? '');
      expect(hits.map((hit) => hit.chunkId)).toEqual(ids.toSorted((left, right) => (left < right ? -1 : 1)));
    },
  },
  {
    name: 'takes limits from 0 to 1000 and refuses others',
    async run({ store, put }) {
      await put(admin, animals);
      expect(await names(store(admin), 'river', { limit: 0 })).toEqual([]);
      expect(await names(store(admin), 'river', { limit: 1000 })).toHaveLength(2);
      for (const limit of [-1, 1001, 1.5, Number.NaN])
        await rejects(store(admin).search({ text: 'river', mode: modeOf(store(admin)), limit }), 'invalid-request');
    },
  },
  {
    name: 'pages by cursor through the same ranking, each hit once',
    async run({ store, put }) {
      const many = Array.from({ length: 23 }, (_, index) =>
        write(`goose${String(index).padStart(2, '0')}`, `A goose. ${'It flies. '.repeat(index % 4)}`),
      );
      await put(admin, many);
      const whole = await search(store(admin), 'goose');
      expect(whole).toHaveLength(23);
      const paged = [];
      let cursor: string | undefined;
      do {
        const page = await store(admin).search({
          text: 'goose',
          mode: modeOf(store(admin)),
          limit: 5,
          ...(cursor === undefined ? {} : { cursor }),
        });
        expect(page.hits.length).toBeLessThanOrEqual(5);
        paged.push(...page.hits);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(paged).toEqual(whole);
    },
  },
  {
    name: 'refuses a cursor that is damaged or of another query',
    async run({ store, put }) {
      await put(admin, animals);
      const mode = modeOf(store(admin));
      const page = await store(admin).search({ text: 'river', mode, limit: 1 });
      expect(page.nextCursor).toBeTypeOf('string');
      const cursor = page.nextCursor ?? '';
      for (const bad of ['', 'nonsense', Buffer.from('[1,2]').toString('base64url'), `${cursor}x`.slice(5)])
        await rejects(store(admin).search({ text: 'river', mode, limit: 1, cursor: bad }), 'invalid-request');
      await rejects(store(admin).search({ text: 'fox', mode, limit: 1, cursor }), 'invalid-request');
    },
  },
  {
    name: 'applies every kind of filter inside the search',
    async run({ store, put }) {
      const made = filterDocuments();
      await put(admin, made);
      for (const filter of filters) {
        const expected = made
          .filter(({ document }) => matchesFilter(document, filter))
          .map(({ document }) => document.id);
        const found = (await search(store(admin), 'pelican', { filter })).map((hit) => hit.documentId);
        expect(found.sort(), JSON.stringify(filter)).toEqual(expected.sort());
      }
    },
  },
  {
    name: 'filters before it cuts: the one allowed document is found at limit 1, however low it ranks',
    async run({ store, put }) {
      const strong = Array.from({ length: 30 }, (_, index) => write(`strong${index}`, 'Pelican pelican pelican.'));
      await put(admin, [...strong, write('weak', `A pelican. ${'Something else is told here. '.repeat(5)}`)]);
      const filter: Filter = { op: 'eq', field: 'id', value: 'doc_weak' };
      expect(await names(store(admin), 'pelican', { limit: 1, filter })).toEqual(['weak']);
    },
  },
  {
    name: 'refuses a filter that cannot be, and binds hostile values',
    async run({ store, put }) {
      await put(admin, animals);
      for (const value of ["' OR 1=1 --", '" OR "', '%', '\\', ') OR (1'])
        expect(await names(store(admin), 'river', { filter: { op: 'eq', field: 'source', value } })).toEqual([]);
      const hostile = { op: 'eq', field: "id') OR 1=1 --", value: 'x' } as unknown as Filter;
      await rejects(
        store(admin).search({ text: 'river', mode: modeOf(store(admin)), limit: 5, filter: hostile }),
        'invalid-request',
      );
    },
  },
  {
    name: 'shows a document with an access list to those it names, and to admins',
    async run({ store, put }) {
      await put(admin, [
        write('open', 'The albatross glides.'),
        write('team', 'The albatross albatross of the team.', { access: ['team'] }),
        write('ada', 'The albatross albatross albatross of Ada.', { access: ['key:ada', 'owners'] }),
        write('nobody', 'The albatross of nobody.', { access: [] }),
      ]);
      const seenBy = async (id: string, groups: string[] = []): Promise<string[]> =>
        (await names(store(scopeOf('default', id, 'reader', groups)), 'albatross')).sort();
      expect(await seenBy('key:bob')).toEqual(['open']);
      expect(await seenBy('key:bob', ['team'])).toEqual(['open', 'team']);
      expect(await seenBy('key:ada')).toEqual(['ada', 'open']);
      expect(await seenBy('key:eve', ['owners'])).toEqual(['ada', 'open']);
      expect((await names(store(admin), 'albatross')).sort()).toEqual(['ada', 'nobody', 'open', 'team']);
      expect(await names(store(scopeOf('default', 'key:bob', 'reader')), 'albatross', { limit: 1 })).toEqual(['open']);
      const open: Filter = { op: 'or', filters: [{ op: 'exists', field: 'id', value: true }] };
      expect(await names(store(scopeOf('default', 'key:bob', 'reader')), 'albatross', { filter: open })).toEqual([
        'open',
      ]);
    },
  },
  {
    name: 'keeps tenants apart: neither found, nor felt in a score, nor deleted',
    async run({ store, put, remove }) {
      const other = scopeOf('other', 'local', 'admin');
      await put(admin, animals);
      const before = await search(store(admin), 'crane river');
      const flood = Array.from({ length: 40 }, (_, index) => write(`flood${index}`, 'River, crane, otter and fox.'));
      await put(other, flood);
      await put(other, animals);
      expect(await search(store(admin), 'crane river')).toEqual(before);
      expect(await names(store(other), 'otter', { limit: 1000 })).toHaveLength(41);
      await remove(
        other,
        animals.map(({ document }) => document.id),
      );
      await store(other).delete([{ documentId: 'doc_crane' }]);
      expect(await search(store(admin), 'crane river')).toEqual(before);
      expect(await store(admin).health()).toMatchObject({ documents: 3 });
      expect(await names(store(scopeOf('third', 'local', 'admin')), 'river')).toEqual([]);
    },
  },
  {
    name: 'says `unsupported` for a mode it lacks',
    async run({ store, put }) {
      await put(admin, animals);
      const { capabilities } = store(admin);
      for (const mode of ['lexical', 'vector', 'hybrid'] as const) {
        const found = store(admin).search({ text: 'river', mode, limit: 5 });
        // One that is given vectors needs one; one that makes them is asked by text.
        if (mode === 'vector' && capabilities.vectors === 'given') await rejects(found, 'invalid-request');
        else if (capabilities[mode]) expect((await found).hits).toHaveLength(2);
        else await rejects(found, 'unsupported');
      }
    },
  },
  {
    name: 'stops when the signal has aborted',
    async run({ store, put }) {
      await put(admin, animals);
      const mode = modeOf(store(admin));
      const aborted = AbortSignal.abort();
      await rejects(store(admin).search({ text: 'river', mode, limit: 5 }, aborted), 'cancelled');
      await rejects(store(admin).search({ text: 'x', mode, limit: 5 }, AbortSignal.abort('gone')), 'cancelled');
      await rejects(store(admin).upsert([], aborted), 'cancelled');
      await rejects(store(admin).delete([{ documentId: 'doc_fox' }], aborted), 'cancelled');
      await rejects(store(admin).health(aborted), 'cancelled');
      expect(await names(store(admin), 'fox')).toEqual(['fox']);
    },
  },
  {
    name: 'takes any text as a query',
    async run({ store, put }) {
      await put(admin, animals);
      const hostile = [
        '',
        '   ',
        '"',
        '""""',
        "'",
        '*',
        'river*',
        'NEAR(river crane)',
        'river AND',
        'OR',
        'NOT river',
        '-river',
      ];
      hostile.push(
        'terms: river',
        '{a b}: c',
        '(',
        ')))',
        '^river',
        'a\u0000b',
        '\uD800',
        '😀🎉',
        'river"); DROP TABLE x; --',
      );
      const tookMs = startProcessorTime();
      hostile.push(
        'x'.repeat(20_000),
        'river '.repeat(3000),
        Array.from({ length: 4000 }, (_, index) => `w${index}`).join(' '),
      );
      for (const text of hostile) {
        const found = await names(store(admin), text);
        expect(found, text.slice(0, 40)).toEqual(/river/u.test(text) ? expect.arrayContaining(['crane', 'otter']) : []);
      }
      expect(tookMs()).toBeLessThan(10_000);
    },
  },
  {
    name: 'explains a hit by terms that sum to its score, and only when asked',
    needs: 'explain',
    async run({ store, put }) {
      await put(admin, animals);
      const plain = await search(store(admin), 'the crane in the river, the crane');
      expect(plain[0]?.explanation).toBeUndefined();
      const hits = await search(store(admin), 'the crane in the river, the crane', { explain: true });
      expect(hits.map(({ explanation: _, ...hit }) => hit)).toEqual(plain);
      for (const hit of hits) {
        const sum = (hit.explanation?.terms ?? []).reduce((total, term) => total + term.weight, 0);
        expect(sum).toBeCloseTo(hit.scores.bm25 ?? Number.NaN, 9);
        const near = (hit.explanation?.proximity ?? []).reduce((total, pair) => total + pair.weight, 0);
        expect(sum + near).toBeCloseTo(hit.score, 9);
      }
      expect(hits[0]?.explanation?.terms).toMatchObject([
        { term: 'crane', tf: 2, df: 1 },
        { term: 'river', tf: 1, df: 2 },
      ]);
    },
  },
  {
    name: 'finds inflected words by the language of the document',
    needs: 'lexical',
    async run({ store, put }) {
      await put(admin, [
        write('en', 'Several nations were negotiating treaties.'),
        write('de', 'Die alten Häuser der Städte wurden gebaut.', { language: 'de' }),
        write('zh', '黑豹队的防守只丢了308分。', { language: 'zh' }),
        write('ar', 'بنيت المدارس القديمة في المدينة', { language: 'ar' }),
        write('py', 'def read_file(path):\n    return fs.readFileSync(path)'),
        write('the-who', 'Rock band formed in London.', { title: 'The Who' }),
      ]);
      const found = (text: string): Promise<string[]> => names(store(admin), text);
      expect(await found('nation negotiates a treaty')).toEqual(['en']);
      expect(await found('Wann wurde das Haus der Stadt gebaut?')).toEqual(['de']);
      expect(await found('防守')).toEqual(['zh']);
      expect(await found('مدارس')).toEqual(['ar']);
      expect(await found('readFileSync')).toEqual(['py']);
      expect(await found('sync')).toEqual(['py']);
      expect(await found('read_file')).toEqual(['py']);
      expect(await found('who')).toEqual(['the-who']);
    },
  },
  {
    name: 'a write that the record takes back never happened in the store',
    needs: 'transaction',
    async run({ store, put, putAndFail }) {
      await put(admin, animals);
      const before = await search(store(admin), 'otter badger');
      await expect(putAndFail?.(admin, write('otter', 'A badger digs.'))).rejects.toThrow();
      expect(await search(store(admin), 'otter badger')).toEqual(before);
    },
  },
  {
    name: 'counts every match where that is asked, and says nothing of it otherwise',
    needs: 'counts',
    async run({ store, put }) {
      await put(admin, animals);
      const query = { text: 'river', mode: 'lexical', limit: 1 } as const;
      expect((await store(admin).search({ ...query, count: true })).total).toBe(2);
      expect((await store(admin).search(query)).total).toBeUndefined();
      const filter: Filter = { op: 'eq', field: 'id', value: 'doc_otter' };
      expect((await store(admin).search({ ...query, filter, count: true })).total).toBe(1);
    },
  },
  {
    name: 'names the mode that it serves no vectors in, and searches by vector with what its capabilities say',
    async run({ store, put }) {
      await put(admin, animals);
      const { vector, vectors, counts } = store(admin).capabilities;
      expect(vector).toBe(vectors !== 'none');
      const found = (await search(store(admin), 'crane')).every(({ passage, chunkId }) => passage ?? chunkId);
      expect(found).toBe(true);
      const page = await store(admin).search({ text: 'river', mode: modeOf(store(admin)), limit: 1, count: true });
      expect(page.total === undefined).toBe(!counts);
      const given = store(admin).search({ text: '', mode: 'vector', vector: Float32Array.of(1, 0), limit: 1 });
      if (vectors !== 'given') await rejects(given, 'unsupported');
      else await rejects(given, 'invalid-request');
    },
  },
  {
    name: 'counts what it holds',
    async run({ store, put }) {
      expect(await store(admin).health()).toMatchObject({ status: 'ok', documents: 0, chunks: 0 });
      await put(admin, [...animals, write('long', 'A gull cries. '.repeat(60))]);
      expect(await store(admin).health()).toMatchObject({ status: 'ok', documents: 4, chunks: 3 + 5 });
    },
  },
];

function filterDocuments() {
  const facts: Partial<DocumentRecord>[] = [
    { source: 'a', sourceType: 'docs', mime: 'text/plain', category: 'birds', publishedAt: '2020-05-01T00:00:00Z' },
    { source: 'a', sourceType: 'code', language: 'de', version: '2', metadata: { year: 1999, tags: ['x', 'y'] } },
    { source: 'b', sourceType: 'web', publishedAt: '2024-01-01', metadata: { year: 2021, draft: true } },
    {
      source: 'b',
      sourceType: 'docs',
      uri: 'guide/deep/page.md',
      title: 'Deep page',
      metadata: { tags: ['z'], when: '2023-03-01' },
    },
    { source: 'c', sourceType: 'guide', uri: 'guide/top.md', metadata: { year: 'unknown', 'a.b': 'dotted' } },
  ];
  return facts.map((given, index) => write(`f${index}`, 'A pelican.', given));
}

const filters: readonly Filter[] = [
  { op: 'eq', field: 'source', value: 'a' },
  { op: 'ne', field: 'source', value: 'a' },
  { op: 'in', field: 'sourceType', values: ['docs', 'web'] },
  { op: 'nin', field: 'sourceType', values: ['docs', 'web'] },
  { op: 'eq', field: 'language', value: 'de' },
  { op: 'exists', field: 'category', value: true },
  { op: 'exists', field: 'publishedAt', value: false },
  { op: 'gte', field: 'publishedAt', value: '2020-05-01' },
  { op: 'lt', field: 'publishedAt', value: '2024-01-01T00:00:00Z' },
  { op: 'gt', field: 'metadata.year', value: 2000 },
  { op: 'eq', field: 'metadata.tags', value: 'y' },
  { op: 'eq', field: 'metadata.draft', value: true },
  { op: 'eq', field: 'metadata.a.b', value: 'dotted' },
  { op: 'gte', field: 'metadata.when', value: '2023-01-01' },
  { op: 'prefix', field: 'id', value: 'doc_f' },
  { op: 'prefix', field: 'path', value: 'guide/' },
  { op: 'glob', field: 'path', value: 'guide/*.md' },
  { op: 'glob', field: 'path', value: 'guide/**' },
  { op: 'eq', field: 'mime', value: 'text/plain' },
  { op: 'eq', field: 'title', value: 'Deep page' },
  { op: 'eq', field: 'version', value: '2' },
  { op: 'not', filter: { op: 'eq', field: 'source', value: 'b' } },
  {
    op: 'and',
    filters: [
      { op: 'eq', field: 'source', value: 'b' },
      {
        op: 'or',
        filters: [
          { op: 'exists', field: 'metadata.year', value: true },
          { op: 'eq', field: 'uri', value: 'f0.md' },
        ],
      },
    ],
  },
];
