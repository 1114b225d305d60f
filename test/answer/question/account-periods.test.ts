// Periods of accounts in questions, and whether a text tells them.
import { describe, expect, it } from 'vitest';
import { periodsUntold } from '../../../src/answer/question/account-periods.ts';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';

describe('periods of accounts', () => {
  it('are told by their year, however it is written', () => {
    const question = 'What was the operating margin in FY2023?';
    expect(periodsUntold(question, 'The margin was 12 %.')).toBe(1);
    expect(periodsUntold(question, 'The margin of fiscal 2023 was 12 %.')).toBe(0);
    expect(periodsUntold(question, 'FY23 margin | 12 %')).toBe(0);
    expect(periodsUntold('What was it in FY 2022?', 'It was 3 in 2023.')).toBe(1);
  });

  it('are told by the number or the name of the quarter', () => {
    const question = 'What was the revenue in Q3 of FY2019?';
    expect(periodsUntold(question, 'The third-quarter revenue was 6.3 billion.')).toBe(0.5);
    expect(periodsUntold(question, 'Revenue for the third quarter of 2019 was 6.3 billion.')).toBe(0);
    expect(periodsUntold('What was it in Q2?', 'In Q3 it was 5.')).toBe(1);
    expect(periodsUntold('What was it in 2Q?', 'In Q2 it was 5.')).toBe(0);
  });

  it('are not the years of other questions', () => {
    expect(periodsUntold('Who won the cup in 2019?', 'Polonia won the cup.')).toBe(0);
  });

  it('are nobody’s names, and neither are currencies', () => {
    expect(analyzeQuestion('What did Amcor earn in Q2 of FY2024 (in USD millions)?', 'en').names).toEqual(['Amcor']);
    expect(analyzeQuestion('Which acquisitions has Best Buy made in FY 2023, FY2022 and FY2021?', 'en').names).toEqual([
      'Best Buy',
    ]);
    expect(analyzeQuestion('Who founded the Q Theatre in 1924?', 'en').names).toEqual(['Q Theatre']);
  });
});
