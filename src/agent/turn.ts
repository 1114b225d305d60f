// One turn from question to checked answer: understand, search, read, compose, verify. Each step reports to the event
// log as it happens; text streams claim by claim, each after its check, and is never taken back.

import { type Composer, extractiveComposer } from '../answer/composer.ts';
import type { Context, SpanReader, VerifiedClaim } from '../answer/draft.ts';
import { type RenderedAnswer, renderAnswer } from '../answer/render.ts';
import type { Answer, Intent, Usage } from '../core/answer.ts';
import type { Deadline } from '../core/deadline.ts';
import type { EventSink } from '../core/events.ts';
import type { Ids } from '../core/ids.ts';
import { ownTurn } from '../core/pieces.ts';
import type { Degradation, Evidence, Filter, Mode, Routing, ServedModel } from '../core/search.ts';
import { withoutMetMismatch } from '../retrieval/language-mismatch.ts';
import type { Retriever } from '../retrieval/retrieve.ts';
import { classifyIntent } from './intent.ts';
import type { IntentClassifier, RoutedIntent } from './intent-by-model.ts';

export interface TurnRequest {
  /** The question as it will be searched: follow-ups are resolved before. */
  readonly question: string;
  readonly mode: Mode;
  readonly sources?: readonly string[];
  readonly topK?: number;
  readonly minScore?: number;
  readonly filter?: Filter;
  readonly traceId: string;
  readonly sessionId?: string;
  readonly turnId?: string;
  /** What the door already had to leave out. */
  readonly degraded: readonly Degradation[];
}

export interface TurnPorts {
  readonly retriever: Retriever;
  readonly readSpan: SpanReader;
  readonly ids: Ids;
  readonly contextTokens: number;
  /** Says what kind of request a question is; patterns alone where there is none. */
  readonly classify?: IntentClassifier;
  /** Who writes the answer to questions of an intent; sentences of the documents where there is none. */
  readonly composerFor?: (intent: Intent) => Composer | undefined;
  /** Makes the address that opens a span highlighted. */
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  /** What models took of the whole request, asked when its answer is whole; nothing where there is no such port. */
  readonly spent?: () => Promise<Omit<Usage, 'toolCalls'>>;
  /** Which models served, and in whose place; asked at the same time. */
  readonly served?: () => { readonly models: readonly ServedModel[]; readonly degraded: readonly Degradation[] };
}

/** Evidence read for an answer when the request does not say: answers lie deeper than the page a person looks at. */
const defaultReadingDepth = 10;

/** Hits of a search for one claim: it names what it looks for. */
const targetedDepth = 5;

const conversationalText =
  'Hello. Ask me something about your documents: every claim of an answer will cite the passage it rests on.';

export async function runTurn(
  request: TurnRequest,
  ports: TurnPorts,
  options: { sink: EventSink; deadline: Deadline },
): Promise<Answer> {
  const { sink, deadline } = options;
  const startedAt = performance.now();
  const timings: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
    deadline.check();
    const from = performance.now();
    const result = await work();
    timings[name] = performance.now() - from;
    return result;
  };

  sink({ type: 'status', stage: 'understanding' });
  const { classify } = ports;
  const routed: Pick<RoutedIntent, 'intent' | 'reason'> & Partial<RoutedIntent> = classify
    ? await timed('classifyMs', () => classify(request.question, { deadline, sink }))
    : classifyIntent(request.question);
  const { intent, reason } = routed;
  sink({ type: 'intent', intent, reason });
  for (const degradation of routed.degraded ?? []) sink({ type: 'degraded', degradation });
  const finish = async (parts: AnswerParts): Promise<Answer> => {
    const spent = await ports.spent?.();
    const served = ports.served?.() ?? { models: [], degraded: [] };
    for (const degradation of served.degraded) sink({ type: 'degraded', degradation });
    const answer = toAnswer(request, ports.ids.next('ans'), intent, {
      ...parts,
      degraded: [...parts.degraded, ...served.degraded],
      // A model whose words were of no use did not answer.
      models: served.models.filter(({ role }) => role !== 'answer' || parts.isByModel === true),
      ...(spent && { spent }),
      timings: { ...timings, totalMs: performance.now() - startedAt },
    });
    sink({ type: 'done', answer });
    return answer;
  };
  if (intent === 'conversational') {
    sink({ type: 'delta', text: conversationalText });
    return finish({ ...ungrounded, text: conversationalText });
  }

  sink({ type: 'status', stage: 'searching' });
  const find = (query: string, topK: number, events: EventSink) =>
    ports.retriever.retrieve(
      {
        query,
        mode: request.mode,
        topK,
        ...(request.sources && { sources: request.sources }),
        ...(request.minScore !== undefined && { minScore: request.minScore }),
        ...(request.filter && { filter: request.filter }),
      },
      { sink: events, signal: deadline.signal },
    );
  const retrieval = await timed('retrievalMs', () => find(request.question, request.topK ?? defaultReadingDepth, sink));
  const evidence: Evidence[] = [...retrieval.evidence];
  const degraded: Degradation[] = [...request.degraded, ...(routed.degraded ?? []), ...retrieval.degraded];
  let toolCalls = 1;
  /** Streams are told of the first search alone; the calls of every search are in the trace. */
  const search = async (query: string): Promise<readonly Evidence[]> => {
    deadline.check();
    toolCalls += 1;
    const found = await find(query, targetedDepth, (event) => {
      if (event.type !== 'routing' && event.type !== 'retrieval' && event.type !== 'reranking') sink(event);
    });
    const known = new Set(evidence.map(({ chunkId }) => chunkId));
    evidence.push(...found.evidence.filter(({ chunkId }) => !known.has(chunkId)));
    for (const one of found.degraded)
      if (!degraded.some(({ component, code }) => component === one.component && code === one.code)) degraded.push(one);
    return found.evidence;
  };

  sink({ type: 'status', stage: 'reading' });
  await ownTurn();
  const claims: VerifiedClaim[] = [];
  let rendered: RenderedAnswer = renderAnswer({ claims, evidence, spanUrl: ports.spanUrl });
  const release = (claim: VerifiedClaim): void => {
    claims.push(claim);
    const shown = rendered.parts.length;
    // Marks and separators of a part depend on what stands before it alone: what was streamed stays.
    rendered = renderAnswer({ claims, evidence, spanUrl: ports.spanUrl });
    for (const part of rendered.parts.slice(shown)) {
      for (const citation of part.citations) sink({ type: 'citation', citation });
      sink({ type: 'delta', text: part.text });
    }
  };
  const composer = ports.composerFor?.(intent) ?? extractiveComposer;
  const composition = await composer.compose(
    { question: request.question, evidence: retrieval.evidence, contextTokens: ports.contextTokens },
    {
      readSpan: ports.readSpan,
      statistics: async () => ports.retriever.statistics?.(request.question, deadline.signal),
      search,
      sink,
      release,
      timed,
      deadline,
    },
  );
  const { context, dropped, coverage, confidence } = composition;
  degraded.push(...composition.degraded);
  if (dropped > 0)
    degraded.push({
      component: 'verifier',
      code: 'claim-dropped',
      detail: `${dropped} claim${dropped === 1 ? '' : 's'} did not pass the check against the cited text.`,
      effect: 'They were left out of the answer.',
    });
  const sources = sourcesOf(context, new Set(rendered.citations.map((citation) => citation.chunkId)));
  const parts = {
    ...retrieval,
    degraded,
    sources,
    ragEnabled: true,
    coverage,
    confidence,
    contextTokens: context.tokens,
    toolCalls,
    isByModel: composition.isByModel === true,
  };

  if (rendered.claims.length === 0) {
    const why =
      composition.abstainReason ??
      (retrieval.evidence.length === 0
        ? 'Nothing in the searched documents matches the question.'
        : 'No claim could be verified against the documents found.');
    const text = `I cannot answer that from these documents. ${why}`;
    sink({ type: 'delta', text });
    return finish({ ...parts, text, abstainReason: why, claims: [], citations: [] });
  }
  const quotes = rendered.citations.map(({ quote }) => quote);
  return finish({
    ...parts,
    degraded: withoutMetMismatch(degraded, request.question, quotes),
    text: rendered.text,
    claims: [...rendered.claims],
    citations: [...rendered.citations],
  });
}

