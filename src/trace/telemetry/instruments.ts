// What is counted of requests, as OpenTelemetry instruments: the names that dashboards and alert rules know. Invariant: no label holds what
// somebody wrote, an id, or any other value without bounds. GenAI names follow the semantic conventions of OpenTelemetry 1.45 (incubating).
import type { Meter } from '@opentelemetry/api';
import type { FinishedRequest, ModelFigures, RequestFigures, SearchFigures } from './finished.ts';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const counts = [0, 1, 2, 3, 5, 10, 20, 50, 100];
const tokens = [1, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576];

/** A change of long-term memory, or a recall that no question made. */
export type MemoryFigures =
  | {
      readonly change: 'created' | 'merged' | 'superseded' | 'edited' | 'deleted' | 'pruned' | 'erased';
      readonly count: number;
    }
  | { readonly recall: { readonly latencyMs: number; readonly isHit: boolean } };

/** One answer that judges were given. */
export interface JudgedFigures {
  /** `rules`, or who else judged; absent: it was left out, because too many waited. */
  readonly by?: string;
  readonly latencyMs?: number;
  /** By name, 0..1. */
  readonly scores: Readonly<Record<string, number>>;
  /** Code of what went wrong. */
  readonly error?: string;
}

export function createInstruments(meter: Meter) {
  const histogram = (name: string, description: string, boundaries: number[], unit = 's') =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: boundaries } });
  const counter = (name: string, description: string) => meter.createCounter(name, { description });

  const requestDuration = histogram('footnote.request.duration', 'Requests by kind, mode and outcome.', seconds);
  const failures = counter('footnote.request.failures', 'Requests that failed, by code of the error.');
  const stageDuration = histogram('footnote.stage.duration', 'Stages of answers.', seconds);
  const searchDuration = histogram('footnote.search.duration', 'Searches, also those of questions, by mode.', seconds);
  const searchResults = histogram('footnote.search.results', 'Results of a search.', counts, '{result}');
  const emptySearches = counter('footnote.search.empty', 'Searches that found nothing.');
  const searchSources = histogram(
    'footnote.search.sources',
    'Sources that a search found something in.',
    counts,
    '{source}',
  );
  const fallbacks = counter('footnote.search.fallback', 'Searches that another store served than the mode names.');
  const degraded = counter('footnote.degraded', 'What was left out of responses, by component and code.');
  const claims = counter('footnote.claims', 'Claims that were checked, by verdict.');
  const citedSources = histogram('footnote.answer.cited.sources', 'Sources that an answer cites.', counts, '{source}');
  const coverage = histogram('footnote.answer.coverage', 'Share of a question that the evidence covers.', shares, '1');
  const conflicts = counter('footnote.answer.conflicts', 'Contradictions between sources that answers named.');
  const cost = meter.createCounter('footnote.cost', { description: 'Price of model calls.', unit: 'USD' });
  const parts = counter('footnote.decomposition.parts', 'Parts of questions that were taken apart, by outcome.');
  const subQueries = histogram(
    'footnote.decomposition.sub_queries',
    'Parts of each question that was taken apart.',
    counts,
    '{query}',
  );
  const legDuration = histogram(
    'footnote.leg.duration',
    'Calls that searches and answers rest on, by leg and error.',
    seconds,
  );
  const moved = histogram('footnote.reranking.moved', 'Places that a passage moved on average.', counts, '{place}');
  const topKept = histogram('footnote.reranking.top_kept', 'Share of the first five that stayed there.', shares, '1');
  const workers = counter('footnote.worker', 'Workers that ended, by agent and outcome.');
  const workerTokens = histogram('footnote.worker.tokens', 'Contexts of workers.', tokens, '{token}');
  const criticCoverage = histogram('footnote.critic.coverage', 'Coverage of drafts, as a critic saw it.', shares, '1');
  const criticGroundedness = histogram(
    'footnote.critic.groundedness',
    'Groundedness of drafts, as a critic saw it.',
    shares,
    '1',
  );
  const modelDuration = histogram('gen_ai.client.operation.duration', 'Calls of models.', seconds);
  const modelTokens = histogram('gen_ai.client.token.usage', 'Tokens of calls of models.', tokens, '{token}');

  const evalDuration = histogram('footnote.eval.duration', 'Answers that were judged, by judge.', seconds);
  const recallDuration = histogram(
    'footnote.memory.recall.duration',
    'Recalls of long-term memory, by what they found.',
    seconds,
  );
  const memoryChanges = counter(
    'footnote.memory.changes',
    'Memories that were written, replaced or taken away, by change.',
  );
  const countRecall = ({ latencyMs, isHit }: { readonly latencyMs: number; readonly isHit: boolean }): void =>
    recallDuration.record(latencyMs / 1000, { outcome: isHit ? 'hit' : 'miss' });
  const evalScore = histogram('footnote.eval.score', 'Scores of answers that were judged, by measure.', shares, '1');
  const evalErrors = counter('footnote.eval.errors', 'Judgements that failed, by judge and code of the error.');
  const evalLeftOut = counter('footnote.eval.left_out', 'Answers that were drawn and not judged: too many waited.');

  function countSearch({ mode, latencyMs, resultCount, sources, usedFallback }: SearchFigures): void {
    searchDuration.record(latencyMs / 1000, { mode });
    searchResults.record(resultCount, { mode });
    if (resultCount === 0) emptySearches.add(1, { mode });
    else searchSources.record(sources.length, { mode });
    if (usedFallback) fallbacks.add(1, { mode });
  }

  function countModel({ operation, role, model, latencyMs, inputTokens, outputTokens, error }: ModelFigures): void {
    const [provider, name] = model === undefined ? [] : model.split(/:(.*)/su);
    const labels = {
      'gen_ai.operation.name': operation,
      'footnote.role': role,
      ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
      ...(name !== undefined && { 'gen_ai.request.model': name }),
    };
    modelDuration.record(latencyMs / 1000, { ...labels, ...(error !== undefined && { 'error.type': error }) });
    if (inputTokens !== undefined) modelTokens.record(inputTokens, { ...labels, 'gen_ai.token.type': 'input' });
    if (outputTokens !== undefined) modelTokens.record(outputTokens, { ...labels, 'gen_ai.token.type': 'output' });
  }

  return {
    /** Counts what became of memories, and recalls that no question made. */
    countMemory(figures: MemoryFigures): void {
      if ('recall' in figures) countRecall(figures.recall);
      else memoryChanges.add(figures.count, { change: figures.change });
    },
    /** Counts an answer that judges were given. */
    countJudged({ by, latencyMs = 0, scores, error }: JudgedFigures): void {
      if (by === undefined) {
        evalLeftOut.add(1);
        return;
      }
      evalDuration.record(latencyMs / 1000, { judge: by });
      if (error !== undefined) evalErrors.add(1, { judge: by, code: error });
      for (const [measure, score] of Object.entries(scores)) evalScore.record(score, { measure });
    },
    /** Counts a request that has ended. */
    count({ kind, totalMs }: FinishedRequest, figures: RequestFigures): void {
      const { outcome, mode = 'none', intent } = figures;
      requestDuration.record(totalMs / 1000, { kind, mode, outcome, ...(intent !== undefined && { intent }) });
      if (figures.code !== undefined) failures.add(1, { kind, code: figures.code });
      for (const [stage, ms] of Object.entries(figures.stages)) stageDuration.record(ms / 1000, { stage });
      for (const search of figures.searches) countSearch(search);
      for (const { component, code } of figures.degraded) degraded.add(1, { component, code });
      if (figures.claims.kept > 0) claims.add(figures.claims.kept, { verdict: 'kept' });
      if (figures.claims.dropped > 0) claims.add(figures.claims.dropped, { verdict: 'dropped' });
      if (figures.citedSources !== undefined) citedSources.record(figures.citedSources);
      if (figures.coverage !== undefined) coverage.record(figures.coverage);
      if (figures.conflicts > 0) conflicts.add(figures.conflicts);
      if (figures.costUsd > 0) cost.add(figures.costUsd);
      const { recall } = figures;
      if (recall) countRecall(recall);
      const { all, failed } = figures.parts;
      if (all > 0) subQueries.record(all);
      for (const { leg, latencyMs, error } of figures.legs)
        legDuration.record(latencyMs / 1000, { leg, ...(error !== undefined && { 'error.type': error }) });
      for (const { method, moved: places, topKept: kept } of figures.rerankings) {
        moved.record(places, { method });
        topKept.record(kept, { method });
      }
      if (all > failed) parts.add(all - failed, { outcome: 'asked' });
      if (failed > 0) parts.add(failed, { outcome: 'failed' });
      for (const { agent, outcome: ended, tokens: used } of figures.workers) {
        workers.add(1, { agent, outcome: ended });
        if (used !== undefined) workerTokens.record(used, { agent });
      }
      for (const { verdict, coverage: covered, groundedness } of figures.critic) {
        criticCoverage.record(covered, { verdict });
        criticGroundedness.record(groundedness, { verdict });
      }
      for (const model of figures.models) countModel(model);
    },
  };
}

