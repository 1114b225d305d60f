// The index of a tenant's archive: sealed pieces and a table of the newest turns, and beside them what is known of each turn by its place.
// Turns in the record are the truth: what the index lacks is analysed when it is opened, and what it has of turns that are gone is taken
// out of its pieces, in memory at once and on the disk by `purge`. Invariant: a place is never used twice.

import { type ArchiveMessage, type ArchiveRole, archiveRoles } from '../../../core/archive.ts';
import { inPieces } from '../../../core/waiting/pieces.ts';
import type { ArchiveIndexRepository, ArchiveTurnFacts, ArchiveTurnRow } from '../../../db/repositories/archive.ts';
import { analyzeQuery, analyzeText } from '../../../text/analyze.ts';
import {
  createPostingTable,
  isPiece,
  openPiece,
  type Piece,
  type SealedPiece,
  sealedTurns,
  type TurnTerms,
} from './postings.ts';

/** A piece with the place in the whole index of each of its turns; -1: gone. */
export interface PlacedPiece {
  readonly piece: Piece;
  readonly places: Int32Array | readonly number[];
}

/** What is known of turns beside their words, by place. */
export interface TurnColumns {
  /** Places in use. */
  size: number;
  rows: Float64Array;
  /** 0: gone. */
  conversations: Float64Array;
  /** NaN: not known. */
  atMs: Float64Array;
  owners: Uint16Array;
  /** Who says it, from 1; 0: not known. */
  authors: Uint16Array;
  /** Terms. */
  lengths: Uint16Array;
}

export interface ArchiveIndex {
  readonly pieces: readonly PlacedPiece[];
  readonly columns: TurnColumns;
  /** Place of a row, or -1. */
  placeOf(row: number): number;
  /** By the number that stands in `owners`. */
  readonly owners: readonly string[];
  /** Numbers in `authors` of those whose name has this term. */
  authorsNamed(term: string): readonly number[];
  /** Languages of conversations, most frequent first. */
  languages(): readonly string[];
}

export interface KeptIndex extends ArchiveIndex {
  /**
   * Brings it to what is committed, whichever server did: whoever asks after a commit finds it. At once where there is but one server. False, now and from
   * now on: it did not follow for too long, and is to be opened anew.
   */
  follow(): Promise<boolean>;
  /** Call when the turns are durable. */
  add(turns: readonly ArchiveTurnRow[]): Promise<void>;
  remove(rows: readonly number[]): Promise<void>;
  /** Takes the words of removed turns out of the pieces on the disk. */
  purge(): Promise<void>;
}

interface KeptPiece extends PlacedPiece {
  piece: SealedPiece;
  places: Int32Array;
  /** Undefined: it is in memory alone. */
  id: number | undefined;
  isDirty: boolean;
}

/** Turns that are read at once when the index is opened. */
const together = 500;

