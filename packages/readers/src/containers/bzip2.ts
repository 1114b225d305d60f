// Unpacks bzip2 (J. Seward, bzip2 1.0.8; Burrows and Wheeler 1994) block by block, several streams in a row included. Invariant: at most one
// block is held (900,000 bytes, which runs may make 46 MB, given out in pieces), and each is checked against its sum before the next is read.
import { type BitReader, createBitReader, type HuffmanCode, toHuffmanCode } from './bzip2-bits.ts';
import { PackingFault } from './packing-fault.ts';

const blockMark = [0x314159, 0x265359] as const;
const endMark = [0x177245, 0x385090] as const;
const blockUnit = 100_000;
const groupSymbols = 50;
const pieceBytes = 256 * 1024;
const broken = (): PackingFault => new PackingFault('its packed data is broken');

/** Throws `PackingFault` with what is wrong, for people. */
export function* bzip2Pieces(bytes: Uint8Array): Generator<Uint8Array> {
  const table = new Uint32Array(9 * blockUnit);
  let at = 0;
  do {
    const level = (bytes[at + 3] ?? 0) - 0x30;
    if (bytes[at] !== 0x42 || bytes[at + 1] !== 0x5a || bytes[at + 2] !== 0x68 || level < 1 || level > 9) {
      // What stands behind the last stream is passed over, as bzip2 does.
      if (at > 0) return;
      throw broken();
    }
    const reader = createBitReader(bytes, at + 4);
    yield* piecesOfStream(reader, table.subarray(0, level * blockUnit));
    reader.align();
    at = reader.position();
  } while (at < bytes.length);
}

function* piecesOfStream(reader: BitReader, table: Uint32Array): Generator<Uint8Array> {
  let combined = 0;
  for (;;) {
    const mark = [reader.bits(24), reader.bits(24)] as const;
    const sum = ((reader.bits(16) << 16) | reader.bits(16)) >>> 0;
    if (mark[0] === endMark[0] && mark[1] === endMark[1]) {
      if (sum !== combined) throw new PackingFault('its checksum is wrong');
      return;
    }
    if (mark[0] !== blockMark[0] || mark[1] !== blockMark[1]) throw broken();
    combined = (((combined << 1) | (combined >>> 31)) ^ sum) >>> 0;
    const { length, origin } = readBlock(reader, table);
    yield* plainPieces({ table, length, origin, sum });
  }
}

/** Fills `table` with the last column of the sorted rotations and, in the upper bits, where each goes on. */
function readBlock(reader: BitReader, table: Uint32Array): { readonly length: number; readonly origin: number } {
  // "Randomised" blocks were given up with version 0.9.5 of 1999.
  if (reader.bits(1) !== 0) throw new PackingFault('it was packed by a version of before 1999');
  const origin = reader.bits(24);
  const used = readUsedBytes(reader);
  const { codes, selectors } = readCodes(reader, used.length + 2);
  const counts = new Uint32Array(256);
  const end = used.length + 1;
  let length = 0;
  let [group, left] = [0, 0];
  let code = codes[0] as HuffmanCode;
  let [run, weight] = [0, 1];
  const put = (byte: number, times: number): void => {
    if (length + times > table.length) throw broken();
    counts[byte] = (counts[byte] as number) + times;
    table.fill(byte, length, length + times);
    length += times;
  };
  for (;;) {
    if (left === 0) {
      const selector = selectors[group++];
      if (selector === undefined) throw broken();
      code = codes[selector] as HuffmanCode;
      left = groupSymbols;
    }
    left--;
    const symbol = reader.symbol(code);
    if (symbol <= 1) {
      // Lengths of runs are written by digits 1 and 2 of the powers of two.
      run += weight << symbol;
      weight <<= 1;
      if (weight > 2 * table.length) throw broken();
      continue;
    }
    if (run > 0) {
      put(used[0] as number, run);
      [run, weight] = [0, 1];
    }
    if (symbol === end) break;
    const byte = used[symbol - 1] as number;
    used.copyWithin(1, 0, symbol - 1);
    used[0] = byte;
    if (length >= table.length) throw broken();
    table[length++] = byte;
    counts[byte] = (counts[byte] as number) + 1;
  }
  if (origin >= length) throw broken();
  const places = new Uint32Array(256);
  for (let byte = 1; byte < 256; byte++) places[byte] = (places[byte - 1] as number) + (counts[byte - 1] as number);
  for (let at = 0; at < length; at++) {
    const byte = (table[at] as number) & 0xff;
    const place = places[byte] as number;
    places[byte] = place + 1;
    table[place] = (table[place] as number) | (at << 8);
  }
  return { length, origin };
}

