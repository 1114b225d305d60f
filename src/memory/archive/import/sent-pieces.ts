// What readers give, as it leaves their process: in pieces that whoever writes them holds nobody up with. Invariant: every turn is sent
// under a key of its own, or what is left out of it is told.
import type { ArchiveMessage } from '../../../core/archive.ts';
import { sha256 } from '../../../core/ids.ts';
import type { ImportNotes, IncomingItem, IncomingMail, IncomingPiece, IncomingTurn } from './incoming.ts';

/** Turns of one piece. */
const turnsTogether = 200;
/** Characters of one turn; what somebody said is shorter by far. */
const mostCharacters = 1_000_000;

export async function* toSentPieces(
  pieces: AsyncIterable<IncomingPiece | IncomingMail>,
  notes: ImportNotes,
): AsyncGenerator<IncomingItem> {
  const distinct = createDistinct();
  const conversations = new Set<string>();
  for await (const piece of pieces) {
    if ('mail' in piece) {
      yield piece;
      continue;
    }
    const { conversation, isWhole, turns } = distinct(piece);
    // One that stands twice in an export is made of both: neither of them is the whole.
    const isAll = isWhole && !conversations.has(conversation.id);
    if (isWhole) conversations.add(conversation.id);
    for (let from = 0; from < turns.length; from += turnsTogether) {
      const own = turns.slice(from, from + turnsTogether);
      const isEnd = from + turnsTogether >= turns.length;
      yield {
        conversation,
        turns: own.map((turn) => withinLimits(turn, notes)),
        ...(isEnd && isAll && { keys: turns.map(({ key }) => key) }),
      };
    }
  }
}

const numberOf = (text: string): number => Number.parseInt(sha256(text).slice(0, 13), 16);

/** Gives turns of one key and other words keys of their own; what is the same word for word is given once. */
export function createDistinct(): (piece: IncomingPiece) => IncomingPiece {
  /** What was given of each key, and how often; numbers take a fifth of what texts would. */
  const given = new Set<number>();
  const copies = new Map<number, number>();
  const distinct = (conversation: string, turn: IncomingTurn): IncomingTurn | undefined => {
    if (turn.part) return turn;
    const name = numberOf(JSON.stringify([conversation, turn.key]));
    const said = numberOf(JSON.stringify([conversation, turn.key, turn.messages]));
    if (given.has(said)) return undefined;
    given.add(said);
    // A key that was made may be another's own.
    let copy = (copies.get(name) ?? 0) + 1;
    const made = (): number => numberOf(JSON.stringify([conversation, `${turn.key}~${copy}`]));
    while (copy > 1 && copies.has(made())) copy += 1;
    copies.set(name, copy);
    if (copy === 1) return turn;
    copies.set(made(), 1);
    return { ...turn, key: `${turn.key}~${copy}`, ...(turn.id !== undefined && { id: `${turn.id}~${copy}` }) };
  };
  return (piece) => ({ ...piece, turns: piece.turns.flatMap((turn) => distinct(piece.conversation.id, turn) ?? []) });
}

function withinLimits(turn: IncomingTurn, notes: ImportNotes): IncomingTurn {
  const all = turn.messages.reduce((sum, { text }) => sum + text.length, 0);
  if (all <= mostCharacters && turn.messages.length <= mostMessages) return turn;
  let left = mostCharacters;
  const messages: ArchiveMessage[] = [];
  for (const message of turn.messages.slice(0, mostMessages)) {
    if (left <= 0) break;
    messages.push(
      message.text.length <= left ? message : { ...message, text: message.text.slice(0, left).toWellFormed() },
    );
    left -= message.text.length;
  }
  notes.warn(
    `Turn ${turn.key.slice(0, 80)} is longer than ${mostCharacters} characters or ${mostMessages} messages: ${Math.max(0, -left)} characters and ${turn.messages.length - messages.length} messages at its end are left out.`,
  );
  return { ...turn, messages };
}

/** Messages of one turn. */
const mostMessages = 5000;
