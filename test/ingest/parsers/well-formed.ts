// What every parsed document must keep, whatever its format: ranges lie inside the text, are sorted and not turned around, places do not
// overlap, and the text obeys the rules of canonical text.
import { expect } from 'vitest';
import type { ParsedDocument, SourceSpan } from '../../../src/core/document.ts';
import { canonicalText } from '../../../src/ingest/parsers/canonical-text.ts';

const fieldsWithRanges = ['headings', 'blocks', 'places', 'pages', 'words'] as const;

/** The first rule that a document breaks, in words; undefined for a well-formed one. */
export function faultOf(document: ParsedDocument): string | undefined {
  const { text } = document;
  if (canonicalText(text) !== text) return 'the text is not canonical';
  for (const field of fieldsWithRanges) {
    const ranges: readonly SourceSpan[] = document[field];
    for (const [index, range] of ranges.entries()) {
      const where = `${field}[${index}] ${range.start}–${range.end}`;
      if (range.start < 0 || range.end > text.length || range.start > range.end) return `${where} is outside the text`;
      const before = ranges[index - 1];
      if (before !== undefined && before.start > range.start) return `${where} is not sorted`;
      if (field === 'places' && before !== undefined && before.end > range.start) return `${where} overlaps`;
    }
  }
  for (const { start, title } of document.headings) {
    const words = title.split(/\s+/u).filter((word) => word !== '');
    if (words.length === 0) return `the heading at ${start} has no title`;
  }
  for (const block of document.blocks) {
    const content = text.slice(block.start, block.end);
    if (content.trim() === '') return `the block at ${block.start} holds nothing`;
  }
  for (const place of document.places) if (place.label.trim() === '') return `the place at ${place.start} has no label`;
  return undefined;
}

/** Fails, saying which rule is broken. */
export function expectWellFormed(document: ParsedDocument): void {
  expect(faultOf(document)).toBeUndefined();
}

/** The share of the expected words (runs of letters or digits, each as often as it is expected) that a text holds. */
export function wordsFound(text: string, expected: string): number {
  const wordsOf = (from: string): string[] =>
    from
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const held = new Map<string, number>();
  for (const word of wordsOf(text)) held.set(word, (held.get(word) ?? 0) + 1);
  const wanted = wordsOf(expected);
  let found = 0;
  for (const word of wanted) {
    const left = held.get(word) ?? 0;
    if (left === 0) continue;
    held.set(word, left - 1);
    found++;
  }
  return wanted.length === 0 ? 1 : found / wanted.length;
}
