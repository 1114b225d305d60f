// The step of a turn that recalls what is remembered of its user, and what else a turn does with it: a model reads memories as labelled data,
// a question about the user is answered from them before any document is looked at, and a message that only tells something is taken note of.
// Invariant: a memory is cited as one, with its own words, and never stands among the documents that were searched.
import type { SpanReader, VerifiedSpan } from '../../answer/claims/draft.ts';
import { quotedAt } from '../../answer/claims/quoted.ts';
import { renderAnswer } from '../../answer/render.ts';
import { verifyDraft } from '../../answer/verify.ts';
import { archivePlace } from '../../core/archive.ts';
import type { EventSink } from '../../core/events.ts';
import { memoryTitle, type RecalledMemory } from '../../core/memory.ts';
import type { Evidence } from '../../core/search.ts';
import type { RequestMemory } from '../../memory/facts/for-requests.ts';
import { nearAnswers } from '../../memory/facts/questions.ts';
import { searchRefusal } from '../turn/budgeted-search.ts';
import { streamParts } from '../turn/stream-parts.ts';
import { tellRecalled } from '../turn/tell-recalled.ts';
import type { Composed, Gathered, Planned, TurnContext, Understood, Verified } from '../turn/turn-state.ts';
import type { ComposeStepPorts } from './compose.ts';
import { unsearched, withoutSearch } from './unsearched.ts';

export interface RecallPorts {
  /** Absent: nothing is recalled, and nothing of memory is told. */
  readonly memory?: RequestMemory;
  /** What a model recalled while it looked things up. */
  readonly recalledByModel?: (() => readonly RecalledMemory[]) | undefined;
}

const source = 'memory';

/** What is recalled for a question, as the stream tells it. */
export async function recall(
  { request }: Understood,
  { memory }: RecallPorts,
  { sink, timed }: TurnContext,
): Promise<readonly RecalledMemory[]> {
  if (!memory) return [];
  const recalled = await timed('recallMs', () => memory.recall(request.question));
  tellRecalled(recalled, sink);
  return recalled;
}

/** What was recalled for the question, and what a model recalled since. */
export function allRecalled(
  recalled: readonly RecalledMemory[],
  { recalledByModel }: RecallPorts,
): readonly RecalledMemory[] {
  const known = new Set(recalled.map(({ id }) => id));
  return [...recalled, ...(recalledByModel?.() ?? []).filter(({ id }) => !known.has(id))];
}

function toEvidence(memory: RecalledMemory, url: string): Evidence {
  const { id, text, similarity } = memory;
  return {
    chunkId: id,
    documentId: id,
    title: memoryTitle(memory),
    uri: `memory:${id}`,
    url,
    source,
    sourceType: 'conversation',
    stores: [],
    text,
    start: 0,
    end: text.length,
    headingPath: [],
    publishedAt: memory.validFrom,
    score: similarity,
    scores: { fused: similarity },
    ranks: {},
    alsoIn: [],
    related: [],
  };
}

/** Spans of memories beside those of documents. */
function withMemorySpans(
  readSpan: SpanReader,
  memories: readonly RecalledMemory[],
  urlOf: RequestMemory['urlOf'],
): SpanReader {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return async (reference, signal) => {
    const memory = byId.get(reference.documentId);
    return memory ? toSpan(memory, reference, urlOf) : readSpan(reference, signal);
  };
}

function toSpan(
  memory: RecalledMemory,
  { start, end }: { readonly start: number; readonly end: number },
  urlOf: RequestMemory['urlOf'],
): VerifiedSpan | undefined {
  const { id, text } = memory;
  if (!(Number.isInteger(start) && Number.isInteger(end)) || start < 0 || end > text.length || start >= end)
    return undefined;
  const origin = memory.origins.at(-1);
  return {
    documentId: id,
    chunkId: id,
    start,
    end,
    ...quotedAt(text, { start, end }),
    title: memoryTitle(memory),
    uri: `memory:${id}`,
    source,
    origin: {
      kind: 'memory',
      id,
      url: urlOf(id),
      ...(origin?.turnId !== undefined && { turnId: origin.turnId }),
      timestamp: origin?.at ?? memory.updatedAt,
    },
  };
}

/** For a model, memories stand behind the passages, labelled as what they are; sentences of documents are composed without them. */
export function besideMemories<Ports extends ComposeStepPorts & RecallPorts>(
  state: Gathered,
  memories: readonly RecalledMemory[],
  ports: Ports,
): { readonly state: Gathered; readonly ports: Ports } {
  const { memory } = ports;
  if (!memory || memories.length === 0 || !ports.composerFor?.(state.intent)) return { state, ports };
  const { findings } = state;
  return {
    state: {
      ...state,
      findings: {
        ...findings,
        first: [...findings.first, ...memories.map((one) => toEvidence(one, memory.urlOf(one.id)))],
      },
    },
    ports: { ...ports, readSpan: withMemorySpans(ports.readSpan, memories, memory.urlOf) },
  };
}

