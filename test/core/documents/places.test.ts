// Where a span stands in formats without pages and lines, in one label.
import { describe, expect, it } from 'vitest';
import { placeOf, placesOf } from '../../../src/core/documents/places.ts';

const rows = [
  { start: 10, end: 20, label: 'Costs!A2:D2' },
  { start: 21, end: 30, label: 'Costs!A3:D3' },
  { start: 31, end: 40, label: 'Costs!A5:D5' },
  { start: 50, end: 60, label: 'Notes!A1' },
];

describe('the place of a span', () => {
  it.each([
    [12, 15, 'Costs!A2:D2'],
    [12, 25, 'Costs!A2:D3'],
    [10, 40, 'Costs!A2:D5'],
    [20, 21, 'Costs!A2:D2'],
    [0, 5, undefined],
    [0, 12, 'Costs!A2:D2'],
    [35, 55, 'Costs!A5:D5 – Notes!A1'],
    [60, 70, 'Notes!A1'],
    [10, 10, 'Costs!A2:D2'],
  ])('%i to %i', (start, end, label) => {
    expect(placeOf(rows, { start, end })).toBe(label);
  });

  it('counts what is counted', () => {
    const slides = [1, 2, 3].map((number) => ({ start: number * 10, end: number * 10 + 9, label: `slide ${number}` }));
    expect(placeOf(slides, { start: 12, end: 33 })).toBe('slide 1–3');
    expect(placeOf(slides, { start: 22, end: 23 })).toBe('slide 2');
  });

  it('is unknown without places', () => {
    expect(placeOf([], { start: 0, end: 1 })).toBeUndefined();
  });
});

describe('documents that are cited by heading', () => {
  const heading = (title: string, start: number, end: number, level = 1) => ({ title, start, end, level });
  const headings = [heading('Handbook', 0, 100), heading('Leave', 20, 60, 2), heading('Sickness', 40, 60, 3)];
  const structure = { pages: [], headings };
  const cited = (start: number, end: number, given = headings): string | undefined =>
    placeOf(placesOf({ pages: [], headings: given }, { title: 'Handbook', citeByLine: false }), { start, end });

  it('are no cells, whatever they are called', () => {
    const quarters = [heading('Q1', 0, 30), heading('Q2', 30, 60), heading('Q3', 60, 90)];
    expect(cited(5, 80, quarters)).toBe('Q1 – Q3');
  });

  it('are cited by that which a span stands under, and the title is none', () => {
    expect([cited(25, 30), cited(45, 50), cited(80, 90), cited(12, 15)]).toEqual([
      'Leave',
      'Sickness',
      'Sickness',
      undefined,
    ]);
    expect(cited(22, 45)).toBe('Leave – Sickness');
  });

  it('do not take what stands under a title in the middle for a part of the section before', () => {
    expect(cited(70, 75, [heading('Preface', 0, 60), heading('Handbook', 60, 100)])).toBe('Handbook');
  });

  it('have places that are sorted and do not overlap', () => {
    const places = placesOf(structure, { title: 'Other', citeByLine: false });
    expect(places.map(({ start, end }) => [start, end])).toEqual([
      [0, 20],
      [20, 40],
      [40, 60],
    ]);
  });

  it('are named by the beginning of a heading that is a whole paragraph', () => {
    const label = cited(5, 6, [heading(`${'word '.repeat(40)}`, 0, 100)]);
    expect(label).toMatch(/^word .* word…$/u);
    expect(label?.length).toBeLessThanOrEqual(101);
    expect(cited(5, 6, [heading(`${'x'.repeat(99)}😀y`, 0, 100)])).toBe(`${'x'.repeat(99)}…`);
  });

  it('are none that have places, pages or lines', () => {
    const at = { title: 'T', citeByLine: false };
    expect(placesOf({ ...structure, places: rows }, at)).toBe(rows);
    const page = { number: 1, start: 0, end: 100, width: 1, height: 1 };
    expect(placesOf({ ...structure, pages: [page] }, at)).toEqual([]);
    expect(placesOf(structure, { title: 'T', citeByLine: true })).toEqual([]);
  });
});