/** Which bytes occur: a bit for each sixteen, then one for each of those. */
function readUsedBytes(reader: BitReader): Uint8Array {
  const sixteens = reader.bits(16);
  const used: number[] = [];
  for (let high = 0; high < 16; high++) {
    if ((sixteens & (0x8000 >> high)) === 0) continue;
    const bits = reader.bits(16);
    for (let low = 0; low < 16; low++) if ((bits & (0x8000 >> low)) !== 0) used.push(high * 16 + low);
  }
  if (used.length === 0) throw broken();
  return Uint8Array.from(used);
}

/** Two to six codes, and which of them each fifty symbols use. */
function readCodes(
  reader: BitReader,
  symbols: number,
): { readonly codes: readonly HuffmanCode[]; readonly selectors: Uint8Array } {
  const count = reader.bits(3);
  if (count < 2 || count > 6) throw broken();
  const selectors = new Uint8Array(reader.bits(15));
  const recent = Array.from({ length: count }, (_, index) => index);
  for (let at = 0; at < selectors.length; at++) {
    let place = 0;
    while (reader.bits(1) === 1) if (++place >= count) throw broken();
    const [chosen = 0] = recent.splice(place, 1);
    recent.unshift(chosen);
    selectors[at] = chosen;
  }
  const codes = Array.from({ length: count }, () => {
    const lengths = new Uint8Array(symbols);
    let length = reader.bits(5);
    for (let symbol = 0; symbol < symbols; symbol++) {
      while (reader.bits(1) === 1) length += reader.bits(1) === 0 ? 1 : -1;
      if (length < 1 || length > 20) throw broken();
      lengths[symbol] = length;
    }
    return toHuffmanCode(lengths);
  });
  return { codes, selectors };
}

const sums = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = (value & 0x80000000) === 0 ? value << 1 : (value << 1) ^ 0x04c11db7;
  return value >>> 0;
});

interface Block {
  readonly table: Uint32Array;
  readonly length: number;
  readonly origin: number;
  readonly sum: number;
}

/** Undoes the transform and the runs before it: after four equal bytes stands how many more there are. */
function* plainPieces({ table, length, origin, sum }: Block): Generator<Uint8Array> {
  let out = new Uint8Array(Math.min(pieceBytes, length * 2));
  let filled = 0;
  let state = 0xffffffff;
  let next = (table[origin] as number) >>> 8;
  let [last, equal] = [-1, 0];
  for (let left = length; left > 0; left--) {
    const entry = table[next] as number;
    const byte = entry & 0xff;
    next = entry >>> 8;
    const isCount = equal === 4;
    const times = isCount ? byte : 1;
    const value = isCount ? last : byte;
    equal = isCount ? 0 : byte === last ? equal + 1 : 1;
    last = isCount ? -1 : byte;
    for (let time = 0; time < times; time++) {
      state = ((state << 8) ^ (sums[((state >>> 24) ^ value) & 0xff] as number)) >>> 0;
      out[filled++] = value;
      if (filled === out.length) {
        yield out;
        out = new Uint8Array(pieceBytes);
        filled = 0;
      }
    }
  }
  if (~state >>> 0 !== sum) throw new PackingFault('its checksum is wrong');
  if (filled > 0) yield out.subarray(0, filled);
}
