import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../../../src/core/document.ts';
import { mayRead, type Role, roles, type Scope } from '../../../../src/core/scope.ts';
import { type Filter, type FilterField, filterSchema } from '../../../../src/core/search.ts';
import { accessCondition, printFilter } from '../../../../src/db/sqlite/documents/filter-sql.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../../src/db/sqlite/sqlite.ts';
import { filterArbitrary, type Seed, seedArbitrary } from '../../../../testkit/filter-arbitraries.ts';
import { matchesFilter } from '../../../../testkit/matches-filter.ts';
import { putAll } from '../../../../testkit/record-changes.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../../../testkit/record-fixture.ts';

let place: ReturnType<typeof temporaryFolder>;
let record: SqliteRecordDatabase;
beforeAll(() => {
  place = temporaryFolder();
  record = openSqliteRecord({ folder: place.folder });
});
afterAll(async () => {
  await record.close();
  place.remove();
});

/** Records the seeds in a tenant of their own and returns them as the record gives them back. */
async function fill(tenant: string, seeds: readonly Seed[], access: readonly (readonly string[] | undefined)[] = []) {
  const handle = record.forScope(scopeOf(tenant));
  const writes = seeds.map((seed, index) => {
    const { category, language, publishedAt, ...facts } = seed;
    const allowed = access[index];
    return createWrite(`text ${index}`, {
      ...facts,
      // Two seeds may bring the same uri: the source keeps them apart.
      source: `source ${index}`,
      ...(category === undefined ? {} : { category }),
      ...(language === undefined ? {} : { language }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(allowed === undefined ? {} : { access: allowed }),
    });
  });
  await handle.commit(putAll(writes));
  const documents: DocumentRecord[] = [];
  for (const [index] of seeds.entries()) {
    const [one] = (await handle.documents.list({ filter: { op: 'eq', field: 'source', value: `source ${index}` } }))
      .data;
    if (one) documents.push(one);
  }
  return documents;
}

function idsFor(scope: Scope, filter?: Filter): string[] {
  const access = accessCondition(scope, 'd');
  const printed = filter && printFilter(filter, 'd');
  const sql = `SELECT d.id FROM document AS d WHERE ${access.sql} AND ${printed?.sql ?? '1'}`;
  const rows = record.read((database) =>
    database.prepare(sql).all(...access.parameters, ...(printed?.parameters ?? [])),
  );
  return rows.map((row) => String(row['id'])).sort();
}

describe('printFilter', () => {
  it('means what the naive evaluator means, for any filter and any document', async () => {
    let run = 0;
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(seedArbitrary, { minLength: 1, maxLength: 5 }),
        fc.array(filterArbitrary, { minLength: 1, maxLength: 40, size: 'max' }),
        async (seeds, filters) => {
          run += 1;
          const tenant = `any ${run}`;
          const documents = await fill(tenant, seeds);
          expect(documents).toHaveLength(seeds.length);
          for (const filter of filters) {
            asked += 1;
            const expected = documents
              .filter((document) => matchesFilter(document, filter))
              .map(({ id }) => id)
              .sort();
            expect(idsFor(scopeOf(tenant), filter), JSON.stringify(filter)).toEqual(expected);
          }
        },
      ),
      { numRuns: 600 },
    );
    expect(asked).toBeGreaterThan(10_000);
  });

  it('never puts a value, a key or a pattern into the text of the statement', () => {
    fc.assert(
      fc.property(filterArbitrary, (filter) => {
        const { sql, parameters } = printFilter(filter, 'd');
        expect(sql.replaceAll(/'(text|null|object|array|integer|real|true|false)'/g, '')).not.toMatch(/['"]/);
        expect(sql.match(/\?/g)?.length ?? 0).toBe(parameters.length);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses what cannot mean anything, saying why', () => {
    const cases: [Filter, RegExp][] = [
      [{ op: 'eq', field: 'publishedAt', value: 'soon' }, /ISO 8601/],
      [{ op: 'gt', field: 'updatedAt', value: 5 }, /ISO 8601/],
      [{ op: 'glob', field: 'title', value: '*' }, /glob is for path and uri/],
      [{ op: 'eq', field: "metadata.x' OR 1=1" as FilterField, value: 1 }, /is not a field/],
      [{ op: 'eq', field: 'tenant' as FilterField, value: 'other' }, /is not a field/],
      [{ op: 'eq', field: 'constructor' as FilterField, value: 'x' }, /is not a field/],
      [{ op: 'eq', field: 'metadata.n', value: Number.NaN }, /not a number/],
    ];
    for (const [filter, message] of cases)
      expect(() => printFilter(filter, 'd'), JSON.stringify(filter)).toThrow(message);
    let deep: Filter = { op: 'exists', field: 'title', value: true };
    for (let level = 0; level < 40; level += 1) deep = { op: 'not', filter: deep };
    expect(() => printFilter(deep, 'd')).toThrow(/nested deeper/);
    expect(() => printFilter({ op: 'exists', field: 'title', value: true }, 'd; --')).toThrow(/alias/);
  });

  it('carries the widest filter that the schema lets in', async () => {
    await fill('wide', [{ uri: 'a.md', title: 'x', metadata: { k: 'v7' } }]);
    const values = Array.from({ length: 10_000 }, (_, index) => `v${index}`);
    const leaf: Filter = { op: 'in', field: 'metadata.k', values };
    const row: Filter = {
      op: 'and',
      filters: Array.from({ length: 100 }, (): Filter => ({ op: 'exists', field: 'title', value: true })),
    };
    const filter: Filter = { op: 'and', filters: [leaf, ...Array.from({ length: 8 }, () => row)] };
    expect(filterSchema.safeParse(filter).success).toBe(true);
    expect(idsFor(scopeOf('wide'), filter)).toHaveLength(1);
    const tooMany: Filter = { op: 'or', filters: Array.from({ length: 11 }, () => row) };
    expect(() => printFilter(tooMany, 'd')).toThrow(/more than 1000 comparisons/);
  });
});

describe('accessCondition', () => {
  it('lets through exactly what mayRead lets through, and nothing of another tenant', async () => {
    const names = ['ann', 'bob', 'team', "o'hara", '"]', 'x" OR 1'];
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.array(fc.constantFrom(...names), { maxLength: 3 }), { nil: undefined }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.constantFrom(...names),
        fc.constantFrom<Role>(...roles),
        fc.array(fc.constantFrom(...names), { maxLength: 2 }),
        async (lists, id, role, groups) => {
          run += 1;
          const [mine, other] = [`mine ${run}`, `other ${run}`];
          const seeds = lists.map((_, index) => ({ uri: `${index}.md`, title: 't', metadata: {} }));
          const documents = await fill(mine, seeds, lists);
          await fill(other, seeds, lists);
          const scope = scopeOf(mine, id, role, groups);
          const expected = documents
            .filter(({ access }) => mayRead(scope.principal, access))
            .map((document) => document.id)
            .sort();
          expect(idsFor(scope)).toEqual(expected);
          const handle = record.forScope(scope);
          expect((await handle.documents.count()).documents).toBe(expected.length);
          for (const document of documents) {
            const visible = expected.includes(document.id);
            expect((await handle.documents.text(document.id)) !== undefined).toBe(visible);
            expect((await handle.documents.chunks(document.id)).length > 0).toBe(visible);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
