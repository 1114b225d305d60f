// What is said first gives what was asked, or confidence says that it does not.
import { describe, expect, it } from 'vitest';
import type { Context, Draft } from '../../../src/answer/claims/draft.ts';
import { closestBelow } from '../../../src/answer/confidence.ts';
import { fitOf, partsOf } from '../../../src/answer/extract/asked-for.ts';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';
import { composeAnswer } from '../../../src/answer/sentences/compose.ts';

const contextOf = (text: string, title = 'Notes'): Context => {
  const evidence = {
    documentId: 'd',
    chunkId: 'c',
    start: 0,
    end: text.length,
    text,
    title,
    uri: 'file:///notes.txt',
    source: 'notes',
    headingPath: [],
    score: 1,
    stores: [],
    ranks: {},
    scores: {},
  };
  return {
    blocks: [{ evidence: evidence as unknown as Context['blocks'][number]['evidence'], tokens: 50 }],
    tokens: 50,
    dropped: [],
  };
};
const answer = (question: string, text: string, title?: string): Draft =>
  composeAnswer({ question, context: contextOf(text, title) });

describe('what a question asks for', () => {
  it('is read part by part', () => {
    const kinds = (text: string): string[] => partsOf(analyzeQuestion(text)).map(({ type }) => type);
    expect(kinds('Who wrote Free Culture and when was it published?')).toEqual(['person', 'date']);
    expect(kinds('How many layers does the encoder have?')).toEqual(['number']);
    expect(kinds('Who founded the bank and in which year?')).toEqual(['person', 'date']);
  });

  it('is given where every part gets its value', () => {
    const parts = partsOf(analyzeQuestion('Who wrote Free Culture and when was it published?'));
    expect(fitOf(parts, ['Free Culture was written by Lawrence Lessig.', 'It was published in 2004.'])).toBeGreaterThan(
      0.5,
    );
    expect(fitOf(parts, ['Free Culture was written by Lawrence Lessig.'])).toBeLessThan(0.5);
    expect(fitOf(partsOf(analyzeQuestion('Why is the sky blue?')), ['It is.'])).toBe(1);
  });
});

describe('a number that is asked for', () => {
  it.each([
    ['How many ropes does the Ferry-4 have?', 'The Ferry-4 has strong ropes.'],
    ['How many ropes does the ferry have?', 'The ropes of the ferry stretch by 3.5 metres.'],
    ['How many ropes does the ferry have?', 'The ropes of the ferry cost 35 % more.'],
    ['How many ropes does the ferry have?', 'Table 3 lists the ropes of the ferry.'],
    ['How many ropes does the ferry have?', 'The ropes of the ferry are 10 times as strong.'],
  ])('%s is not given by: %s', (question, text) => {
    const draft = answer(question, text);
    expect(fitOf(partsOf(analyzeQuestion(question)), [text])).toBe(0);
    expect(draft.confidence).toBeLessThan(closestBelow);
  });

  it.each([
    ['How many ropes does the ferry have?', 'The ferry has 12 ropes.'],
    ['How many people visited the port?', 'The port had 1.2 million visitors.'],
    ['How many pilots are licensed?', '10 percent of the pilots are licensed.'],
    ['How many times was the ferry painted?', 'The ferry was painted 10 times.'],
  ])('%s is given by: %s', (question, text) =>
    expect(fitOf(partsOf(analyzeQuestion(question)), [text])).toBeGreaterThan(0),
  );

  it('is said first where it stands, though another sentence names more of the question', () => {
    const { claims } = answer(
      'How many mooring ropes does the ferry of the quay have?',
      'The ferry of the quay has good mooring ropes. The ferry employs n = 8 parallel mooring lines, or ropes.',
    );
    expect(claims[0]?.text).toContain('8 parallel');
  });
});

describe('an answer', () => {
  it.each([
    [
      'What does the Basic plan cost?',
      'The Basic plan has 30 GB of storage for 5 users. A seat is 4.50 euro.',
      '4.50 euro',
    ],
    [
      'How heavy is the heavy drone?',
      'The heavy drone flies 12 km with 2 batteries. The drone is a machine of 900 grams.',
      '900 grams',
    ],
    ['How long is the notice period?', 'The notice period has 2 forms. It lasts three months.', 'three months'],
    ['Wie viel kostet der Tarif? Der Preis?', 'Der Tarif hat 30 GB. Der Preis ist 5 Euro.', '5 Euro'],
  ])('says first what is measured as it was asked: %s', (question, text, value) => {
    expect(answer(question, text).claims[0]?.text).toContain(value);
  });

  it('keeps its order where nothing has the unit, or where it is a row of a table', () => {
    const { claims } = answer('What does the Basic plan cost?', 'The Basic plan has 30 GB. It came in 2019.');
    expect(claims[0]?.text).toContain('30 GB');
  });

  it('says the number first where one was asked for', () => {
    const { claims, confidence } = answer(
      'How many layers does the encoder have?',
      'The encoder has layers that are stacked. The encoder is composed of a stack of N = 6 identical layers.',
    );
    expect(claims[0]?.text).toContain('N = 6');
    expect(confidence).toBeGreaterThan(0.7);
  });

  it.each([
    [
      'a number',
      'How many layers does the encoder have?',
      'The layers of the encoder are described below. The encoder layers use attention.',
    ],
    [
      'one of two parts',
      'Who wrote Free Culture and when was Free Culture published?',
      'Free Culture was written by Lawrence Lessig. Free Culture was published by a small house.',
    ],
  ])('is less sure where the claims lack %s', (_, question, text) => {
    const { claims, confidence } = answer(question, text);
    expect(claims.length).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(0.7);
  });

  it('is told by the field of that name before a sentence that holds as many words', () => {
    const text =
      'Number of employees: 221 (1923)\n\nIn January 1923 the new owner told the press that Lumora would send home some 10 employees.';
    const { claims } = answer('How many employees did Lumora have in 1923?', text, 'Lumora');
    expect(claims[0]?.text).toBe('Number of employees: 221 (1923)');
  });
});
