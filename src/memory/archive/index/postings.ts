// Postings of turns: which turns hold a term, how often, and in whose words. A table grows in memory; sealed, it is one run of bytes that is
// written once and read as it lies. Invariant: both give the same postings for the same turns, slots ascending.
import { FootnoteError } from '../../../core/errors.ts';
import { encode, findString, packStrings, type Strings, stringAt } from '../../../engine/strings.ts';

/** Turns of one sealed piece; a table that has as many is sealed. */
export const sealedTurns = 8192;

/** How often a term stands in a turn, at most, and above it whose words they are: a bit for each role. */
const mostFrequent = 15;
const roleShift = 4;

export interface Postings {
  /** Places of turns in their piece, from `from` up to and without `to`. */
  readonly slots: ArrayLike<number>;
  /** `frequency | roles << 4`. */
  readonly weights: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

export const frequencyOf = (weight: number): number => weight & mostFrequent;
export const rolesOf = (weight: number): number => weight >>> roleShift;
const toWeight = (frequency: number, roles: number): number => Math.min(frequency, mostFrequent) | (roles << roleShift);

export interface Piece {
  /** Rows of its turns, ascending. */
  readonly rows: ArrayLike<number>;
  /** Terms of each turn, counted as often as they stand. */
  readonly lengths: ArrayLike<number>;
  find(term: string): Postings | undefined;
}

/** The terms of one turn by the bits of the roles that say them. */
export type TurnTerms = readonly (readonly [roles: number, terms: readonly string[]])[];

export interface PostingTable extends Piece {
  add(row: number, turn: TurnTerms): void;
  seal(): Uint8Array;
}

interface Growing {
  readonly slots: number[];
  readonly weights: number[];
}

export function createPostingTable(): PostingTable {
  const rows: number[] = [];
  const lengths: number[] = [];
  const lists = new Map<string, Growing>();
  const find = (term: string): Postings | undefined => {
    const list = lists.get(term);
    return list && { ...list, from: 0, to: list.slots.length };
  };
  return {
    rows,
    lengths,
    find,
    add(row, turn) {
      const slot = rows.length;
      let length = 0;
      for (const [roles, terms] of turn) {
        length += terms.length;
        for (const term of terms) {
          let list = lists.get(term);
          if (list === undefined) {
            list = { slots: [], weights: [] };
            lists.set(term, list);
          }
          const last = list.slots.length - 1;
          if (list.slots[last] === slot) {
            const weight = list.weights[last] as number;
            list.weights[last] = toWeight(frequencyOf(weight) + 1, rolesOf(weight) | roles);
          } else {
            list.slots.push(slot);
            list.weights.push(toWeight(1, roles));
          }
        }
      }
      rows.push(row);
      lengths.push(Math.min(length, 0xffff));
    },
    seal: () =>
      seal({
        rows,
        lengths,
        terms: [...lists.keys()]
          .map((term) => [encode(term), term] as const)
          .sort(([left], [right]) => Buffer.compare(left, right))
          .map(([, term]) => term),
        find,
      }),
  };
}

/** Changes with the analyzer: pieces of another one are made anew from the turns. */
const mark = 0x46_41_52_32;

function layoutOf(entries: number, terms: number, postings: number) {
  const rows = 32;
  const termOffsets = rows + entries * 8;
  const postingOffsets = termOffsets + (terms + 1) * 4;
  const lengths = postingOffsets + (terms + 1) * 4;
  const slots = lengths + entries * 2;
  const weights = slots + postings * 2;
  return { rows, termOffsets, postingOffsets, lengths, slots, weights, bytes: weights + postings };
}

interface Source {
  readonly rows: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
  /** In the order of their bytes. */
  readonly terms: readonly string[];
  find(term: string): Postings | undefined;
}

/** `keeps`: places of turns that are kept, where not all are. */
function seal({ rows, lengths, terms, find }: Source, keeps?: (slot: number) => boolean): Uint8Array {
  const places = new Int32Array(rows.length).fill(-1);
  let entries = 0;
  for (let slot = 0; slot < rows.length; slot++) if (!keeps || keeps(slot)) places[slot] = entries++;
  const kept: { readonly term: string; readonly postings: Postings; readonly count: number }[] = [];
  let total = 0;
  for (const term of terms) {
    const postings = find(term);
    if (!postings) continue;
    let count = 0;
    for (let at = postings.from; at < postings.to; at++) if (places[postings.slots[at] as number] !== -1) count += 1;
    if (count > 0) kept.push({ term, postings, count });
    total += count;
  }
  const words = packStrings(kept.map(({ term }) => term));
  const layout = layoutOf(entries, kept.length, total);
  const bytes = new Uint8Array(layout.bytes + words.bytes.length);
  const view = openViews(bytes.buffer, 0, { entries, terms: kept.length, postings: total });
  new Uint32Array(bytes.buffer, 0, 4).set([mark, entries, kept.length, total]);
  for (let slot = 0; slot < rows.length; slot++) {
    const place = places[slot] as number;
    if (place === -1) continue;
    view.rows[place] = rows[slot] as number;
    view.lengths[place] = lengths[slot] as number;
  }
  view.termOffsets.set(words.offsets);
  bytes.set(words.bytes, layout.bytes);
  let to = 0;
  for (const [index, { postings }] of kept.entries()) {
    for (let at = postings.from; at < postings.to; at++) {
      const place = places[postings.slots[at] as number] as number;
      if (place === -1) continue;
      view.slots[to] = place;
      view.weights[to++] = postings.weights[at] as number;
    }
    view.postingOffsets[index + 1] = to;
  }
  return bytes;
}

interface Sizes {
  readonly entries: number;
  readonly terms: number;
  readonly postings: number;
}

function openViews(buffer: ArrayBufferLike, at: number, { entries, terms, postings }: Sizes) {
  const layout = layoutOf(entries, terms, postings);
  return {
    rows: new Float64Array(buffer, at + layout.rows, entries),
    termOffsets: new Uint32Array(buffer, at + layout.termOffsets, terms + 1),
    postingOffsets: new Uint32Array(buffer, at + layout.postingOffsets, terms + 1),
    lengths: new Uint16Array(buffer, at + layout.lengths, entries),
    slots: new Uint16Array(buffer, at + layout.slots, postings),
    weights: new Uint8Array(buffer, at + layout.weights, postings),
  };
}

export interface SealedPiece extends Piece {
  /** The same without some of its turns: of their words nothing is left. Undefined where no turn is left. */
  without(isGone: (slot: number) => boolean): Uint8Array | undefined;
}

/** Whether bytes are a piece as this version writes it. */
export const isPiece = (bytes: Uint8Array): boolean =>
  bytes.length >= 32 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === mark;

/** Throws `data-corrupt` for bytes that are no piece. */
export function openPiece(given: Uint8Array): SealedPiece {
  // A copy of its own is aligned.
  const bytes = given.byteOffset % 8 === 0 ? given : given.slice();
  const at = bytes.byteOffset;
  const [found, entries = 0, terms = 0, postings = 0] = bytes.length < 32 ? [] : new Uint32Array(bytes.buffer, at, 4);
  const layout = layoutOf(entries, terms, postings);
  if (found !== mark || bytes.length < layout.bytes)
    throw new FootnoteError(
      'data-corrupt',
      'A piece of the archive’s index is damaged; it is made anew from the turns.',
    );
  const view = openViews(bytes.buffer, at, { entries, terms, postings });
  const words = Buffer.from(bytes.buffer, at + layout.bytes, bytes.length - layout.bytes);
  const strings: Strings = { offsets: view.termOffsets, bytes: words };
  const find = (term: string): Postings | undefined => {
    const index = findString(strings, encode(term));
    if (index === -1) return undefined;
    return {
      slots: view.slots,
      weights: view.weights,
      from: view.postingOffsets[index] as number,
      to: view.postingOffsets[index + 1] as number,
    };
  };
  return {
    rows: view.rows,
    lengths: view.lengths,
    find,
    without(isGone) {
      const { rows, lengths } = view;
      const all = Array.from({ length: terms }, (_, index) => stringAt(strings, index));
      const left = seal({ rows, lengths, terms: all, find }, (slot) => !isGone(slot));
      return new Uint32Array(left.buffer, 0, 4)[1] === 0 ? undefined : left;
    },
  };
}
