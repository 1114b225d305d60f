// The run of a selection is the shortest that holds it, and the postings in it are those whose slots lie there.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBitmap, setBit } from '../../src/engine/bitmap.ts';
import { buildSegment } from '../../src/engine/build-segment.ts';
import { postingsIn, runOf } from '../../src/engine/selected-run.ts';
import { encode, findString } from '../../src/engine/strings.ts';

const slotLists = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 100 });

describe('the run of a selection', () => {
  it('goes from the first slot to the last, and is whole where none between is missing', () => {
    fc.assert(
      fc.property(fc.oneof(slotLists, fc.tuple(fc.nat(99), fc.nat(99)).map(between)), (slots) => {
        const selected = createBitmap(100);
        for (const slot of slots) setBit(selected, slot);
        const first = slots.length === 0 ? 0 : Math.min(...slots);
        const end = slots.length === 0 ? 0 : Math.max(...slots) + 1;
        expect(runOf(selected)).toEqual({ first, end, isWhole: slots.length === end - first });
      }),
      { numRuns: 1000 },
    );
  });

  it('tells the postings of a term that lie in it', () => {
    fc.assert(
      fc.property(slotLists, slotLists, (holding, slots) => {
        const entries = Array.from({ length: 100 }, (_, at) => ({
          fields: [[holding.includes(at) ? 'heat' : 'flow'], [], []] as const,
          extra: [],
          key: `k${at}`,
          group: 'g',
          row: at + 1,
        }));
        const segment = buildSegment(entries);
        const term = findString(segment.terms, encode('heat'));
        if (term === -1) return;
        const selected = createBitmap(100);
        for (const slot of slots) setBit(selected, slot);
        const run = runOf(selected);
        const [from, to] = postingsIn(segment, term, run);
        const inside = holding.filter((slot) => slot >= run.first && slot < run.end).sort((a, b) => a - b);
        expect([...segment.slots.subarray(from, to)]).toEqual(inside);
        expect(postingsIn(segment, term)).toEqual([
          segment.postingOffsets[term] as number,
          segment.postingOffsets[term + 1] as number,
        ]);
      }),
      { numRuns: 200 },
    );
  });
});

function between([one, other]: readonly [number, number]): number[] {
  const first = Math.min(one, other);
  return Array.from({ length: Math.abs(one - other) + 1 }, (_, at) => first + at);
}
