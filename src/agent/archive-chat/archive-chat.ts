// A question to the archive of conversations as a traced request: by a model where one is configured, by rules where not or where it fails,
// which is said. Invariants: every step stands in the trace once; what is read is bounded and told; what was said stays said.

import {
  type ArchiveChatAnswer,
  type ArchiveChatEvent,
  type ArchiveCitation,
  archivePlace,
  chatTraces,
} from '../../core/archive.ts';
import type { RequestBudget } from '../../core/budget.ts';
import type { RequestContext } from '../../core/context.ts';
import { FootnoteError } from '../../core/errors.ts';
import { joinMarked, type MarkedText } from '../../core/marked-text.ts';
import type { ArchiveChats } from '../../memory/archive/archive.ts';
import type { PassageScorer } from '../../models/encoder/passage-scorer.ts';
import { analyzeText } from '../../text/analyze.ts';
import { withRecorder } from '../../trace/recorder.ts';
import { createTracing, type RequestCall, type TracingOptions } from '../tracing/traced.ts';
import { streamText } from '../turn/stream-parts.ts';
import { answerByModel, type ChatModel } from './by-model.ts';
import { answerByRules } from './by-rules.ts';
import type { ChatOutcome } from './outcome.ts';
import { createReading, type ExploreLimits, type ReadableArchive } from './reading.ts';

export interface ChatRequest {
  readonly conversationId?: string | undefined;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface ChatCall extends Pick<RequestCall, 'timeoutMs' | 'onWaiting'> {
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ArchiveChatEvent) => void) | undefined;
}

export interface ArchiveChatPorts extends TracingOptions {
  readonly archive: ReadableArchive;
  readonly chats: Pick<ArchiveChats, 'add' | 'lastQuestion'>;
  readonly limits: ExploreLimits;
  readonly passageScorer?: PassageScorer | undefined;
  /** Who explores and writes; rules where there is none. */
  readonly chatModelFor?: ((budget: RequestBudget) => ChatModel | undefined) | undefined;
}

/** As the trace keeps it: a chat that was begun has its id, too. */
export interface TracedChat {
  readonly conversation_id: string;
  readonly messages: ChatRequest['messages'];
}

const idPattern = /^[A-Za-z0-9._:@-]{1,128}$/u;

export function createArchiveChat(options: ArchiveChatPorts) {
  const { ids } = options;
  const traced = createTracing(options);

  /** Runs a chat whose id is known. */
  async function chat(body: TracedChat, call: ChatCall = {}): Promise<ArchiveChatAnswer> {
    const { signal, onEvent, ...others } = call;
    const { result, lost } = await traced<ArchiveChatAnswer>(
      {
        kind: 'chat',
        body,
        call: { ...others, ...(signal && { signal }), sessionId: chatTraces(body.conversation_id) },
        told: ({ abstained }) => ({ outcome: abstained ? 'abstained' : 'answered' }),
      },
      ({ context }) => answer(body, { ...options, onEvent, context }),
    );
    return lost.length === 0
      ? result
      : { ...result, degraded: [...result.degraded, ...lost.map(({ effect }) => effect)] };
  }

  return {
    chat,
    async start({ conversationId, messages }: ChatRequest, call?: ChatCall): Promise<ArchiveChatAnswer> {
      if (conversationId !== undefined && !idPattern.test(conversationId))
        throw new FootnoteError('invalid-request', 'conversation_id: has 1 to 128 letters, digits or . _ : @ - signs.');
      questionOf(messages);
      return chat({ conversation_id: conversationId ?? ids.next('chat'), messages }, call);
    },
  };
}

/** What the last message of a person says. Throws `invalid-request`. */
function questionOf(messages: ChatRequest['messages']): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content.trim() ?? '';
  if (content === '')
    throw new FootnoteError('invalid-request', 'messages: holds no message of the role "user" that says anything.');
  return content;
}

interface AnswerParts extends ArchiveChatPorts {
  readonly onEvent: ChatCall['onEvent'];
  readonly context: RequestContext;
}

async function answer({ conversation_id: id, messages }: TracedChat, parts: AnswerParts): Promise<ArchiveChatAnswer> {
  const { limits, context, onEvent } = parts;
  const { sink, clock, deadline, budget, traceId } = context;
  const { signal } = deadline;
  const content = questionOf(messages);
  const archive = withRecorder('archive', parts.archive, context);
  const chats = withRecorder('chats', { lastQuestion: parts.chats.lastQuestion }, context);
  const places = (): { documentId: string }[] =>
    reading.conversations().map((conversation) => ({ documentId: archivePlace(conversation) }));
  const tell = (step: ArchiveChatEvent): void => {
    sink({ type: 'archive', step, places: places() });
    onEvent?.(step);
  };
  const reading = createReading({ archive, limits, signal, tell });
  const before = messages.filter(({ role }) => role === 'user').at(-2)?.content ?? (await chats.lastQuestion(id));
  const question = resolve(content, before);
  let told = joinMarked([]);
  const say = (piece: MarkedText, citations: readonly ArchiveCitation[] = []): void => {
    for (const citation of citations) tell({ type: 'citation', ...citation });
    const marks = told.marks.length;
    told = joinMarked([told, piece]);
    streamText({ text: piece.text, marks: told.marks.slice(marks) }, tell);
  };
  const nowMs = Date.parse(clock.now());
  const passageScorer = parts.passageScorer && withRecorder('passage-scorer', parts.passageScorer, context);
  const ports = { reading, archive, passageScorer, nowMs, signal, say };
  const failed: string[] = [];
  let outcome: ChatOutcome | undefined;
  const model = parts.chatModelFor?.(budget);
  if (model) {
    const { maxTokens, maxHydrations } = limits;
    const asked = await answerByModel(question, model, { ...ports, context, maxTokens, maxHydrations });
    if ('failed' in asked) {
      failed.push(`${asked.failed} The archive was explored without a model.`);
      sink({
        type: 'degraded',
        degradation: {
          component: 'chat-model',
          code: 'model-failed',
          detail: asked.failed,
          effect: 'Rules explored the archive.',
        },
      });
    } else outcome = asked;
  }
  outcome ??= await answerByRules(question, ports);
  deadline.check();
  const { citations, abstained, weak, coverage, timeRange, degraded } = outcome;
  const done: ArchiveChatAnswer = {
    conversation_id: id,
    answer: told.text,
    marks: told.marks,
    citations,
    cited_turn_ids: [...new Set(citations.map(({ turn_id }) => turn_id))],
    hydrated_turn_ids: reading.turns().map(({ turn_id }) => turn_id),
    abstained,
    weak,
    coverage,
    ...(timeRange && { time_range: timeRange }),
    usage: reading.usage(),
    ...(outcome.model !== undefined && { model: outcome.model }),
    trace_id: traceId,
    degraded: [...failed, ...degraded, ...reading.degraded()],
  };
  const read = new Set(reading.turns().map(({ conversation_id }) => conversation_id));
  await parts.chats.add({ id, question: content, answer: done, conversations: [...read], at: clock.now() });
  sink({ type: 'chatted', answer: done, places: places() });
  return done;
}

const leaning = /^(?:and|but|so|what about|how about|und)\b|\b(?:it|that|this|they|them|he|she|him|her|then|there)\b/iu;

/** A question that leans on the one before is asked together with it. */
function resolve(content: string, before: string | undefined): string {
  if (before === undefined) return content;
  const terms = analyzeText(content).length;
  return terms <= 1 || (terms <= 4 && leaning.test(content)) ? `${before} ${content}` : content;
}
