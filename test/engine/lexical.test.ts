// The index against a reference that scores every entry by itself: any sequence of additions, deletions, merges and reopened
// segments gives the same hits, scores and order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSegment, type Entry } from '../../src/engine/build-segment.ts';
import { countByField } from '../../src/engine/explain.ts';
import { createLexicalIndex, type LexicalIndex } from '../../src/engine/lexical.ts';
import { mergeNow } from '../../src/engine/merge-segments.ts';
import { createProximity } from '../../src/engine/proximity.ts';
import type { LexicalQuery } from '../../src/engine/query.ts';
import { explainHit } from '../../src/engine/score.ts';
import { openSegment } from '../../src/engine/segment.ts';
import { arbitraryQuery } from './arbitrary-query.ts';
import { referenceSearch } from './reference.ts';

const runs = process.env['FOOTNOTE_TEST_LONG'] ? 10_000 : 600;

const word = fc.constantFrom('heat', 'flow', 'wing', 'wave', 'ab', 'abc', 'ümlaut', '熱', '😀', 'z', 'rare', '\uFFFD');
const words = fc.array(word, { maxLength: 12 });
const content = fc.record({
  fields: fc.tuple(words, words, words),
  extra: fc.array(word, { maxLength: 3 }),
  key: fc.stringMatching(/^[a-d\u{10000}\u{FFFF}]{1,3}$/u),
  group: fc.constantFrom('one', 'two', 'three'),
});
const query = arbitraryQuery(word);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('add' as const), contents: fc.array(content, { maxLength: 8 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(), span: fc.nat({ max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), at: fc.nat(), count: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const), at: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      query,
      page: fc.boolean(),
      rows: fc.option(fc.nat()),
    }),
  },
);

function expectSame(
  index: LexicalIndex,
  entries: readonly Entry[],
  given: LexicalQuery & { rows?: Set<number> },
): void {
  const found = index.search(given);
  const expected = referenceSearch(entries, given);
  expect(found.map(({ key, group }) => [key, group])).toEqual(expected.map(({ key, group }) => [key, group]));
  for (const [place, hit] of found.entries()) {
    expect(hit.score).toBeCloseTo(expected[place]?.score ?? Number.NaN, 9);
    const parts = explainHit(index.state(), given, hit);
    expect(parts.reduce((sum, part) => sum + part.weight, 0)).toBe(hit.bm25);
    const near = createProximity(index.state(), given.pairs ?? []).contributions(hit);
    expect(hit.bm25 + near.reduce((sum, one) => sum + one.weight, 0)).toBe(hit.score);
    for (const { term, tf } of parts) {
      const entry = entries.find((one) => one.key === hit.key);
      const counted = countByField(index.state(), hit, term);
      expect(counted).toEqual(entry?.fields.map((field) => field.filter((one) => one === term).length));
      expect(tf).toBe(counted.reduce((a, c) => a + c, 0) + (entry?.extra.filter((one) => one === term).length ?? 0));
    }
  }
}

describe('lexical index', () => {
  it(`equals the reference through ${runs} random sequences`, { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 14 }), (operations) => {
        const index = createLexicalIndex();
        let entries: Entry[] = [];
        let row = 0;
        for (const step of operations) {
          const parts = index.segments();
          if (step.kind === 'add') {
            const made = step.contents
              .filter(({ key }, at) => step.contents.findIndex((other) => other.key === key) === at)
              .filter(({ key }) => !entries.some((entry) => entry.key === key))
              .map((one) => {
                row += 1 + (one.extra.length % 3);
                return { ...one, row };
              });
            index.replace([], [buildSegment(made)]);
            entries.push(...made);
          } else if (step.kind === 'remove' && row > 0) {
            const first = 1 + (step.at % row);
            const last = first + step.span;
            const gone = entries.filter((entry) => entry.row >= first && entry.row <= last).length;
            expect(index.remove(first, last)).toBe(gone);
            entries = entries.filter((entry) => entry.row < first || entry.row > last);
          } else if (step.kind === 'merge' && parts.length > 0) {
            const at = step.at % parts.length;
            const run = parts.slice(at, at + step.count);
            const merged = mergeNow(run);
            const rows = new Set(merged.rows);
            expect(merged.bytes).toEqual(buildSegment(entries.filter((entry) => rows.has(entry.row))).bytes);
            index.replace(
              run.map(({ segment }) => segment),
              [merged],
            );
          } else if (step.kind === 'reopen' && parts.length > 0) {
            const part = parts[step.at % parts.length];
            if (!part || part.dead) continue;
            index.replace([part.segment], [openSegment(part.segment.bytes.slice())]);
          } else if (step.kind === 'search') {
            const rows =
              step.rows === null
                ? undefined
                : new Set(entries.map((one) => one.row).filter((one) => (one * 7 + (step.rows ?? 0)) % 3 > 0));
            const selection = rows && index.selectRows([...rows].map((one) => [one, one] as const));
            const first = { ...step.query, ...(rows && selection ? { rows, selection } : {}) };
            expectSame(index, entries, first);
            const last = index.search(first).at(-1);
            if (step.page && last)
              expectSame(index, entries, { ...first, after: { score: last.score, key: last.key, rank: first.limit } });
          }
          expect(index.count()).toBe(entries.length);
        }
      }),
      { numRuns: runs },
    );
  });

  it('clamps frequencies at 255 and lengths at 65,535, as the reference does', () => {
    const many = (count: number): string[] => Array.from({ length: count }, () => 'heat');
    const entries: Entry[] = [
      { row: 1, key: 'a', group: 'g', fields: [[], [], many(300)], extra: [] },
      { row: 2, key: 'b', group: 'g', fields: [[], [], [...many(255), 'flow']], extra: [] },
      { row: 3, key: 'c', group: 'g', fields: [[], [], [...many(70_000), 'flow']], extra: ['heat'] },
    ];
    const index = createLexicalIndex();
    index.replace([], [buildSegment(entries)]);
    const given = {
      terms: [
        { term: 'heat', weight: 1 },
        { term: 'flow', weight: 1 },
      ],
      limit: 5,
    };
    expect(index.search(given).map(({ key, score }) => [key, score.toFixed(9)])).toEqual(
      referenceSearch(entries, given).map(({ key, score }) => [key, score.toFixed(9)]),
    );
  });

  it('would notice an index that forgets its deletions or counts the dead: the reference can disagree', () => {
    const entries: Entry[] = ['a', 'b', 'c'].map((key, at) => ({
      row: at + 1,
      key,
      group: 'g',
      fields: [[], [], at === 1 ? ['heat', 'flow'] : ['heat']],
      extra: [],
    }));
    const index = createLexicalIndex();
    index.replace([], [buildSegment(entries)]);
    const given = { terms: [{ term: 'heat', weight: 1 }], limit: 5 };
    expect(() => expectSame(index, entries.slice(1), given)).toThrow();
  });
});
