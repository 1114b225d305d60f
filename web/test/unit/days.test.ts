// Days are those of the calendar.
import { describe, expect, it } from 'vitest';
import { dayAfter, dayBefore, isDay } from '../../src/shared/days.ts';

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
