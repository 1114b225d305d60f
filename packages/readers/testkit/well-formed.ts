// What every parsed document must keep, whatever its format: ranges lie inside the text, are sorted and not turned around, places do not
// overlap, and the text obeys the rules of canonical text.
import { expect } from 'vitest';
import { canonicalText } from '../src/canonical/canonical-text.ts';
import type { ParsedDocument, SourceSpan } from '../src/document.ts';

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
