// Lines that say something each by itself are pieces of their own, and a row that was cut is whole again.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partLines } from '../../../src/answer/extract/line-pieces.ts';
import { segmentPieces } from '../../../src/text/sentences.ts';

const parts = (text: string): string[] =>
  partLines(text, segmentPieces(text)).map(({ start, end }) => text.slice(start, end));
const rows = (text: string): string[] =>
  partLines(text, segmentPieces(text)).flatMap(({ kind, start, end }) =>
    kind === 'row' ? [text.slice(start, end)] : [],
  );

describe('partLines', () => {
  it('cuts fields and amounts that stand line under line', () => {
    expect(parts('user: Ida\nsent: 12:04\ntext: We met at the pier. It rained.')).toEqual([
      'user: Ida',
      'sent: 12:04',
      'text: We met at the pier.',
      'It rained.',
    ]);
    expect(parts('Subtotal $863.91\nSales tax (8.5%) $66.23')).toEqual(['Subtotal $863.91', 'Sales tax (8.5%) $66.23']);
  });
  it('leaves wrapped prose whole', () => {
    const prose = 'The harbour closes in January\nbecause the lake freezes, and note:\nthe ferry rests until March.';
    expect(parts(prose)).toEqual([prose]);
  });
  it('takes the short lines of a chart for rows, however many there are', () => {
    const chart = ['Bexley; 548', 'Arlow; 512', 'Corvale; 497'];
    expect(rows(chart.join('\n'))).toEqual(chart);
    const years = Array.from({ length: 40 }, (_, at) => `${1990 + at}; Passengers (thousands): ${14 + at}.25`);
    expect(rows(years.join('\n'))).toEqual(years);
  });
  it('makes a wide row one again', () => {
    const row = (town: string): string =>
      `Town: ${town}; ${Array.from({ length: 60 }, (_, at) => `Year ${1960 + at}: ${at}.5`).join('; ')}`;
    expect(rows(`${row('Arlow')}\n${row('Bexley')}`)).toEqual([row('Arlow'), row('Bexley')]);
  });
  it('keeps pieces sorted, apart and inside the text, and loses no letter', () => {
    const line = fc.constantFrom(
      'user: Ida',
      'Bexley; 548',
      'Subtotal $12.50',
      'It rained. We left.',
      '',
      '- an item',
      '# Heading',
      `Town: A; ${'Year: 5; '.repeat(80)}End: 1`,
      '2031; Total (m): 4.5',
      '| a | b |',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), (lines) => {
        const text = lines.join('\n');
        const pieces = segmentPieces(text);
        const parted = partLines(text, pieces);
        let last = 0;
        for (const { start, end } of parted) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
        const letters = (spans: readonly { start: number; end: number }[]): string =>
          spans.map(({ start, end }) => text.slice(start, end).replace(/[^\p{L}\p{N}]/gu, '')).join('');
        expect(letters(parted)).toBe(letters(pieces));
      }),
    );
  });
});
