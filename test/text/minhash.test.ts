import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlapOf, sketchSize } from '../../src/core/documents/fingerprint.ts';
import { fingerprintOf } from '../../src/text/minhash.ts';
import { forEachComparedWord } from '../../src/text/shingles.ts';

const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  forEachComparedWord(text, (word) => words.push(word));
  return words;
};
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `w${from + index}`).join(' ');

describe('forEachComparedWord', () => {
  it('folds case, width, marks and the hyphens that end lines', () => {
    expect(wordsOf('The ＡＣＭＥ café — special-\nization, “quoted”.')).toEqual([
      'the',
      'acme',
      'cafe',
      'specialization',
      'quoted',
    ]);
  });

  it('takes scripts without spaces by character', () => {
    expect(wordsOf('漢字 ok')).toEqual(['漢', '字', 'ok']);
  });
});

describe('fingerprintOf', () => {
  it('never changes: it is recorded', () => {
    const { wordsHash, runs, sketch } = fingerprintOf('One two three four five six.');
    expect(runs).toBe(2);
    expect(wordsHash.slice(0, 12)).toBe('bab7fd6e5bd6');
    expect([...sketch]).toEqual([32256388825389, 52652332900449]);
  });

  it('is the same whatever the case, the wrapping and the punctuation', () => {
    const text = 'The pump (of the basin) was replaced in spring; nobody noticed.';
    expect(fingerprintOf(text.toUpperCase().replaceAll(' ', '\n\n').replaceAll(';', '!'))).toEqual(fingerprintOf(text));
  });

  it('counts only the content, but all of the words', () => {
    const text = 'Home About Contact Imprint Login. The pump of the basin was replaced in spring.';
    const content = [{ start: text.indexOf('The'), end: text.length }];
    const inFrame = fingerprintOf(text, content);
    const bare = fingerprintOf(text.slice(text.indexOf('The')));
    expect(inFrame.sketch).toEqual(bare.sketch);
    expect(inFrame.wordsHash).not.toBe(bare.wordsHash);
  });

  it('is exact for short texts and close for long ones', () => {
    const short = overlapOf(fingerprintOf(numbered(0, 104)), fingerprintOf(numbered(50, 154)));
    expect(short.resemblance).toBeCloseTo(50 / 150, 10);
    const long = overlapOf(fingerprintOf(numbered(0, 10_000)), fingerprintOf(numbered(5_000, 15_000)));
    expect(Math.abs(long.resemblance - 1 / 3)).toBeLessThan(0.07);
    expect(Math.abs(long.containment - 1 / 2)).toBeLessThan(0.09);
    expect(Math.abs(fingerprintOf(numbered(0, 10_000)).runs / 9_996 - 1)).toBeLessThan(0.15);
  });

  it('keeps a bounded, ascending sketch of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12, unit: 'binary' }), { maxLength: 800 }), (words) => {
        const { sketch, runs } = fingerprintOf(words.join(' '));
        expect(sketch.length).toBeLessThanOrEqual(sketchSize);
        expect(runs).toBeGreaterThanOrEqual(sketch.length === sketchSize ? 1 : sketch.length);
        for (const [index, hash] of sketch.entries()) {
          expect(Number.isSafeInteger(hash) && hash >= 0 && hash < 2 ** 48).toBe(true);
          if (index > 0) expect(hash).toBeGreaterThan(sketch[index - 1] ?? 0);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('gives what it always gave, since it is recorded and compared with what was recorded before', () => {
    const text = Array.from({ length: 4096 }, (_, index) =>
      index % 7 === 0 ? 'Ünïted exam-\nple' : `w${index % 900}`,
    );
    const { wordsHash, runs, sketch } = fingerprintOf(text.join(' '));
    expect([wordsHash, runs, sketch[0], sketch[255], sketch.length]).toEqual([
      '35715c3d15e5bab2344c2863ef82ad9c704d7add3440b46d992798daa1a0db23',
      3893,
      90285870118,
      18436717491570,
      256,
    ]);
    const part = fingerprintOf('Home. The quick brown fox jumps over the lazy dog.', [{ start: 6, end: 50 }]);
    expect([part.wordsHash, ...part.sketch]).toEqual([
      'b7fb2c173c1b6d4fd4d50e734d56f5ece8909490733326d0021f48718c04433a',
      88617010478774,
      152906233779213,
      187290858255841,
      193117758816749,
      226783422226318,
    ]);
    // As many words as are hashed together.
    expect(fingerprintOf(Array.from({ length: 4096 }, (_, index) => `w${index}`).join(' ')).wordsHash).toBe(
      '1fe8324c8e16801363362e5e93c3a7b58efb16b5e59b98a0960fda45e74dac7e',
    );
  });
});
