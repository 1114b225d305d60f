// Writes Kindle books for tests by hand: records of a Palm database with the heads that readers look at. Text is packed as PalmDOC does where asked.
const recordBytes = 4096;

/** Letters with a space before them as one byte, runs of what came before as references, bytes beyond ASCII as runs. */
export function palmPacked(text: Buffer): Buffer {
  const out: number[] = [];
  for (let at = 0; at < text.length; ) {
    const window = text.subarray(Math.max(0, at - 2047), at);
    const wanted = text.subarray(at, at + 10);
    let length = wanted.length;
    let found = -1;
    for (; length >= 3; length--) {
      found = window.lastIndexOf(wanted.subarray(0, length));
      if (found >= 0) break;
    }
    const [code = 0, next = 0] = [text[at], text[at + 1]];
    if (length >= 3 && found >= 0) {
      const pair = 0x8000 | ((window.length - found) << 3) | (length - 3);
      out.push(pair >> 8, pair & 0xff);
      at += length;
    } else if (code === 0x20 && next >= 0x40 && next < 0x80) {
      out.push(next ^ 0x80);
      at += 2;
    } else {
      if (code >= 0x80 || (code >= 1 && code <= 8)) out.push(1);
      out.push(code);
      at++;
    }
  }
  return Buffer.from(out);
}

/**
 * Codes for phrases: the first 240 have eight bits, from 255 downwards, the others twelve, from 0x0ff downwards. Each phrase is two letters; every third one is packed
 * itself, of its letters.
 */
