// An answer out of past conversations in the shape of an answer out of documents, so that the same judges judge both and the same verifier
// checks its citations. Invariant: what it says is what the chat said, and a quote that is not in its turn has a place that does not verify.
import { archiveSource, chunkIdOf, placeOf, titleOf } from '../../agent/archive-chat/turn-spans.ts';
import { type Answer, answerVersion, type Citation, type Claim } from '../../core/answer.ts';
import { toInert } from '../../core/answers/inert-text.ts';
import { citedOrigin } from '../../core/answers/span-origin.ts';
import {
  type ArchiveChatAnswer,
  type ArchiveCitation,
  archivePlace,
  type ReadTurn,
  turnPath,
} from '../../core/archive.ts';
import { cutAtMarks } from '../../core/marked-text.ts';
import type { Mode } from '../../core/search.ts';
import type { JudgedContext } from '../../evals/judges/judged-answer.ts';
import { countTokens } from '../../text/tokens/tokens.ts';

type TurnName = Pick<ArchiveCitation, 'turn_id' | 'conversation_id'>;

export interface ChatToRead {
  readonly mode: Mode;
  readonly totalMs: number;
  /** All of a turn that it cites; undefined where it is gone. */
  readonly turnOf: (name: TurnName) => Promise<ReadTurn | undefined>;
}

export async function chatAsAnswer(chat: ArchiveChatAnswer, { mode, totalMs, turnOf }: ChatToRead): Promise<Answer> {
  const citations = await Promise.all(chat.citations.map(async (cited) => citationOf(cited, await turnOf(cited))));
  const sources = [...Map.groupBy(citations, ({ chunkId }) => chunkId).values()].flatMap(([first]) => first ?? []);
  return {
    id: chat.trace_id ?? chat.conversation_id,
    version: answerVersion,
    traceId: chat.trace_id ?? '',
    mode,
    intent: 'conversational',
    answer: chat.answer,
    marks: [...(chat.marks ?? [])],
    claims: chat.abstained ? [] : claimsOf(chat),
    citations,
    conflicts: [],
    sources: sources.map(({ documentId, chunkId, title, uri, score, quote }) => ({
      documentId,
      chunkId,
      title,
      uri,
      score,
      contextTokens: countTokens(quote),
      cited: true,
    })),
    abstained: chat.abstained,
    ragEnabled: true,
    confidence: chat.abstained ? 0 : chat.coverage,
    coverage: chat.coverage,
    routing: { sources: [archiveSource], reason: 'past conversations were asked' },
    degraded: chat.degraded.map((effect) => ({ component: 'chat', code: 'partial', detail: effect, effect })),
    usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0, toolCalls: chat.usage.peeks, costUsd: 0 },
    timings: { totalMs },
  };
}

/**
 * A line or sentence up to its marks is a claim of them; what has no mark is none. Of one that shows what was said word by word the words are
 * judged: who said them and when is the record's, and stands in no quote.
 */
function claimsOf({ answer, marks = [], citations }: ArchiveChatAnswer): Claim[] {
  const claims: { said: string; readonly indexes: number[] }[] = [];
  for (const { text, citation } of cutAtMarks({ text: answer, marks })) {
    // Marks behind each other are of one claim.
    if (citation !== undefined) claims.at(-1)?.indexes.push(citation);
    else if (text.trim() !== '') claims.push({ said: text.trim(), indexes: [] });
  }
  return claims.flatMap(({ said, indexes }) => {
    if (indexes.length === 0) return [];
    const shown = citations.filter(
      ({ index, quote }) => indexes.includes(index) && said.includes(`“${toInert(quote)}”`),
    );
    return { text: shown.map(({ quote }) => quote).join(' ') || said, citations: indexes, support: 1 };
  });
}

/** The messages that it cites, in the order of its citations. */
export async function contextOfChat(
  { citations }: Pick<Answer, 'citations'>,
  turnOf: ChatToRead['turnOf'],
): Promise<readonly JudgedContext[]> {
  const read = new Map<string, JudgedContext>();
  for (const { chunkId, documentId, quote } of citations) {
    const place = placeOf(chunkId);
    if (!place || read.has(chunkId)) continue;
    const turn = await turnOf({ conversation_id: place.conversationId, turn_id: place.turnId });
    const message = turn?.messages[place.at];
    if (message?.text.includes(quote)) read.set(chunkId, { chunkId, documentId, text: message.text });
  }
  return [...read.values()];
}

function citationOf(cited: ArchiveCitation, turn: ReadTurn | undefined): Citation {
  const { turn_id: turnId, conversation_id: conversationId, quote, index } = cited;
  const messages = turn?.messages ?? [];
  const at = messages.findIndex(({ text }) => text.includes(quote));
  const message = messages[at];
  const start = message?.text.indexOf(quote) ?? 0;
  const url = turnPath({ conversationId, turnId });
  const timestamp = message?.timestamp ?? turn?.timestamp;
  return {
    index,
    documentId: archivePlace(conversationId),
    chunkId: chunkIdOf({ conversationId, turnId, at: Math.max(0, at) }),
    title: turn && message ? titleOf(turn, message) : cited.title,
    uri: `turn:${turnId}`,
    url,
    source: archiveSource,
    quote,
    start,
    end: start + quote.length,
    score: 1,
    alsoIn: [],
    ...citedOrigin({ kind: 'archive', conversationId, turnId, url, ...(timestamp !== undefined && { timestamp }) }),
  };
}
