// The lines of a canonical text, for formats that are read line by line. Invariant: spans are sorted and leave out the line ends only.
import type { SourceSpan } from '../document.ts';

export function lineSpans(text: string): SourceSpan[] {
  const lines: SourceSpan[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}