export async function openArchiveIndex(repository: ArchiveIndexRepository): Promise<KeptIndex> {
  const sealed: KeptPiece[] = [];
  let table = createPostingTable();
  let tablePlaces: number[] = [];
  const owners: string[] = [];
  const languages = new Map<string, number>();
  const columns: TurnColumns = {
    size: 0,
    rows: new Float64Array(1024),
    conversations: new Float64Array(1024),
    atMs: new Float64Array(1024),
    owners: new Uint16Array(1024),
    authors: new Uint16Array(1024),
    lengths: new Uint16Array(1024),
  };
  const pause = inPieces();
  const { changes } = repository;
  /** What is known of the changes of other servers. */
  let mark = 0;

  const authors = new Map<string, number>();
  const authorsByTerm = new Map<string, number[]>();
  function authorOf(name: string | undefined): number {
    if (name === undefined) return 0;
    let author = authors.get(name);
    if (author !== undefined || authors.size === 0xffff) return author ?? 0;
    author = authors.size + 1;
    authors.set(name, author);
    for (const term of new Set(analyzeQuery(name, { languages: ['en'] })))
      authorsByTerm.set(term, [...(authorsByTerm.get(term) ?? []), author]);
    return author;
  }

  function place(turn: ArchiveTurnFacts): number {
    if (columns.size === columns.rows.length) grow(columns);
    let owner = owners.indexOf(turn.owner);
    if (owner === -1) owner = owners.push(turn.owner) - 1;
    const at = columns.size++;
    columns.rows[at] = turn.row;
    columns.conversations[at] = turn.conversation;
    columns.atMs[at] = turn.atMs ?? Number.NaN;
    columns.owners[at] = owner;
    columns.authors[at] = authorOf(turn.author);
    return at;
  }

  const store = ({ rows }: Piece, bytes: Uint8Array, replaced?: number): Promise<number | undefined> =>
    repository.putSegment(bytes, {
      firstRow: rows[0] as number,
      lastRow: rows[rows.length - 1] as number,
      mark,
      replaced,
    });

  async function sealTable(): Promise<void> {
    const whole = table.seal();
    // Of what was removed meanwhile no word is written.
    const bytes = tablePlaces.includes(-1) ? openPiece(whole).without((slot) => tablePlaces[slot] === -1) : whole;
    if (bytes) {
      const places = Int32Array.from(tablePlaces.filter((at) => at !== -1));
      const piece = openPiece(bytes);
      sealed.push({ piece, places, id: await store(piece, bytes), isDirty: false });
    }
    table = createPostingTable();
    tablePlaces = [];
  }

  async function analyse(turn: ArchiveTurnRow, at: number): Promise<void> {
    table.add(turn.row, await termsOfTurn(turn.messages, turn.language, pause));
    columns.lengths[at] = table.lengths[table.rows.length - 1] as number;
    tablePlaces.push(at);
    if (!languages.has(turn.language)) languages.set(turn.language, 1);
    if (table.rows.length >= sealedTurns) await sealTable();
  }

  const placeOf = (row: number): number => {
    let low = 0;
    let high = columns.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((columns.rows[middle] as number) < row) low = middle + 1;
      else high = middle;
    }
    return low < columns.size && columns.rows[low] === row ? low : -1;
  };

  async function open(): Promise<void> {
    mark = (await changes?.(Number.MAX_SAFE_INTEGER))?.mark ?? 0;
    for (const [language, conversations] of await repository.languages()) languages.set(language, conversations);
    for (let after = 0; ; ) {
      const facts = await repository.facts(after);
      for (const fact of facts) place(fact);
      await pause();
      const last = facts.at(-1);
      if (last === undefined) break;
      after = last.row;
    }
    const indexed = new Uint8Array(columns.size);
    for (let after = 0; ; ) {
      const segment = await repository.segmentAfter(after);
      if (!segment) break;
      const { id, bytes } = segment;
      after = id;
      const piece = bytes && isPiece(bytes) ? openPiece(bytes) : undefined;
      if (!piece) {
        await repository.deleteSegment(id);
        continue;
      }
      const places = new Int32Array(piece.rows.length);
      let isDirty = false;
      for (let slot = 0; slot < places.length; slot++) {
        const at = placeOf(piece.rows[slot] as number);
        places[slot] = at;
        if (at === -1) isDirty = true;
        else {
          columns.lengths[at] = piece.lengths[slot] as number;
          indexed[at] = 1;
        }
      }
      sealed.push({ piece, places, id, isDirty });
      await pause();
    }
    // What no piece has: the turns since the last one was sealed, and those of a piece that was damaged.
    for (let at = indexed.indexOf(0); at !== -1; at = indexed.indexOf(0, at)) {
      for (const turn of await repository.turnsAfter((columns.rows[at] as number) - 1, together)) {
        const found = placeOf(turn.row);
        if (found === -1 || indexed[found] === 1) continue;
        indexed[found] = 1;
        // Pieces that several servers keep do not reach over each other.
        if (changes && tablePlaces.length > 0 && tablePlaces.at(-1) !== found - 1) await sealTable();
        await analyse(turn, found);
        await pause();
      }
      indexed[at] = 1;
    }
  }

  await open();

  async function purge(): Promise<void> {
    for (const kept of sealed.filter(({ isDirty }) => isDirty)) {
      const { places, piece } = kept;
      const bytes = places.some((at) => at !== -1) ? piece.without((slot) => places[slot] === -1) : undefined;
      kept.isDirty = false;
      if (bytes === undefined) {
        if (kept.id !== undefined) await repository.deleteSegment(kept.id);
        sealed.splice(sealed.indexOf(kept), 1);
        continue;
      }
      const left = openPiece(bytes);
      kept.id = await store(left, bytes, kept.id);
      kept.piece = left;
      kept.places = places.filter((at) => at !== -1);
      await pause();
    }
  }
  await purge();

  async function add(turns: readonly ArchiveTurnRow[]): Promise<void> {
    for (const turn of turns) {
      const author = turn.messages.find((message) => message.author !== undefined)?.author;
      await analyse(turn, place({ ...turn, author }));
      await pause();
    }
  }

  async function remove(rows: readonly number[]): Promise<void> {
    for (const row of rows) {
      await pause();
      const at = placeOf(row);
      if (at === -1) continue;
      columns.conversations[at] = 0;
      const inTable = slotOf(table.rows, row);
      if (inTable !== -1) tablePlaces[inTable] = -1;
      for (const kept of sealed) {
        const slot = slotOf(kept.piece.rows, row);
        if (slot === -1 || kept.places[slot] === -1) continue;
        kept.places[slot] = -1;
        kept.isDirty = true;
      }
    }
  }

  async function catchUp(since: NonNullable<typeof changes>): Promise<boolean> {
    const now = await since(mark);
    if (!now.isWhole) return false;
    await remove(now.removed);
    mark = now.mark;
    for (let after = columns.rows[columns.size - 1] ?? 0; after < now.lastRow; ) {
      const turns = await repository.turnsAfter(after, together);
      await add(turns);
      after = turns.at(-1)?.row ?? now.lastRow;
    }
    return true;
  }

  /** What is done to it, one after another. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  /** Not begun: it will see whatever is committed by now. */
  let next: Promise<boolean> | undefined;
  async function follow(): Promise<boolean> {
    if (!changes) return true;
    next ??= inTurn(() => {
      next = undefined;
      return catchUp(changes);
    });
    return next;
  }

  return {
    follow,
    columns,
    placeOf,
    owners,
    authorsNamed: (term) => authorsByTerm.get(term) ?? [],
    get pieces() {
      return table.rows.length === 0 ? sealed : [...sealed, { piece: table, places: tablePlaces }];
    },
    languages: () =>
      [...languages]
        .sort(([one, left], [other, right]) => right - left || (one < other ? -1 : 1))
        .map(([name]) => name),
    add: async (turns) => void (await (changes ? follow() : add(turns))),
    remove: async (rows) => void (await (changes ? follow() : remove(rows))),
    purge: () => inTurn(purge),
  };
}

