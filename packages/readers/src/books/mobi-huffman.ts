// Text of Kindle books that is packed by codes of Huffman for phrases (records HUFF and CDIC, as the MobileRead wiki describes them): a code of up to 32 bits
// stands for a phrase, which may be packed in the same way. Invariant: phrases nest to a fixed depth, each is unpacked once, and no record, nor
// all phrases together, becomes longer than a limit; what leads outside of the tables is damage.

export interface HuffmanTables {
  /** The text of a record of at most `maxBytes`; undefined for a damaged one. */
  unpack(record: Buffer, maxBytes: number): Buffer | undefined;
}

const maxDepth = 20;
const maxPhrases = 1_000_000;
/** Unpacked phrases are kept, all together up to this. */
const maxPhraseBytes = 32 * 1024 * 1024;
/** Codes that are read in one book: one stands for two to five letters. */
const maxCodes = 50_000_000;
const codes = 256;
const lengths = 32;

interface Phrase {
  bytes: Buffer;
  isPlain: boolean;
  isOpen: boolean;
}

/** The tables of a HUFF record and of the CDIC records behind it; undefined where they are damaged. */
export function huffmanTables(
  huff: Buffer | undefined,
  dictionaries: readonly (Buffer | undefined)[],
): HuffmanTables | undefined {
  const lookup = huff && readCodes(huff);
  const phrases = readPhrases(dictionaries);
  if (lookup === undefined || phrases === undefined) return undefined;
  let kept = 0;
  let read = 0;

  const unpack = (packed: Buffer, maxBytes: number, depth: number): Buffer | undefined => {
    const parts: Buffer[] = [];
    let length = 0;
    const bits = packed.length * 8;
    for (let at = 0; at < bits; ) {
      const found = lookup(codeAt(packed, at));
      // What is left over fills the last byte.
      if ((found === undefined && bits - at < 8) || (found !== undefined && at + found.length > bits)) break;
      if (found === undefined || ++read > maxCodes) return undefined;
      at += found.length;
      const phrase = phrases[found.phrase];
      if (phrase === undefined) return undefined;
      if (!phrase.isPlain) {
        if (phrase.isOpen || depth >= maxDepth) return undefined;
        phrase.isOpen = true;
        const plain = unpack(phrase.bytes, maxBytes, depth + 1);
        phrase.isOpen = false;
        if (plain === undefined) return undefined;
        kept += plain.length;
        if (kept > maxPhraseBytes) return undefined;
        phrase.bytes = plain;
        phrase.isPlain = true;
      }
      if (phrase.bytes.length > 0) parts.push(phrase.bytes);
      length += phrase.bytes.length;
      if (length > maxBytes) return undefined;
    }
    return Buffer.concat(parts);
  };
  return { unpack: (record, maxBytes) => unpack(record, maxBytes, 0) };
}

/** The 32 bits from a place on, zeros behind the end. */
function codeAt(packed: Buffer, at: number): number {
  const byte = at >> 3;
  const shift = at & 7;
  let code = 0;
  for (let index = 0; index < 4; index++) {
    const pair = ((packed[byte + index] ?? 0) << 8) | (packed[byte + index + 1] ?? 0);
    code = code * 256 + ((pair >> (8 - shift)) & 0xff);
  }
  return code;
}

interface Code {
  readonly length: number;
  readonly phrase: number;
}

/**
 * For each first byte of a code: its length, whether that is all there is to know (bit 7), and the largest code of that length. Else the code is longer: by
 * the smallest and largest code of each length from 1 to 32 it is told how long.
 */
function readCodes(huff: Buffer): ((code: number) => Code | undefined) | undefined {
  if (huff.length < 24 || huff.toString('latin1', 0, 4) !== 'HUFF') return undefined;
  const [first, second] = [huff.readUInt32BE(8), huff.readUInt32BE(12)];
  if (first + codes * 4 > huff.length || second + lengths * 8 > huff.length) return undefined;
  const pairAt = (length: number): readonly [smallest: number, largest: number] => {
    const at = second + (length - 1) * 8;
    return [huff.readUInt32BE(at), huff.readUInt32BE(at + 4)];
  };
  return (code) => {
    const entry = huff.readUInt32BE(first + Math.floor(code / 2 ** 24) * 4);
    let length = entry & 0x1f;
    if (length === 0) return undefined;
    const bitsOf = (): number => Math.floor(code / 2 ** (lengths - length));
    if ((entry & 0x80) !== 0) return { length, phrase: (entry >>> 8) - bitsOf() };
    for (; length <= lengths; length++) {
      const [smallest, largest] = pairAt(length);
      if (bitsOf() >= smallest) return { length, phrase: largest - bitsOf() };
    }
    return undefined;
  };
}

function readPhrases(dictionaries: readonly (Buffer | undefined)[]): Phrase[] | undefined {
  const phrases: Phrase[] = [];
  for (const one of dictionaries) {
    if (one === undefined || one.length < 16 || one.toString('latin1', 0, 4) !== 'CDIC') return undefined;
    const [whole, bits] = [one.readUInt32BE(8), one.readUInt32BE(12)];
    const count = Math.min(2 ** Math.min(bits, 20), whole - phrases.length);
    if (whole > maxPhrases || count < 0 || 16 + count * 2 > one.length) return undefined;
    for (let index = 0; index < count; index++) {
      const at = 16 + one.readUInt16BE(16 + index * 2);
      if (at + 2 > one.length) return undefined;
      const head = one.readUInt16BE(at);
      const bytes = one.subarray(at + 2, at + 2 + (head & 0x7fff));
      phrases.push({ bytes, isPlain: (head & 0x8000) !== 0, isOpen: false });
    }
  }
  return phrases.length === 0 ? undefined : phrases;
}
