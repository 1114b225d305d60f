// Which traces are listed, as the address holds it and as the server is asked. Pure.
import { dayAfter, isDay } from '../shared/days.ts';
import type { TracePage } from './load.ts';

export const filterNames = [
  'kind',
  'status',
  'intent',
  'from',
  'to',
  'minMs',
  'minCostUsd',
  'source',
  'session',
  'pinned',
] as const;
export type FilterName = (typeof filterNames)[number];
export type TraceFilters = Readonly<Partial<Record<FilterName, string>>>;

const checks: Readonly<Partial<Record<FilterName, (text: string) => boolean>>> = {
  from: isDay,
  to: isDay,
  minMs: (text) => /^\d+(?:\.\d+)?$/.test(text),
  minCostUsd: (text) => /^\d+(?:\.\d+)?$/.test(text),
  pinned: (text) => text === 'true',
};

/** What the address should not hold is passed over. */
export function readFilters(query: string | undefined): TraceFilters {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = (given.get(name) ?? '').trim();
      return value !== '' && (checks[name]?.(value) ?? true) ? [[name, value]] : [];
    }),
  );
}

export const writeFilters = (filters: TraceFilters): string => new URLSearchParams({ ...filters }).toString();

/** Days begin and end in UTC, the last one included. */
export function queryOf({ from, to, ...rest }: TraceFilters, cursor?: string): string {
  const end = dayAfter(to ?? '');
  return new URLSearchParams({
    limit: '50',
    ...rest,
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(end && { to: `${end}T00:00:00Z` }),
    ...(cursor && { cursor }),
  }).toString();
}

/** What is listed, and the filters that it was asked for with. */
export interface Listed {
  readonly asked: string;
  readonly page: TracePage;
}

/** The list with what came next. It stays as it is where another one took its place while that was fetched: of other filters, or a longer one. */
export const withMore = (now: Listed | undefined, from: Listed, next: TracePage): Listed | undefined =>
  now === from ? { ...from, page: { ...next, data: [...from.page.data, ...next.data] } } : now;
