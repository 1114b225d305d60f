// What of a claim is compared with other sources.
import { describe, expect, it } from 'vitest';
import { statementOf } from '../../../src/answer/claims/statement.ts';

const text = 'It is old. The dam was\ncompleted in 1974.';

describe('statementOf', () => {
  it('is the marked part of a passage, on one line', () => {
    const pinpoint = { start: 11, end: text.length };
    expect(statementOf({ text, form: 'paragraph', pinpoint }).text).toBe('The dam was completed in 1974.');
  });

  it('is a short passage whole, and nothing of a long one that marks nothing', () => {
    expect(statementOf({ text, form: 'paragraph' }).text).toBe('It is old. The dam was completed in 1974.');
    expect(statementOf({ text: 'word '.repeat(80), form: 'paragraph' }).text).toBe('');
  });

  it('is the claim itself where that is a sentence', () => {
    for (const claim of [{ text }, { text, form: 'sentence' as const }]) expect(statementOf(claim)).toBe(claim);
  });
});
