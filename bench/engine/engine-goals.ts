// What bench/engine/engine.ts promises and shows: the goals of the lexical engine and its tables. Invariant: a goal whose engine was not
// measured is missed, never left out.

import { median, quantile, quantileOfRounds, timesFaster } from '../../testkit/engine-timing.ts';
import type { BenchGoal, BenchTable } from '../report.ts';
import type { Built } from './engine-process.ts';

export interface Measured {
  readonly engine: string;
  readonly built: Built;
  readonly diskMb: number | null;
  readonly restartMs: number | null;
  /** After the rounds and a collection, in a process that opened the index (or built it, where it is not durable). */
  readonly memoryMb: number;
  readonly memoryWithVectorsMb: number | null;
  /** Milliseconds by round and query. */
  readonly content: readonly (readonly number[])[];
  readonly natural: readonly (readonly number[])[];
  /** Queries a second by round, with one client and with two in flight. */
  readonly oneClient: readonly number[];
  readonly twoClients: readonly number[];
  /** Two clients of an engine with one worker thread; null where there are none to count. */
  readonly oneWorker: readonly (number | null)[];
  /** nDCG@10 by judged set. */
  readonly quality: Readonly<Record<string, number>>;
  /** Numbers of the best ten of the first queries. */
  readonly best: readonly (readonly number[])[];
}

const own = 'footnote store';
const bare = 'footnote engine';
const comparedTo = 'SQLite FTS5';

export interface Goal {
  readonly what: string;
  readonly limit: number;
  readonly got: number | null | undefined;
  readonly least?: boolean;
}

const significant = (value: number): number => Number(value.toPrecision(3));

export function toGoal({ what, limit, got, least = false }: Goal): BenchGoal {
  const wanted = `${least ? '>=' : '<='} ${limit}`;
  if (got === undefined || got === null || Number.isNaN(got)) return { what, wanted, got: 'not measured', met: false };
  return { what, wanted, got: significant(got), met: least ? got >= limit : got <= limit };
}

/** Issue 3's numbers for 100k chunks, and for a million from there on. */
export function engineGoals(measured: readonly Measured[], chunks: number): BenchGoal[] {
  const large = chunks >= 1_000_000;
  const of = (name: string): Measured | undefined => measured.find(({ engine }) => engine === name);
  const store = of(own);
  const engine = of(bare);
  const p50 = store && quantileOfRounds(store.content, 0.5);
  const times = (peer: string): number | undefined => {
    const other = of(peer);
    return store && other && timesFaster(store.content, other.content);
  };
  const goals: Goal[] = [
    { what: 'store, content queries, p50 ms', limit: large ? 2 : 0.4, got: p50 },
    ...(large
      ? [
          { what: 'store, content queries, p95 ms', limit: 6, got: store && quantileOfRounds(store.content, 0.95) },
          {
            what: 'store, two workers over one, queries/s of two clients',
            limit: 1.7,
            got: store && workerRatio(store),
            least: true,
          },
          {
            what: 'store, time per chunk over that of the first tenth',
            limit: 1.5,
            got: store && store.built.firstTenthPerSecond / store.built.chunksPerSecond,
          },
        ]
      : []),
    {
      what: 'store, natural p50 over content p50',
      limit: 2,
      got: store && quantileOfRounds(store.natural, 0.5) / (p50 ?? 1),
    },
    { what: `times faster than ${comparedTo}`, limit: large ? 30 : 15, got: times(comparedTo), least: true },
    { what: 'times faster than LanceDB', limit: large ? 5 : 8, got: times('LanceDB'), least: true },
    { what: 'engine, chunks/s with the full analyzer', limit: 4000, got: engine?.built.chunksPerSecond, least: true },
    { what: 'store, ready after restart, ms', limit: large ? 15_000 : 2000, got: store?.restartMs },
    { what: 'store with 384-d vectors, RSS MB', limit: large ? 3500 : 600, got: store?.memoryWithVectorsMb },
  ];
  return goals.map(toGoal);
}

