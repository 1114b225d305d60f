// Turns of the archive as what an answer is composed from: each message a passage, each passage a place in its message as the record has it.
// Invariant: a turn is never a document.
import type { SpanReader, VerifiedSpan } from '../../answer/claims/draft.ts';
import { type ArchiveCitation, type ArchiveMessage, archivePlace, type ReadTurn } from '../../core/archive.ts';
import type { Evidence } from '../../core/search.ts';
import { ellipsis } from '../../memory/archive/summary.ts';
import type { ReadableArchive } from './reading.ts';
import { archiveSource, chunkIdOf, placeOf, titleOf, wholeTurn, wholeTurns, withTurnSpans } from './turn-spans.ts';

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

export async function openTurnPassages(
  turns: readonly ReadTurn[],
  { archive, by = 'turn', urlOf = () => '' }: TurnPassagesOptions,
): Promise<TurnPassages> {
  const places = new Map<string, { readonly turn: ReadTurn; readonly message: ArchiveMessage }>();
  const evidence: Evidence[] = [];
  for (const [rank, turn] of turns.entries()) {
    const conversation = archivePlace(turn.conversation_id);
    const messages = turn.content_used === 'full' ? turn.messages : ((await wholeTurn(turn, archive))?.messages ?? []);
    for (const { at, start, end } of piecesOf(turn, messages)) {
      const message = messages[at] as ArchiveMessage;
      const place = { conversationId: turn.conversation_id, turnId: turn.turn_id, at };
      places.set(chunkIdOf(place), { turn, message });
      const timestamp = message.timestamp ?? turn.timestamp;
      const score = 1 / (1 + rank / 10);
      evidence.push({
        chunkId: chunkIdOf(place, start),
        documentId: by === 'turn' ? `${conversation}/${turn.turn_id}` : conversation,
        title: titleOf(turn, message),
        uri: `turn:${turn.turn_id}`,
        url: urlOf(turn),
        source: archiveSource,
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
  return {
    evidence,
    readSpan: withTurnSpans(async () => undefined, { readTurn: wholeTurns(archive), urlOf }),
    citationOf({ chunkId, quote }) {
      const place = placeOf(chunkId);
      const found = place && places.get(chunkIdOf(place));
      if (!found) return undefined;
      const { turn, message } = found;
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