/**
 * A question about its user, or one of which each part is, is answered from what they said, before anything is searched: no document answers
 * over a memory. Undefined where memory has no answer, or the request says where to look.
 */
export async function answerFromMemory(
  state: Planned,
  { memory, spanUrl, readSpan }: ComposeStepPorts & RecallPorts,
  { sink, deadline, timed }: TurnContext,
): Promise<ToldMemories | undefined> {
  const { request, plan } = state;
  if (!memory || request.sources !== undefined || request.filter !== undefined) return undefined;
  const asked = plan?.subQueries.map(({ query }) => query) ?? [request.content ?? request.question];
  const found = await timed('memoryMs', () => Promise.all(asked.map((question) => memory.answersTo(question))));
  if (found.some((answers) => answers.length === 0)) return undefined;
  const answers = found.flat().filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at);
  const confidence = Math.min(1, ...found.map(([first]) => first?.similarity ?? 0));
  return tellMemories(
    withoutSearch(state, 'a question about its user: it was answered from memory'),
    { answers, confidence, memory, spanUrl, readSpan },
    {
      sink,
      deadline,
    },
  );
}

/**
 * What was recalled for a question of somebody who speaks of himself, where nothing that was searched says anything: of what is asked about a person the
 * model takes some for a question about the world. Undefined where nothing was recalled.
 */
export async function answerFromRecalled(
  state: Composed,
  recalled: readonly RecalledMemory[],
  { memory, spanUrl, readSpan }: ComposeStepPorts & RecallPorts,
  context: TurnContext,
): Promise<ToldMemories | undefined> {
  const { request, findings, composition } = state;
  const answers = nearAnswers(request.content ?? request.question, recalled);
  const [best] = answers;
  if (!memory || !best || state.rendered.claims.length > 0 || request.sources || request.filter) return undefined;
  // What could not be searched, or was searched by another store than it should be, may answer.
  if (findings.usedFallback() || searchRefusal(findings.degraded()) !== undefined) return undefined;
  const said = withoutSearch(
    state,
    `${findings.routing().reason}; nothing found there answers: it was answered from memory`,
  );
  const own = {
    ...said,
    routing: { ...findings.routing(), reason: said.routing.reason },
    degraded: [...said.degraded, ...findings.degraded(), ...composition.degraded],
    toolCalls: findings.toolCalls(),
  };
  return tellMemories(own, { answers, confidence: best.similarity, memory, spanUrl, readSpan }, context);
}

interface ToldMemories {
  readonly state: Verified;
  readonly told: readonly RecalledMemory[];
}

interface MemoriesToTell extends Pick<ComposeStepPorts, 'spanUrl' | 'readSpan'> {
  readonly memory: RequestMemory;
  readonly answers: readonly RecalledMemory[];
  /** 0..1 */
  readonly confidence: number;
}

/** Memories as the whole of an answer, each checked as any quote. Undefined where none of them stands. */
async function tellMemories(
  state: Omit<Verified, 'text'>,
  { answers, confidence, memory, spanUrl, readSpan }: MemoriesToTell,
  { sink, deadline }: Pick<TurnContext, 'sink' | 'deadline'>,
): Promise<ToldMemories | undefined> {
  const reading = withMemorySpans(readSpan, answers, memory.urlOf);
  const draft = {
    claims: answers.map(({ id, text, similarity }) => ({
      text,
      spans: [{ documentId: id, chunkId: id, start: 0, end: text.length }],
      relevance: Math.min(1, similarity),
    })),
    coverage: 1,
    confidence,
  };
  const { claims } = await verifyDraft(draft, reading, { signal: deadline.signal });
  const told = renderAnswer({ claims, evidence: [], spanUrl });
  if (told.claims.length === 0) return undefined;
  for (const { text, support } of claims)
    sink({ type: 'verdict', claim: text, support, kept: true, reasons: ['memory'] });
  streamParts(told.parts, sink);
  return {
    state: {
      ...state,
      text: told.text,
      marks: [...told.marks],
      claims: [...told.claims],
      citations: [...told.citations],
      coverage: draft.coverage,
      confidence: draft.confidence,
    },
    told: answers.filter(({ id }) => told.citations.some(({ documentId }) => documentId === id)),
  };
}

/** Memories and turns of the archive are cited; they are no sources that were searched. */
export function withoutMemorySources(state: Verified, memories: readonly RecalledMemory[]): Verified {
  const ids = new Set(memories.map(({ id }) => id));
  return {
    ...state,
    sources: state.sources.filter(({ documentId }) => !ids.has(documentId) && !documentId.startsWith(archivePlace(''))),
  };
}

/** The whole of a turn that asks nothing and tells something: it is said what will be remembered. */
export function takeNote(state: Understood, texts: readonly string[], sink: EventSink): Verified {
  const noted = texts.map((text) => `“${text.replace(/(?<![.!])[.!]+$/u, '')}”`).join('; ');
  return unsearched(
    state,
    {
      text: `Noted. I will remember: ${noted}.`,
      reason: 'a message that tells something: nothing was searched',
      degraded: [...state.degraded],
    },
    sink,
  );
}
