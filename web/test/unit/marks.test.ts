// Marks stand where the server says, and only there; claims are found by their marks.
import { describe, expect, it } from 'vitest';
import { blocksOf, claimSpans, claimsInText, highlightsOf, segmentsOf, wordsOf } from '../../src/shared/marks.ts';

const claim = (text: string, citations: number[], more: object = {}) => ({ text, citations, support: 1, ...more });
const at = (text: string, mark: string, from = 0) => {
  const start = text.indexOf(mark, from);
  return { start, end: start + mark.length, citation: Number(/\d+/.exec(mark)?.[0]) };
};

describe('segments', () => {
  const text = 'See [2] there. [1] More [1].';
  it('are cut at marks alone, and not at what looks like one', () => {
    const marks = [at(text, '[1]')];
    expect(segmentsOf(text, { start: 0, end: text.length }, { marks })).toEqual([
      { text: 'See [2] there. ' },
      { text: '[1]', citation: 1 },
      { text: ' More [1].' },
    ]);
  });

  it('take a mark that does not say its number, or lies outside, for none', () => {
    const marks = [{ start: 0, end: 3, citation: 1 }, at(text, '[1]'), { start: 25, end: 29, citation: 1 }];
    expect(segmentsOf(text, { start: 4, end: 18 }, { marks }).map((one) => one.text)).toEqual(['[2] there. ', '[1]']);
  });

  it('keep what is highlighted, up to the end', () => {
    const highlights = [
      { start: 0, end: 3 },
      { start: 19, end: 28 },
    ];
    const segments = segmentsOf(text, { start: 0, end: text.length }, { marks: [at(text, '[1]')], highlights });
    expect(segments.map((one) => one.text).join('')).toBe(text);
    expect(segments.filter((one) => one.highlighted).map((one) => one.text)).toEqual(['See', 'More [1].']);
  });
});

describe('an answer', () => {
  const text = 'It opens at 9 [2]. [1] It closes at 5. [1][2]\n\nBoth sources say so. [1]';
  const first = text.indexOf('. [1]') + 2;
  const marks = [at(text, '[1]', first), at(text, '[1]', 30), at(text, '[2]', 30), at(text, '[1]', 60)];
  const claims = [
    claim('It opens at 9 [2].', [1], { pinpoint: { start: 9, end: 13 } }),
    claim('It closes at 5.', [1, 2]),
    claim('It is green.', [2], { confirmed: false }),
  ];
  const answer = { answer: text, claims, marks };

  it('has each claim with its marks, and what is said of them behind', () => {
    expect(claimsInText(answer)).toHaveLength(2);
    expect(claimSpans(answer).map(({ start, end }) => text.slice(start, end))).toEqual([
      'It opens at 9 [2]. [1]',
      'It closes at 5. [1][2]',
    ]);
    expect(
      blocksOf(answer).map(({ claims: own, span }) => [own.length, text.slice(span.start, span.end).trim()]),
    ).toEqual([
      [2, 'It opens at 9 [2]. [1] It closes at 5. [1][2]'],
      [0, 'Both sources say so. [1]'],
    ]);
    expect(highlightsOf(answer).map(({ start, end }) => text.slice(start, end))).toEqual(['at 9']);
  });

  it('is shown whole where its claims are not found', () => {
    const other = { ...answer, marks: marks.slice(1) };
    expect(claimSpans(other)).toEqual([]);
    expect(
      blocksOf(other)
        .map(({ span }) => text.slice(span.start, span.end))
        .join(''),
    ).toBe(text.replace('\n\n', ''));
  });

  it('shows passages under their headings and openings', () => {
    const passage = 'The lock holds.';
    const told = `Closest:\n\nMill > Lock\n${passage} [1]`;
    const shown = {
      answer: told,
      claims: [],
      passages: [claim(passage, [1], { headingPath: ['Mill', 'Lock'] })],
      marks: [at(told, '[1]')],
    };
    expect(blocksOf(shown)).toMatchObject([{ opening: 'Closest:', headings: ['Mill', 'Lock'], claims: [{ at: 0 }] }]);
  });
});

describe('a citation', () => {
  const quote = 'The lock was rebuilt in 1931. The wheel turns four times a minute.';
  const citation = { index: 2, quote, start: 100 };
  const lead = claim('The wheel turns four times a minute.', [2], { form: 'sentence' });
  it('has the words of a passage that answer, once, as places in its document', () => {
    const passage = claim(quote, [2], { pinpoint: { start: 30, end: 66 }, form: 'paragraph' });
    const words = [{ start: 130, end: 166 }];
    expect(wordsOf({ answer: '', claims: [passage] }, citation)).toEqual(words);
    expect(wordsOf({ answer: '', claims: [lead], passages: [passage] }, citation)).toEqual(words);
    expect(wordsOf({ answer: '', claims: [passage] }, { ...citation, index: 1 })).toEqual([]);
  });

  it('has none where all of it answers, or where a claim says it in other words', () => {
    expect(wordsOf({ answer: '', claims: [claim(quote, [2])] }, citation)).toEqual([]);
    expect(wordsOf({ answer: '', claims: [claim('The wheel turns.', [2])] }, citation)).toEqual([]);
    expect(wordsOf({ answer: '', claims: [claim(quote.slice(0, 8), [2])] }, citation)).toEqual([]);
  });
});
