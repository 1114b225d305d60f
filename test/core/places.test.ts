// Where a span stands in formats without pages and lines, in one label.
import { describe, expect, it } from 'vitest';
import { placeOf } from '../../src/core/places.ts';

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
