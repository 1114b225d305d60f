// AsciiDoc (Asciidoctor's syntax): the canonical text is the file itself, cited by line; sections, delimited blocks, lists and tables are its
// structure. Includes are not followed and attributes not substituted.

import {
  governHeadings,
  type HeadingMark,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type MarkupBlocks, markupBlocks } from '../canonical/markup-blocks.ts';
import type { Block, BlockKind, Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { plainTitle } from './inline-markup.ts';

export const asciidoc: Parser = {
  name: 'asciidoc',
  mimes: ['text/asciidoc'],
  parse: async (input: ParseInput) => {
    const { text, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const { marks, blocks, facts } = readStructure(text);
    const { date, ...metadata } = facts;
    return parsedDocument({
      text,
      mime: 'text/asciidoc',
      title: marks.find((mark) => mark.level === 1)?.title,
      publishedAt: publishedDate(date),
      headings: governHeadings(marks, text.length),
      blocks,
      metadata,
      citeByLine: true,
      warnings,
    });
  },
};

const section = /^(={1,6}|#{1,6})\s+(\S.*)$/u;
const underlines = '=-~^+';
const delimiter = /^(?:-{4,}|\.{4,}|={4,}|_{4,}|\*{4,}|\+{4,}|\/{4,}|`{3}.*|\|={3,}|--)$/u;
const listItem = /^\s*(?:[*-]{1,5}|\.{1,5}|\d{1,4}\.|<(?:\d+|\.)>)\s+\S/u;
const attribute = /^:(author|email|revdate|revnumber|description|keywords|lang):\s+(\S.*)$/iu;
const kindsOfDelimiters: Readonly<Record<string, BlockKind>> = {
  '-': 'code',
  '.': 'code',
  '`': 'code',
  '+': 'code',
  '/': 'other',
  _: 'quote',
};

function readStructure(text: string): { marks: HeadingMark[]; blocks: Block[]; facts: Metadata & { date?: string } } {
  const markup = markupBlocks(text);
  const facts: Metadata & { date?: string } = {};
  for (let index = 0; index < markup.count; index++) {
    const line = markup.line(index);
    const content = line.trim();
    const title = section.exec(line);
    if (content === '') markup.end();
    else if (title !== null) {
      markup.heading(plainTitle(title[2] ?? '', 'asciidoc'), title[1]?.length ?? 1, { first: index, last: index });
      if (title[1]?.length === 1 && index < 10) index = readHeader(markup, index, facts);
    } else if (isUnderlined(markup, index)) {
      const level = underlines.indexOf(markup.line(index + 1)[0] ?? '') + 1;
      markup.heading(plainTitle(content, 'asciidoc'), level, { first: index, last: index + 1 });
      index++;
    } else if (delimiter.test(content)) index = readDelimited(markup, index);
    else if (attribute.test(content)) {
      readAttribute(content, facts);
      markup.extend('other', index);
    } else if (isSetting(markup, index)) markup.extend('other', index);
    else if (listItem.test(line)) {
      markup.end();
      markup.extend('list-item', index);
    } else markup.extend(markup.continues('list-item', index) ? 'list-item' : 'paragraph', index);
  }
  return { ...markup.finish(), facts };
}

/** A comment, an attribute, an include; a title or attributes of a block only where one begins: `.git/config` is a word elsewhere. */
function isSetting(markup: MarkupBlocks, index: number): boolean {
  const line = markup.line(index);
  if (/^(?:\/\/|:[\w-]+:|include::)/u.test(line)) return true;
  return (
    /^(?:\[[^\]]*\]\s*$|\.[^\s.])/u.test(line) &&
    (markup.line(index - 1).trim() === '' || markup.continues('other', index))
  );
}

/** The old form of titles: a line of the same length below, give or take one. */
function isUnderlined(markup: MarkupBlocks, index: number): boolean {
  const title = markup.line(index).trimEnd();
  const below = markup.line(index + 1).trimEnd();
  if (below.length < 3 || Math.abs(below.length - title.length) > 1 || !/^[\p{L}\p{N}]/u.test(title)) return false;
  if (markup.line(index - 1).trim() !== '' && index > 0) return false;
  return underlines.includes(below[0] ?? ' ') && below === (below[0] ?? '').repeat(below.length);
}

/** The author and the revision below the document's title; the index of the last line of the header. */
function readHeader(markup: MarkupBlocks, index: number, facts: Metadata & { date?: string }): number {
  let last = index;
  for (let next = index + 1; next < markup.count && markup.line(next).trim() !== ''; next++) {
    const content = markup.line(next).trim();
    const revision = /^v?[\d.]+,\s*(\d{4}-\d{2}-\d{2})|^(\d{4}-\d{2}-\d{2})$/u.exec(content);
    if (/^:[!\w-]+:/u.test(content)) readAttribute(content, facts);
    else if (revision !== null) facts.date ??= revision[1] ?? revision[2] ?? '';
    else if (next === index + 1 && /^\p{Lu}[\p{L} .'_-]{1,80}(?:<[^<>\s]+>)?$/u.test(content))
      facts['author'] ??= content;
    else if (!content.startsWith('//')) break;
    markup.extend('other', next);
    last = next;
  }
  return last;
}

function readAttribute(content: string, facts: Metadata & { date?: string }): void {
  const found = attribute.exec(content);
  const name = found?.[1]?.toLowerCase() ?? '';
  const value = found?.[2]?.trim().slice(0, 500) ?? '';
  if (name === 'revdate') facts.date ??= value;
  else if (name !== '') facts[name === 'lang' ? 'language' : name] ??= value;
}

/** A delimited block; the index of the last line read. Of examples and sidebars only the delimiter is read: what they hold is prose. */
function readDelimited(markup: MarkupBlocks, index: number): number {
  const opening = markup.line(index).trim();
  const isTable = opening.startsWith('|');
  const kind = opening === '--' ? undefined : kindsOfDelimiters[opening[0] ?? ''];
  if (!isTable && kind === undefined) {
    markup.end();
    return index;
  }
  const closing = opening.startsWith('`') ? /^`+/u.exec(opening)?.[0] : opening;
  let last = index + 1;
  while (last < markup.count && markup.line(last).trim() !== closing) last++;
  if (last >= markup.count) last = markup.count - 1;
  if (isTable) {
    for (let row = index + 1; row < last; row++) if (markup.line(row).trim() !== '') markup.add('table-row', row, row);
    markup.end();
  } else if (kind !== undefined) markup.add(kind, index, last);
  return last;
}