/** How a store stands, as a scrape is told. */
export interface StoreStanding {
  readonly name: string;
  readonly status: 'ok' | 'degraded' | 'down';
  readonly documents: number;
  readonly chunks: number;
  /** Share of the documents that it holds, 0..1. */
  readonly coverage: number;
  readonly freshnessSeconds?: number | undefined;
  readonly deliveries?: { readonly pending: number; readonly failed: number } | undefined;
}

/** How many memories hold, read when somebody looks: how it grows. */
export function observeMemories(meter: Meter, held: () => Promise<number>): void {
  const gauge = meter.createObservableGauge('footnote.memory.held', {
    description: 'Memories that hold, of everybody together.',
    unit: '{memory}',
  });
  gauge.addCallback(async (observed) => observed.observe(await held()));
}

/** Gauges that are read when somebody looks. */
export function observeStores(meter: Meter, standings: () => Promise<readonly StoreStanding[]>): void {
  const gauge = (name: string, description: string, unit = '1') =>
    meter.createObservableGauge(name, { description, unit });
  const up = gauge('footnote.store.up', '1 where a store serves, 0.5 where it is degraded, 0 where it is down.');
  const documents = gauge('footnote.store.documents', 'Documents that a store holds.', '{document}');
  const chunks = gauge('footnote.store.chunks', 'Chunks that a store holds.', '{chunk}');
  const held = gauge('footnote.store.coverage', 'Share of the documents that a store holds.');
  const freshness = gauge('footnote.store.freshness', 'Age of the newest delivery to a store.', 's');
  const pending = gauge('footnote.store.deliveries', 'Deliveries to a store that wait or failed.', '{delivery}');
  meter.addBatchObservableCallback(
    async (observed) => {
      for (const store of await standings()) {
        const labels = { store: store.name };
        observed.observe(up, { ok: 1, degraded: 0.5, down: 0 }[store.status], labels);
        observed.observe(documents, store.documents, labels);
        observed.observe(chunks, store.chunks, labels);
        observed.observe(held, store.coverage, labels);
        if (store.freshnessSeconds !== undefined) observed.observe(freshness, store.freshnessSeconds, labels);
        if (store.deliveries) {
          observed.observe(pending, store.deliveries.pending, { ...labels, state: 'pending' });
          observed.observe(pending, store.deliveries.failed, { ...labels, state: 'failed' });
        }
      }
    },
    [up, documents, chunks, held, freshness, pending],
  );
}
