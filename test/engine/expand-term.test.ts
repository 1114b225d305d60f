// Guesses at words that no entry holds: prefixes first, then the fewest edits, never a term with digits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSegment } from '../../src/engine/build-segment.ts';
import { editsBetween, expandTerm } from '../../src/engine/expand-term.ts';
import { createLexicalIndex } from '../../src/engine/lexical.ts';

const index = createLexicalIndex();
index.replace(
  [],
  [
    buildSegment([
      { row: 1, key: 'a', group: 'g', fields: [['turbulence', 'lantern', '10mg', 'über']], extra: [] },
      { row: 2, key: 'b', group: 'g', fields: [['turbulent', 'lanterns', 'copper', 'lancern']], extra: [] },
      { row: 3, key: 'c', group: 'g', fields: [['lanterns']], extra: [] },
    ]),
  ],
);
const expand = (term: string) =>
  expandTerm(
    index.segments().map(({ segment }) => segment),
    term,
    index.frequency,
  ).map((expansion) => [expansion.term, expansion.edits]);

describe('expandTerm', () => {
  it('takes a word for the beginning of others', () => {
    expect(expand('lanter')).toEqual([
      ['lanterns', 0],
      ['lantern', 0],
    ]);
    expect(expand('tur')).toEqual([]);
  });

  it('finds the fewest edits, one for short words, two for long ones', () => {
    expect(expand('lamtern')).toEqual([['lantern', 1]]);
    expect(expand('coppre')).toEqual([['copper', 1]]);
    expect(expand('cpopre')).toEqual([]);
    expect(expand('turbulance')).toEqual([['turbulence', 1]]);
    expect(expand('turbalance')).toEqual([['turbulence', 2]]);
    expect(expand('übar')).toEqual([['über', 1]]);
  });

  it('never guesses at numbers', () => {
    expect(expand('15mg')).toEqual([]);
    expect(expand('10mgs')).toEqual([]);
  });

  it('counts the edits of the restricted Damerau distance, as far as they matter', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 3 }), (left, right, most) => {
        const edits = editsBetween(left, right, most);
        expect(edits).toBe(Math.min(naive(left, right), most + 1));
        expect(editsBetween(right, left, most)).toBe(edits);
      }),
    );
  });
});

function naive(left: string, right: string): number {
  if (left === '' || right === '') return left.length + right.length;
  const [a, b] = [left.slice(0, -1), right.slice(0, -1)];
  const last = [left.at(-1), right.at(-1)];
  const best = Math.min(naive(a, right) + 1, naive(left, b) + 1, naive(a, b) + (last[0] === last[1] ? 0 : 1));
  const swapped = left.length > 1 && right.length > 1 && last[0] === right.at(-2) && left.at(-2) === last[1];
  return swapped ? Math.min(best, naive(left.slice(0, -2), right.slice(0, -2)) + 1) : best;
}
