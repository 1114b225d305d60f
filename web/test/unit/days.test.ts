// Days are those of the calendar, and dates of documents are told no finer than they were given, wherever the reader is.
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dayAfter, dayBefore, isDay } from '../../src/shared/days.ts';
import { spanText } from '../../src/shared/instants.ts';

const days = join(import.meta.dirname, '../../src/shared/days.ts');
type Days = typeof import('../../src/shared/days.ts');

describe('a day', () => {
  it('is one of the calendar', () => {
    for (const day of ['2024-02-29', '2026-12-31', '0001-01-01', '9999-12-31']) expect(isDay(day), day).toBe(true);
    for (const none of [
      '2026-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-01',
      '2026-01-00',
      '26-01-01',
      '20260-01-01',
    ])
      expect(isDay(none), none).toBe(false);
  });

  it('lies between the day before it and the day after it', () => {
    expect([dayBefore('2024-03-01'), dayAfter('2024-02-28'), dayAfter('2026-12-31')]).toEqual([
      '2024-02-29',
      '2024-02-29',
      '2027-01-01',
    ]);
    expect([dayAfter('2026-02-31'), dayBefore('soon'), dayAfter('9999-12-31'), dayBefore('0000-01-01')]).toEqual([
      '',
      '',
      '',
      '',
    ]);
  });
});

describe('the date of a document', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  // Formats of dates take their zone when they are made, which is when the module is loaded: it is loaded anew in each.
  it.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])('is told as it was given in %s', async (place) => {
    process.env['TZ'] = place;
    const { dateText } = (await import(/* @vite-ignore */ `${days}?in=${place}`)) as Days;
    const told = (options: Intl.DateTimeFormatOptions, year: number, month = 0, day = 1): string =>
      new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(Date.UTC(year, month, day));
    const medium = { dateStyle: 'medium' } as const;
    expect(dateText('2024')).toBe('2024');
    expect(dateText('2024-05')).toBe(told({ year: 'numeric', month: 'long' }, 2024, 4));
    expect(dateText('2024-05-01')).toBe(told(medium, 2024, 4, 1));
    expect(dateText('2024-05-01T23:30:00')).toBe(told(medium, 2024, 4, 1));
    expect(dateText('2024-05-01T23:30:00Z')).toBe(told(medium, 2024, 4, 1));
    expect(dateText('2024-05-01T23:30:00-02:00')).toBe(told(medium, 2024, 4, 2));
    for (const none of ['', 'soon', '2024-13', '2024-02-31', '2024-05x', '20240501'])
      expect(dateText(none)).toBeUndefined();
  });
});

it('a span of time is told in whole units, never shorter than it is', () => {
  const spans = [1, 60, 61, 119 * 60, 2 * 3600, 2 * 86_400 - 1, 2 * 86_400].map(spanText);
  expect(spans).toEqual(['1 minute', '1 minute', '2 minutes', '119 minutes', '2 hours', '48 hours', '2 days']);
});
