// Two runs of one suite, question by question, by the rules of `footnote eval compare`: the tests hold the figures of both together. Pure.
import type { Run, RunResult } from './run-file.ts';

export interface Estimate {
  readonly mean: number;
  /** The interval in which 95 of 100 draws lie. */
  readonly low: number;
  readonly high: number;
}
export interface MeasureChange extends Estimate {
  readonly measure: string;
  readonly before: number;
  readonly after: number;
  readonly questions: number;
  readonly better: number;
  readonly worse: number;
  readonly same: number;
}
export interface QuestionChange {
  readonly id: string;
  readonly question: string;
  /** By measure: before, after. */
  readonly changes: Readonly<Record<string, readonly [before: number, after: number]>>;
  readonly balance: number;
}
export interface RunComparison {
  readonly questions: number;
  readonly missing: number;
  readonly measures: readonly MeasureChange[];
  /** The worst first. */
  readonly changed: readonly QuestionChange[];
}

const slack = 1e-9;
const rounds = 1000;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A small generator with a seed (mulberry32): the same runs give the same interval on every machine. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Efron's percentile bootstrap. */
function estimate(values: readonly number[]): Estimate {
  const random = seeded(1);
  const means: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) sum += values[Math.floor(random() * values.length)] ?? 0;
    means.push(sum / values.length);
  }
  means.sort((left, right) => left - right);
  const at = (share: number): number => means[Math.floor(share * rounds)] ?? 0;
  return { mean: mean(values), low: at(0.025), high: at(0.975) };
}

/** A model says something else of the same answer now and then: that is no change of the answer. */
function withoutNoise(one: RunResult, other: RunResult, byOthers: ReadonlySet<string>): RunResult {
  if (one.answer !== other.answer || JSON.stringify(one.cited) !== JSON.stringify(other.cited)) return other;
  const kept = Object.entries(other.measures).map(([name, value]) => [
    name,
    byOthers.has(name) ? (one.measures[name] ?? value) : value,
  ]);
  return { ...other, measures: Object.fromEntries(kept) };
}

const always: ReadonlySet<string> = new Set(['runs through', 'citations verified']);

/** What only an answer has counts 0 where there is an answer no more. */
function withSilence(one: RunResult, other: RunResult): RunResult {
  const hasFallen = one.abstained !== other.abstained || one.error !== other.error;
  if (!hasFallen || (one.error === undefined && !one.abstained)) return one;
  const missing = Object.keys(other.measures).filter((name) => !(name in one.measures) && !always.has(name));
  return { ...one, measures: { ...one.measures, ...Object.fromEntries(missing.map((name) => [name, 0])) } };
}

function measureOf(measure: string, pairs: readonly (readonly [number, number])[]): MeasureChange {
  const better = pairs.filter(([one, other]) => other > one + slack).length;
  const worse = pairs.filter(([one, other]) => other < one - slack).length;
  return {
    ...estimate(pairs.map(([one, other]) => other - one)),
    measure,
    before: mean(pairs.map(([one]) => one)),
    after: mean(pairs.map(([, other]) => other)),
    questions: pairs.length,
    better,
    worse,
    same: pairs.length - better - worse,
  };
}

function questionOf(before: RunResult, after: RunResult): QuestionChange | undefined {
  const moved = Object.entries(before.measures).flatMap(([name, one]) => {
    const other = after.measures[name];
    return other === undefined || Math.abs(other - one) <= slack ? [] : [[name, [one, other]] as const];
  });
  if (moved.length === 0 && before.abstained === after.abstained) return undefined;
  const balance = moved.reduce((sum, [, [one, other]]) => sum + (other - one), 0);
  return { id: before.id, question: before.question, changes: Object.fromEntries(moved), balance };
}

/** Throws where the runs are of different suites. */
export function compareRuns(before: Run, after: Run): RunComparison {
  if (before.suite.sha256 !== after.suite.sha256)
    throw new Error(
      `The runs are of different suites (${before.suite.name}, ${after.suite.name}): cases or documents differ. Choose two of the same one.`,
    );
  const later = new Map(after.results.map((result) => [result.id, result]));
  const byOthers = new Set(before.judges.flatMap(({ name, by }) => (by === 'rules' ? [] : [name])));
  const paired = before.results.flatMap((one) => {
    const other = later.get(one.id);
    return other ? [[withSilence(one, other), withSilence(withoutNoise(one, other, byOthers), one)] as const] : [];
  });
  const names = [...new Set(paired.flatMap(([one]) => Object.keys(one.measures)))];
  const measures = names.flatMap((measure) => {
    const pairs = paired.flatMap(([one, other]) => {
      const [left, right] = [one.measures[measure], other.measures[measure]];
      return left === undefined || right === undefined ? [] : [[left, right] as const];
    });
    return pairs.length === 0 ? [] : [measureOf(measure, pairs)];
  });
  const changed = paired.flatMap(([one, other]) => questionOf(one, other) ?? []);
  return {
    questions: paired.length,
    missing: before.results.length - paired.length,
    measures,
    changed: changed.sort((left, right) => left.balance - right.balance),
  };
}
