// Plain text: the canonical text is the decoded file itself, its blocks are the paragraphs between blank lines, and each message of a chat or entry
// of a log within them.

import { paragraphBlocks, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { lineSpans } from '../canonical/line-spans.ts';
import { entryMarks } from '../canonical/log-entries.ts';
import type { Block } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

export const plainText: Parser = {
  name: 'plain-text',
  mimes: ['text/plain'],
  parse: async (input: ParseInput) => {
    const { text, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    return parsedDocument({
      text,
      mime: 'text/plain',
      blocks: blocksOf(text),
      metadata: encoding === 'utf-8' ? {} : { encoding },
      citeByLine: true,
      warnings,
    });
  },
};

function blocksOf(text: string): Block[] {
  const paragraphs = paragraphBlocks(text);
  const lines = lineSpans(text);
  const marks = entryMarks(lines.map(({ start, end }) => text.slice(start, end)));
  const starts = lines.flatMap(({ start }, at) => (marks[at] === undefined ? [] : [start]));
  if (starts.length === 0) return paragraphs;
  const blocks: Block[] = [];
  let next = 0;
  for (const { start, end } of paragraphs) {
    const bounds = [start];
    for (let at = starts[next]; at !== undefined && at < end; at = starts[++next]) if (at > start) bounds.push(at);
    for (const [index, from] of bounds.entries()) {
      const to = bounds[index + 1] ?? end;
      blocks.push({ start: from, end: from + text.slice(from, to).trimEnd().length, kind: 'paragraph' });
    }
  }
  return blocks;
}
