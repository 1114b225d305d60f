// Filters as OData, decided by a stand-in that parses the documented grammar: what passes there and the facts afterwards is what the naive
// evaluator lets pass; what is not exact is wider before it is decided, never narrower; nothing hostile leaves its quotes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../../src/core/document.ts';
import { mayRead } from '../../../src/core/scope.ts';
import type { Filter, FilterField } from '../../../src/core/search.ts';
import { wantedIndex } from '../../../src/stores/azure/definition.ts';
import { and, printFilter, printScope } from '../../../src/stores/azure/odata.ts';
import { rowsOf } from '../../../src/stores/azure/rows.ts';
import { type DocumentFacts, factsOf, factsPass, parseFacts } from '../../../src/stores/document-facts.ts';
import { rowsOf as firestoreRowsOf } from '../../../src/stores/firestore/rows.ts';
import type { IndexDefinition } from '../../../testkit/azure-search/index-definition.ts';
import { parseOData } from '../../../testkit/azure-search/odata.ts';
import { filterArbitrary, type Seed, seedArbitrary } from '../../../testkit/filter-arbitraries.ts';
import { matchesFilter } from '../../../testkit/matches-filter.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const definition = wantedIndex({ name: 'footnote', semantic: false }) as unknown as IndexDefinition;

function rowOf(seed: Seed, tenant = 'default', access?: readonly string[]) {
  const { category, language, publishedAt, ...facts } = seed;
  const { document, chunks } = createWrite('text', {
    ...facts,
    ...(category !== undefined && { category }),
    ...(language !== undefined && { language }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(access && { access }),
  });
  const [prepared] = rowsOf({ document, chunks }, { tenant });
  return { document, row: prepared?.row ?? {} };
}

/** What filters are decided over where a service cannot: as Azure AI Search keeps it, and as Firestore does. */
function keptBy(document: DocumentRecord, row: Readonly<Record<string, unknown>>): readonly DocumentFacts[] {
  const [kept] = firestoreRowsOf({ document, chunks: createWrite('text').chunks }, 'default', undefined);
  return [row['facts'], kept?.fields['facts']].map((facts) => parseFacts(facts) ?? raise('The facts cannot be read.'));
}

function raise(message: string): never {
  throw new Error(message);
}

/** Whether the printed filter lets the row through, before anything is decided afterwards. */
function passes(row: Readonly<Record<string, unknown>>, filter: Filter): { printed: boolean; isExact: boolean } {
  const { odata, isExact } = printFilter(filter);
  return { printed: typeof odata === 'boolean' ? odata : parseOData(odata, definition)(row), isExact };
}

describe('printFilter for Azure AI Search', () => {
  it('lets pass what the naive evaluator lets pass, and more only where it says so', () => {
    let inexact = 0;
    let all = 0;
    fc.assert(
      fc.property(seedArbitrary, fc.array(filterArbitrary, { minLength: 1, maxLength: 10 }), (seed, filters) => {
        const { document, row } = rowOf(seed);
        for (const filter of filters) {
          const expected = matchesFilter(document, filter);
          const { printed, isExact } = passes(row, filter);
          all += 1;
          if (!isExact) inexact += 1;
          for (const facts of keptBy(document, row))
            expect(factsPass(facts, filter), JSON.stringify(filter)).toBe(expected);
          if (isExact) expect(printed, JSON.stringify(filter)).toBe(expected);
          else expect(printed || !expected, JSON.stringify(filter)).toBe(true);
        }
      }),
      { numRuns: 2500 },
    );
    expect(all).toBeGreaterThan(10_000);
    expect(inexact).toBeGreaterThan(100);
  });

  it('finds the same facts in a row as in its document', () => {
    fc.assert(
      fc.property(seedArbitrary, (seed) => {
        const { document, row } = rowOf(seed);
        expect(JSON.parse(String(row['facts']))).toEqual(JSON.parse(JSON.stringify(factsOf(document))));
      }),
    );
  });

  it('keeps hostile texts inside their quotes, in every kind of comparison', () => {
    const texts = [
      "'",
      "''",
      "x' or true or 'a' eq 'a",
      "') or (tenant ne '",
      '|',
      'a|b;c~d\u001f\u001e',
      ' ',
      '\ud800',
      '\u0000',
    ];
    for (const field of ['title', 'id', 'metadata.k'] as const)
      for (const text of texts)
        for (const filter of [
          { op: 'eq', field, value: text },
          { op: 'prefix', field, value: text },
          { op: 'in', field, values: [...texts, text] },
          { op: 'lte', field, value: text },
        ] as readonly Filter[]) {
          const { odata } = printFilter(filter);
          if (typeof odata === 'boolean') continue;
          const scoped = String(and(printScope(scopeOf('mine')), odata));
          const { row } = rowOf({ uri: 'a', title: 'x', metadata: {} }, 'other');
          expect(parseOData(scoped, definition)(row), scoped).toBe(false);
        }
  });

  it('lets a scope see its tenant and what its names may read, however they are spelled', () => {
    const names = ["o'brien", "x' or true", 'team', 'key:1', ' ', 'a|b'];
    for (const tenant of ['default', "t' or tenant ne '", 'T'])
      for (const access of [undefined, [], ['team'], ["x' or true"], [' ', 'a|b']])
        for (const [asTenant, name] of names.flatMap((one) => [
          ['default', one] as const,
          ["t' or tenant ne '", one] as const,
        ]))
          for (const role of ['reader', 'admin'] as const) {
            const { row } = rowOf({ uri: 'a', title: '', metadata: {} }, tenant, access);
            const scope = scopeOf(asTenant, name, role, ['other']);
            const expected = asTenant === tenant && mayRead(scope.principal, access);
            expect(parseOData(printScope(scope), definition)(row), `${tenant} ${access} ${name}`).toBe(expected);
          }
  });

  it('refuses what cannot mean anything, saying why', () => {
    const cases: [Filter, RegExp][] = [
      [{ op: 'eq', field: 'publishedAt', value: 'soon' }, /ISO 8601/u],
      [{ op: 'glob', field: 'title', value: '*' }, /glob is for path and uri/u],
      [{ op: 'glob', field: 'path', value: '*a'.repeat(40) }, /wildcards/u],
      [{ op: 'eq', field: "metadata.x' or true" as FilterField, value: 1 }, /is not a field/u],
      [{ op: 'eq', field: 'tenant' as FilterField, value: 'other' }, /is not a field/u],
      [{ op: 'eq', field: 'constructor' as FilterField, value: 'x' }, /is not a field/u],
      [{ op: 'eq', field: 'metadata.n', value: Number.NaN }, /not a number/u],
      [{ op: 'in', field: 'title', values: Array.from({ length: 10_001 }, String) }, /more than 10000 values/u],
    ];
    for (const [filter, reason] of cases) expect(() => printFilter(filter)).toThrow(reason);
    const deep = Array.from({ length: 40 }).reduce<Filter>((filter) => ({ op: 'not', filter }), {
      op: 'exists',
      field: 'title',
      value: true,
    });
    expect(() => printFilter(deep)).toThrow(/nested deeper/u);
  });

  it('prints long lists of numbers wider, and says so', () => {
    const values = Array.from({ length: 500 }, (_, index) => index * 2);
    const { row, document } = rowOf({ uri: 'a', title: '', metadata: { k: 3 } });
    const filter: Filter = { op: 'in', field: 'metadata.k', values };
    expect(passes(row, filter)).toEqual({ printed: true, isExact: false });
    expect(factsPass(factsOf(document), filter)).toBe(false);
    expect(passes(row, { op: 'not', filter })).toEqual({ printed: true, isExact: false });
  });
});
