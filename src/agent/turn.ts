// One turn from question to checked answer: understand, search, read, compose, verify. Each step reports to the event
// log as it happens; text streams claim by claim, each after its check, and is never taken back.

import { composeAnswer } from '../answer/compose.ts';
import { assembleContext } from '../answer/context.ts';
import type { Context, Draft, SpanReader } from '../answer/draft.ts';
import { narrowToPassages } from '../answer/passages.ts';
import { renderAnswer } from '../answer/render.ts';
import { verifyDraft } from '../answer/verify.ts';
import type { Answer, Intent } from '../core/answer.ts';
import type { Deadline } from '../core/deadline.ts';
import type { EventSink } from '../core/events.ts';
import type { Ids } from '../core/ids.ts';
import type { Degradation, Filter, Mode, Routing } from '../core/search.ts';
import type { Retriever } from '../retrieval/retrieve.ts';
import { countTokens } from '../text/tokens.ts';
import { classifyIntent } from './intent.ts';

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
  /** Makes the address that opens a span highlighted. */
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

/** Evidence read for an answer when the request does not say: answers lie deeper than the page a person looks at. */
export const defaultReadingDepth = 10;

/** Long chunks are read by their best passages: about a paragraph each. */
const passageSize = { passageTokens: 250, passagesPerChunk: 2 };

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
  const { intent, reason } = classifyIntent(request.question);
  sink({ type: 'intent', intent, reason });
  const finish = (parts: AnswerParts): Answer => {
    const answer = toAnswer(request, ports.ids.next('ans'), intent, {
      ...parts,
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
  const retrieval = await timed('retrievalMs', () =>
    ports.retriever.retrieve(
      {
        query: request.question,
        mode: request.mode,
        topK: request.topK ?? defaultReadingDepth,
        ...(request.sources && { sources: request.sources }),
        ...(request.minScore !== undefined && { minScore: request.minScore }),
        ...(request.filter && { filter: request.filter }),
      },
      { sink, signal: deadline.signal },
    ),
  );

  sink({ type: 'status', stage: 'reading' });
  const passages = narrowToPassages(request.question, retrieval.evidence, { ...passageSize, countTokens });
  const context = assembleContext(passages, { budgetTokens: ports.contextTokens, countTokens });
  const statistics =
    context.blocks.length > 0
      ? await timed('statisticsMs', () => ports.retriever.statistics?.(request.question, deadline.signal))
      : undefined;
  const draft: Draft = await timed('composeMs', () =>
    composeAnswer({ question: request.question, context, ...(statistics && { statistics }) }),
  );

  sink({ type: 'status', stage: 'verifying' });
  const verified = await timed('verifyMs', () => verifyDraft(draft, ports.readSpan, { signal: deadline.signal }));
  for (const claim of verified.dropped)
    sink({ type: 'verdict', claim: claim.text, support: claim.support, kept: false, reasons: claim.reasons });

  sink({ type: 'status', stage: 'answering' });
  const rendered = renderAnswer({ claims: verified.claims, evidence: retrieval.evidence, spanUrl: ports.spanUrl });
  const dropped = verified.dropped.length;
  const degraded: Degradation[] = [...request.degraded, ...retrieval.degraded];
  if (dropped > 0)
    degraded.push({
      component: 'verifier',
      code: 'claim-dropped',
      detail: `${dropped} claim${dropped === 1 ? '' : 's'} did not pass the check against the cited text.`,
      effect: 'They were left out of the answer.',
    });
  const sources = sourcesOf(context, new Set(rendered.citations.map((citation) => citation.chunkId)));

  if (rendered.claims.length === 0) {
    const why =
      draft.abstainReason ??
      (retrieval.evidence.length === 0
        ? 'Nothing in the searched documents matches the question.'
        : 'No claim could be verified against the documents found.');
    const text = `I cannot answer that from these documents. ${why}`;
    sink({ type: 'delta', text });
    return finish({
      ...retrieval,
      degraded,
      sources,
      text,
      abstainReason: why,
      ragEnabled: true,
      coverage: draft.coverage,
      confidence: draft.confidence,
      claims: [],
      citations: [],
      contextTokens: context.tokens,
      toolCalls: 1,
    });
  }
  for (const claim of rendered.claims)
    sink({ type: 'verdict', claim: claim.text, support: claim.support, kept: true, reasons: [] });
  for (const part of rendered.parts) {
    for (const citation of part.citations) sink({ type: 'citation', citation });
    sink({ type: 'delta', text: part.text });
  }
  return finish({
    ...retrieval,
    degraded,
    sources,
    text: rendered.text,
    ragEnabled: true,
    coverage: draft.coverage,
    confidence: draft.confidence,
    claims: rendered.claims,
    citations: rendered.citations,
    contextTokens: context.tokens,
    toolCalls: 1,
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
  parts: AnswerParts & { timings: Answer['timings'] },
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
    // No model runs in this build: no tokens are bought.
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: parts.toolCalls, costUsd: 0 },
    timings: parts.timings,
  };
}
