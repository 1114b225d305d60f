// The best of a stream, whatever its order, its ties and its length beside the buffer's.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTopEntries, drainEntries, makeRoom, type TopEntries } from '../../src/engine/top-entries.ts';

/** As the loop of a search does it (score.ts). */
function offer(top: TopEntries, score: number, reference: number): void {
  if (score < top.threshold) return;
  if (top.length === top.scores.length) makeRoom(top);
  top.scores[top.length] = score;
  top.references[top.length++] = reference;
}

describe('top entries', () => {
  it('are the best by score and then by order, whatever order they come in', () => {
    const streams = fc.oneof(
      fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 1200 }),
      fc.array(fc.double({ min: 0.1, max: 40, noNaN: true }), { maxLength: 1200, size: 'max' }),
    );
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 90 }), (scores, size) => {
        const top = createTopEntries(size, (left, right) => left < right);
        for (const [reference, score] of scores.entries()) offer(top, score, reference);
        const expected = scores
          .map((score, reference) => ({ score, reference }))
          .sort((left, right) => right.score - left.score || left.reference - right.reference)
          .slice(0, size);
        const found = drainEntries(top);
        expect([...found.references]).toEqual(expected.map(({ reference }) => reference));
        expect([...found.scores]).toEqual(expected.map(({ score }) => score));
      }),
    );
  });
});
