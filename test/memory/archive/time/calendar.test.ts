// Days and bins in zones whose clocks change, by hand-made answers.
import { describe, expect, it } from 'vitest';
import { instantOf, readTime } from '../../../../src/memory/archive/import/times.ts';
import { calendarOf, readInstant } from '../../../../src/memory/archive/time/calendar.ts';

const hours = (ms: number): number => ms / 3_600_000;

describe('a calendar', () => {
  it('knows months of 743 and 745 hours', () => {
    const berlin = calendarOf('Europe/Berlin');
    const march = berlin.binOf(Date.UTC(2024, 2, 15), 'month');
    expect(new Date(march.fromMs).toISOString()).toBe('2024-02-29T23:00:00.000Z');
    expect(hours(march.toMs - march.fromMs)).toBe(743);
    const october = berlin.binOf(Date.UTC(2024, 9, 15), 'month');
    expect(hours(october.toMs - october.fromMs)).toBe(745);
  });

  it('knows a day that begins at one, and one that does not exist', () => {
    const saoPaulo = calendarOf('America/Sao_Paulo');
    expect(new Date(saoPaulo.startOf({ year: 2018, month: 11, day: 4 })).toISOString()).toBe(
      '2018-11-04T03:00:00.000Z',
    );
    const apia = calendarOf('Pacific/Apia');
    expect(apia.startOf({ year: 2011, month: 12, day: 30 })).toBe(apia.startOf({ year: 2011, month: 12, day: 31 }));
    expect(apia.binOf(apia.startOf({ year: 2011, month: 12, day: 29 }), 'day').toMs).toBe(
      apia.startOf({ year: 2011, month: 12, day: 31 }),
    );
  });

  it('puts an instant into the month of its zone', () => {
    const late = Date.parse('2024-03-31T22:30:00Z');
    expect(calendarOf('Europe/Berlin').labelOf(late, 'month')).toBe('2024-04');
    expect(calendarOf('America/New_York').labelOf(late, 'month')).toBe('2024-03');
    expect(calendarOf('Asia/Kolkata').labelOf(late, 'hour')).toBe('2024-04-01T04');
  });

  it('begins weeks on Monday', () => {
    const { fromMs, toMs } = calendarOf('UTC').binOf(Date.UTC(2024, 2, 3, 12), 'week');
    expect([new Date(fromMs).toISOString(), new Date(toMs).toISOString()]).toEqual([
      '2024-02-26T00:00:00.000Z',
      '2024-03-04T00:00:00.000Z',
    ]);
  });

  it('reads instants, days, months and years, and refuses the rest', () => {
    const berlin = calendarOf('Europe/Berlin');
    const read = (text: string): string => new Date(readInstant(text, berlin, 'from')).toISOString();
    expect(read('2024-07')).toBe('2024-06-30T22:00:00.000Z');
    expect(read('2024')).toBe('2023-12-31T23:00:00.000Z');
    expect(read('2024-07-01T00:00:00+02:00')).toBe('2024-06-30T22:00:00.000Z');
    for (const wrong of ['yesterday', '2024-02-30', '2024-7-1', '2024-07-01T00:00:00'])
      expect(() => read(wrong), wrong).toThrow(/is no time/);
    expect(() => calendarOf('Mars/Base')).toThrow(/no time zone/);
  });
});

describe('times of exports', () => {
  it('are instants with an offset and local without one', () => {
    const iso = (value: unknown, zone = 'UTC'): string | undefined => {
      const ms = readTime(value, zone);
      return ms === undefined ? undefined : new Date(ms).toISOString();
    };
    expect(iso('2024-07-01T10:00:00+02:00', 'Asia/Tokyo')).toBe('2024-07-01T08:00:00.000Z');
    expect(iso('2024-07-01 10:00', 'Europe/Berlin')).toBe('2024-07-01T08:00:00.000Z');
    expect(iso(1_709_287_200.25)).toBe('2024-03-01T10:00:00.250Z');
    expect(iso(1_709_287_200_250)).toBe('2024-03-01T10:00:00.250Z');
    expect(iso('Fri, 01 Mar 2024 10:00:00 +0100')).toBe('2024-03-01T09:00:00.000Z');
    for (const none of ['', 'soon', null, {}, '2024-02-30T10:00:00Z', Number.NaN]) expect(iso(none)).toBeUndefined();
  });

  it('that the clocks skip are those after the change, and of two the earlier counts', () => {
    const at = (hour: number, month: number, day: number) =>
      new Date(instantOf({ year: 2024, month, day, hour, minute: 30 }, 'Europe/Berlin') ?? 0).toISOString();
    expect(at(2, 3, 31)).toBe('2024-03-31T01:30:00.000Z');
    expect(at(2, 10, 27)).toBe('2024-10-27T00:30:00.000Z');
  });
});
