// Log files: the canonical text is the file itself, cited by line. An entry is a block: a line that begins one, and the lines of its trace below.

import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { lineSpans } from '../canonical/line-spans.ts';
import { beginsEntry, continuesEntry } from '../canonical/log-entries.ts';
import type { Block } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mostLines = 200;

export const log: Parser = {
  name: 'log',
  mimes: ['text/x-log'],
  parse: async (input: ParseInput) => {
    const { text, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    return parsedDocument({
      text,
      mime: 'text/x-log',
      blocks: entries(text),
      metadata: encoding === 'utf-8' ? {} : { encoding },
      citeByLine: true,
      warnings,
    });
  },
};

function entries(text: string): Block[] {
  const lines = lineSpans(text);
  // Where no line looks like the start of an entry, each line is one.
  const isMarked = lines.slice(0, 200).some(({ start, end }) => beginsEntry(text.slice(start, end)));
  const blocks: Block[] = [];
  let entry: { start: number; end: number; lines: number } | undefined;
  const finish = (): void => {
    if (entry !== undefined) blocks.push({ start: entry.start, end: entry.end, kind: 'record' });
    entry = undefined;
  };
  for (const { start, end } of lines) {
    const line = text.slice(start, end);
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const belongs =
      entry !== undefined && entry.lines < mostLines && (continuesEntry(line) || (isMarked && !beginsEntry(line)));
    const lineEnd = start + line.trimEnd().length;
    if (belongs && entry !== undefined) {
      entry.end = lineEnd;
      entry.lines++;
    } else {
      finish();
      entry = { start: start + line.indexOf(trimmed), end: lineEnd, lines: 1 };
    }
  }
  finish();
  return blocks;
}
