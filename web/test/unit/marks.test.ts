// Marks stand where the server says, and only there; claims are found by their marks.
import { describe, expect, it } from 'vitest';
import { blocksOf, claimSpans, claimsInText, highlightsOf, segmentsOf } from '../../src/shared/marks.ts';

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
