// Where a document's text is boilerplate (navigation, footers, quoted mail, signatures): it stays in the text and in the view, but no
// chunk holds it and no fingerprint counts it. Invariant: a document that is nothing but boilerplate has none.
import type { ParsedDocument, SourceSpan } from '../core/document.ts';

/** Sorted, apart, running from the first to the last of blocks that stand together. */
export function boilerplateOf({ text, blocks }: Pick<ParsedDocument, 'text' | 'blocks'>): readonly SourceSpan[] {
  const spans: { start: number; end: number }[] = [];
  for (const { kind, start, end } of blocks) {
    if (kind !== 'boilerplate') continue;
    const last = spans.at(-1);
    if (last !== undefined && isBlank(text, last.end, start)) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return contentBeside(text, spans).length === 0 ? [] : spans;
}

/** What such spans leave of the text, in order. */
export function contentBeside(text: string, spans: readonly SourceSpan[]): readonly SourceSpan[] {
  const content: SourceSpan[] = [];
  let start = 0;
  for (const span of [...spans, { start: text.length, end: text.length }]) {
    if (!isBlank(text, start, span.start)) content.push({ start, end: span.start });
    start = Math.max(start, span.end);
  }
  return content;
}

function isBlank(text: string, start: number, end: number): boolean {
  const visible = /\S/g;
  visible.lastIndex = start;
  const found = visible.exec(text);
  return found === null || found.index >= end;
}
