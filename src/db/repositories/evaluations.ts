// What judges said of answers, as the record keeps it. Invariant: it goes with the trace of its answer, and only an admin sees all of a tenant's.
import type { Evaluation } from '../../core/evaluation.ts';
import type { PageOf, PageRequest } from './page.ts';

export interface EvaluationTotals {
  readonly evaluations: number;
  /** Those that failed. */
  readonly errors: number;
  /** Means over those that have the score; null where none has. */
  readonly groundedness: number | null;
  readonly relevance: number | null;
  readonly retrieval: number | null;
  readonly low: number;
}

/** One day (UTC). */
export interface EvaluationDay extends EvaluationTotals {
  readonly day: string;
}

export interface EvaluationsOfJudge extends EvaluationTotals {
  readonly judge: string;
}

export interface EvaluationRepository {
  /** False where the trace is not there (any more): then nothing is kept. A later one of the same judge takes the place of the earlier. */
  save(evaluation: Evaluation): Promise<boolean>;
  /** Newest first. */
  list(request: PageRequest): Promise<PageOf<Evaluation>>;
  /** The lowest groundedness since an instant, lowest first. */
  worst(since: string, limit: number): Promise<readonly Evaluation[]>;
  ofTrace(traceId: string): Promise<readonly Evaluation[]>;
  totals(): Promise<EvaluationTotals>;
  /** By who judged, by name: judges differ in what they find, so that only the same one compares. */
  byJudge(): Promise<readonly EvaluationsOfJudge[]>;
  /** By day, oldest first, at most the last `days` that have any. */
  byDay(days: number): Promise<readonly EvaluationDay[]>;
  /** What a critic and the judges said of the same answers, newest first. */
  besideCritic(limit: number): Promise<readonly { readonly critic: number; readonly judged: number }[]>;
}