/** What was read, a chunk at a time: its passages together. */
function sourcesOf(context: Context, cited: ReadonlySet<string>): Answer['sources'] {
  const byChunk = new Map<string, Answer['sources'][number]>();
  for (const { evidence, tokens } of context.blocks) {
    const { documentId, chunkId, title, uri, score } = evidence;
    const present = byChunk.get(chunkId);
    byChunk.set(chunkId, {
      ...(present ?? { documentId, chunkId, title, uri, score, cited: cited.has(chunkId) }),
      contextTokens: (present?.contextTokens ?? 0) + tokens,
    });
  }
  return [...byChunk.values()];
}

interface AnswerParts
  extends Pick<Answer, 'claims' | 'citations' | 'sources' | 'coverage' | 'confidence' | 'ragEnabled'> {
  readonly text: string;
  readonly abstainReason?: string;
  readonly disclaimer?: string;
  readonly routing: Routing;
  readonly degraded: readonly Degradation[];
  readonly contextTokens: number;
  readonly toolCalls: number;
  readonly isByModel?: boolean;
  readonly models?: readonly ServedModel[];
}

const ungrounded: Omit<AnswerParts, 'text'> = {
  claims: [],
  citations: [],
  sources: [],
  coverage: 0,
  confidence: 0,
  ragEnabled: false,
  disclaimer: 'Response generated without documentation context',
  routing: { sources: [], reason: 'conversation: nothing was searched' },
  degraded: [],
  contextTokens: 0,
  toolCalls: 0,
};

function toAnswer(
  request: TurnRequest,
  id: string,
  intent: Intent,
  parts: AnswerParts & { readonly timings: Answer['timings']; readonly spent?: Omit<Usage, 'toolCalls'> },
): Answer {
  return {
    id,
    ...(request.sessionId !== undefined && { sessionId: request.sessionId }),
    ...(request.turnId !== undefined && { turnId: request.turnId }),
    traceId: request.traceId,
    mode: request.mode,
    intent,
    answer: parts.text,
    claims: parts.claims,
    citations: parts.citations,
    conflicts: [],
    sources: parts.sources,
    abstained: parts.abstainReason !== undefined,
    ...(parts.abstainReason !== undefined && { abstainReason: parts.abstainReason }),
    ragEnabled: parts.ragEnabled,
    confidence: parts.confidence,
    coverage: parts.coverage,
    ...(parts.disclaimer !== undefined && { disclaimer: parts.disclaimer }),
    routing: parts.routing,
    degraded: [...parts.degraded],
    ...(parts.models && parts.models.length > 0 && { models: [...parts.models] }),
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      embeddingTokens: 0,
      ...parts.spent,
      toolCalls: parts.toolCalls,
    },
    timings: parts.timings,
  };
}
