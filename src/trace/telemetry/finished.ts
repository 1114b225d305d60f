// A request that has ended, as whoever counts, logs or exports it is told, and what of it is counted. Invariant: figures are read from the
// request's own event log and result, so that nothing is measured twice and a trace says the same as a metric.

import type { Answer } from '../../core/answer.ts';
import type { FootnoteError } from '../../core/errors.ts';
import type { FootnoteEvent, LoggedEvent, PortCall, RequestKind } from '../../core/events.ts';
import type { Degradation, SearchResponse } from '../../core/search.ts';
import { defined } from '../../core/values/defined.ts';

export interface FinishedRequest {
  readonly traceId: string;
  readonly kind: RequestKind;
  readonly sessionId?: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly totalMs: number;
  readonly events: readonly LoggedEvent[];
  /** Absent where it failed. */
  readonly result?: Answer | SearchResponse;
  /** How it ended where its result is neither. */
  readonly outcome?: 'answered' | 'abstained';
  readonly error?: FootnoteError;
}

/** One search that a request made: a question may make several. */
export interface SearchFigures {
  readonly mode: string;
  readonly resultCount: number;
  readonly latencyMs: number;
  readonly usedFallback: boolean;
  /** Scores of the best result and of all, on the scale of its mode; absent where nothing was found. */
  readonly topScore?: number;
  readonly avgScore?: number;
  /** Names of the sources that results came from. */
  readonly sources: readonly string[];
}

/** One call of a model, in the words of OpenTelemetry's conventions for generative AI. */
export interface ModelFigures {
  readonly operation: 'chat' | 'embeddings' | 'rerank';
  /** `answer`, `judge`, `router`: the port without its ending. */
  readonly role: string;
  /** `provider:model`, where the trace names it. */
  readonly model?: string;
  readonly latencyMs: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Code of what went wrong. */
  readonly error?: string;
}

export interface RequestFigures {
  readonly outcome: 'answered' | 'abstained' | 'found' | 'empty' | 'cancelled' | 'failed';
  readonly mode?: string;
  readonly intent?: string;
  readonly code?: string;
  /** Milliseconds of each stage, by name. */
  readonly stages: Readonly<Record<string, number>>;
  readonly searches: readonly SearchFigures[];
  readonly models: readonly ModelFigures[];
  readonly degraded: readonly Degradation[];
  readonly claims: { readonly kept: number; readonly dropped: number };
  /** How many sources the citations of an answer come from; absent for searches and abstentions. */
  readonly citedSources?: number;
  /** Share of the question that the evidence of an answer covers, 0..1. */
  readonly coverage?: number;
  readonly conflicts: number;
  readonly costUsd: number;
  /** Long-term memory, where it was asked: whether it held anything that fits. */
  readonly recall?: { readonly latencyMs: number; readonly isHit: boolean };
  readonly legs: readonly LegFigures[];
  readonly rerankings: readonly { readonly method: string; readonly moved: number; readonly topKept: number }[];
  /** Of a question that was taken apart: its parts, and those that failed or ran out of time. */
  readonly parts: { readonly all: number; readonly failed: number };
  readonly workers: readonly WorkerFigures[];
  /** Looks of a critic. */
  readonly critic: readonly { readonly verdict: string; readonly coverage: number; readonly groundedness: number }[];
}

/** One call of what searches and answers rest on: a store, the model of the vectors, a reranker, the web, the model of a role (`model.answer`). */
export interface LegFigures {
  readonly leg: string;
  readonly latencyMs: number;
  /** Code of what went wrong. */
  readonly error?: string;
}

/** One worker that ended. */
interface WorkerFigures {
  readonly agent: string;
  readonly outcome: 'complete' | 'error' | 'timeout';
  /** Of its context; absent where it failed. */
  readonly tokens?: number;
}

/** Steps that ask a model under their own name. */
const chatPorts: ReadonlySet<string> = new Set(['agent.router', 'agent.planner', 'agent.critic', 'agent.talk']);

const operationOf = ({ port, method }: PortCall): ModelFigures['operation'] | undefined => {
  if (port === 'embedding' || (port === 'semantics' && method === 'embed')) return 'embeddings';
  if (port === 'reranker') return 'rerank';
  return port.endsWith('.model') || port.endsWith('.judge') || chatPorts.has(port) ? 'chat' : undefined;
};

interface SentToModel {
  readonly model?: unknown;
}
interface CameFromModel {
  readonly usage?: { readonly inputTokens?: unknown; readonly outputTokens?: unknown };
}
const numeric = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Of a call of a model; undefined for any other call. */
export function modelFiguresOf(call: PortCall): ModelFigures | undefined {
  const operation = operationOf(call);
  if (operation === undefined) return undefined;
  const { port, latencyMs, error } = call;
  const failure = error && { error: error.code };
  if (operation !== 'chat') return { operation, role: port, latencyMs, ...failure };
  const { model } = call.request as SentToModel;
  const { usage } = (call.response ?? {}) as CameFromModel;
  const [inputTokens, outputTokens] = [numeric(usage?.inputTokens), numeric(usage?.outputTokens)];
  return {
    operation,
    role: port.replace(/\.model$/u, '').replace(/^[a-z]+\.(?=(?:judge|router|planner|critic|talk)$)/u, ''),
    ...(typeof model === 'string' && { model }),
    latencyMs,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...failure,
  };
}

