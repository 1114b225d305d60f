// Boxes of spans: whole lines, whatever the order of the text on the page, and never a word of another place.
import { describe, expect, it } from 'vitest';
import type { DocumentRecord, WordBox } from '../../../src/core/document.ts';
import { type BoxesAsked, boxesOf } from '../../../src/footnote/record/document-boxes.ts';

/** Words of one page, ten code units each: where they begin, and on which line. */
const wordsAt = (places: readonly (readonly [x: number, y: number])[]): WordBox[] =>
  places.map(([x, y], at) => ({ start: at * 10, end: at * 10 + 9, page: 1, x, y, width: 40, height: 10 }));
const document = { id: 'doc_1', mime: 'application/pdf', textLength: 200 } as DocumentRecord;
const boxes = (words: readonly WordBox[], asked: BoxesAsked, pages = 1) => {
  const page = (number: number) => ({ number, width: 300, height: 400, start: 0, end: 200 });
  return boxesOf(
    document,
    { pages: Array.from({ length: pages }, (_, at) => page(at + 1)), headings: [], words },
    asked,
  );
};

describe('boxes of a span', () => {
  it('are one a line, from left to right or from right to left', () => {
    const words = wordsAt([
      [0, 0],
      [50, 1],
      [100, 0],
      [50, 20],
      [0, 20],
    ]);
    expect(boxes(words, { start: 0, end: 49 })).toEqual({
      pages: [{ number: 1, width: 300, height: 400 }],
      boxes: [
        { page: 1, x: 0, y: 0, width: 140, height: 11, start: 0, end: 29 },
        { page: 1, x: 0, y: 20, width: 90, height: 10, start: 30, end: 49 },
      ],
    });
    expect(boxes(words, { start: 15, end: 22 }).boxes).toMatchObject([{ x: 50, width: 90, start: 10, end: 29 }]);
  });

  it('hold no word that is not of the span: a column between two others parts them', () => {
    const words = wordsAt([
      [0, 0],
      [200, 0],
      [100, 0],
    ]);
    expect(boxes(words, { start: 0, end: 19 }).boxes.map(({ x, width }) => [x, width])).toEqual([
      [0, 40],
      [200, 40],
    ]);
    expect(boxes(words, { start: 0, end: 29 }).boxes.map(({ x, width }) => [x, width])).toEqual([
      [0, 40],
      [100, 140],
    ]);
  });

  it('are one a line too where lines run up the page, and short words of two such lines stay apart', () => {
    const upwards = (start: number, x: number, y: number, length = 9): WordBox => {
      return { start, end: start + length, page: 1, x, y, width: 10, height: length * 5 };
    };
    const words = [
      upwards(0, 0, 100),
      upwards(10, 0, 50),
      upwards(20, 0, 30, 2),
      upwards(30, 20, 100),
      upwards(40, 20, 50),
    ];
    expect(boxes(words, { start: 0, end: 49 }).boxes).toEqual([
      { page: 1, x: 0, y: 30, width: 10, height: 115, start: 0, end: 22 },
      { page: 1, x: 20, y: 50, width: 10, height: 95, start: 30, end: 49 },
    ]);
  });

  it('are as high as their line where a sign of a formula claims the next one too', () => {
    const words = wordsAt([
      [0, 0],
      [50, 0],
      [100, 0],
      [50, 12],
    ]).map((word, at) => (at === 1 ? { ...word, height: 20 } : word));
    expect(boxes(words, { start: 0, end: 29 }).boxes).toEqual([
      { page: 1, x: 0, y: 0, width: 140, height: 10, start: 0, end: 29 },
    ]);
  });

  it('are one for a field of a form, which is the place of all of its words, and none for what has no size', () => {
    const field = wordsAt([
      [20, 20],
      [20, 20],
      [20, 20],
    ]);
    expect(boxes(field, { start: 0, end: 29 }).boxes).toEqual([
      { page: 1, x: 20, y: 20, width: 40, height: 10, start: 0, end: 29 },
    ]);
    const note = field.map((word) => ({ ...word, width: 0, height: 0 }));
    expect(() => boxes(note, { start: 0, end: 29 })).toThrow('Nothing between 0 and 29 stands in a box');
  });

  it('are given for so many words as take no time that others would wait for', () => {
    const words = wordsAt(Array.from({ length: 20_000 }, (_, at) => [(at % 200) * 50, Math.floor(at / 200) * 12]));
    const wide = { ...document, textLength: 200_000 };
    const of = (end: number) => boxesOf(wide, { pages, headings: [], words }, { start: 0, end });
    const pages = [{ number: 1, width: 300, height: 400, start: 0, end: 200_000 }];
    const startedAt = process.cpuUsage();
    expect(of(39_999).boxes).toHaveLength(20);
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(1000);
    expect(() => of(40_009)).toThrow('Ask for the words of each page.');
  });

  it('part at the end of a page and name the pages that they stand on', () => {
    const words = wordsAt([
      [0, 0],
      [50, 0],
    ]).map((word, at) => ({ ...word, page: at + 2 }));
    const found = boxes(words, { start: 0, end: 19 }, 4);
    expect(found.pages.map(({ number }) => number)).toEqual([2, 3]);
    expect(found.boxes).toEqual(words);
  });

  it('are the words of a page, which may have none', () => {
    const words = wordsAt([
      [0, 0],
      [50, 0],
    ]);
    expect(boxes(words, { page: 1 }).boxes).toEqual(words);
    expect(boxes(words, { page: 2 }, 2)).toEqual({ pages: [{ number: 2, width: 300, height: 400 }], boxes: [] });
  });

  it.each([
    ['nothing', {}],
    ['a span without its end', { start: 3 }],
    ['a span and a page', { start: 0, end: 9, page: 1 }],
    ['an empty span', { start: 3, end: 3 }],
    ['a span beyond the text', { start: 3, end: 201 }],
    ['a page that is none', { page: 2 }],
  ])('are refused for %s', (_, asked) => {
    expect(() => boxes(wordsAt([[0, 0]]), asked)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });

  it.each([
    ['has no pages', wordsAt([]), 0, /has no pages/],
    ['has pages without words', wordsAt([]), 1, /not recorded where words/],
    ['has no word there', wordsAt([[0, 0]]), 1, /Nothing between 100 and 120/],
  ])('say why there are none where the document %s', (_, words, pages, reason) => {
    const thrown = expect.objectContaining({ code: 'unsupported', message: expect.stringMatching(reason) as string });
    expect(() => boxes(words, { start: 100, end: 120 }, pages)).toThrow(thrown);
  });
});
