import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { accessNames, mayRead } from '../../../src/core/scope.ts';
import type { Filter } from '../../../src/core/search.ts';
import { accessFilter, attributesOf } from '../../../src/stores/openai/attributes.ts';
import { printFilter } from '../../../src/stores/openai/print-filter.ts';
import { matchesFilter } from '../../../testkit/matches-filter.ts';
import { factsArbitrary, filterArbitrary } from '../../../testkit/openai/filters.ts';
import { type OpenaiPlace, openOpenaiPlace } from '../../../testkit/openai/place.ts';
import { checkAttributes, type Filter as NativeFilter, passes } from '../../../testkit/openai/vector-stores.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const isLong = process.env['FOOTNOTE_TEST_LONG'] !== undefined;

const documentOf = (facts: Parameters<typeof createWrite>[1], id = 'doc_1') =>
  createWrite('text', { ...facts, id, uri: `f-${id}.md` }).document;

/** What the vendor makes of the printed filter. */
function lets(filter: Filter, document: ReturnType<typeof documentOf>, missingPasses: boolean): boolean {
  const { native } = printFilter(filter);
  if (native === 'all' || native === 'none') return native === 'all';
  const attributes = attributesOf('default', document, { chunks: 1, textHash: 'x' });
  return passes(attributes, native as NativeFilter, missingPasses);
}

describe('printFilter for OpenAI', () => {
  it('loses no document that passes, and lets through no other where it says that it is exact', () => {
    const seen = { exact: 0, wider: 0 };
    fc.assert(
      fc.property(factsArbitrary, filterArbitrary, fc.boolean(), (facts, filter, missingPasses) => {
        const document = documentOf(facts);
        const isWanted = matchesFilter(document, filter);
        const isLet = lets(filter, document, missingPasses);
        const { exact } = printFilter(filter);
        seen[exact ? 'exact' : 'wider'] += 1;
        if (exact) expect(isLet).toBe(isWanted);
        else if (isWanted) expect(isLet).toBe(true);
      }),
      { numRuns: isLong ? 100_000 : 10_000 },
    );
    // Either kind is worth nothing alone.
    expect(seen.exact).toBeGreaterThan(1000);
    expect(seen.wider).toBeGreaterThan(1000);
  });

  it('keeps its 16 attributes within what the vendor takes, whatever a document is made of', () => {
    const lists = fc.option(fc.array(fc.string({ maxLength: 600 }), { maxLength: 6 }), { nil: undefined });
    fc.assert(
      fc.property(factsArbitrary, lists, (facts, access) => {
        const document = documentOf({ ...facts, ...(access && { access }) });
        const attributes = attributesOf('tenant', document, { chunks: 3, textHash: 'x' });
        expect(Object.keys(attributes)).toHaveLength(16);
        expect(() => checkAttributes(attributes)).not.toThrow();
      }),
    );
  });

  it('asks for what the names of a caller may read: nothing less, and more only where a document names more than there is room for', () => {
    const name = fc.constantFrom('team', 'everyone', 'many', 'nobody', '(none)', 'key:ada', 'x'.repeat(600), '');
    fc.assert(
      fc.property(
        fc.option(fc.array(name, { maxLength: 7 }), { nil: undefined }),
        fc.array(name, { maxLength: 3 }),
        (access, groups) => {
          const { principal } = scopeOf('default', 'key:bob', 'reader', groups);
          const document = documentOf(access === undefined ? {} : { access });
          const attributes = attributesOf('default', document, { chunks: 1, textHash: 'x' });
          const isLet = passes(attributes, accessFilter(accessNames(principal)) as NativeFilter, false);
          const mayBeMore = new Set(access).size > 4;
          expect(isLet).toBe(mayBeMore || mayRead(principal, access));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('refuses what is no field, and what is nested without end', () => {
    const field = 'tenant' as 'id';
    expect(() => printFilter({ op: 'eq', field, value: 'other' })).toThrow(/not a field/u);
    let deep: Filter = { op: 'eq', field: 'id', value: 'x' };
    for (let level = 0; level < 40; level += 1) deep = { op: 'not', filter: deep };
    expect(() => printFilter(deep)).toThrow(/nested/u);
  });
});

describe('a filtered search of OpenAI', () => {
  let place: OpenaiPlace | undefined;
  afterEach(async () => {
    await place?.close();
    place = undefined;
  });

  it.each([
    ['whose filters hold', false, false],
    ['that takes what is missing for different', true, false],
    ['that ignores filters', false, true],
  ])('returns what passes and nothing else, at a vendor %s', async (_, missingPassesNegation, ignoresFilters) => {
    const at = await openOpenaiPlace({ missingPassesNegation, ignoresFilters });
    place = at;
    const admin = scopeOf();
    const reader = scopeOf('default', 'key:bob', 'reader', ['team']);
    const drawn = fc.sample(factsArbitrary, 24);
    const writes = drawn.map((facts, index) =>
      createWrite('A pelican.', {
        ...facts,
        id: `doc_${index}`,
        uri: `f${index}.md`,
        ...(index % 3 === 1 && { access: ['team', 'others'] }),
        ...(index % 3 === 2 && { access: ['others', 'a', 'b', 'c', 'd'] }),
      }),
    );
    for (const { error } of await at.put(admin, writes)) expect(error).toBeUndefined();
    const recorded = (await at.database.forScope(admin).documents.list({ limit: 100 })).data;
    expect(recorded).toHaveLength(24);
    for (const filter of fc.sample(filterArbitrary, isLong ? 1000 : 60))
      for (const scope of [admin, reader]) {
        const expected = recorded
          .filter((document) => mayRead(scope.principal, document.access) && matchesFilter(document, filter))
          .map(({ id }) => id);
        const page = await at.store(scope).search({ text: 'pelican', mode: 'vector', limit: 50, filter });
        expect(page.hits.map(({ documentId }) => documentId).sort(), JSON.stringify(filter)).toEqual(expected.sort());
        expect(page.degraded).toEqual([]);
      }
    expect(at.simulator.violations).toEqual([]);
  });
});
