// What the form of a question says of passages moves them; other questions read nothing.
import { describe, expect, it } from 'vitest';
import { createQuestionTerms } from '../../src/retrieval/question-terms.ts';
import type { RankTerm } from '../../src/retrieval/rank.ts';

type Weigh = Parameters<RankTerm['weigh']>;
const weighed = (question: string, text: string, title = 'Handbook'): Record<string, number> =>
  Object.fromEntries(
    createQuestionTerms(question).map(({ name, weigh }) => [
      name,
      weigh({} as Weigh[0], { chunk: { text, headingPath: [] }, document: { title } } as unknown as Weigh[1], 2),
    ]),
  );

describe('names as they are written', () => {
  it('lets a passage that holds only other words of the family stand lower', () => {
    expect(weighed('How deep is the Transformer?', 'Transformations were free.')['names']).toBe(-1);
    expect(weighed('How deep is the Transformer?', 'Both Transformers have six layers.')['names']).toBe(0);
    expect(weighed('How deep is the Transformer?', 'Six layers.')['names']).toBe(0);
    expect(weighed('How deep is the Transformer?', 'Transformations.', 'The Transformer')['names']).toBe(0);
  });

  it('is about names and what is to be defined alone', () => {
    expect(createQuestionTerms('who invented the regulator of the harbour')).toEqual([]);
    expect(createQuestionTerms('How many ships are there?')).toEqual([]);
    expect(weighed('what is a transformer', 'Transformation is all.')['names']).toBe(-1);
  });
});

it('lets what says what something is stand higher', () => {
  expect(weighed('What is a weir?', 'A weir is a low dam.')['definition']).toBe(0.8);
  expect(weighed('What is a weir?', 'The weir broke.')['definition']).toBe(0);
});
