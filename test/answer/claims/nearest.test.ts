// Which passages a sentence rests on, and how far they carry it.
import { describe, expect, it } from 'vitest';
import { nearestTo } from '../../../src/answer/claims/nearest.ts';
import { gradeOf } from '../../../src/answer/support/grade.ts';
import { supportOf } from '../../../src/answer/support.ts';
import { vetoesOf } from '../../../src/answer/vetoes.ts';

const passages = [
  { quote: 'The ferry leaves Lund at dawn and carries 214 people.', title: 'Ferry' },
  {
    quote: 'The maximum size of a cached page is 8 megabytes unless the setting page_limit says otherwise.',
    title: 'Cache',
    headingPath: ['Settings', 'page_limit'],
  },
  { quote: 'Pages that were not read for a day are removed at midnight.', title: 'Cache' },
];

describe('the passages that a sentence rests on', () => {
  it('are the one that carries most, and another where that adds to it', () => {
    expect(nearestTo('A cached page has a maximum size of 8 megabytes.', passages)).toEqual([1]);
    const both =
      'A cached page has a size of 8 megabytes at most, and pages not read for a day are removed at midnight.';
    expect(new Set(nearestTo(both, passages))).toEqual(new Set([1, 2]));
    expect(nearestTo('Bananas ripen.', passages)).toEqual([]);
  });
});

describe('the grade of a claim in words of its own', () => {
  const degreeOf = (claim: string, question: string): string => {
    const quotes = passages.slice(1, 2);
    const { reasons } = supportOf(claim, quotes[0]?.quote ?? '');
    const { vetoes, comparison, askedCodes } = vetoesOf({ claim, quotes, question, reasons });
    return vetoes.length > 0 ? 'vetoed' : gradeOf(comparison, { reasons, askedCodes, leastMatch: 0.6 }).degree;
  };
  it.each([
    ['confirmed', 'By default, the maximum size of a cached page is 8 megabytes unless page_limit says otherwise.'],
    ['vetoed', 'The maximum size of a cached page is 9 megabytes.'],
    ['vetoed', 'The maximum size of a cached page is set by cache_limit.'],
    ['unlike', 'Yes, cached pages may have any size.'],
  ])('is %s: %s', (degree, claim) => expect(degreeOf(claim, 'How large is a cached page by default?')).toBe(degree));

  it('is confirmed by no code that the question alone has', () => {
    const claim = 'The maximum size of a cached page in max_cache is 8 megabytes.';
    expect(degreeOf(claim, 'What is max_cache?')).toBe('unlike');
  });
});
