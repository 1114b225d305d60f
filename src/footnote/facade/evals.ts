// What doors may ask of the scores that judges gave to answers while the server ran. Names are those of the wire.
import type { Drift } from '../../evals/online/standing.ts';

export interface EvalStats {
  readonly totalEvaluations: number;
  /** Null where nothing was judged. */
  readonly avgGroundedness: number | null;
  readonly avgRelevance: number | null;
  readonly avgRetrievalPrecision: number | null;
  /** Answers with a groundedness below 0.7. */
  readonly lowGroundednessCount: number;
  /** Pearson's r between what a critic said of drafts and what judges said of the answers; null with fewer than three of them. */
  readonly criticCorrelation: number | null;
  /** Judgements that failed. */
  readonly errors: number;
}

/** One answer that was judged. What there was nothing to judge by is null. */
export interface EvalRow {
  readonly sessionId: string | null;
  readonly traceId: string;
  readonly answerId: string;
  readonly timestamp: string;
  readonly groundedness: number | null;
  readonly relevance: number | null;
  readonly retrievalPrecision: number | null;
  readonly coherence: number | null;
  readonly citationPrecision: number | null;
  /** No plan says how sure it is yet: null. */
  readonly planConfidence: number | null;
  readonly criticCoverage: number | null;
  readonly judge: string;
  readonly error?: string;
}

export interface EvalDay {
  readonly day: string;
  readonly evaluations: number;
  readonly avgGroundedness: number | null;
  readonly avgRelevance: number | null;
  readonly avgRetrievalPrecision: number | null;
}

/** What one judge said: judges differ, so that only the same one compares. */
export interface EvalJudge {
  readonly judge: string;
  readonly evaluations: number;
  readonly errors: number;
  readonly avgGroundedness: number | null;
  readonly avgRelevance: number | null;
  readonly avgRetrievalPrecision: number | null;
}

export interface EvalReport {
  readonly stats: EvalStats;
  /** The last 50, newest first. */
  readonly recent: readonly EvalRow[];
  /** Of the last seven days, the lowest groundedness first. */
  readonly worst: readonly EvalRow[];
  /** By who judged. */
  readonly judges?: readonly EvalJudge[];
  /** Oldest first. */
  readonly days: readonly EvalDay[];
  /** Absent while there is too little to say. */
  readonly drift?: Drift;
}

export interface Evals {
  /** An admin sees the tenant's, others their own. */
  report(): Promise<EvalReport>;
}
