// The thresholds that an operator is told of, once: as rules for Prometheus (ops/prometheus/alerts.yml, kept equal by a test) and over the
// last minutes of this process, for `footnote doctor` and GET /admin/alerts. Figures and limits: the product's own specification.
import { percentile95 } from './percentile.ts';
import type { LegSums, WindowFigures } from './window.ts';

export interface Threshold {
  readonly name: string;
  readonly summary: string;
  /** What must hold for an alert, in PromQL; a rule waits for it to hold for some minutes. */
  readonly expression: string;
  readonly limit: number;
  /** Alerts are raised above the limit, or below it. */
  readonly raisedWhen: 'above' | 'below';
  readonly unit: 'seconds' | 'share';
  /** Undefined where too little happened to say. */
  readonly measure: (figures: WindowFigures) => number | undefined;
  /** Whom the figure is of, and what that costs. */
  readonly detail?: (figures: WindowFigures) => string | undefined;
  /** Minutes that it must hold for Prometheus. Default 5. */
  readonly forMinutes?: number;
  readonly advice: string;
}

/** Of fewer than this nothing is said. */
const least = 20;

const share = (part: number, whole: number): number | undefined => (whole < least ? undefined : part / whole);

/** In seconds; undefined where too few were measured. */
function slowest(timesMs: readonly number[]): number | undefined {
  const p95 = timesMs.length < least ? undefined : percentile95(timesMs);
  return p95 === undefined ? undefined : p95 / 1000;
}

/** Of fewer calls nothing is said of a leg. */
const leastCalls = 3;
const failing = ({ failed, calls }: LegSums): number => failed / calls;
const legLimit = 0.05;
const worstLeg = ({ legs }: WindowFigures): LegSums | undefined =>
  legs.filter(({ calls }) => calls >= leastCalls).toSorted((one, other) => failing(other) - failing(one))[0];

/** One that fails, and what that costs. */
function told({ leg, calls, failed, failedMs, requests, without, code, failingMs }: LegSums): string {
  const since = failingMs === undefined ? 'it serves again' : `without a success for ${Math.round(failingMs / 1000)} s`;
  return `${leg} (${since}): ${failed} of ${calls} calls of the last two minutes failed (${code}); ${without} of ${requests} requests went without it and spent ${Math.round(failedMs / failed)} ms on each such call`;
}

const rate = (metric: string, labels = ''): string => `sum(rate(${metric}${labels}[15m]))`;