export function huffmanPacked(text: Buffer): {
  readonly tables: readonly Buffer[];
  readonly pack: (part: Buffer) => Buffer;
} {
  const phrases = [...new Set([...text].map((byte) => String.fromCharCode(byte)))];
  for (let at = 0; at + 1 < text.length; at += 2) {
    const pair = text.toString('latin1', at, at + 2);
    if (phrases.length < 480 && !phrases.includes(pair)) phrases.push(pair);
  }
  // Those of one letter last: they have the long codes.
  phrases.sort((a, b) => b.length - a.length);
  const number = new Map(phrases.map((phrase, index) => [phrase, index]));
  const bitsOf = (phrase: number): string =>
    phrase < 240 ? (255 - phrase).toString(2).padStart(8, '0') : (0xff - (phrase - 240)).toString(2).padStart(12, '0');
  const packedBits = (bits: string): Buffer =>
    Buffer.from((bits.match(/.{1,8}/gu) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
  const pack = (part: Buffer): Buffer => {
    const codes: string[] = [];
    for (let at = 0; at < part.length; ) {
      const pair = number.get(part.toString('latin1', at, at + 2));
      const length = pair !== undefined && at + 2 <= part.length ? 2 : 1;
      codes.push(bitsOf(number.get(part.toString('latin1', at, at + length)) ?? 0));
      at += length;
    }
    return packedBits(codes.join(''));
  };
  const huff = Buffer.alloc(24 + 256 * 4 + 64 * 4);
  huff.write('HUFF', 0, 'latin1');
  huff.writeUInt32BE(24, 4);
  huff.writeUInt32BE(24, 8);
  huff.writeUInt32BE(24 + 1024, 12);
  for (let byte = 0; byte < 256; byte++) huff.writeUInt32BE(byte < 16 ? 9 : (255 << 8) | 0x80 | 8, 24 + byte * 4);
  for (let length = 9; length <= 11; length++) huff.writeUInt32BE(16 << (length - 8), 24 + 1024 + (length - 1) * 8);
  huff.writeUInt32BE(0xff + 240, 24 + 1024 + 11 * 8 + 4);
  // Real ones have both tables once more, with the bytes of each number the other way round.
  const turned = Buffer.from(huff.subarray(24)).swap32();
  const cdics: Buffer[] = [];
  for (let from = 0; from < phrases.length; from += 256) {
    const own = phrases.slice(from, from + 256);
    const bodies = own.map((phrase, index) => {
      const isPacked = phrase.length === 2 && index % 3 === 0;
      const bytes = isPacked
        ? packedBits([...phrase].map((letter) => bitsOf(number.get(letter) ?? 0)).join(''))
        : Buffer.from(phrase, 'latin1');
      const head = Buffer.alloc(2);
      head.writeUInt16BE(bytes.length | (isPacked ? 0 : 0x8000));
      return Buffer.concat([head, bytes]);
    });
    const head = Buffer.alloc(16 + own.length * 2);
    head.write('CDIC', 0, 'latin1');
    head.writeUInt32BE(16, 4);
    head.writeUInt32BE(phrases.length, 8);
    head.writeUInt32BE(8, 12);
    let offset = own.length * 2;
    for (const [index, body] of bodies.entries()) {
      head.writeUInt16BE(offset, 16 + index * 2);
      offset += body.length;
    }
    cdics.push(Buffer.concat([head, ...bodies]));
  }
  return { tables: [Buffer.concat([huff, turned]), ...cdics], pack };
}

export interface MobiFixture {
  readonly html: string;
  /** 1 plain, 2 by PalmDOC (default), 17480 by codes for phrases. */
  readonly packing?: number;
  readonly protection?: number;
  readonly facts?: Readonly<Record<number, string>>;
  readonly pictures?: readonly Uint8Array[];
  /** Of the newer kind, with this behind the text. */
  readonly styles?: string;
  /** Behind each record of text: an entry that says its length, and no bytes of a character. */
  readonly hasTrailers?: boolean;
}

export function mobiOf({
  html,
  packing = 2,
  protection = 0,
  facts = {},
  pictures = [],
  styles,
  hasTrailers = false,
}: MobiFixture): Uint8Array {
  const text = Buffer.from(html + (styles ?? ''));
  const huffman = packing === 17_480 ? huffmanPacked(text) : undefined;
  const tables = huffman?.tables ?? [];
  const texts: Buffer[] = [];
  for (let at = 0; at < text.length; at += recordBytes) {
    const part = text.subarray(at, at + recordBytes);
    const packed = packing === 2 ? palmPacked(part) : (huffman?.pack(part) ?? part);
    texts.push(hasTrailers ? Buffer.concat([packed, Buffer.from([0, 7, 7, 0x83])]) : packed);
  }
  const flows = Buffer.alloc(28);
  flows.write('FDST', 0, 'latin1');
  flows.writeUInt32BE(12, 4);
  flows.writeUInt32BE(2, 8);
  flows.writeUInt32BE(Buffer.byteLength(html), 16);
  flows.writeUInt32BE(Buffer.byteLength(html), 20);
  flows.writeUInt32BE(text.length, 24);
  const head = Buffer.alloc(16 + 232);
  head.writeUInt16BE(packing, 0);
  head.writeUInt32BE(text.length, 4);
  head.writeUInt16BE(texts.length, 8);
  head.writeUInt16BE(recordBytes, 10);
  head.writeUInt16BE(protection, 12);
  head.write('MOBI', 16, 'latin1');
  head.writeUInt32BE(232, 20);
  head.writeUInt32BE(65_001, 28);
  head.writeUInt32BE(styles === undefined ? 6 : 8, 36);
  head.writeUInt32BE(texts.length + 1, 108);
  if (huffman !== undefined) {
    head.writeUInt32BE(texts.length + pictures.length + 1, 112);
    head.writeUInt32BE(tables.length, 116);
  }
  head.writeUInt32BE(0x40, 128);
  head.writeUInt32BE(texts.length + 1 + pictures.length + tables.length, 192);
  head.writeUInt16BE(hasTrailers ? 3 : 0, 242);
  const entries = Object.entries(facts).map(([kind, value]) => {
    const body = Buffer.from(value);
    const entry = Buffer.alloc(8);
    entry.writeUInt32BE(Number(kind), 0);
    entry.writeUInt32BE(8 + body.length, 4);
    return Buffer.concat([entry, body]);
  });
  const exth = Buffer.alloc(12);
  exth.write('EXTH', 0, 'latin1');
  exth.writeUInt32BE(entries.length, 8);
  const records = [
    Buffer.concat([head, exth, ...entries]),
    ...texts,
    ...pictures.map((one) => Buffer.from(one)),
    ...tables,
    flows,
  ];
  const database = Buffer.alloc(78 + records.length * 8);
  database.write('A_book', 0, 'latin1');
  database.write('BOOKMOBI', 60, 'latin1');
  database.writeUInt16BE(records.length, 76);
  let offset = database.length;
  records.forEach((one, index) => {
    database.writeUInt32BE(offset, 78 + index * 8);
    offset += one.length;
  });
  return Uint8Array.from(Buffer.concat([database, ...records]));
}
