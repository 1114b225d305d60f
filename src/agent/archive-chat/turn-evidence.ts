// Turns of the archive as what an answer is composed from: each message a passage, each passage a place in its message as the record has it.
// Invariant: what is read back for a citation is the record's own text, read anew; a turn is never a document.
import type { SpanReader, VerifiedSpan } from '../../answer/draft.ts';
import { type ArchiveCitation, type ArchiveMessage, archivePlace, type ReadTurn } from '../../core/archive.ts';
import { isFootnoteError } from '../../core/errors.ts';
import type { Evidence } from '../../core/search.ts';
import { ellipsis } from '../../memory/archive/summary.ts';
import type { ReadableArchive } from './reading.ts';

export interface TurnPassages {
  /** In the order of the turns. */
  readonly evidence: readonly Evidence[];
  readonly readSpan: SpanReader;
  /** What a span that was read back is cited as. */
  citationOf(span: VerifiedSpan): Omit<ArchiveCitation, 'index'> | undefined;
}

export interface TurnPassagesOptions {
  readonly archive: Pick<ReadableArchive, 'turn'>;
  /** What stands for a document where no more than a few passages of one are read. Default: the turn. */
  readonly by?: 'turn' | 'conversation';
  readonly urlOf?: (turn: Pick<ReadTurn, 'turn_id' | 'conversation_id'>) => string;
}

const source = 'archive';
const dateFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export const toDay = (timestamp: string): string => dateFormat.format(Date.parse(timestamp));

const speakerOf = ({ role, author }: Pick<ArchiveMessage, 'role' | 'author'>): string =>
  author ?? (role === 'user' ? 'the user' : `the ${role}`);

/** Whose words they are and when they were said: a claim may say it, too. */
export function titleOf(turn: Pick<ReadTurn, 'title' | 'timestamp'>, message: ArchiveMessage): string {
  const at = message.timestamp ?? turn.timestamp;
  return `${turn.title}. Said by ${speakerOf(message)}${at === undefined ? '' : ` on ${toDay(at)}`}.`;
}

interface Place {
  readonly turn: ReadTurn;
  /** Of its message in the turn. */
  readonly at: number;
  readonly message: ArchiveMessage;
}

export async function openTurnPassages(
  turns: readonly ReadTurn[],
  { archive, by = 'turn', urlOf = () => '' }: TurnPassagesOptions,
): Promise<TurnPassages> {
  const places = new Map<string, Place>();
  const evidence: Evidence[] = [];
  const placeOf = (chunkId: string): Place | undefined => places.get(chunkId.replace(/@\d+$/u, ''));
  for (const [rank, turn] of turns.entries()) {
    const conversation = archivePlace(turn.conversation_id);
    const messages = turn.content_used === 'full' ? turn.messages : await wholeOf(turn, archive);
    for (const { at, start, end } of piecesOf(turn, messages)) {
      const message = messages[at] as ArchiveMessage;
      const chunkId = `${conversation}/${turn.turn_id}#${at}`;
      places.set(chunkId, { turn, at, message });
      const timestamp = message.timestamp ?? turn.timestamp;
      const score = 1 / (1 + rank / 10);
      evidence.push({
        chunkId: start === 0 ? chunkId : `${chunkId}@${start}`,
        documentId: by === 'turn' ? `${conversation}/${turn.turn_id}` : conversation,
        title: titleOf(turn, message),
        uri: `turn:${turn.turn_id}`,
        url: urlOf(turn),
        source,
        sourceType: 'conversation',
        stores: [],
        text: message.text.slice(start, end),
        start,
        end,
        headingPath: [],
        ...(timestamp !== undefined && { publishedAt: timestamp }),
        score,
        scores: { fused: score },
        ranks: {},
        alsoIn: [],
        related: [],
      });
    }
  }
  const anew = new Map<ReadTurn, Promise<readonly ArchiveMessage[]>>();
  return {
    evidence,
    async readSpan({ documentId, chunkId, start, end }) {
      const place = placeOf(chunkId);
      if (!place || !(Number.isInteger(start) && Number.isInteger(end)) || start < 0 || end <= start) return undefined;
      const { turn, at } = place;
      const read = anew.get(turn) ?? wholeOf(turn, archive);
      anew.set(turn, read);
      const message = (await read)[at];
      if (!message || end > message.text.length) return undefined;
      const timestamp = message.timestamp ?? turn.timestamp;
      return {
        documentId,
        chunkId,
        start,
        end,
        quote: message.text.slice(start, end),
        title: titleOf(turn, message),
        uri: `turn:${turn.turn_id}`,
        source,
        archived: {
          turnId: turn.turn_id,
          conversationId: turn.conversation_id,
          url: urlOf(turn),
          ...(timestamp !== undefined && { timestamp }),
        },
      };
    },
    citationOf({ chunkId, quote }) {
      const place = placeOf(chunkId);
      if (!place) return undefined;
      const { turn, message } = place;
      const timestamp = message.timestamp ?? turn.timestamp;
      return {
        turn_id: turn.turn_id,
        conversation_id: turn.conversation_id,
        title: turn.title,
        ...(timestamp !== undefined && { timestamp }),
        role: message.role,
        ...(message.author !== undefined && { author: message.author }),
        quote,
      };
    },
  };
}

/** All messages of a turn as they stand in the record; none where it is gone. */
async function wholeOf(
  { turn_id, conversation_id }: ReadTurn,
  archive: Pick<ReadableArchive, 'turn'>,
): Promise<readonly ArchiveMessage[]> {
  try {
    const whole = { conversationId: conversation_id, content: 'full', maxTokens: Number.MAX_SAFE_INTEGER } as const;
    return (await archive.turn(turn_id, whole)).messages;
  } catch (error) {
    if (isFootnoteError(error) && error.code === 'not-found') return [];
    throw error;
  }
}

interface Piece {
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** What of the whole messages was read: all of them, or the runs of sentences of a summary. */
function piecesOf({ content_used, messages: read }: ReadTurn, messages: readonly ArchiveMessage[]): readonly Piece[] {
  if (content_used === 'full') return messages.map(({ text }, at) => ({ at, start: 0, end: text.length }));
  const pieces: Piece[] = [];
  let next = 0;
  for (const { role, text } of read) {
    const runs = text.split(ellipsis);
    const at = messages.findIndex((one, place) => place >= next && one.role === role && placesOf(runs, one.text));
    if (at < 0) continue;
    next = at + 1;
    for (const { start, end } of placesOf(runs, (messages[at] as ArchiveMessage).text) ?? [])
      pieces.push({ at, start, end });
  }
  return pieces;
}

/** Where the runs of a summary stand, one behind the other; undefined where one does not. */
function placesOf(runs: readonly string[], text: string): readonly Omit<Piece, 'at'>[] | undefined {
  const places: Omit<Piece, 'at'>[] = [];
  let from = 0;
  for (const run of runs) {
    const start = text.indexOf(run, from);
    if (start < 0) return undefined;
    from = start + run.length;
    places.push({ start, end: from });
  }
  return places;
}