function slotOf(rows: ArrayLike<number>, row: number): number {
  if (row > (rows[rows.length - 1] ?? -1)) return -1;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row ? low : -1;
}

function grow(columns: TurnColumns): void {
  const size = columns.rows.length * 2;
  const larger = <T extends Float64Array | Uint16Array>(made: T, from: T): T => {
    made.set(from as never);
    return made;
  };
  columns.rows = larger(new Float64Array(size), columns.rows);
  columns.conversations = larger(new Float64Array(size), columns.conversations);
  columns.atMs = larger(new Float64Array(size), columns.atMs);
  columns.authors = larger(new Uint16Array(size), columns.authors);
  columns.owners = larger(new Uint16Array(size), columns.owners);
  columns.lengths = larger(new Uint16Array(size), columns.lengths);
}

export const roleBit = (role: ArchiveRole): number => 1 << archiveRoles.indexOf(role);

/** Characters that are read at once: some 5 ms. */
const pieceCharacters = 16_384;

/** Between two pieces of what is long others have their turn. */
async function termsOfTurn(
  messages: readonly ArchiveMessage[],
  language: string,
  pause: () => Promise<void> | undefined,
): Promise<TurnTerms> {
  const terms: TurnTerms[number][] = [];
  for (const { role, text } of messages)
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      terms.push([roleBit(role), analyzeText(text.slice(from, to), { language })]);
      from = to;
      await pause();
    }
  return terms;
}

/** Words are not cut but where there is no space in all of the piece. */
function endOfPiece(text: string, from: number): number {
  if (text.length - from <= pieceCharacters) return text.length;
  const space = Math.max(text.lastIndexOf(' ', from + pieceCharacters), text.lastIndexOf('\n', from + pieceCharacters));
  return space > from ? space : from + pieceCharacters;
}
