// What judges said of the answers of one scope, and the event that says so at the end of a trace.
import type { EvalReport, EvalRow, Evaluation } from '../../core/evaluation.ts';
import type { Clock } from '../../core/ids.ts';
import type { SavedTrace } from '../../core/trace-file.ts';
import type { CitationRanks } from '../../db/repositories/feedback.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { correlationOf, driftOf } from '../../evals/online/standing.ts';
import type { Evals } from '../facade/evals.ts';

const mostRecent = 50;
const mostWorst = 10;
const worstOfMs = 7 * 86_400_000;
const daysShown = 90;
const pairsRead = 1000;

const toRow = (one: Evaluation): EvalRow => ({
  sessionId: one.sessionId ?? null,
  traceId: one.traceId,
  answerId: one.answerId,
  timestamp: one.at,
  groundedness: one.scores.groundedness ?? null,
  relevance: one.scores.relevance ?? null,
  retrievalPrecision: one.scores.retrieval ?? null,
  coherence: one.scores.coherence ?? null,
  citationPrecision: one.scores.citationPrecision ?? null,
  planConfidence: one.planConfidence ?? null,
  criticCoverage: one.criticCoverage ?? null,
  judge: one.by,
  ...(one.error !== undefined && { error: one.error }),
});

const toRanks = ({ judgements, meanReciprocalRank, good, goodOfThree }: CitationRanks): EvalReport['people'] =>
  meanReciprocalRank === null
    ? undefined
    : { judgements, meanReciprocalRank, recallAtThree: good === 0 ? null : goodOfThree / good };

export interface EvalsOptions {
  readonly record: Pick<TenantRecord, 'evaluations' | 'feedback'>;
  readonly clock: Pick<Clock, 'now'>;
}

export function createEvalsPart({ record: { evaluations, feedback }, clock }: EvalsOptions): Evals {
  return {
    async report() {
      const since = new Date(Date.parse(clock.now()) - worstOfMs).toISOString();
      const [totals, { data }, worst, days, pairs, judges, people, opened] = await Promise.all([
        evaluations.totals(),
        evaluations.list({ limit: mostRecent }),
        evaluations.worst(since, mostWorst),
        evaluations.byDay(daysShown),
        evaluations.besideCritic(pairsRead),
        evaluations.byJudge(),
        feedback.ranks().then(toRanks),
        feedback.openedRanks().then(toRanks),
      ]);
      const drift = driftOf(days);
      return {
        stats: {
          totalEvaluations: totals.evaluations,
          avgGroundedness: totals.groundedness,
          avgRelevance: totals.relevance,
          avgRetrievalPrecision: totals.retrieval,
          lowGroundednessCount: totals.low,
          criticCorrelation: correlationOf(pairs) ?? null,
          errors: totals.errors,
        },
        recent: data.map(toRow),
        worst: worst.map(toRow),
        judges: judges.map(({ judge, evaluations: count, errors, groundedness, relevance, retrieval }) => ({
          judge,
          evaluations: count,
          errors,
          avgGroundedness: groundedness,
          avgRelevance: relevance,
          avgRetrievalPrecision: retrieval,
        })),
        days: days.map(({ day, evaluations: count, groundedness, relevance, retrieval }) => ({
          day,
          evaluations: count,
          avgGroundedness: groundedness,
          avgRelevance: relevance,
          avgRetrievalPrecision: retrieval,
        })),
        ...(people && { people }),
        ...(opened && { opened }),
        ...(drift && { drift }),
      };
    },
  };
}

/** A trace with what was said of its answer afterwards; one that was taken in from elsewhere has it already. */
export async function withEvals(saved: SavedTrace, record: Pick<TenantRecord, 'evaluations'>): Promise<SavedTrace> {
  if (saved.events.some(({ event }) => event.type === 'evals')) return saved;
  const found = await record.evaluations.ofTrace(saved.trace.id);
  const last = saved.events.at(-1);
  const judged = found.filter(({ error }) => error === undefined);
  if (!last || judged.length === 0) return saved;
  const events = judged.map(({ by, at, scores }, place) => ({
    seq: last.seq + place + 1,
    atMs: last.atMs,
    event: { type: 'evals' as const, ...scores, by, at },
  }));
  return { ...saved, events: [...saved.events, ...events] };
}
