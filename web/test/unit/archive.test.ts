// The archive of conversations: days as people give them, and how much of a thread is held.
import { describe, expect, it } from 'vitest';
import { barsWithin, endAfter, firstDay, lastDay, peekRequestOf } from '../../src/conversations/range.ts';
import { around, fromStart, mostHeld, withEarlier, withLater } from '../../src/conversations/thread-window.ts';
import type { ReadTurn } from '../../src/shared/contract.ts';

const turn = (number: number): ReadTurn => ({
  turn_id: `t${number}`,
  conversation_id: 'c',
  title: 'C',
  content_used: 'full',
  messages: [],
  tokens: 1,
});
const turns = (from: number, to: number): ReadTurn[] =>
  Array.from({ length: to - from + 1 }, (_, at) => turn(from + at));
const ends = (held: { readonly turns: readonly ReadTurn[] }) => [held.turns[0]?.turn_id, held.turns.at(-1)?.turn_id];

describe('a range', () => {
  it('is shown by its days in the zone of whoever looks', () => {
    expect(firstDay('2022-03-31T22:30:00.000Z', 'Europe/Berlin')).toBe('2022-04-01');
    expect(firstDay('2022-03', 'UTC')).toBe('2022-03-01');
    expect(firstDay('2022', 'UTC')).toBe('2022-01-01');
    expect(firstDay('soon', 'UTC')).toBe('');
    expect(lastDay('2022-05-01T00:00:00.000Z', 'UTC')).toBe('2022-04-30');
    expect(lastDay('2022-04-30T22:00:00.000Z', 'Europe/Berlin')).toBe('2022-04-30');
    expect(lastDay('2022-03-01', 'UTC')).toBe('2022-02-28');
    expect(lastDay(endAfter('2024-02-29'), 'UTC')).toBe('2024-02-29');
  });

  it('has no day where the address names none that there is', () => {
    for (const none of [
      '2022-13',
      '2022-00-01',
      '2022-02-31',
      '2022-99-99',
      '2022-13-01T',
      '275760-09-14T00:00:00Z',
      '',
    ])
      expect([firstDay(none, 'UTC'), lastDay(none, 'UTC')], none).toEqual(['', '']);
    expect(lastDay('-271821-04-20T00:00:00Z', 'UTC')).toBe('');
    expect(endAfter('20222-01-01')).toBe('');
  });

  it('is asked for as the address says it', () => {
    expect(peekRequestOf({ from: '2022' }, 'UTC')).toBeUndefined();
    expect(peekRequestOf({ q: 'roof', to: '2023', conversation: 'c1', meaning: 'yes' }, 'UTC')).toMatchObject({
      query: 'roof',
      time_range: { to: '2023' },
      conversation_id: 'c1',
      meaning: true,
    });
  });

  it('is drawn beneath the bars that it touches', () => {
    const bin = (month: number) => ({
      label: `${month}`,
      from: new Date(Date.UTC(2022, month, 1)).toISOString(),
      to: new Date(Date.UTC(2022, month + 1, 1)).toISOString(),
      ...{ count: 1, top_k: 1, peak: false },
    });
    const bins = [0, 1, 2, 3].map(bin);
    expect(barsWithin(bins, { from: '2022-02-10', to: '2022-03-02' })).toEqual({ first: 1, last: 2 });
    expect(barsWithin(bins, { from: '2022-02-01', to: '2022-03-01' })).toEqual({ first: 1, last: 1 });
    expect(barsWithin(bins, {})).toEqual({ first: 0, last: 3 });
    expect(barsWithin(bins, { from: '2024' })).toBeUndefined();
    expect(barsWithin(bins, { to: '2020' })).toBeUndefined();
  });
});

describe('a thread', () => {
  it('is read on by its cursor from its beginning, and lets the first turns go', () => {
    let held = fromStart({ data: turns(1, 50), nextCursor: 'a' });
    expect([held.hasEarlier, held.hasLater]).toEqual([false, true]);
    for (let page = 1; page < 6; page += 1)
      held = withLater(held, {
        data: turns(page * 50 + 1, page * 50 + 50),
        ...(page < 5 && { nextCursor: `${page}` }),
      });
    expect(held.turns).toHaveLength(mostHeld);
    expect(ends(held)).toEqual(['t101', 't300']);
    expect([held.hasEarlier, held.hasLater]).toEqual([true, false]);
  });

  it('is read in both ways around a turn', () => {
    let held = around({ ...turn(30), previous: turns(10, 29), next: turns(31, 34) });
    expect(ends(held)).toEqual(['t10', 't34']);
    expect([held.hasEarlier, held.hasLater]).toEqual([true, false]);
    held = withEarlier(held, turns(1, 9));
    expect(ends(held)).toEqual(['t1', 't34']);
    expect([held.hasEarlier, held.hasLater]).toEqual([false, false]);
  });

  it('forgets where its cursor stood when the last turns go', () => {
    let held = { ...fromStart({ data: turns(201, 400), nextCursor: 'z' }), hasEarlier: true };
    held = withEarlier(held, turns(181, 200));
    expect(ends(held)).toEqual(['t181', 't380']);
    expect('cursor' in held).toBe(false);
    expect(held.hasLater).toBe(true);
    held = withLater(held, { data: turns(381, 400) });
    expect(ends(held)).toEqual(['t201', 't400']);
    expect(held.hasLater).toBe(true);
    expect(withLater(held, { data: [] }).hasLater).toBe(false);
  });
});