export const thresholds: readonly Threshold[] = [
  {
    name: 'FootnoteLegDegraded',
    summary: 'A store or a model fails in more than 5 % of its calls',
    expression:
      'sum by (leg) (increase(footnote_leg_duration_count{error_type!=""}[1m])) / sum by (leg) (increase(footnote_leg_duration_count[1m])) > 0.05',
    limit: legLimit,
    raisedWhen: 'above',
    unit: 'share',
    forMinutes: 0,
    measure(figures) {
      const worst = worstLeg(figures);
      return worst && failing(worst);
    },
    detail: (figures) =>
      figures.legs
        .filter((one) => one.calls >= leastCalls && failing(one) > legLimit)
        .toSorted((one, other) => failing(other) - failing(one))
        .map(told)
        .join('; ') || undefined,
    advice:
      'The label leg says which: footnote_degraded_total counts the responses that went without it, footnote_leg_duration the time it took; see footnote stores status and footnote models.',
  },
  {
    name: 'FootnoteStoreDown',
    summary: 'A store is down or serves in part',
    expression: 'footnote_store_up < 1',
    limit: 1,
    raisedWhen: 'below',
    unit: 'share',
    forMinutes: 0,
    // `footnote doctor` and /readyz ask the stores themselves.
    measure: () => undefined,
    advice: 'The label store says which: see footnote stores status for its last failure and what waits for it.',
  },
  {
    name: 'FootnoteSearchSlow',
    summary: 'Searches are slow: p95 above 500 ms',
    expression: 'histogram_quantile(0.95, sum by (le) (rate(footnote_search_duration_bucket[15m]))) > 0.5',
    limit: 0.5,
    raisedWhen: 'above',
    unit: 'seconds',
    measure: ({ searchMs }) => slowest(searchMs),
    advice: 'See footnote stores status for a store that is slow, and footnote trace list for what takes the time.',
  },
  {
    name: 'FootnoteSearchEmpty',
    summary: 'More than 10 % of searches find nothing',
    expression: `${rate('footnote_search_empty_total')} / ${rate('footnote_search_duration_count')} > 0.1`,
    limit: 0.1,
    raisedWhen: 'above',
    unit: 'share',
    measure: ({ emptySearches, searches }) => share(emptySearches, searches),
    advice: 'Documents are missing, or a filter is too narrow: look at what was asked (LOG_QUERIES=true).',
  },
  {
    name: 'FootnoteRelevanceLow',
    summary: 'The evidence of answers covers less than 60 % of the questions on average',
    expression: `${rate('footnote_answer_coverage_sum')} / ${rate('footnote_answer_coverage_count')} < 0.6`,
    limit: 0.6,
    raisedWhen: 'below',
    unit: 'share',
    measure: ({ coverageSum, answers }) => share(coverageSum, answers),
    advice: 'Questions ask for what the documents do not say: see the abstentions, and add sources.',
  },
  {
    name: 'FootnoteFallback',
    summary: 'More than 5 % of searches are served by another store than the mode names',
    expression: `${rate('footnote_search_fallback_total')} / ${rate('footnote_search_duration_count')} > 0.05`,
    limit: 0.05,
    raisedWhen: 'above',
    unit: 'share',
    measure: ({ fallbacks, searches }) => share(fallbacks, searches),
    advice: 'See footnote stores status for the store that is down.',
  },
  {
    name: 'FootnoteEmbeddingErrors',
    summary: 'More than 1 % of embedding calls fail',
    expression: `${rate('gen_ai_client_operation_duration_count', '{gen_ai_operation_name="embeddings",error_type!=""}')} / ${rate('gen_ai_client_operation_duration_count', '{gen_ai_operation_name="embeddings"}')} > 0.01`,
    limit: 0.01,
    raisedWhen: 'above',
    unit: 'share',
    measure: ({ embeddingErrors, embeddings }) => share(embeddingErrors, embeddings),
    advice: 'See footnote models for the state of the model and its last error.',
  },
  {
    name: 'FootnoteMemorySlow',
    summary: 'Recalling memories is slow: p95 above 200 ms',
    expression: 'histogram_quantile(0.95, sum by (le) (rate(footnote_memory_recall_duration_bucket[15m]))) > 0.2',
    limit: 0.2,
    raisedWhen: 'above',
    unit: 'seconds',
    measure: ({ recallMs }) => slowest(recallMs),
    advice: 'See footnote memory stats and footnote memory prune --dry-run: somebody has very many memories.',
  },
  {
    name: 'FootnoteDecompositionFailures',
    summary: 'More than 5 % of the parts of questions fail or run out of time',
    expression: `${rate('footnote_decomposition_parts_total', '{outcome="failed"}')} / ${rate('footnote_decomposition_parts_total')} > 0.05`,
    limit: 0.05,
    raisedWhen: 'above',
    unit: 'share',
    measure: ({ failedParts, parts }) => share(failedParts, parts),
    advice: 'See footnote trace list for the parts that failed: a store is down, or the time of requests is too short.',
  },
  {
    name: 'FootnoteWorkerTimeouts',
    summary: 'More than 2 % of workers do not end within their time',
    expression: `${rate('footnote_worker_total', '{outcome="timeout"}')} / ${rate('footnote_worker_total')} > 0.02`,
    limit: 0.02,
    raisedWhen: 'above',
    unit: 'share',
    measure: ({ workerTimeouts, workers }) => share(workerTimeouts, workers),
    advice: 'A model or the web is slow: see footnote models, or lower MULTI_AGENT_MAX_WORKERS.',
  },
  {
    name: 'FootnoteEvalErrors',
    summary: 'More than 10 % of the judgements of answers fail',
    expression: `${rate('footnote_eval_errors_total')} / ${rate('footnote_eval_duration_count')} > 0.1`,
    limit: 0.1,
    raisedWhen: 'above',
    unit: 'share',
    measure: ({ evalErrors, evals }) => share(evalErrors, evals),
    advice:
      'See the errors in footnote eval online: a service that judges is down, refuses its key, or is asked too often.',
  },
];

export interface Alert {
  readonly name: string;
  readonly state: 'ok' | 'firing' | 'unknown';
  readonly summary: string;
  /** Over the last 15 minutes; absent where too little happened to say. */
  readonly value?: number;
  readonly limit: number;
  readonly unit: Threshold['unit'];
  readonly advice: string;
  /** Whom the figure is of, and what that costs. */
  readonly detail?: string;
}

export function judge(figures: WindowFigures): Alert[] {
  return thresholds.map(({ name, summary, limit, raisedWhen, unit, advice, measure, detail }) => {
    const value = measure(figures);
    const told = detail?.(figures);
    const isRaised = value !== undefined && (raisedWhen === 'above' ? value > limit : value < limit);
    return {
      name,
      state: value === undefined ? 'unknown' : isRaised ? 'firing' : 'ok',
      summary,
      ...(value !== undefined && { value }),
      limit,
      unit,
      advice,
      ...(isRaised && told !== undefined && { detail: told }),
    };
  });
}
