// Byte-pair encoding by the ranks of o200k_base, counting alone: the same merges as the encoder of gpt-tokenizer on a table
// of bytes, without a string per pair. Exact for well-formed text.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface RankTable {
  /** Open addressing: 1 + rank in the lower 18 bits, part of the hash in the others; 0 where free. */
  readonly slots: Int32Array;
  /** Ranks of two bytes, which most questions are about: first * 256 + second. */
  readonly twos: Int32Array;
  /** The bytes of token `rank` are `bytes[starts[rank]]` up to `starts[rank + 1]`. */
  readonly starts: Int32Array;
  readonly bytes: Uint8Array;
}

const none = 0x7fff_ffff;
const encoder = new TextEncoder();
const rankBits = 0x3_ffff;
/** More than twice the tokens there are; a power of two. */
const slotCount = 0x8_0000;

let table: RankTable | undefined;

/** What each digit of base64 stands for, by its code. */
const digits = new Int32Array(128).fill(none);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  digits[digit.charCodeAt(0)] = value;

/** About 5 MB (for some 200,000 tokens), made at first use of the bytes of the list itself: as strings they would take ten times that. */
function ranks(): RankTable {
  table ??= readRanks(readFileSync(fileURLToPath(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'))));
  return table;
}

const lineEnd = 0x0a;
const space = 0x20;

/** A line for each token: its bytes in base64, a space, its rank. Ranks ascend. */
function readRanks(list: Uint8Array): RankTable {
  const slots = new Int32Array(slotCount);
  const twos = new Int32Array(0x1_0000).fill(none);
  const starts: number[] = [];
  const bytes = new Uint8Array(list.length);
  let used = 0;
  for (let at = 0; at < list.length; at++) {
    const start = used;
    let bits = 0;
    for (let sum = 0; list[at] !== space; at++) {
      const digit = digits[list[at] ?? 0] ?? none;
      // The padding at the end says nothing.
      if (digit === none) continue;
      sum = ((sum << 6) | digit) & 0xffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      bytes[used++] = sum >>> bits;
    }
    let rank = 0;
    for (at++; at < list.length && list[at] !== lineEnd; at++) rank = rank * 10 + (list[at] ?? 0) - 0x30;
    // The list has holes.
    while (starts.length <= rank) starts.push(start);
    if (used - start === 2) twos[((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0)] = rank;
    const hash = hashOf(bytes, start, used);
    let slot = hash & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = (hash & ~rankBits) | (rank + 1);
  }
  starts.push(used);
  return { slots, twos, starts: Int32Array.from(starts), bytes: bytes.slice(0, used) };
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** The rank of a token of these bytes; `none` where they are not a token. */
function rankOf({ slots, twos, starts, bytes }: RankTable, piece: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length === 2) return twos[((piece[start] ?? 0) << 8) | (piece[start + 1] ?? 0)] ?? none;
  const hash = hashOf(piece, start, end);
  for (let slot = hash & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
    const held = slots[slot] ?? 0;
    if (held === 0) return none;
    // Most of what stands here by chance shows in the hash alone.
    if (((held ^ hash) & ~rankBits) !== 0) continue;
    const rank = (held & rankBits) - 1;
    const from = starts[rank] ?? 0;
    if ((starts[rank + 1] ?? 0) - from !== length) continue;
    let at = 0;
    while (at < length && bytes[from + at] === piece[start + at]) at++;
    if (at === length) return rank;
  }
}

/** Longer pieces get room of their own. */
const usualBytes = 2048;
/** Taken anew for each piece they would be half of the time. */
const usual = {
  piece: new Uint8Array(usualBytes),
  starts: new Int32Array(usualBytes),
  pairs: new Int32Array(usualBytes),
};

function roomFor(piece: string): typeof usual {
  const most = piece.length * 3 + 1;
  if (most <= usualBytes) return usual;
  return { piece: new Uint8Array(most), starts: new Int32Array(most), pairs: new Int32Array(most) };
}

/** Into `room` where each character is a byte; otherwise bytes of their own. */
function toBytes(piece: string, room: Uint8Array): Uint8Array {
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code > 0x7f) return encoder.encode(piece);
    room[at] = code;
  }
  return room;
}

/** Tokens of a piece that the pre-tokeniser cut (quadratic in its length). */
export function countMerged(piece: string): number {
  const known = ranks();
  const room = roomFor(piece);
  const { starts, pairs } = room;
  const bytes = toBytes(piece, room.piece);
  const length = bytes === room.piece ? piece.length : bytes.length;
  if (length < 2 || rankOf(known, bytes, 0, length) !== none) return Math.min(length, 1);
  // Part `n` starts at starts[n], and joined with the next it has the rank pairs[n].
  for (let at = 0; at <= length; at++) {
    starts[at] = at;
    pairs[at] = at + 2 <= length ? rankOf(known, bytes, at, at + 2) : none;
  }
  const rankAt = (part: number): number =>
    part + 2 <= parts ? rankOf(known, bytes, starts[part] as number, starts[part + 2] as number) : none;
  let parts = length;
  for (;;) {
    let lowest = none;
    let place = -1;
    for (let part = 0; part < parts - 1; part++) {
      const rank = pairs[part] as number;
      if (rank < lowest) {
        lowest = rank;
        place = part;
      }
    }
    if (place < 0) return parts;
    for (let part = place + 1; part < parts; part++) {
      starts[part] = starts[part + 1] as number;
      pairs[part] = pairs[part + 1] as number;
    }
    parts--;
    pairs[place] = rankAt(place);
    if (place > 0) pairs[place - 1] = rankAt(place - 1);
  }
}
