// The records of a Kindle book: a database of Palm (PDB) with heads of PalmDOC, MOBI and EXTH as the MobileRead wiki describes them, its text packed by
// PalmDOC's LZ77 or by codes for phrases. Every offset is held against the file; a record never becomes longer than a page of text may be.

import { assertTextLength } from '../canonical/canonical-text.ts';
import { ReadError } from '../read-error.ts';
import { huffmanTables } from './mobi-huffman.ts';

export interface MobiBook {
  /** HTML in its encoding. */
  readonly text: Uint8Array;
  readonly encoding: string;
  readonly facts: readonly (readonly [kind: number, value: string])[];
  /** By its number, from 1. */
  picture(number: number): Uint8Array | undefined;
}

const maxRecords = 65_535;
/** Records are made of 4,096 bytes of text. */
const mostRecordBytes = 65_536;
const maxFacts = 500;
const unset = 0xffff_ffff;
const [plain, palm, huffman] = [1, 2, 17_480];

/** Throws `invalid-media` for damaged and protected books, `unsupported-media` for those packed in another way. */
export function openMobi(bytes: Uint8Array, name: string): MobiBook {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = new ReadError('invalid-media', `${name} is damaged: its records cannot be read. Get the book again.`);
  const count = file.length < 80 ? 0 : Math.min(file.readUInt16BE(76), maxRecords);
  const record = (index: number): Buffer | undefined => {
    if (index < 0 || index >= count || 78 + count * 8 > file.length) return undefined;
    const end = index + 1 < count ? file.readUInt32BE(78 + (index + 1) * 8) : file.length;
    return file.subarray(file.readUInt32BE(78 + index * 8), end);
  };
  const head = record(0);
  if (head === undefined || head.length < 16) throw damaged;
  const [packing, records, protection] = [head.readUInt16BE(0), head.readUInt16BE(8), head.readUInt16BE(12)];
  if (protection !== 0)
    throw new ReadError(
      'invalid-media',
      `${name} is protected against copying (DRM): its text is encrypted. Give an unprotected copy.`,
    );
  if (packing !== plain && packing !== palm && packing !== huffman)
    throw new ReadError(
      'unsupported-media',
      `${name} is a Kindle book that is packed in a way that is not read. Convert it to EPUB (Calibre does it) or PDF.`,
      { details: { packing } },
    );
  const numberAt = (at: number): number | undefined => (at + 4 <= head.length ? head.readUInt32BE(at) : undefined);
  const isMobi = head.toString('latin1', 16, 20) === 'MOBI';
  const headBytes = isMobi ? (numberAt(20) ?? 0) : 0;
  const flags = headBytes >= 228 && head.length >= 244 ? head.readUInt16BE(242) : 0;
  const unpack = packing === plain ? same : packing === palm ? unpacked : phrasesOf();
  if (unpack === undefined) throw damaged;
  const parts: Buffer[] = [];
  let length = 0;
  for (let index = 1; index <= records; index++) {
    const packed = record(index);
    if (packed === undefined) break;
    const part = unpack(withoutTrailers(packed, flags));
    if (part === undefined) throw damaged;
    parts.push(part);
    length += part.length;
    assertTextLength(name, length);
  }
  if (length === 0) throw damaged;
  const whole = Buffer.concat(parts);
  const firstPicture = isMobi ? (numberAt(108) ?? unset) : unset;
  return {
    text: headBytes >= 200 && numberAt(36) === 8 ? firstFlow(whole, record(numberAt(192) ?? -1)) : whole,
    encoding: numberAt(28) === 65_001 && isMobi ? 'utf-8' : 'windows-1252',
    facts: isMobi && ((numberAt(128) ?? 0) & 0x40) !== 0 ? readFacts(head.subarray(16 + headBytes)) : [],
    picture: (number) => (number < 1 || firstPicture === unset ? undefined : record(firstPicture + number - 1)),
  };

  /** The head says which record has the codes, and with how many it is followed by their phrases. */
  function phrasesOf(): ((record: Buffer) => Buffer | undefined) | undefined {
    const [first, records] = [numberAt(112) ?? 0, Math.min(numberAt(116) ?? 0, count)];
    if (!isMobi || first === 0) return undefined;
    const tables = huffmanTables(
      record(first),
      Array.from({ length: Math.max(0, records - 1) }, (_, index) => record(first + 1 + index)),
    );
    return tables && ((packed) => tables.unpack(packed, mostRecordBytes));
  }
}

const same = (record: Buffer): Buffer => record;

/** What follows the text in a record: entries that say their length at their end, then bytes of a character that was cut. */
function withoutTrailers(record: Buffer, flags: number): Buffer {
  let end = record.length;
  for (let bits = flags >> 1; bits > 0; bits >>= 1) {
    if ((bits & 1) === 0) continue;
    let size = 0;
    for (let at = end - 1, shift = 0; at >= 0 && shift < 28; at--, shift += 7) {
      const byte = record[at] ?? 0;
      size |= (byte & 0x7f) << shift;
      if ((byte & 0x80) !== 0) break;
    }
    end = Math.max(0, end - size);
  }
  if ((flags & 1) !== 0 && end > 0) end = Math.max(0, end - ((record[end - 1] ?? 0) & 3) - 1);
  return record.subarray(0, end);
}

/** PalmDOC: bytes as they are, runs of them, references backwards, and letters with a space before them. */
function unpacked(record: Buffer): Buffer {
  const out = Buffer.alloc(mostRecordBytes);
  let length = 0;
  for (let at = 0; at < record.length && length < mostRecordBytes; ) {
    const code = record[at++] ?? 0;
    if (code >= 1 && code <= 8) {
      length += record.copy(out, length, at, at + code);
      at += code;
    } else if (code < 0x80) out[length++] = code;
    else if (code >= 0xc0) {
      out[length++] = 0x20;
      if (length < mostRecordBytes) out[length++] = code ^ 0x80;
    } else {
      const pair = ((code << 8) | (record[at++] ?? 0)) & 0x3fff;
      const distance = pair >> 3;
      if (distance === 0 || distance > length) break;
      for (let left = (pair & 7) + 3; left > 0 && length < mostRecordBytes; left--) {
        out[length] = out[length - distance] ?? 0;
        length++;
      }
    }
  }
  return Buffer.from(out.subarray(0, length));
}

/** Books of the newer kind (KF8) keep styles and drawings behind their text; a record says where it ends. */
function firstFlow(text: Buffer, flows: Buffer | undefined): Buffer {
  if (flows === undefined || flows.length < 20 || flows.toString('latin1', 0, 4) !== 'FDST') return text;
  return text.subarray(flows.readUInt32BE(12), flows.readUInt32BE(16));
}

/** EXTH: kinds with their values. */
function readFacts(block: Buffer): (readonly [number, string])[] {
  const facts: (readonly [number, string])[] = [];
  if (block.length < 12 || block.toString('latin1', 0, 4) !== 'EXTH') return facts;
  const count = Math.min(block.readUInt32BE(8), maxFacts);
  for (let at = 12; facts.length < count && at + 8 <= block.length; ) {
    const length = block.readUInt32BE(at + 4);
    if (length < 8 || at + length > block.length) break;
    facts.push([block.readUInt32BE(at), new TextDecoder().decode(block.subarray(at + 8, at + length))]);
    at += length;
  }
  return facts;
}
