// Org (orgmode.org's syntax): the canonical text is the file itself, cited by line; headlines, blocks, lists and tables are its structure. Source
// blocks are not run and included files not read.

import {
  governHeadings,
  type HeadingMark,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { languageCode } from '../canonical/language-code.ts';
import { type MarkupBlocks, markupBlocks } from '../canonical/markup-blocks.ts';
import type { Block, BlockKind, Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { plainTitle } from './inline-markup.ts';

export const org: Parser = {
  name: 'org',
  mimes: ['text/org'],
  parse: async (input: ParseInput) => {
    const { text, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const { marks, blocks, facts } = readStructure(text);
    const { title, date, language, ...metadata } = facts;
    return parsedDocument({
      text,
      mime: 'text/org',
      title: title ?? marks.find((mark) => mark.level === 1)?.title,
      language: languageCode(language),
      publishedAt: publishedDate(/\d{4}-\d{2}-\d{2}/u.exec(date ?? '')?.[0]),
      headings: governHeadings(marks, text.length),
      blocks,
      metadata: metadata as Metadata,
      citeByLine: true,
      warnings,
    });
  },
};

const headline = /^(\*+)\s+(\S.*)$/u;
const tags = /(?<!\s)\s+:[\w@#%:]+:\s*$/u;
const keyword = /^\s*#\+(title|author|date|language|email|description|keywords|filetags)\s*:\s*(\S.*)$/iu;
const blockStart = /^\s*#\+begin_(\w+)/iu;
const blockEnd = /^\s*#\+end_(\w+)/iu;
const listItem = /^(?:\s*(?:[-+]|\d{1,4}[.)])|\s+\*)\s+\S/u;
const blockKinds: Readonly<Record<string, BlockKind>> = {
  src: 'code',
  example: 'code',
  export: 'code',
  quote: 'quote',
  verse: 'quote',
  comment: 'other',
};

function readStructure(text: string): {
  marks: HeadingMark[];
  blocks: Block[];
  facts: Record<string, string | undefined>;
} {
  const markup = markupBlocks(text);
  const facts: Record<string, string | undefined> = {};
  for (let index = 0; index < markup.count; index++) {
    const line = markup.line(index);
    const content = line.trim();
    const title = headline.exec(line);
    if (content === '') markup.end();
    else if (title !== null)
      markup.heading(plainTitle((title[2] ?? '').replace(tags, ''), 'org'), title[1]?.length ?? 1, {
        first: index,
        last: index,
      });
    else if (blockStart.test(line)) index = readBlock(markup, index);
    else if (/^:[\w-]+:$/u.test(content)) {
      const last = indexOfLine(markup, index, (end) => /^\s*:end:\s*$/iu.test(end));
      markup.add('other', index, last);
      index = last;
    } else if (content.startsWith('#')) {
      const found = keyword.exec(line);
      if (found !== null) facts[(found[1] ?? '').toLowerCase()] ??= (found[2] ?? '').trim().slice(0, 500);
      markup.extend('other', index);
    } else if (content.startsWith('|')) {
      if (!/^\|[-+|]+$/u.test(content)) markup.add('table-row', index, index);
    } else if (/^:(?:\s|$)/u.test(content)) markup.extend('code', index);
    else if (listItem.test(line)) {
      markup.end();
      markup.extend('list-item', index);
    } else if (/^\s/u.test(line) && markup.continues('list-item', index)) markup.extend('list-item', index);
    else markup.extend(/^-{5,}$/u.test(content) ? 'other' : 'paragraph', index);
  }
  return { ...markup.finish(), facts };
}

/** The block whose opening stands at `index`; the index of its last line. Blocks of other names are read as what they hold. */
function readBlock(markup: MarkupBlocks, index: number): number {
  const name = (blockStart.exec(markup.line(index))?.[1] ?? '').toLowerCase();
  const kind = Object.hasOwn(blockKinds, name) ? blockKinds[name] : undefined;
  if (kind === undefined) {
    markup.add('other', index, index);
    return index;
  }
  const last = indexOfLine(markup, index, (line) => blockEnd.exec(line)?.[1]?.toLowerCase() === name);
  markup.add(kind, index, last);
  return last;
}

/** The first line after `index` that is the one; the last of the text where none is before the next headline. */
function indexOfLine(markup: MarkupBlocks, index: number, isEnd: (line: string) => boolean): number {
  for (let next = index + 1; next < markup.count; next++) {
    if (isEnd(markup.line(next))) return next;
    if (headline.test(markup.line(next))) return next - 1;
  }
  return markup.count - 1;
}
