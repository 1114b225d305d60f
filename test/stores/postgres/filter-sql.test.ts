// Filters and access lists as SQL, decided by a real PostgreSQL: what passes there is what the naive evaluator and the facts let pass, no more and no less,
// whatever texts, dates and numbers there are.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayRead, type Principal } from '../../../src/core/scope.ts';
import type { Filter, FilterField } from '../../../src/core/search.ts';
import { createPostgresClient, type PostgresClient } from '../../../src/db/postgres/client/client.ts';
import { encodeText } from '../../../src/db/postgres/client/text.ts';
import { factsOf, factsPass } from '../../../src/stores/document-facts.ts';
import { printAccess, printFilter } from '../../../src/stores/postgres/filter-sql.ts';
import { toStoredFacts } from '../../../src/stores/postgres/rows.ts';
import { createValues } from '../../../src/stores/postgres/values.ts';
import { filterArbitrary, type Seed, seedArbitrary } from '../../../testkit/filter-arbitraries.ts';
import { matchesFilter } from '../../../testkit/matches-filter.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite } from '../../../testkit/record-fixture.ts';

const programs = postgresPrograms();

function documentOf({ category, language, publishedAt, ...facts }: Seed) {
  return createWrite('text', {
    ...facts,
    ...(category !== undefined && { category }),
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
  }).document;
}

describe.skipIf(programs === undefined)('filters in PostgreSQL (skipped where no server is installed)', () => {
  let server: PostgresServer;
  let client: PostgresClient;
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    client = createPostgresClient(await server.createDatabase());
  }, 120_000);
  afterAll(async () => {
    await client.close();
    server.remove();
  });

  /** Of each document, by its place, which of the filters pass it. */
  async function decided(facts: readonly string[], filters: readonly Filter[]): Promise<readonly boolean[][]> {
    const values = createValues();
    const rows = `unnest(${values.bind(facts)}::text[]) WITH ORDINALITY AS given (facts, place)`;
    const conditions = filters.map((filter) => printFilter(filter, values));
    const found = await client.rows<{ readonly passed: boolean[] }>(
      `SELECT ARRAY[${conditions.join(',\n')}]::boolean[] AS passed
        FROM (SELECT given.facts::jsonb AS facts, place FROM ${rows}) AS d ORDER BY place`,
      values.all,
    );
    return found.map(({ passed }) => passed);
  }

  it('pass what the naive evaluator and the facts let pass', { timeout: 600_000 }, async () => {
    let all = 0;
    let passed = 0;
    const documents = fc.array(seedArbitrary.map(documentOf), { minLength: 8, maxLength: 12 });
    const filters = fc.array(filterArbitrary, { minLength: 100, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(documents, filters, async (given, asked) => {
        const found = await decided(
          given.map((document) => toStoredFacts(factsOf(document))),
          asked,
        );
        for (const [at, document] of given.entries())
          for (const [place, filter] of asked.entries()) {
            const expected = matchesFilter(document, filter);
            const told = `${JSON.stringify(filter)} over ${JSON.stringify(document)}`;
            expect(factsPass(factsOf(document), filter), told).toBe(expected);
            expect(found[at]?.[place], told).toBe(expected);
            passed += Number(expected);
          }
        all += asked.length;
      }),
      { numRuns: 110 },
    );
    expect(all).toBeGreaterThan(10_000);
    expect(passed).toBeGreaterThan(10_000);
  });

  it('let a scope see what its names may read, however they are spelled', async () => {
    const names = ["o'brien", "x' or true", 'team', 'key:1', ' ', 'a,b', '{a}', '"', '\\', 'NULL', 'a\u0000b', ''];
    const lists = [undefined, [], ['team'], ["x' or true", 'a\u0000b'], [' ', 'a,b'], ['NULL', '{a}'], ['']];
    for (const name of names)
      for (const role of ['reader', 'admin'] as const) {
        const principal: Principal = { id: name, role, groups: ['other'] };
        const values = createValues();
        const stored = lists.map((list) => (list ? JSON.stringify(list.map(encodeText)) : null));
        const found = await client.rows<{ readonly seen: boolean }>(
          `SELECT ${printAccess(principal, values) ?? 'true'} AS seen FROM (SELECT place, CASE WHEN list IS NOT NULL
              THEN ARRAY(SELECT jsonb_array_elements_text(list::jsonb)) END AS access
            FROM unnest(${values.bind(stored)}::text[]) WITH ORDINALITY AS given (list, place)) AS d ORDER BY place`,
          values.all,
        );
        expect(found.map(({ seen }) => seen)).toEqual(lists.map((list) => mayRead(principal, list)));
      }
  });

  it('refuse what cannot mean anything, before the database is asked', () => {
    const cases: [Filter, RegExp][] = [
      [{ op: 'eq', field: 'publishedAt', value: 'soon' }, /ISO 8601/u],
      [{ op: 'glob', field: 'title', value: '*' }, /glob is for path and uri/u],
      [{ op: 'eq', field: "metadata.x' or true" as FilterField, value: 1 }, /is not a field/u],
      [{ op: 'eq', field: 'tenant' as FilterField, value: 'other' }, /is not a field/u],
    ];
    for (const [filter, reason] of cases) expect(() => printFilter(filter, createValues())).toThrow(reason);
  });

  it('match the longest globs that are let in without trying anything twice', async () => {
    const path = `${'a/'.repeat(2000)}b`;
    const filters: Filter[] = ['**/', 'a*', '*a', '**a', 'a/**/'].map((part) => ({
      op: 'glob',
      field: 'path',
      value: `${part.repeat(28)}c`,
    }));
    const { document } = createWrite('text', { uri: path });
    expect(await decided([toStoredFacts(factsOf(document))], filters)).toEqual([filters.map(() => false)]);
  });
});
