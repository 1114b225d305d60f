// What bench/vectors/vectors.ts promises: the goals of the vector index. Invariant: a goal whose index was not measured is missed, never
// left out.

import { quantileOfRounds, timesFaster } from '../../testkit/engine-timing.ts';
import { toGoal } from '../engine/engine-goals.ts';
import type { BenchGoal } from '../report.ts';
import type { BuiltVectors } from './vectors-process.ts';
import { promisedPaths, type RealRecall } from './vectors-real.ts';

export interface MeasuredIndex {
  readonly index: string;
  readonly built: BuiltVectors;
  /** After the rounds and a collection. */
  readonly memoryMb: number;
  /** Milliseconds by round and query. */
  readonly times: readonly (readonly number[])[];
  readonly restartMs: number | null;
  readonly recall: number;
  readonly filtered: { readonly times: readonly (readonly number[])[]; readonly recall: number } | null;
}

/** What a variant of a peer must find to be compared with. */
const fairRecall = 0.99;

/** The fastest variant of a peer that finds nearly everything: a faster one that does not is no comparison. */
export function fastestFair(measured: readonly MeasuredIndex[], prefix: string): MeasuredIndex | undefined {
  return measured
    .filter(({ index, recall }) => index.startsWith(prefix) && recall >= fairRecall)
    .sort((left, right) => quantileOfRounds(left.times, 0.5) - quantileOfRounds(right.times, 0.5))[0];
}

export function vectorGoals(
  measured: readonly MeasuredIndex[],
  { count, real }: { count: number; real: readonly RealRecall[] },
): BenchGoal[] {
  const large = count >= 1_000_000;
  const own = measured.find(({ index }) => index === 'footnote');
  const p50 = own && quantileOfRounds(own.times, 0.5);
  const peer = fastestFair(measured, 'sqlite-vec');
  return [
    toGoal({ what: 'vectors, p50 ms', limit: large ? 8 : 1.8, got: p50 }),
    toGoal({ what: 'vectors, recall@10', limit: large ? 0.99 : 0.999, got: own?.recall, least: true }),
    toGoal({
      what: 'vectors, recall@10 under a filter of 1 %',
      limit: large ? 0.99 : 0.999,
      got: own?.filtered?.recall,
      least: true,
    }),
    ...(large
      ? []
      : [
          toGoal({
            what: 'store with vectors, ready after restart, ms',
            limit: 2000,
            got: measured.find(({ index }) => index === 'footnote store')?.restartMs ?? undefined,
          }),
          toGoal({
            what: `times faster than sqlite-vec (its fastest variant of recall@10 >= ${fairRecall}${peer ? `: ${peer.index.slice('sqlite-vec '.length)}` : ''})`,
            limit: 25,
            got: own && peer && timesFaster(own.times, peer.times),
            least: true,
          }),
          ...promisedPaths.map((path) =>
            toGoal({
              what: `recall@10 on real vectors, ${path}`,
              limit: 0.98,
              got: real.find((one) => one.path === path)?.recall,
              least: true,
            }),
          ),
        ]),
  ];
}
