// An immutable piece of the lexical index: at most 65,536 entries, their postings by term, and each entry's terms in order.
// Everything lies in one shared buffer of typed arrays, so that writing it is a copy, opening it costs nothing per posting, and
// every thread searches the same bytes. Invariant: a segment which opened has sections of the lengths that its header names (contents
// are the checksum's care).
import { FootnoteError } from '../core/errors.ts';
import type { Strings } from './strings.ts';

export const maximumEntries = 65_536;

/** Parts the fields of an entry in its sequence of terms; no term has this id. */
export const fieldBreak = 0xff_ff_ff;

/** Changes with the layout or its meaning: other versions are rebuilt, never read. */
export const segmentVersion = 1;
const magic = 0x58_4c_4e_46;

export interface SegmentSizes {
  readonly entries: number;
  readonly groups: number;
  readonly terms: number;
  readonly postings: number;
  readonly tokens: number;
  readonly keyBytes: number;
  readonly groupBytes: number;
  readonly termBytes: number;
}

const sizeNames = ['entries', 'groups', 'terms', 'postings', 'tokens', 'keyBytes', 'groupBytes', 'termBytes'] as const;

export interface Segment {
  readonly sizes: SegmentSizes;
  /** The whole, as it is written. */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  /** Row of each entry's slot, ascending: the caller's number, never used twice. */
  readonly rows: Float64Array;
  /** Weighted terms of each entry, at most 65,535. */
  readonly lengths: Uint16Array;
  /** Place of each entry's key among the keys of the segment: settles equal scores without reading keys. */
  readonly keyRanks: Uint16Array;
  readonly keys: Strings;
  /** What entries belong to (for the store: the document of a chunk). */
  readonly groupOf: Uint16Array;
  readonly groups: Strings;
  /** Sorted by bytes; a term's place is its id. */
  readonly terms: Strings;
  /** Postings of term `t`: `[postingOffsets[t], postingOffsets[t + 1])` of `slots` (ascending) and `frequencies`. */
  readonly postingOffsets: Uint32Array;
  readonly slots: Uint16Array;
  /** Weighted occurrences, at most 255. */
  readonly frequencies: Uint8Array;
  /** Tokens of slot `s`: `[tokenOffsets[s], tokenOffsets[s + 1])`, ids of 24 bits as 16 low and 8 high ones. */
  readonly tokenOffsets: Uint32Array;
  readonly tokensLow: Uint16Array;
  readonly tokensHigh: Uint8Array;
}

const headerBytes = 8 + sizeNames.length * 4;

/** An empty segment of these sizes, to be filled. */
export function createSegment(sizes: SegmentSizes): Segment {
  const buffer = new SharedArrayBuffer(lengthOf(sizes));
  const header = new DataView(buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, segmentVersion, true);
  for (const [index, name] of sizeNames.entries()) header.setUint32(8 + index * 4, sizes[name], true);
  return viewSegment(buffer, 0, sizes);
}

/**
 * Opens what `Segment.bytes` was: in place if it is shared memory, else a shared copy of it. Throws `data-corrupt` where the header
 * cannot be that of a segment of this version.
 */
export function openSegment(given: Uint8Array): Segment {
  const refuse = (what: string): FootnoteError =>
    new FootnoteError('data-corrupt', `A segment of the search index cannot be read: ${what}. It is built again.`);
  if (given.byteLength < headerBytes) throw refuse('it is shorter than its header');
  const bytes = toShared(given);
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (header.getUint32(0, true) !== magic) throw refuse('it does not start as one');
  if (header.getUint32(4, true) !== segmentVersion) throw refuse('it is of another version');
  const read = sizeNames.map((name, index) => [name, header.getUint32(8 + index * 4, true)] as const);
  const sizes = Object.fromEntries(read) as unknown as SegmentSizes;
  if (sizes.entries > maximumEntries || sizes.groups > sizes.entries || lengthOf(sizes) !== bytes.byteLength)
    throw refuse('its sections do not add up to its length');
  return viewSegment(bytes.buffer, bytes.byteOffset, sizes);
}

function toShared(given: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const { buffer, byteOffset, byteLength } = given;
  if (buffer instanceof SharedArrayBuffer && byteOffset % 8 === 0)
    return new Uint8Array(buffer, byteOffset, byteLength);
  const copy = new Uint8Array(new SharedArrayBuffer(byteLength));
  copy.set(given);
  return copy;
}

/** Sections in order: bytes per element and elements. Each starts at a multiple of eight. */
function sections(sizes: SegmentSizes): readonly (readonly [width: number, length: number])[] {
  const { entries, groups, terms, postings, tokens } = sizes;
  return [
    [8, entries],
    [2, entries],
    [2, entries],
    [4, entries + 1],
    [1, sizes.keyBytes],
    [2, entries],
    [4, groups + 1],
    [1, sizes.groupBytes],
    [4, terms + 1],
    [1, sizes.termBytes],
    [4, terms + 1],
    [2, postings],
    [1, postings],
    [4, entries + 1],
    [2, tokens],
    [1, tokens],
  ];
}

const aligned = (offset: number): number => Math.ceil(offset / 8) * 8;

function lengthOf(sizes: SegmentSizes): number {
  return sections(sizes).reduce((offset, [width, length]) => aligned(offset + width * length), aligned(headerBytes));
}

function viewSegment(buffer: SharedArrayBuffer, base: number, sizes: SegmentSizes): Segment {
  let offset = base + aligned(headerBytes);
  const starts = sections(sizes).map(([width, length]) => {
    const start = offset;
    offset = base + aligned(offset - base + width * length);
    return [start, length] as const;
  });
  const at = (index: number): readonly [number, number] => starts[index] ?? [0, 0];
  const bytesAt = (index: number): Uint8Array => new Uint8Array(buffer, ...at(index));
  const textAt = (index: number): Buffer => Buffer.from(buffer, ...at(index));
  const shortsAt = (index: number): Uint16Array => new Uint16Array(buffer, ...at(index));
  const wordsAt = (index: number): Uint32Array => new Uint32Array(buffer, ...at(index));
  return {
    sizes,
    bytes: new Uint8Array(buffer, base, offset - base),
    rows: new Float64Array(buffer, ...at(0)),
    lengths: shortsAt(1),
    keyRanks: shortsAt(2),
    keys: { offsets: wordsAt(3), bytes: textAt(4) },
    groupOf: shortsAt(5),
    groups: { offsets: wordsAt(6), bytes: textAt(7) },
    terms: { offsets: wordsAt(8), bytes: textAt(9) },
    postingOffsets: wordsAt(10),
    slots: shortsAt(11),
    frequencies: bytesAt(12),
    tokenOffsets: wordsAt(13),
    tokensLow: shortsAt(14),
    tokensHigh: bytesAt(15),
  };
}

/** The first slot whose row is not below `row`. */
export function slotFrom(segment: Segment, row: number): number {
  let low = 0;
  let high = segment.rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segment.rows[middle] as number) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the first of a term's postings, in `from` up to `to`, whose slot is not before one. */
export function postingFrom({ slots }: Segment, slot: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] as number) < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Place of a slot among a term's postings, or -1. */
export function findPosting(segment: Segment, term: number, slot: number): number {
  const end = segment.postingOffsets[term + 1] as number;
  const place = postingFrom(segment, slot, segment.postingOffsets[term] as number, end);
  return place < end && segment.slots[place] === slot ? place : -1;
}
