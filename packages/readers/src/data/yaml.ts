// YAML and TOML: the canonical text is the file itself, cited by line; keys and tables are its headings. Invariant: nothing is expanded, so aliases
// and merges cost nothing, and a file that breaks the rules of its format is still read.

import { governHeadings, type HeadingMark, parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { lineSpans } from '../canonical/line-spans.ts';
import type { Block, Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

/** Levels of keys that become headings. */
const keyLevels = 2;
const maxTitleLength = 200;

export const yaml: Parser = {
  name: 'yaml',
  mimes: ['application/yaml'],
  parse: async (input: ParseInput) => document(input, 'application/yaml', yamlStructure),
};

export const toml: Parser = {
  name: 'toml',
  mimes: ['application/toml'],
  parse: async (input: ParseInput) => document(input, 'application/toml', tomlStructure),
};

interface Structure {
  readonly marks: HeadingMark[];
  readonly blocks: Block[];
}

function document(input: ParseInput, mime: string, structureOf: (text: string) => Structure) {
  const { text, encoding, warnings } = decodeText(input.bytes, input.name);
  requireText(text, input.name);
  const { marks, blocks } = structureOf(text);
  const metadata: Metadata = encoding === 'utf-8' ? {} : { encoding };
  return parsedDocument({
    text,
    mime,
    headings: governHeadings(marks, text.length),
    blocks,
    metadata,
    citeByLine: true,
    warnings,
  });
}

/** A key and its value, quoted or plain; keys of flow collections are none. */
const yamlKey =
  /^(?<indent> *)(?<dash>(?:- +)*)(?<key>"[^"\n]{1,100}"|'[^'\n]{1,100}'|[^\s#"'[\]{},&*!|>%@-][^:#\n]{0,100}|-[^\s:#][^:#\n]{0,100}):(?=\s|$)(?<value>.*)$/u;
const blockScalar = /(?:^|\s)[|>][+-]?\d?[+-]?\s*(?:#.*)?$/su;

/** Keys of the first two levels are headings where something is nested under them; an entry is a block of the first level or of a list in it. */
// oxlint-disable-next-line complexity -- Each form that the format knows is a case.
function yamlStructure(text: string): Structure {
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  const open: { indent: number; level: number }[] = [];
  let entry: { start: number; end: number } | undefined;
  let scalarIndent = -1;
  const lines = lineSpans(text);
  const finish = (): void => {
    if (entry !== undefined) blocks.push({ ...entry, kind: 'record' });
    entry = undefined;
  };
  for (const [index, { start, end }] of lines.entries()) {
    const line = text.slice(start, end);
    const content = line.trim();
    if (content === '') continue;
    const indent = line.length - line.trimStart().length;
    if (scalarIndent >= 0 && indent > scalarIndent) {
      if (entry !== undefined) entry.end = end;
      continue;
    }
    scalarIndent = blockScalar.test(line) ? indent : -1;
    if (/^(?:---|\.\.\.)(?:\s|$)/u.test(line)) {
      finish();
      open.length = 0;
      continue;
    }
    const isComment = content.startsWith('#');
    const groups = isComment ? undefined : yamlKey.exec(line)?.groups;
    const startsEntry = isComment
      ? indent === 0 && !isCommentLine(lines[index - 1], text)
      : indent === 0 || (indent <= 4 && content.startsWith('- '));
    if (startsEntry && !(entry !== undefined && isOnlyComments(text.slice(entry.start, entry.end)))) finish();
    if (entry === undefined) entry = { start: start + indent, end };
    else entry.end = end;
    if (groups === undefined || groups['dash'] !== '') continue;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const level = open.length + 1;
    open.push({ indent, level });
    if (level > keyLevels || !isNested(text, lines, index)) continue;
    marks.push({
      start: start + indent,
      level,
      title:
        (groups['key'] ?? '')
          .replace(/^["']|["']$/gu, '')
          .trim()
          .slice(0, maxTitleLength) || 'key',
    });
  }
  finish();
  return { marks, blocks };
}

const isCommentLine = (line: { start: number; end: number } | undefined, text: string): boolean =>
  line !== undefined && text.slice(line.start, line.end).trimStart().startsWith('#');

const isOnlyComments = (text: string): boolean => text.split('\n').every((line) => /^\s*(?:#|$)/u.test(line));

/** Whether lines under a key belong to it: more indented, or a list at its own indent. */
function isNested(text: string, lines: readonly { start: number; end: number }[], index: number): boolean {
  const own = lines[index];
  if (own === undefined) return false;
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  const indent = indentOf(text.slice(own.start, own.end));
  for (let next = index + 1; next < lines.length && next < index + 50; next++) {
    const { start, end } = lines[next] as { start: number; end: number };
    const line = text.slice(start, end);
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    return indentOf(line) > indent || (indentOf(line) === indent && line.trimStart().startsWith('- '));
  }
  return false;
}

const tomlTable = /^\s*\[{1,2}\s*(?<name>[^\]\s](?:[^\]\n]{0,198}[^\]\s])?)\s*\]{1,2}\s*(?:#.*)?$/u;

/** Tables are headings, as deep as their names; the block is the table, or a run of lines in a long one. */
function tomlStructure(text: string): Structure {
  const marks: HeadingMark[] = [];
  const blocks: Block[] = [];
  let block: { start: number; end: number } | undefined;
  let quotes = '';
  const finish = (): void => {
    if (block !== undefined) blocks.push({ ...block, kind: 'record' });
    block = undefined;
  };
  for (const { start, end } of lineSpans(text)) {
    const line = text.slice(start, end);
    // Strings of many lines hide what stands in them.
    const inString = quotes !== '';
    for (const mark of line.match(/"""|'''/gu) ?? []) {
      if (quotes === '') quotes = mark;
      else if (quotes === mark) quotes = '';
    }
    if (line.trim() === '' && !inString) {
      finish();
      continue;
    }
    const name = inString ? undefined : tomlTable.exec(line)?.groups?.['name'];
    if (name !== undefined) {
      finish();
      const parts = name.match(/"[^"]*"|'[^']*'|[^.\s]+/gu) ?? [name];
      marks.push({ start, level: Math.min(6, parts.length), title: name });
    }
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const first = start + line.indexOf(trimmed);
    if (block === undefined) block = { start: first, end: first + trimmed.length };
    else block.end = first + trimmed.length;
  }
  finish();
  return { marks, blocks };
}
