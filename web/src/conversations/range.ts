// What the address of the archive says, as a request; and times of it as days of the calendar, which is how people give them. Pure.
import type { Peek } from '../shared/contract.ts';
import { dayAfter, dayBefore, isDay } from '../shared/days.ts';
import type { Query } from '../shared/router.ts';

export const binNames = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Undefined where nothing is looked for. */
export function peekRequestOf({ q, from, to, bin, conversation, meaning }: Query, timeZone: string) {
  if (!q) return undefined;
  return {
    query: q,
    time_zone: timeZone,
    top_n_snippets: 20,
    by: ['conversation', 'role'],
    ...((from || to) && { time_range: { ...(from && { from }), ...(to && { to }) } }),
    ...(bin && { bin }),
    ...(conversation && { conversation_id: conversation }),
    ...(meaning && { meaning: true }),
  };
}

/** Empty for what is no instant that there is. */
const dayBy = (instant: number, timeZone: string): string =>
  Number.isNaN(new Date(instant).getTime())
    ? ''
    : new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant);

/** The day on which a range begins: `from` is an instant, a day, a month or a year. Empty for what is none. */
export function firstDay(from: string, timeZone: string): string {
  if (!/^\d{4}(?:-\d{2}){0,2}$/.test(from)) return dayBy(Date.parse(from), timeZone);
  const day = `${from}-01-01`.slice(0, 10);
  return isDay(day) ? day : '';
}

/** The last day of a range: its end belongs to it no more. */
export function lastDay(to: string, timeZone: string): string {
  const day = firstDay(to, timeZone);
  return day !== '' && to.includes('T') ? dayBy(Date.parse(to) - 1, timeZone) : dayBefore(day);
}

/** The end of a range whose last day that is; empty after what is no day. */
export const endAfter = dayAfter;

type Range = NonNullable<Peek['time_range']>;

/** The bars that a range touches; undefined where it touches none. */
export function barsWithin(bins: Peek['histogram'], { from, to }: Range) {
  const [begins, ends] = [from ? Date.parse(from) : -Infinity, to ? Date.parse(to) : Infinity];
  const first = bins.findIndex((bin) => Date.parse(bin.to) > begins);
  const last = bins.findLastIndex((bin) => Date.parse(bin.from) < ends);
  return first < 0 || last < first ? undefined : { first, last };
}

/** The same look with something else; what is undefined is taken away. */
export const otherwise = (query: Query, changes: Readonly<Record<string, string | undefined>>) => {
  const all = Object.entries({ ...query, ...changes }).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return { page: 'conversations', ...(all.length > 0 && { query: Object.fromEntries(all) }) } as const;
};
