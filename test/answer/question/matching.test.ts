import { describe, expect, it } from 'vitest';
import { answerableOf, answerableWeights, answerThreshold } from '../../../src/answer/confidence.ts';
import type { Agreement } from '../../../src/answer/extract/agreement.ts';
import type { AnswerSignals } from '../../../src/answer/extract/coverage.ts';
import { createMatcher, withPartsOfNames } from '../../../src/answer/question/matching.ts';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';
import { areSynonyms } from '../../../src/answer/question/synonyms.ts';
import { isMisspelling, likeness, termsOf } from '../../../src/answer/question/terms.ts';
import { typeFit } from '../../../src/answer/question/typed-spans.ts';
import { termOf } from '../../../src/text/analyze.ts';

const term = (word: string): string => termOf(word, 'en');

describe('terms', () => {
  it('keeps content words with their places', () => {
    const text = "The harbour's two piers cost 1,200 crowns.";
    const terms = termsOf(text, 'en');
    expect(terms.map(({ term: one }) => one)).toEqual([
      term('harbour'),
      '2',
      term('piers'),
      term('cost'),
      '1200',
      term('crowns'),
    ]);
    expect(text.slice(terms[4]?.start, terms[4]?.end)).toBe('1,200');
  });

  it('grades how alike words are', () => {
    expect(likeness(term('opened'), term('opening'))).toBe(1);
    expect(likeness(term('architect'), term('architecture'))).toBeGreaterThan(0.4);
    expect(likeness(term('buy'), term('acquired'))).toBeGreaterThan(0.4);
    expect(likeness(term('harbour'), term('ferry'))).toBe(0);
    expect(likeness('1872', '1873')).toBe(0);
    expect(areSynonyms(term('win'), term('defeat'))).toBe(true);
    expect(areSynonyms(term('win'), term('river'))).toBe(false);
  });

  it.each([
    ['gandhi', 'ghandi', true],
    ['kestrel', 'kestral', true],
    ['kestrel', 'kestrels', true],
    ['kestrel', 'petrel', false],
    ['harbour', 'harbour', false],
    ['mora', 'lora', false],
  ])('%s and %s: misspelling %s', (a, b, expected) => {
    expect(isMisspelling(a, b)).toBe(expected);
  });

  it('matches the best word for each wanted one', () => {
    const match = createMatcher(['harbour', 'ketsrel', '1872'], new Set(['harbour', 'kestrel', 'ferry']));
    expect(match(['ferry', 'kestrel', 'harbour'])).toEqual({ matches: [1, 1, 0], places: [2, 1, -1] });
    expect(match([])).toEqual({ matches: [0, 0, 0], places: [-1, -1, -1] });
  });

  it('finds a name with inner capitals where it is written in one', () => {
    const { terms } = analyzeQuestion('What was the tax of TechMart?', 'en');
    const words = terms.map(({ term }) => term);
    expect(words).toEqual(['tax', 'techmart', 'tech', 'mart']);
    const match = withPartsOfNames(createMatcher(words, new Set(['techmart', 'tax', 'tech'])), terms);
    expect(match(['tax', 'techmart'])).toEqual({ matches: [1, 1, 1, 1], places: [0, 1, 1, 1] });
    expect(match(['tech'])).toEqual({ matches: [0, 0, 1, 0], places: [-1, -1, 0, -1] });
  });
});

describe('typeFit', () => {
  it.each([
    ['How many boats sank?', 'Twelve boats sank.', 'Boats sank.'],
    ['How long is the pier?', 'The pier is 340 metres long.', 'The pier is long.'],
    ['When was it built?', 'It was built in 1872.', 'It was built of stone.'],
    ['Who drew the plans?', 'The plans were drawn by Edith Mora.', 'The plans were drawn by hand.'],
    ['Where is the pier?', 'The pier is in Arlow.', 'The pier is of stone.'],
    ['Why did it close?', 'It closed because the lake froze.', 'It closed again.'],
  ])('%s', (question, fitting, other) => {
    const asked = analyzeQuestion(question, 'en');
    expect(typeFit(asked, fitting)).toBeGreaterThan(typeFit(asked, other));
  });

  it('does not take what the question gives for an answer', () => {
    expect(typeFit(analyzeQuestion('How many boats sank in 1953?', 'en'), 'Boats sank in 1953.')).toBe(0);
    expect(typeFit(analyzeQuestion('Who met Edith Mora?', 'en'), 'They met Edith Mora.')).toBe(0);
  });
});

describe('answerableOf', () => {
  const question = analyzeQuestion('When was the pier of Arlow built?', 'en');
  const signals = (value: number): AnswerSignals => ({
    piece: value,
    window: value,
    chunk: value,
    names: value,
    subject: value,
    numbers: value,
    fit: value,
    lead: value,
    strength: value,
    length: value,
  });
  const single: Agreement = { rivals: 1, crowd: 0, agreement: 1 };
  const confidence = (given: AnswerSignals, agreement = single): number =>
    answerableOf(question, { signals: given, agreement });

  it('grows with every signal', () => {
    const middle = confidence(signals(0.5));
    for (const name of Object.keys(answerableWeights) as (keyof AnswerSignals)[])
      expect(confidence({ ...signals(0.5), [name]: 0.9 })).toBeGreaterThan(middle);
    expect(confidence(signals(1))).toBeGreaterThan(0.95);
    expect(confidence(signals(0))).toBeLessThan(0.01);
  });

  it('stays low where no passage speaks of what was named', () => {
    expect(confidence({ ...signals(1), subject: 0 })).toBeLessThanOrEqual(0.05);
  });

  it('stays below the threshold where many passages fit and name different values', () => {
    expect(confidence(signals(1), { rivals: 5, crowd: 1, agreement: 0 })).toBeLessThan(answerThreshold);
    expect(confidence(signals(1), { rivals: 5, crowd: 1, agreement: 0.75 })).toBeGreaterThan(0.95);
    expect(confidence(signals(1), { rivals: 2, crowd: 1, agreement: 0 })).toBeGreaterThan(0.95);
    const why = analyzeQuestion('Why was the pier of Arlow built?', 'en');
    expect(
      answerableOf(why, { signals: signals(1), agreement: { rivals: 5, crowd: 1, agreement: 0 } }),
    ).toBeGreaterThan(0.95);
  });
});
