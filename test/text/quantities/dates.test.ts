import { describe, expect, it } from 'vitest';
import { dateCovers, findDates } from '../../../src/text/quantities/dates.ts';

const show = (text: string): string[] =>
  findDates(text).map(({ year, month, day, minutes, precision }) =>
    [precision, year, month, day, minutes].filter((part) => part !== undefined).join(' '),
  );

describe('findDates', () => {
  it.each([
    [
      '12 March 1990, March 12, 1990, 12th of March, 1990, 1990-03-12, 12.03.1990',
      Array.from({ length: 5 }, () => 'day 1990 3 12'),
    ],
    ['March 1990 and Mar. 12', ['month 1990 3', 'day 3 12']],
    ['the 1990s, the 19th century, the nineteenth century', ['decade 1990', 'century 1800', 'century 1800']],
    ['44 BC, AD 79, 300 BCE', ['year -44', 'year 79', 'year -300']],
    ['1914–18 and from 1939 to 1945', ['year 1914', 'year 1918', 'year 1939', 'year 1945']],
    ['10:30 am and 14:45', ['time 630', 'time 885']],
    ['1990年3月12日', ['day 1990 3 12']],
    ['3. Oktober 1990 und im März 1990', ['day 1990 10 3', 'month 1990 3']],
    ['it may 5 be; 1,990 people; $1990', []],
  ])('%s', (text, expected) => expect(show(text)).toEqual(expected));
  it('keeps both readings of an ambiguous order', () => {
    expect(findDates('03/04/2020')[0]).toMatchObject({ month: 3, day: 4, alternative: { month: 4, day: 3 } });
    expect(findDates('13/04/2020')[0]).toMatchObject({ month: 4, day: 13 });
  });
});

describe('dateCovers', () => {
  const only = (text: string) => findDates(text)[0] as NonNullable<ReturnType<typeof findDates>[0]>;
  it.each([
    ['12 March 1990', '1990', true],
    ['12 March 1990', 'March 1990', true],
    ['12 March 1990', '1990s', true],
    ['1990', '12 March 1990', false],
    ['1990s', '1994', false],
    ['44 BC', 'AD 44', false],
    ['14:30', '2:30 pm', true],
    ['1850', '19th century', true],
  ])('%s covers %s: %s', (quote, claim, covers) => {
    expect(dateCovers(only(quote), only(claim))).toBe(covers);
  });
});
