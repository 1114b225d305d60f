// Settings by lines (INI, .properties, .env): the canonical text is the file itself, cited by line; sections are its headings, runs of lines its
// records. Nothing is expanded, whatever a value refers to.

import { governHeadings, type HeadingMark, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { lineSpans } from '../canonical/line-spans.ts';
import type { Block } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

const mime = 'text/x-ini';
const section = /^\[([^\]\n]{1,200})\][ \t]*(?:[#;].*)?$/u;

export const settingsText: Parser = {
  name: 'settings-text',
  mimes: [mime],
  parse: async (input: ParseInput) => {
    const { text, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const marks: HeadingMark[] = [];
    const blocks: Block[] = [];
    let open: { start: number; end: number } | undefined;
    const finish = (): void => {
      if (open !== undefined) blocks.push({ ...open, kind: 'record' });
      open = undefined;
    };
    for (const { start, end } of lineSpans(text)) {
      const content = text.slice(start, end).trim();
      if (content === '') {
        finish();
        continue;
      }
      const first = start + text.slice(start, end).indexOf(content);
      const title = section.exec(content)?.[1]?.trim();
      if (title) {
        finish();
        marks.push({ start: first, level: 1, title });
        blocks.push({ start: first, end: first + content.length, kind: 'heading' });
      } else if (open === undefined) open = { start: first, end: first + content.length };
      else open.end = first + content.length;
    }
    finish();
    return parsedDocument({
      text,
      mime,
      headings: governHeadings(marks, text.length),
      blocks,
      metadata: encoding === 'utf-8' ? {} : { encoding },
      citeByLine: true,
      warnings,
    });
  },
};
