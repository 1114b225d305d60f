import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forEachWord, type WordKind } from '../../../src/text/words/words.ts';
import { startProcessorTime } from '../../../testkit/processor-time.ts';

function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, (start, end) => words.push(text.slice(start, end)));
  return words;
}

function kindsOf(text: string): WordKind[] {
  const kinds: WordKind[] = [];
  forEachWord(text, (_start, _end, kind) => kinds.push(kind));
  return kinds;
}

describe('forEachWord', () => {
  it.each([
    ['plain words', 'An otter, a fox.', ['An', 'otter', 'a', 'fox']],
    ['numbers with their joiners', '1,000.50 and 3.14, 1. 2', ['1,000.50', 'and', '3.14', '1', '2']],
    ['identifiers whole', 'fs.readFile(__init__, a_b)', ['fs.readFile', 'init', 'a_b']],
    ['abbreviations without the last point', 'the U.S. in e.g. 1990', ['the', 'U.S', 'in', 'e.g', '1990']],
    ['apostrophes inside', "don't 'quote' rock’n’roll 5'", ["don't", 'quote', 'rock’n’roll', '5']],
    ['hyphens part words', 'state-of-the-art', ['state', 'of', 'the', 'art']],
    ['names of programming languages', 'C++ and c# but a#b and x++', ['C++', 'and', 'c#', 'but', 'a', 'b', 'and', 'x']],
    ['soft hyphens stay inside', 'Donau\u00ADdampf schiff', ['Donau\u00ADdampf', 'schiff']],
    ['combining marks stay with their letter', 'cafe\u0301 noir', ['cafe\u0301', 'noir']],
    ['ellipses part words', 'wait...what a__b ..x', ['wait', 'what', 'a__b', 'x']],
    ['letters outside the BMP', '𝒳yz 😀 𐐷', ['𝒳yz', '𐐷']],
    ['nothing', ' .,!? 😀 ', []],
  ])('%s', (_name, text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  it('parts runs by script', () => {
    expect(wordsOf('黑豹队NFL한국어とภาษา')).toEqual(['黑豹队', 'NFL', '한국어', 'と', 'ภาษา']);
    expect(kindsOf('黑豹队NFL한국어とภาษา')).toEqual(['cjk', 'word', 'hangul', 'cjk', 'complex']);
    expect(wordsOf('𠀀𠀁和')).toEqual(['𠀀𠀁和']);
  });

  it('gives ranges that are in order, do not overlap, and hold every letter and digit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        let last = 0;
        let left = '';
        forEachWord(text, (start, end) => {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          left += text.slice(last, start);
          last = end;
        });
        left += text.slice(last);
        expect(last).toBeLessThanOrEqual(text.length);
        expect(left).not.toMatch(/[\p{L}\p{N}]/u);
      }),
      { numRuns: 500 },
    );
  });

  it('is linear: a megabyte of joiners or letters takes no time', () => {
    const tookMs = startProcessorTime();
    for (const piece of ['a.', '_', "'", 'a', '.a_', '\u0301', '𠀀']) wordsOf(piece.repeat(300_000));
    expect(tookMs()).toBeLessThan(5_000);
  });
});
