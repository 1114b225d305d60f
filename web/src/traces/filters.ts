// Which traces are listed, as the address holds it and as the server is asked. Pure.
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

const dayMs = 86_400_000;
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
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
  return new URLSearchParams({
    limit: '50',
    ...rest,
    ...(from && { from: `${from}T00:00:00Z` }),
    ...(to && { to: new Date(Date.parse(to) + dayMs).toISOString() }),
    ...(cursor && { cursor }),
  }).toString();
}
