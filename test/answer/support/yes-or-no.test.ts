// A claim that says yes or no to the question is left to a judge: the sentence that it rests on says neither.
import { describe, expect, it } from 'vitest';
import { compareTexts } from '../../../src/answer/support/comparison.ts';
import { gradeOf } from '../../../src/answer/support/grade.ts';

const reasonsOf = (claim: string): readonly string[] =>
  gradeOf(compareTexts({ claim, quotes: [{ quote: claim, title: '' }], question: '' }), {
    reasons: [],
    askedCodes: [],
    leastMatch: 0.9,
  }).reasons;

describe('a claim that begins with an answer', () => {
  it.each([
    'Yes, the pier opens at eight.',
    'Yes it opens at eight.',
    'No: it stays closed.',
    'No. It stays closed.',
    'Sì, apre alle otto.',
    'Nein, sie bleibt zu.',
    'Sí, abre a las ocho.',
    'はい、対応しています。',
    'いいえ。',
    '是的，支持。',
    '不是。',
  ])('is for a judge: %s', (claim) => expect(reasonsOf(claim)).toContain('yes-or-no'));

  it.each([
    'No fee is charged.',
    'No. 4 is closed.',
    'Si pleut, la plage ferme.',
    'Non-members pay ten crowns.',
    '是日开放。',
    'Jackets are lent.',
    'Simple fares apply.',
  ])('is none in another word, or before a noun: %s', (claim) => expect(reasonsOf(claim)).not.toContain('yes-or-no'));
});