/** Median over the rounds of two clients' rate with two workers over that with one in the same round. */
export function workerRatio({ oneWorker, twoClients }: Pick<Measured, 'oneWorker' | 'twoClients'>): number {
  return median(twoClients.map((rate, round) => rate / (oneWorker[round] ?? Number.NaN)));
}

/** Median over the rounds of two clients' rate over one client's in the same round. */
export function clientRatio({ oneClient, twoClients }: Pick<Measured, 'oneClient' | 'twoClients'>): number {
  return median(twoClients.map((rate, round) => rate / (oneClient[round] ?? Number.NaN)));
}

/** Part of the best ten that two engines share, over the queries that both were asked. */
export function overlap(left: Measured['best'], right: Measured['best']): number {
  const shares = left.flatMap((hits, query) => {
    const others = right[query];
    if (!others || hits.length === 0) return [];
    return [hits.filter((hit) => others.includes(hit)).length / hits.length];
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

export function engineTables(measured: readonly Measured[]): BenchTable[] {
  const store = measured.find(({ engine }) => engine === own);
  const milliseconds = (rounds: readonly (readonly number[])[]): number[] =>
    [0.5, 0.95, 0.99].map((at) => significant(quantileOfRounds(rounds, at)));
  const sets = [...new Set(measured.flatMap(({ quality }) => Object.keys(quality)))];
  return [
    {
      title: 'Milliseconds per query (top 100), medians of the rounds',
      columns: [
        'engine',
        'content p50',
        'p95',
        'p99',
        'natural p50',
        'p95',
        'p99',
        'queries a round',
        'store is faster by',
      ],
      rows: measured.map((one) => [
        one.engine,
        ...milliseconds(one.content),
        ...milliseconds(one.natural),
        `${one.content[0]?.length ?? 0} + ${one.natural[0]?.length ?? 0}`,
        store && one !== store ? significant(timesFaster(store.content, one.content)) : null,
      ]),
    },
    {
      title: 'Rounds: p50 of content queries, lowest to highest',
      columns: ['engine', 'lowest', 'highest'],
      rows: measured.map(({ engine, content }) => {
        const middles = content.map((round) => quantile(round, 0.5));
        return [engine, significant(Math.min(...middles)), significant(Math.max(...middles))];
      }),
    },
    {
      title: 'Building, size, restart',
      columns: [
        'engine',
        'chunks/s',
        'first tenth, chunks/s',
        'disk MB',
        'RSS MB after building',
        'RSS MB',
        'RSS MB with 384-d vectors',
        'restart ms',
      ],
      rows: measured.map((one) => [
        one.engine,
        Math.round(one.built.chunksPerSecond),
        Math.round(one.built.firstTenthPerSecond),
        one.diskMb === null ? null : Math.round(one.diskMb),
        Math.round(one.built.memoryMb),
        Math.round(one.memoryMb),
        one.memoryWithVectorsMb === null ? null : Math.round(one.memoryWithVectorsMb),
        one.restartMs === null ? null : Math.round(one.restartMs),
      ]),
    },
    {
      title: 'Queries a second (content), one client and two in flight',
      columns: ['engine', 'one', 'two', 'two over one', 'two with one worker', 'two workers over one'],
      rows: measured.map((one) => [
        one.engine,
        significant(median(one.oneClient)),
        significant(median(one.twoClients)),
        significant(clientRatio(one)),
        one.oneWorker.some((rate) => rate === null) ? null : significant(median(one.oneWorker.map(Number))),
        one.oneWorker.some((rate) => rate === null) ? null : significant(workerRatio(one)),
      ]),
    },
    {
      title: `Quality: nDCG@10, and the part of the best ten shared with ${own} on the synthetic corpus`,
      columns: ['engine', ...sets, 'shared'],
      rows: measured.map((one) => [
        one.engine,
        ...sets.map((set) => (one.quality[set] === undefined ? null : Number(one.quality[set].toFixed(4)))),
        store ? Number(overlap(store.best, one.best).toFixed(3)) : null,
      ]),
    },
  ];
}
