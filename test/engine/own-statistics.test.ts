// A part of an index that is weighed by its own statistics scores as an index of nothing else does, whatever the segments and the dead.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSegment, type Entry } from '../../src/engine/build-segment.ts';
import { createLexicalIndex } from '../../src/engine/lexical.ts';
import { countOwn, weighedBy } from '../../src/engine/own-statistics.ts';
import { ceilingOf, explainHit } from '../../src/engine/score.ts';
import { arbitraryQuery } from './arbitrary-query.ts';

const word = fc.constantFrom('heat', 'flow', 'wing', 'wave', 'ab', 'abc', 'ümlaut', '熱', 'z', 'rare');
const words = fc.array(word, { maxLength: 12 });
const runs = 400;

describe('own statistics', () => {
  it(`give ${runs} random parts the hits and scores that an index of each alone gives`, { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ fields: fc.tuple(words, words, words), own: fc.boolean(), dead: fc.boolean() }), {
          minLength: 1,
          maxLength: 24,
        }),
        fc.integer({ min: 1, max: 9 }),
        arbitraryQuery(word),
        (contents, size, query) => {
          const entries = contents.map(
            ({ fields }, at): Entry => ({
              fields,
              extra: [],
              key: `k${String(at).padStart(3, '0')}`,
              group: 'g',
              row: at + 1,
            }),
          );
          const index = createLexicalIndex();
          for (let at = 0; at < entries.length; at += size)
            index.replace([], [buildSegment(entries.slice(at, at + size))]);
          for (const [at, { dead }] of contents.entries()) if (dead) index.remove(at + 1, at + 1);
          const ranges = contents.flatMap(({ own }, at) => (own ? [[at + 1, at + 1] as const] : []));
          const alone = createLexicalIndex();
          alone.replace([], [buildSegment(entries.filter((_, at) => contents[at]?.own && !contents[at]?.dead))]);
          const selection = index.selectRows(ranges);
          const terms = [...query.terms.map(({ term }) => term), ...query.pairs.flat()];
          const own = countOwn(index.state(), selection, terms);
          const found = index.search({ ...query, selection, own });
          const expected = alone.search(query);
          expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
          expect(own.entries).toBe(alone.count());
          for (const [place, hit] of found.entries()) {
            expect(hit.score).toBeCloseTo(expected[place]?.score ?? Number.NaN, 9);
            const parts = explainHit(weighedBy(index.state(), own), query, hit);
            expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBe(hit.bm25);
          }
          if (own.entries > 0)
            expect(ceilingOf(weighedBy(index.state(), own), query)).toBeCloseTo(ceilingOf(alone.state(), query), 9);
        },
      ),
      { numRuns: runs },
    );
  });
});
