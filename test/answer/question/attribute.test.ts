// Which attribute of a thing a question asks for.
import { describe, expect, it } from 'vitest';
import { attributeAsked } from '../../../src/answer/question/attribute.ts';

const asked = (question: string): string | undefined => {
  const span = attributeAsked(question);
  return span && question.slice(span.start, span.end);
};

describe('attributeAsked', () => {
  it.each([
    ['Who is the mayor of Port Anders?', 'mayor'],
    ['What is the top speed of the ferry?', 'top speed'],
    ["What is the Heron's length?", 'length'],
    ['What is the number of the berth?', undefined],
    ['When was the pier built?', undefined],
    ['Who built the pier?', undefined],
  ])('%s: %s', (question, attribute) => {
    expect(asked(question)).toBe(attribute);
  });
});
