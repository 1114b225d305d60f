// What a store promises of what nobody may be shown: filters inside the search, access lists and tenants.
import type { DocumentRecord } from '../../core/document.ts';
import type { Filter } from '../../core/search.ts';
import { assert, holds, refuses } from './asserted.ts';
import { animals } from './checks-of-writes.ts';
import type { TrialDocument } from './documents.ts';
import { admin, modeOf, names, type StoreCheck, scopeFor, search, write } from './harness.ts';

export const scopeChecks: readonly StoreCheck[] = [
  {
    name: 'applies every kind of filter inside the search',
    async run({ store, put }) {
      await put(admin, filteredDocuments());
      for (const [filter, expected] of filters)
        assert.equal(
          (await names(store(admin), 'pelican', { filter })).toSorted().join(' '),
          expected,
          `${JSON.stringify(filter)} let other documents through than ${expected}.`,
        );
    },
  },
  {
    name: 'filters before it cuts: the one allowed document is found at limit 1, however low it ranks',
    async run({ store, put }) {
      const strong = Array.from({ length: 30 }, (_, index) => write(`strong${index}`, 'Pelican pelican pelican.'));
      await put(admin, [...strong, write('weak', `A pelican. ${'Something else is told here. '.repeat(5)}`)]);
      const filter: Filter = { op: 'eq', field: 'id', value: 'doc_weak' };
      assert.deepEqual(await names(store(admin), 'pelican', { limit: 1, filter }), ['weak']);
    },
  },
  {
    name: 'refuses a filter that cannot be, and binds hostile values',
    async run({ store, put }) {
      await put(admin, animals);
      for (const value of ["' OR 1=1 --", '" OR "', '%', '\\', ') OR (1'])
        assert.deepEqual(
          await names(store(admin), 'river', { filter: { op: 'eq', field: 'source', value } }),
          [],
          value,
        );
      const hostile = { op: 'eq', field: "id') OR 1=1 --", value: 'x' } as unknown as Filter;
      await refuses(
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
      const seenBy = async (id: string, groups: readonly string[] = []): Promise<string[]> =>
        (await names(store(scopeFor('default', id, { groups })), 'albatross')).toSorted();
      assert.deepEqual(await seenBy('key:bob'), ['open']);
      assert.deepEqual(await seenBy('key:bob', ['team']), ['open', 'team']);
      assert.deepEqual(await seenBy('key:ada'), ['ada', 'open']);
      assert.deepEqual(await seenBy('key:eve', ['owners']), ['ada', 'open']);
      assert.deepEqual((await names(store(admin), 'albatross')).toSorted(), ['ada', 'nobody', 'open', 'team']);
      const bob = store(scopeFor('default', 'key:bob'));
      assert.deepEqual(await names(bob, 'albatross', { limit: 1 }), ['open']);
      const open: Filter = { op: 'or', filters: [{ op: 'exists', field: 'id', value: true }] };
      assert.deepEqual(await names(bob, 'albatross', { filter: open }), ['open']);
    },
  },
  {
    name: 'keeps tenants apart: neither found, nor felt in a score, nor deleted',
    async run({ store, put, remove }) {
      const other = scopeFor('other', 'local', { role: 'admin' });
      await put(admin, animals);
      const before = await search(store(admin), 'crane river');
      const flood = Array.from({ length: 40 }, (_, index) => write(`flood${index}`, 'River, crane, otter and fox.'));
      await put(other, flood);
      await put(other, animals);
      assert.deepEqual(await search(store(admin), 'crane river'), before);
      assert.equal((await names(store(other), 'otter', { limit: 1000 })).length, 41);
      await remove(
        other,
        animals.map(({ document }) => document.id),
      );
      await store(other).delete([{ documentId: 'doc_crane' }]);
      assert.deepEqual(await search(store(admin), 'crane river'), before);
      await holds(store(admin), { documents: 3 });
      assert.deepEqual(await names(store(scopeFor('third', 'local', { role: 'admin' })), 'river'), []);
    },
  },
];

function filteredDocuments(): readonly TrialDocument[] {
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

/** Each filter with the documents that pass it. */
const filters: readonly (readonly [Filter, string])[] = [
  [{ op: 'eq', field: 'source', value: 'a' }, 'f0 f1'],
  [{ op: 'ne', field: 'source', value: 'a' }, 'f2 f3 f4'],
  [{ op: 'in', field: 'sourceType', values: ['docs', 'web'] }, 'f0 f2 f3'],
  [{ op: 'nin', field: 'sourceType', values: ['docs', 'web'] }, 'f1 f4'],
  [{ op: 'eq', field: 'language', value: 'de' }, 'f1'],
  [{ op: 'exists', field: 'category', value: true }, 'f0'],
  [{ op: 'exists', field: 'publishedAt', value: false }, 'f1 f3 f4'],
  [{ op: 'gte', field: 'publishedAt', value: '2020-05-01' }, 'f0 f2'],
  [{ op: 'lt', field: 'publishedAt', value: '2024-01-01T00:00:00Z' }, 'f0'],
  [{ op: 'gt', field: 'metadata.year', value: 2000 }, 'f2'],
  [{ op: 'eq', field: 'metadata.tags', value: 'y' }, 'f1'],
  [{ op: 'eq', field: 'metadata.draft', value: true }, 'f2'],
  [{ op: 'eq', field: 'metadata.a.b', value: 'dotted' }, 'f4'],
  [{ op: 'gte', field: 'metadata.when', value: '2023-01-01' }, 'f3'],
  [{ op: 'prefix', field: 'id', value: 'doc_f' }, 'f0 f1 f2 f3 f4'],
  [{ op: 'prefix', field: 'path', value: 'guide/' }, 'f3 f4'],
  [{ op: 'glob', field: 'path', value: 'guide/*.md' }, 'f4'],
  [{ op: 'glob', field: 'path', value: 'guide/**' }, 'f3 f4'],
  [{ op: 'eq', field: 'mime', value: 'text/plain' }, 'f0'],
  [{ op: 'eq', field: 'title', value: 'Deep page' }, 'f3'],
  [{ op: 'eq', field: 'version', value: '2' }, 'f1'],
  [{ op: 'not', filter: { op: 'eq', field: 'source', value: 'b' } }, 'f0 f1 f4'],
  [
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
    'f2',
  ],
];
