// Places in turns of the archive, as citations name them and as they are read back. Invariant: what is read back is the record's own text now;
// a place that is not there any more is none.
import type { SpanReader, VerifiedSpan } from '../../answer/claims/draft.ts';
import { quotedAt } from '../../answer/claims/quoted.ts';
import { type ArchiveMessage, archivePlace, type ReadTurn } from '../../core/archive.ts';
import { asAbsent } from '../../core/errors.ts';
import { keyOf, type ReadableArchive } from './reading.ts';

type TurnName = Pick<ReadTurn, 'turn_id' | 'conversation_id'>;

/** One message of a turn. */
export interface MessagePlace {
  readonly conversationId: string;
  readonly turnId: string;
  readonly at: number;
}

export const archiveSource = 'archive';

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export const toDay = (timestamp: string): string => dateFormat.format(Date.parse(timestamp));

/** Whose words they are and when they were said. */
export function titleOf(turn: Pick<ReadTurn, 'title' | 'timestamp'>, message: ArchiveMessage): string {
  const at = message.timestamp ?? turn.timestamp;
  const speaker = message.author ?? (message.role === 'user' ? 'the user' : `the ${message.role}`);
  return `${turn.title}. Said by ${speaker}${at === undefined ? '' : ` on ${toDay(at)}`}.`;
}

/** `turn:<conversation>/<turn>#<message>`, with the start of a piece of it behind an `@`. */
export const chunkIdOf = ({ conversationId, turnId, at }: MessagePlace, start = 0): string =>
  `turn:${encodeURIComponent(conversationId)}/${encodeURIComponent(turnId)}#${at}${start === 0 ? '' : `@${start}`}`;

export function placeOf(chunkId: string): MessagePlace | undefined {
  const found = /^turn:([^/#@]+)\/([^/#@]+)#(\d{1,6})(?:@\d{1,9})?$/u.exec(chunkId);
  if (!found) return undefined;
  const [, conversation = '', turn = '', at] = found;
  try {
    return { conversationId: decodeURIComponent(conversation), turnId: decodeURIComponent(turn), at: Number(at) };
  } catch {
    return undefined;
  }
}

/** All of a turn as it stands in the record; undefined where it is gone. */
export const wholeTurn = (
  { turn_id, conversation_id }: TurnName,
  archive: Pick<ReadableArchive, 'turn'>,
): Promise<ReadTurn | undefined> =>
  archive
    .turn(turn_id, { conversationId: conversation_id, content: 'full', maxTokens: Number.MAX_SAFE_INTEGER })
    .catch(asAbsent);

/** The same, each turn read once. */
export function wholeTurns(archive: Pick<ReadableArchive, 'turn'>): (name: TurnName) => ReturnType<typeof wholeTurn> {
  const read = new Map<string, ReturnType<typeof wholeTurn>>();
  return (name) => {
    const key = keyOf(name);
    const reading = read.get(key) ?? wholeTurn(name, archive);
    read.set(key, reading);
    return reading;
  };
}

export interface TurnSpanOptions {
  readonly readTurn: ReturnType<typeof wholeTurns>;
  /** Opens a turn. */
  readonly urlOf: (turn: TurnName) => string;
}

/** Reads spans of turns; `others` reads all that are none. */
export function withTurnSpans(others: SpanReader, { readTurn, urlOf }: TurnSpanOptions): SpanReader {
  return async (reference, signal) => {
    const place = placeOf(reference.chunkId);
    if (!place) return others(reference, signal);
    const { conversationId, turnId, at } = place;
    const name = { turn_id: turnId, conversation_id: conversationId };
    const turn = await readTurn(name);
    const message = turn?.messages[at];
    return turn && message && toSpan(reference, { turn, message, url: urlOf(name) });
  };
}

function toSpan(
  { documentId, chunkId, start, end }: Parameters<SpanReader>[0],
  { turn, message, url }: { readonly turn: ReadTurn; readonly message: ArchiveMessage; readonly url: string },
): VerifiedSpan | undefined {
  const { turn_id: turnId, conversation_id: conversationId } = turn;
  if (!documentId.startsWith(archivePlace(conversationId))) return undefined;
  if (!(Number.isInteger(start) && Number.isInteger(end)) || start < 0 || end <= start || end > message.text.length)
    return undefined;
  const timestamp = message.timestamp ?? turn.timestamp;
  return {
    documentId,
    chunkId,
    start,
    end,
    ...quotedAt(message.text, { start, end }),
    title: titleOf(turn, message),
    uri: `turn:${turnId}`,
    source: archiveSource,
    origin: { kind: 'archive', turnId, conversationId, url, ...(timestamp !== undefined && { timestamp }) },
  };
}
