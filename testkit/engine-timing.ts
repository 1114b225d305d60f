// Arithmetic of timings for bench/engine/engine.ts and bench/vectors/vectors.ts. Invariant: a quantile is a time that was measured, never one
// between two, and what is reported of several rounds is the median of their quantiles.

/** The time that `at` (0..1) of the times do not exceed. */
export function quantile(times: ArrayLike<number>, at: number): number {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * at) - 1)] ?? Number.NaN;
}

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

/** Median over the rounds of each round's quantile; `first` limits every round to its first queries. */
export function quantileOfRounds(
  rounds: readonly ArrayLike<number>[],
  at: number,
  first = Number.POSITIVE_INFINITY,
): number {
  return median(rounds.map((round) => quantile(Array.from(round).slice(0, first), at)));
}

/** How many times faster `own` is than `other` at the median, over the queries that both answered. */
export function timesFaster(own: readonly ArrayLike<number>[], other: readonly ArrayLike<number>[]): number {
  const first = Math.min(...[...own, ...other].map(({ length }) => length));
  return quantileOfRounds(other, 0.5, first) / quantileOfRounds(own, 0.5, first);
}

/** Queries for one round of an engine: as many as the budget allows, `least` to `most`. */
export function queriesWithin(
  perQueryMs: number,
  { budgetMs, least, most }: { budgetMs: number; least: number; most: number },
): number {
  return Math.max(Math.min(least, most), Math.min(most, Math.floor(budgetMs / Math.max(perQueryMs, 1e-6))));
}

/** Milliseconds of each query, one after another, in the order of the queries. */
export async function timeEach<Query>(
  queries: readonly Query[],
  search: (query: Query) => Promise<ArrayLike<unknown>>,
): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries) {
    const startedAt = performance.now();
    await search(query);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Queries a second with `clients` of them in flight: each client asks its next query when its last is answered. */
export async function queriesPerSecond<Query>(
  queries: readonly Query[],
  clients: number,
  search: (query: Query) => Promise<ArrayLike<unknown>>,
): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let at = next++; at < queries.length; at = next++) await search(queries[at] as Query);
    }),
  );
  return (queries.length / (performance.now() - startedAt)) * 1000;
}

/** Resident memory after a collection, in megabytes of 10^6 bytes. */
export function memoryMb(): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  collect?.();
  collect?.();
  return process.memoryUsage().rss / 1e6;
}
