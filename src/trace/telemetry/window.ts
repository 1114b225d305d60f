// Figures of the last fifteen minutes, by the minute, in bounded memory: what thresholds are judged by inside the process.
import type { RequestFigures } from './finished.ts';
import type { JudgedFigures } from './instruments.ts';

const minutes = 15;
/** A leg that is down is told of by what it does now: this minute and the one before. */
const legMinutes = 2;
/** Latencies kept of one minute: enough for a percentile, however busy the minute is. */
const latenciesKept = 2000;

const none = {
  searches: 0,
  emptySearches: 0,
  fallbacks: 0,
  answers: 0,
  coverageSum: 0,
  embeddings: 0,
  embeddingErrors: 0,
  /** Parts of questions that were taken apart, and those of them that failed or ran out of time. */
  parts: 0,
  failedParts: 0,
  workers: 0,
  workerTimeouts: 0,
  evals: 0,
  evalErrors: 0,
};
type Counts = typeof none;
const counted = Object.keys(none) as (keyof Counts)[];

/** Sums of the last minutes. */
export interface WindowFigures extends Readonly<Counts> {
  readonly searchMs: readonly number[];
  /** Recalls of long-term memory. */
  readonly recallMs: readonly number[];
  /** What searches and answers rest on, over the last two minutes. */
  readonly legs: readonly LegSums[];
}

export interface LegSums {
  /** `store.azure`, `embedding`, `reranker`, `web`, `model.answer`. */
  readonly leg: string;
  readonly calls: number;
  readonly failed: number;
  readonly failedMs: number;
  /** Of all, and those that went without it. */
  readonly requests: number;
  readonly without: number;
  /** Of the last failure. */
  readonly code: string;
  /** Since the first failure after the last call that succeeded; absent where the last call did. */
  readonly failingMs?: number;
}

interface Minute extends Counts {
  readonly number: number;
  readonly searchMs: number[];
  readonly recallMs: number[];
  requests: number;
  readonly legs: Map<string, Mutable<LegSums>>;
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] };

export interface FigureWindow {
  add(figures: RequestFigures): void;
  addJudged(figures: JudgedFigures): void;
  sums(): WindowFigures;
}

export function createFigureWindow({ elapsedMs }: { readonly elapsedMs: () => number }): FigureWindow {
  let kept: Minute[] = [];
  /** When each leg that fails now began to. */
  const failingFrom = new Map<string, number>();
  const now = (): number => Math.floor(elapsedMs() / 60_000);

  function current(): Minute {
    const number = now();
    const last = kept.at(-1);
    if (last?.number === number) return last;
    const minute = { ...none, number, searchMs: [], recallMs: [], requests: 0, legs: new Map() };
    kept = [...kept.filter((one) => one.number > number - minutes), minute];
    return minute;
  }

  return {
    add({ searches, models, coverage, parts, workers, recall, legs }) {
      const minute = current();
      minute.requests++;
      const failing = new Set<string>();
      for (const { leg, latencyMs, error } of legs) {
        const sums = minute.legs.get(leg) ?? {
          leg,
          calls: 0,
          failed: 0,
          failedMs: 0,
          requests: 0,
          without: 0,
          code: '',
        };
        minute.legs.set(leg, sums);
        sums.calls++;
        if (error === undefined) {
          failingFrom.delete(leg);
          continue;
        }
        if (!failingFrom.has(leg)) failingFrom.set(leg, elapsedMs());
        sums.failed++;
        sums.failedMs += latencyMs;
        sums.code = error;
        if (!failing.has(leg)) sums.without++;
        failing.add(leg);
      }
      for (const { resultCount, latencyMs, usedFallback } of searches) {
        minute.searches++;
        if (resultCount === 0) minute.emptySearches++;
        if (usedFallback) minute.fallbacks++;
        if (minute.searchMs.length < latenciesKept) minute.searchMs.push(latencyMs);
      }
      if (coverage !== undefined) {
        minute.answers++;
        minute.coverageSum += coverage;
      }
      if (recall && minute.recallMs.length < latenciesKept) minute.recallMs.push(recall.latencyMs);
      minute.parts += parts.all;
      minute.failedParts += parts.failed;
      minute.workers += workers.length;
      minute.workerTimeouts += workers.filter(({ outcome }) => outcome === 'timeout').length;
      for (const { operation, error } of models) {
        if (operation !== 'embeddings') continue;
        minute.embeddings++;
        if (error !== undefined) minute.embeddingErrors++;
      }
    },
    addJudged({ by, error }) {
      if (by === undefined) return;
      const minute = current();
      minute.evals++;
      if (error !== undefined) minute.evalErrors++;
    },
    sums() {
      const oldest = now() - minutes;
      const recent = kept.filter(({ number }) => number > oldest);
      const sums = { ...none };
      for (const minute of recent) for (const name of counted) sums[name] += minute[name];
      return {
        ...sums,
        searchMs: recent.flatMap((one) => one.searchMs),
        recallMs: recent.flatMap((one) => one.recallMs),
        legs: legsOf(recent.filter(({ number }) => number > now() - legMinutes)).map((sums) => {
          const from = failingFrom.get(sums.leg);
          return from === undefined ? sums : { ...sums, failingMs: elapsedMs() - from };
        }),
      };
    },
  };
}

function legsOf(recent: readonly Minute[]): readonly LegSums[] {
  const legs = new Map<string, Mutable<LegSums>>();
  const requests = recent.reduce((sum, one) => sum + one.requests, 0);
  for (const one of recent.flatMap((minute) => [...minute.legs.values()])) {
    const sums = legs.get(one.leg);
    if (!sums) {
      legs.set(one.leg, { ...one, requests });
      continue;
    }
    sums.calls += one.calls;
    sums.failed += one.failed;
    sums.failedMs += one.failedMs;
    sums.without += one.without;
    if (one.code !== '') sums.code = one.code;
  }
  return [...legs.values()];
}
