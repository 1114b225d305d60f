// Which traces are listed, as the address holds it and as the server is asked. Pure.
import { dayAfter, isDay } from '../shared/days.ts';
import { type Needs, numberIn } from '../shared/unread.ts';

export const filterNames = [
  'question',
  'kind',
  'status',
  'doubt',
  'intent',
  'from',
  'to',
  'minMs',
  'minCostUsd',
  'source',
  'session',
  'pinned',
  'sort',
] as const;
export type FilterName = (typeof filterNames)[number];
export type TraceFilters = Readonly<Partial<Record<FilterName, string>>>;

const dayIn = (text: string): string => (isDay(text) ? text : '');
const readings: Readonly<Partial<Record<FilterName, (text: string) => string>>> = {
  from: dayIn,
  to: dayIn,
  minMs: numberIn,
  minCostUsd: numberIn,
  sort: (text) => (text === 'slowest' ? text : ''),
  pinned: (text) => (text === 'true' ? text : ''),
};
export const needs: Needs = {
  minMs: 'Took at least: give milliseconds as a number with a point, such as 2000 or 0.5.',
  from: 'From: give a day of the calendar.',
  to: 'Up to: give a day of the calendar.',
  minCostUsd: 'Cost at least: give US dollars as a number with a point, such as 0.02.',
};

/** What the address should not hold is passed over. */
export function readFilters(query: string | undefined): TraceFilters {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const text = (given.get(name) ?? '').trim();
      const value = readings[name]?.(text) ?? text;
      return value === '' ? [] : [[name, value]];
    }),
  );
}

export const writeFilters = (filters: TraceFilters): string => new URLSearchParams({ ...filters }).toString();

/** Days begin and end in UTC, the last one included. */
export function queryOf({ from, to, ...rest }: TraceFilters): string {
  const end = dayAfter(to ?? '');
  return new URLSearchParams({
    limit: '50',
    ...rest,
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(end && { to: `${end}T00:00:00Z` }),
  }).toString();
}
