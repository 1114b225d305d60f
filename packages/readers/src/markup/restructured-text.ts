// reStructuredText (docutils' specification): the canonical text is the file itself, cited by line; sections, directives, literal blocks, lists and
// tables are its structure. Nothing is included, run or fetched, whatever a directive asks for.

import {
  governHeadings,
  type HeadingMark,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { type MarkupBlocks, markupBlocks } from '../canonical/markup-blocks.ts';
import type { Block, Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { plainTitle } from './inline-markup.ts';

export const restructuredText: Parser = {
  name: 'restructured-text',
  mimes: ['text/x-rst'],
  parse: async (input: ParseInput) => {
    const { text, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    const { marks, blocks, fields } = readStructure(text);
    return parsedDocument({
      text,
      mime: 'text/x-rst',
      title: marks[0]?.title,
      publishedAt: publishedDate(fields['date']),
      headings: governHeadings(marks, text.length),
      blocks,
      metadata: fields,
      citeByLine: true,
      warnings,
    });
  },
};

const adornment = /^([!-/:-@[-`{-~])\1+$/u;
const listItem = /^\s*(?:[-*+•]|(?:\d{1,4}|#|[a-zA-Z])[.)]|\((?:\d{1,4}|#|[a-zA-Z])\))\s+\S/u;
const simpleTableBorder = /^=+(?: +=+)+$/u;
const gridBorder = /^\+(?:[-=]+\+)+$/u;
const directive = /^\s*\.\. (?:\|[^|\n]+\| )?([\w:.+-]+)::/u;
const codeDirectives =
  /^(?:code|code-block|sourcecode|parsed-literal|doctest|highlight|math|raw|prompt|ipython|testcode|testoutput|graphviz)$/u;
const tableDirectives = /^(?:csv-table|list-table)$/u;
const docField = /^:(author|authors|date|version|organization|status|copyright|title|language): +(\S.*)$/iu;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Index of the last line that belongs to the one at `index` by being indented deeper. */
function lastIndented(markup: MarkupBlocks, index: number, indent: number): number {
  let last = index;
  for (let next = index + 1; next < markup.count; next++) {
    const line = markup.line(next);
    if (line.trim() === '') continue;
    if (indentOf(line) <= indent) break;
    last = next;
  }
  return last;
}

function readStructure(text: string): { marks: HeadingMark[]; blocks: Block[]; fields: Metadata } {
  const markup = markupBlocks(text);
  const styles: string[] = [];
  const fields: Metadata = {};
  const level = (style: string): number => {
    if (!styles.includes(style)) styles.push(style);
    return styles.indexOf(style) + 1;
  };
  let literal = false;
  for (let index = 0; index < markup.count; index++) {
    const line = markup.line(index);
    const content = line.trim();
    if (content === '') {
      markup.end();
      continue;
    }
    const indent = indentOf(line);
    if (literal && indent > 0) {
      const last = lastIndented(markup, index, 0);
      markup.add('code', index, last);
      index = last;
      literal = false;
      continue;
    }
    literal = false;
    const title = titleAt(markup, index);
    if (title !== undefined) {
      markup.heading(plainTitle(title.text, 'rst'), level(title.style), { first: index, last: title.last });
      index = title.last;
      continue;
    }
    if (simpleTableBorder.test(content) || gridBorder.test(content)) {
      index = readTable(markup, index, gridBorder.test(content));
      continue;
    }
    if (/^\.\.(?:\s|$)/u.test(content)) {
      index = readDirective(markup, index, indent);
      continue;
    }
    const field = docField.exec(content);
    if (field !== null && !content.startsWith('::'))
      fields[(field[1] ?? '').toLowerCase()] ??= (field[2] ?? '').slice(0, 500);
    literal = content.endsWith('::');
    if (content.startsWith('>>> ') || content.startsWith('... ')) markup.extend('code', index);
    else if (listItem.test(line)) {
      markup.end();
      markup.extend('list-item', index);
    } else if (indent > 0 && markup.continues('list-item', index)) markup.extend('list-item', index);
    else markup.extend(field === null ? 'paragraph' : 'other', index);
  }
  return { ...markup.finish(), fields };
}

/** A section title: a line with an adornment below, or one above and below. */
function titleAt(markup: MarkupBlocks, index: number): { text: string; style: string; last: number } | undefined {
  const line = markup.line(index).trimEnd();
  const next = markup.line(index + 1).trimEnd();
  if (adornment.test(line)) {
    const below = markup.line(index + 2).trimEnd();
    if (next.trim() === '' || below !== line || adornment.test(next) || line.length < Math.min(4, next.trim().length))
      return undefined;
    return { text: next, style: `${line[0]}${line[0]}`, last: index + 2 };
  }
  if (indentOf(line) > 0 || !adornment.test(next) || markup.line(index - 1).trim() !== '') return undefined;
  if (next.length < Math.min(4, line.length) || simpleTableBorder.test(line)) return undefined;
  return { text: line, style: next[0] ?? '', last: index + 1 };
}

/** Adds the rows of a table; the index of its last line. A simple table ends with a border before a blank line. */
function readTable(markup: MarkupBlocks, first: number, isGrid: boolean): number {
  let index = first + 1;
  for (; index < markup.count; index++) {
    const content = markup.line(index).trim();
    if (isGrid ? !/^[+|]/u.test(content) : content === '' && simpleTableBorder.test(markup.line(index - 1).trim()))
      break;
    if (content !== '' && !simpleTableBorder.test(content) && !gridBorder.test(content) && !/^-[- ]+$/u.test(content))
      markup.add('table-row', index, index);
  }
  return index - 1;
}

/** Adds a directive, a comment, a footnote or a target; the index of the last line read. */
function readDirective(markup: MarkupBlocks, index: number, indent: number): number {
  const name = directive.exec(markup.line(index))?.[1];
  const last = lastIndented(markup, index, indent);
  if (name === undefined) {
    markup.add(/^\s*\.\. \[[^\]]+\]/u.test(markup.line(index)) ? 'paragraph' : 'other', index, last);
    return last;
  }
  if (codeDirectives.test(name)) {
    markup.add('code', index, last);
    return last;
  }
  if (tableDirectives.test(name)) {
    markup.add('other', index, index);
    for (let row = index + 1; row <= last; row++)
      markup.add(/^\s*:[\w-]+:/u.test(markup.line(row)) ? 'other' : 'table-row', row, row);
    return last;
  }
  // What a note or a warning says is prose: the lines below are read as any others.
  markup.add('other', index, index);
  return index;
}
