// The facts that Office files of before 2007 hold of themselves: the property set "Summary Information" ([MS-OLEPS]): title, author, dates. A
// damaged one says nothing.

import { canonicalText } from '../canonical/canonical-text.ts';
import { utf16Text } from '../canonical/utf16-text.ts';
import type { Metadata } from '../document.ts';
import { decoderOfPage } from './rtf-text.ts';

const factsById: Readonly<Record<number, string>> = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  12: 'created',
  13: 'modified',
};
const maxProperties = 100;

/** Windows counts 100 ns from 1601. */
const epochDifferenceMs = 11_644_473_600_000n;

export function summaryFacts(stream: Buffer | undefined): Metadata {
  const facts: Metadata = {};
  try {
    if (stream !== undefined) readFacts(stream, facts);
  } catch {
    // Offsets outside the stream.
  }
  return facts;
}

function readFacts(stream: Buffer, facts: Metadata): void {
  const section = stream.subarray(stream.readUInt32LE(44));
  const count = Math.min(section.readUInt32LE(4), maxProperties);
  const offsets = new Map<number, number>();
  for (let index = 0; index < count; index++)
    offsets.set(section.readUInt32LE(8 + index * 8), section.readUInt32LE(12 + index * 8));
  const pageAt = offsets.get(1);
  const page = pageAt === undefined ? 1252 : section.readUInt16LE(pageAt + 4);
  for (const [id, fact] of Object.entries(factsById)) {
    const at = offsets.get(Number(id));
    if (at === undefined) continue;
    const type = section.readUInt16LE(at);
    if (type === 30 || type === 31) {
      const length = section.readUInt32LE(at + 4);
      const bytes = section.subarray(at + 8, at + 8 + (type === 31 ? length * 2 : length));
      const text = type === 31 || page === 1200 ? utf16Text(bytes) : decoderOfPage(page).decode(bytes);
      const value = canonicalText(text).replace(/\s+/gu, ' ').trim();
      if (value !== '') facts[fact] = value;
    } else if (type === 64) {
      const milliseconds = section.readBigUInt64LE(at + 4) / 10_000n - epochDifferenceMs;
      if (milliseconds > 0n) facts[fact] = new Date(Number(milliseconds)).toISOString();
    }
  }
}
