// Figures of the last fifteen minutes, by the minute, in bounded memory: what thresholds are judged by inside the process.
import type { RequestFigures } from './finished.ts';
import type { JudgedFigures } from './instruments.ts';
import type { WindowFigures } from './thresholds.ts';

const minutes = 15;
/** Latencies kept of one minute: enough for a percentile, however busy the minute is. */
const latenciesKept = 2000;

interface Minute {
  readonly number: number;
  searches: number;
  emptySearches: number;
  fallbacks: number;
  readonly searchMs: number[];
  answers: number;
  coverageSum: number;
  embeddings: number;
  embeddingErrors: number;
  parts: number;
  failedParts: number;
  workers: number;
  workerTimeouts: number;
  readonly recallMs: number[];
  evals: number;
  evalErrors: number;
}

export interface FigureWindow {
  add(figures: RequestFigures): void;
  addJudged(figures: JudgedFigures): void;
  sums(): WindowFigures;
}

export function createFigureWindow({ elapsedMs }: { readonly elapsedMs: () => number }): FigureWindow {
  let kept: Minute[] = [];
  const now = (): number => Math.floor(elapsedMs() / 60_000);

  function current(): Minute {
    const number = now();
    const last = kept.at(-1);
    if (last?.number === number) return last;
    const minute = {
      number,
      searches: 0,
      emptySearches: 0,
      fallbacks: 0,
      searchMs: [],
      answers: 0,
      coverageSum: 0,
      embeddings: 0,
      embeddingErrors: 0,
      parts: 0,
      failedParts: 0,
      workers: 0,
      workerTimeouts: 0,
      recallMs: [],
      evals: 0,
      evalErrors: 0,
    };
    kept = [...kept.filter((one) => one.number > number - minutes), minute];
    return minute;
  }

  return {
    add({ searches, models, coverage, parts, workers, recall }) {
      const minute = current();
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
      const from = now() - minutes;
      const recent = kept.filter(({ number }) => number > from);
      const sum = (read: (minute: Minute) => number): number => recent.reduce((total, one) => total + read(one), 0);
      return {
        searches: sum((one) => one.searches),
        emptySearches: sum((one) => one.emptySearches),
        fallbacks: sum((one) => one.fallbacks),
        searchMs: recent.flatMap((one) => one.searchMs),
        answers: sum((one) => one.answers),
        coverageSum: sum((one) => one.coverageSum),
        embeddings: sum((one) => one.embeddings),
        embeddingErrors: sum((one) => one.embeddingErrors),
        parts: sum((one) => one.parts),
        failedParts: sum((one) => one.failedParts),
        workers: sum((one) => one.workers),
        workerTimeouts: sum((one) => one.workerTimeouts),
        recallMs: recent.flatMap((one) => one.recallMs),
        evals: sum((one) => one.evals),
        evalErrors: sum((one) => one.evalErrors),
      };
    },
  };
}
