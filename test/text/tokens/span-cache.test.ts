import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSpanCache } from '../../../src/text/tokens/span-cache.ts';

describe('createSpanCache', () => {
  it('gives what is computed anew, whatever was read before, in any order, over more spans than it holds', () => {
    const cache = createSpanCache<string>({ spans: 64, valueBytes: (value) => value.length, maxValueBytes: 300 });
    const marks = ['a', 'b'];
    const readers = marks.map((mark) => cache.reader((span) => `${mark}:${span}`));
    const word = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.stringMatching(/^[ab]{1,80}$/u));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), word, word, word), { maxLength: 200 }), (reads) => {
        for (const [which, before, span, after] of reads) {
          const start = before.length;
          expect(readers[which]?.(before + span + after, start, start + span.length)).toBe(`${marks[which]}:${span}`);
        }
      }),
    );
  });

  it('computes a span once as long as it is asked for, and gives the very same value', () => {
    let made = 0;
    const cache = createSpanCache<{ span: string }>({ spans: 256 });
    const read = cache.reader((span) => {
      made++;
      return { span };
    });
    const first = read('the otter', 4, 9);
    for (let round = 0; round < 20; round++) {
      for (let other = 0; other < 100; other++) read(`word${round}-${other}`, 0, 9);
      expect(read('an otter!', 3, 8)).toBe(first);
    }
    expect(made).toBeLessThanOrEqual(1 + 20 * 100);
    expect(first).toEqual({ span: 'otter' });
  });

  it('forgets: two generations hold what was asked for last, and no more', () => {
    let made = 0;
    const read = createSpanCache<number>({ spans: 128 }).reader(() => ++made);
    for (let pass = 0; pass < 2; pass++) for (let word = 1000; word < 2000; word++) read(`word ${word}`, 5, 9);
    expect(made).toBe(2000);
    read('1999', 0, 4);
    expect(made).toBe(2000);
  });

  it('keeps values within their bytes', () => {
    let made = 0;
    const read = createSpanCache<number>({ spans: 1024, valueBytes: () => 100, maxValueBytes: 1000 }).reader(
      () => ++made,
    );
    for (let pass = 0; pass < 2; pass++) for (let word = 0; word < 50; word++) read(`${word} `, 0, 2);
    expect(made).toBe(100);
  });

  it('does not remember spans that are too long to come again', () => {
    let made = 0;
    const read = createSpanCache<number>({ spans: 128 }).reader(() => ++made);
    for (let pass = 0; pass < 2; pass++) read('x'.repeat(100), 0, 65);
    expect(made).toBe(2);
    for (let pass = 0; pass < 2; pass++) read('x'.repeat(100), 0, 64);
    expect(made).toBe(3);
  });
});
