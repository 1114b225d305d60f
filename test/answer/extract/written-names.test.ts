import { describe, expect, it } from 'vitest';
import { asWritten, writtenNames } from '../../../src/answer/extract/written-names.ts';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';

const matchesOf = (question: string, piece: string): readonly number[] => {
  const read = analyzeQuestion(question, 'en');
  return asWritten(
    read.terms.map(() => 1),
    piece,
    writtenNames(read, 'en'),
  );
};

describe('words as the question writes them', () => {
  it('count little where a piece holds only another word of a name’s family', () => {
    expect(matchesOf('Who built the Transformer?', 'Firms transform their work.').at(-1)).toBe(0.4);
    expect(matchesOf('Who built the Transformer?', 'Two Transformers were built.').at(-1)).toBe(1);
  });

  it('stay one family where they are no names', () => {
    expect(matchesOf('Which optimizer was used?', 'An optimization was used.')[0]).toBe(1);
  });

  it('are read in English alone', () => {
    expect(writtenNames(analyzeQuestion('Wer baute den Transformator?', 'de'), 'de')).toEqual([]);
  });
});
