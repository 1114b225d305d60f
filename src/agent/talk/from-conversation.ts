// A question about the conversation, answered from it: what was asked, in the user's words, and what was answered, cited again. Invariants: a user's words
// are cited as their turn; a claim of an earlier answer is checked anew against the documents that it cites, and names its turn; what no longer
// holds is left out and counted.
import type { DraftClaim, SpanReader, VerifiedSpan } from '../../answer/claims/draft.ts';
import { quotedAt } from '../../answer/claims/quoted.ts';
import type { Turn } from '../../core/conversation.ts';
import { sessionTurnPath, turnPlace } from '../../core/conversation.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { termsOf } from '../../text/terms.ts';
import type { TurnContext, Understood, Verified } from '../turn/turn-state.ts';
import { type AskedOfConversation, askedOfConversation } from './asks-of-conversation.ts';
import { tellQuoted } from './tell-quoted.ts';

export interface ConversationPorts {
  /** The session before this message, oldest first: its last turns. Absent or empty: there is none. */
  readonly earlier?: readonly Turn[] | undefined;
  /** As much of it as is read at once, from its beginning or up to its end. */
  readonly wholeConversation?: ((from: 'first' | 'last') => Promise<readonly Turn[]>) | undefined;
  readonly readSpan: SpanReader;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
  /** Where a session is read: the address of this server. */
  readonly sessionUrl?: ((sessionId: string, turnId: string) => string) | undefined;
}

/** Claims of an answer about a conversation: a question and its answer for each of some turns. */
const mostClaims = 10;
const longestWords = 60;
/** Of the words of its topic, that a turn has to hold. */
const leastShare = 0.5;

/** Undefined where it asks of documents, or nothing of the conversation speaks of it. */
export async function fromConversation(
  state: Understood,
  ports: ConversationPorts,
  context: TurnContext,
): Promise<Verified | undefined> {
  const { request } = state;
  if (!ports.earlier || ports.earlier.length === 0 || request.content === undefined) return undefined;
  const asked = askedOfConversation(request.content);
  if (!asked) return undefined;
  return context.timed('conversationMs', async () => {
    const from = asked.which !== 'all' && asked.which > 0 ? 'first' : 'last';
    const read = (await ports.wholeConversation?.(from)) ?? ports.earlier ?? [];
    const turns = chosenTurns(asked, read);
    const unread = asked.which === 'all' ? (read[0]?.ordinal ?? 1) - 1 : 0;
    return turns.length === 0 ? undefined : tell(state, { asked, turns, unread, ports, context });
  });
}

function chosenTurns({ which, topic }: AskedOfConversation, turns: readonly Turn[]): readonly Turn[] {
  const about = turns.filter(({ content, resolvedQuestion, answer }) => {
    if (topic.length === 0) return true;
    const held = new Set(
      termsOf(`${content} ${resolvedQuestion} ${answer.answer}`.slice(0, 4_000)).map(({ term }) => term),
    );
    return topic.filter((term) => held.has(term)).length >= leastShare * topic.length;
  });
  const one = which === 'all' ? undefined : about.at(which > 0 ? which - 1 : which);
  return which === 'all' ? about : one ? [one] : [];
}

function tell(
  state: Understood,
  {
    asked,
    turns,
    unread,
    ports: { readSpan, spanUrl, sessionUrl = sessionTurnPath },
    context,
  }: {
    readonly asked: AskedOfConversation;
    readonly turns: readonly Turn[];
    /** Turns before those that were read. */
    readonly unread: number;
    readonly ports: ConversationPorts;
    readonly context: TurnContext;
  },
): Promise<Verified> {
  const perTurn = asked.of === 'both' ? 2 : 1;
  // The newest are what a summary of a long conversation keeps; the last turns are not crowded out by the first.
  const shown = turns.slice(-Math.floor(mostClaims / perTurn));
  const missing = turns.length - shown.length + unread;
  const told = shown.flatMap((turn) => {
    const drafts = [
      ...(asked.of === 'answers' ? [] : questionOf(turn)),
      ...(asked.of === 'questions' ? [] : answerOf(turn)),
    ];
    const origin = { kind: 'answer', turnId: turn.id, timestamp: turn.createdAt } as const;
    return drafts.map((draft) => ({ draft, origin }));
  });
  return tellQuoted(
    state,
    {
      told,
      readSpan: withTurnSpans(readSpan, shown, sessionUrl),
      spanUrl,
      of: 'conversation',
      left: missing > 0 ? `The conversation has ${missing} earlier turns.` : undefined,
    },
    context,
  );
}

/** What the user asked: the first sentence of the message, of a long one its beginning. */
function questionOf({ id, content }: Turn): readonly DraftClaim[] {
  const [first] = segmentSentences(content);
  if (!first) return [];
  const words = [...content.slice(first.start, first.end).matchAll(/\S+/gu)].slice(0, longestWords);
  const last = words.at(-1);
  if (!last) return [];
  const end = first.start + last.index + last[0].length;
  const text = content.slice(first.start, end);
  return [{ text, spans: [{ documentId: id, chunkId: id, start: first.start, end }], relevance: 1 }];
}

/** What was answered first; nothing where the answer abstained. */
function answerOf({ answer: { claims, citations } }: Turn): readonly DraftClaim[] {
  const [first] = claims;
  if (!first) return [];
  const spans = first.citations.flatMap((index) => {
    const cited = citations[index - 1];
    return cited ? [{ documentId: cited.documentId, chunkId: cited.chunkId, start: cited.start, end: cited.end }] : [];
  });
  return spans.length === 0 ? [] : [{ text: first.text, spans, relevance: 1 }];
}

/** Sessions are read from the same address as documents. */
export const sessionUrlBeside =
  (spanUrl: ConversationPorts['spanUrl']) =>
  (sessionId: string, turnId: string): string =>
    `${spanUrl('', { start: 0, end: 0 }).split('/v1/')[0] ?? ''}${sessionTurnPath(sessionId, turnId)}`;

/** Spans of turns beside those of documents. */
export function withTurnSpans(
  readSpan: SpanReader,
  turns: readonly Pick<Turn, 'id' | 'sessionId' | 'ordinal' | 'content' | 'createdAt'>[],
  sessionUrl: (sessionId: string, turnId: string) => string,
): SpanReader {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  return async (reference, signal): Promise<VerifiedSpan | undefined> => {
    const turn = reference.documentId === reference.chunkId ? byId.get(reference.documentId) : undefined;
    if (!turn) return readSpan(reference, signal);
    const { start, end } = reference;
    const { id, content, createdAt, sessionId, ordinal } = turn;
    if (start < 0 || end > content.length || start >= end) return undefined;
    return {
      documentId: id,
      chunkId: id,
      start,
      end,
      ...quotedAt(content, { start, end }),
      ...turnPlace({ sessionId, ordinal }),
      origin: { kind: 'turn', turnId: id, url: sessionUrl(sessionId, id), timestamp: createdAt },
    };
  };
}