function searchOf(event: Extract<FootnoteEvent, { type: 'retrieval' }>): SearchFigures {
  const { mode, resultCount, latencyMs, usedFallback = false, topScore, avgScore, sources = [] } = event;
  return defined({ mode, resultCount, latencyMs, usedFallback, topScore, avgScore, sources });
}

const searchMethods: ReadonlySet<string> = new Set(['search', 'embed', 'rerank', 'find']);

/** Of a call that a search or an answer rests on; undefined for any other. Called off, it says nothing of the leg. */
function legOf({ port, method, latencyMs, error }: PortCall, model: ModelFigures | undefined): LegFigures | undefined {
  if (error?.code === 'cancelled') return undefined;
  const isSearched = port.startsWith('store.') || port === 'embedding' || port === 'reranker' || port === 'web';
  const searched = isSearched && searchMethods.has(method) ? port : undefined;
  const leg = model?.operation === 'chat' ? `model.${model.role}` : searched;
  return leg === undefined ? undefined : { leg, latencyMs, ...(error && { error: error.code }) };
}

const isAnswer = (result: Answer | SearchResponse): result is Answer => 'claims' in result;

function outcomeOf({ result, outcome, error }: FinishedRequest): RequestFigures['outcome'] {
  if (outcome) return outcome;
  if (!result) return error?.code === 'cancelled' ? 'cancelled' : 'failed';
  if (isAnswer(result)) return result.abstained ? 'abstained' : 'answered';
  return result.results.length > 0 ? 'found' : 'empty';
}

/** Of a question that was taken apart, each part that failed is an entry of its own (agent/parts/answer-parts.ts). */
const lostParts = (degraded: readonly Degradation[]): number =>
  degraded.filter(({ component }) => component === 'decomposition').length;

/** Milliseconds by stage, from names such as `retrievalMs`. */
function stagesOf(timings: Answer['timings']): Record<string, number> {
  const stages = Object.entries(timings).filter(([name]) => name.endsWith('Ms') && name !== 'totalMs');
  return Object.fromEntries(stages.map(([name, value]) => [name.slice(0, -2), value]));
}

// oxlint-disable-next-line complexity -- Each figure is taken from a field that may be absent.
export function figuresOf(finished: FinishedRequest): RequestFigures {
  const searches: SearchFigures[] = [];
  const models: ModelFigures[] = [];
  const claims = { kept: 0, dropped: 0 };
  const workers: WorkerFigures[] = [];
  const critic: RequestFigures['critic'][number][] = [];
  let [recallMs, recalled]: (number | undefined)[] = [];
  const legs: LegFigures[] = [];
  const rerankings: RequestFigures['rerankings'][number][] = [];
  let parts = 0;
  for (const { event } of finished.events) {
    if (event.type === 'retrieval') searches.push(searchOf(event));
    else if (event.type === 'verdict') claims[event.kept ? 'kept' : 'dropped']++;
    else if (event.type === 'call') {
      const { port, method, latencyMs } = event.call;
      if (port === 'memories' && method === 'recall') recallMs = latencyMs;
      const model = modelFiguresOf(event.call);
      if (model) models.push(model);
      const leg = legOf(event.call, model);
      if (leg) legs.push(leg);
    } else if (event.type === 'decomposition') parts += event.subQueries.length;
    else if (event.type === 'reranking' && event.moved !== undefined)
      rerankings.push({ method: event.method, moved: event.moved, topKept: event.topKept ?? 0 });
    else if (event.type === 'semantic_memory') recalled = event.recalled;
    else if (event.type === 'critic') critic.push(event);
    else if (event.type === 'worker_complete')
      workers.push({ agent: event.agent, outcome: 'complete', tokens: event.tokensUsed });
    else if (event.type === 'worker_error')
      workers.push({ agent: event.agent, outcome: event.error === 'deadline-exceeded' ? 'timeout' : 'error' });
  }
  const { result, error } = finished;
  const answer = result && isAnswer(result) ? result : undefined;
  const mode = result?.mode;
  return {
    outcome: outcomeOf(finished),
    ...(mode !== undefined && { mode }),
    ...(answer && { intent: answer.intent }),
    ...(error && { code: error.code }),
    stages: answer ? stagesOf(answer.timings) : {},
    searches,
    models,
    degraded: result?.degraded ?? [],
    claims,
    ...(answer &&
      answer.citations.length > 0 && { citedSources: new Set(answer.citations.map(({ source }) => source)).size }),
    ...(answer && !answer.abstained && answer.intent !== 'conversational' && { coverage: answer.coverage }),
    conflicts: answer?.conflicts.length ?? 0,
    costUsd: answer?.usage.costUsd ?? 0,
    legs,
    rerankings,
    parts: { all: parts, failed: lostParts(result?.degraded ?? []) },
    ...(recallMs !== undefined && { recall: { latencyMs: recallMs, isHit: (recalled ?? 0) > 0 } }),
    workers,
    critic: critic.map(({ verdict, coverage, groundedness }) => ({ verdict, coverage, groundedness })),
  };
}
