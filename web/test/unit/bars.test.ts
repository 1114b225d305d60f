// Bars of a chart: never more than can be drawn, and the pointer means the bar beneath it.
import { describe, expect, it } from 'vitest';
import { barAt, drawnBars, summaryOf } from '../../src/charts/bars.ts';

const bars = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ label: `day ${at}`, value: at, ...(at === 500 && { marked: true }) }));

describe('bars', () => {
  it('stand as they are where they are few', () => {
    expect(drawnBars(bars(400)).map(({ first, last }) => last - first)).toEqual(Array.from({ length: 400 }, () => 0));
    expect(drawnBars([])).toEqual([]);
  });

  it('are added up with their neighbours where they are many, and none is lost', () => {
    const all = bars(1001);
    const drawn = drawnBars(all);
    expect(drawn.length).toBeLessThanOrEqual(400);
    expect(drawn.reduce((sum, { value = 0 }) => sum + value, 0)).toBe(1000 * 500.5);
    expect(drawn[0]).toEqual({ label: 'day 0 – day 2', value: 3, first: 0, last: 2 });
    expect(drawn.filter(({ marked }) => marked)).toHaveLength(1);
    expect(drawn.at(-1)?.last).toBe(1000);
    expect(drawnBars(all, { areShares: true })[0]?.value).toBe(1);
    // What nobody measured is no 0.
    const some = [{ label: 'a', value: 0.8 }, { label: 'b' }, { label: 'c' }, { label: 'd' }];
    expect(drawnBars(some, { most: 2, areShares: true }).map(({ value }) => value)).toEqual([0.8, undefined]);
  });

  it('are meant by a pointer above them, and the outermost by one beside', () => {
    const picture = { left: 10, width: 100 };
    expect([0, 10, 19.9, 20, 109, 500].map((x) => barAt(x, picture, 10))).toEqual([0, 0, 0, 1, 9, 9]);
  });

  it('are told in words', () => {
    const told = summaryOf(
      'Hits',
      [
        { label: 'May', value: 3 },
        { label: 'June', value: 1 },
      ],
      String,
    );
    expect(told).toBe('Hits: 2 bars, from May to June; the highest is May with 3.');
    expect(summaryOf('Hits', [], String)).toBe('Hits: nothing to show.');
  });
});
