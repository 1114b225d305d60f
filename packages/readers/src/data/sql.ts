// SQL scripts: the canonical text is the file itself, cited by line; each statement is a block, and what it creates or changes is its symbol. Nothing
// is run. Strings, quoted names, comments and the bodies of functions (standard, PostgreSQL's dollars, BEGIN … END) hide their semicolons.

import { parsedDocument, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import type { Block } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';

export const sql: Parser = {
  name: 'sql',
  mimes: ['application/sql'],
  parse: async (input: ParseInput) => {
    const { text, encoding, warnings } = decodeText(input.bytes, input.name);
    requireText(text, input.name);
    return parsedDocument({
      text,
      mime: 'application/sql',
      blocks: statements(text),
      metadata: { programmingLanguage: 'SQL', ...(encoding === 'utf-8' ? {} : { encoding }) },
      citeByLine: true,
      warnings,
    });
  },
};

const name = /(?:[\w$]+|"[^"\n]{1,128}"|`[^`\n]{1,128}`|\[[^\]\n]{1,128}\])/u.source;
const subject = new RegExp(
  `^(?<verb>create|alter|comment\\s+on)\\s+(?:or\\s+(?:replace|alter)\\s+)?(?:(?:global|local|temp|temporary|unlogged|unique|clustered|nonclustered|materialized|recursive|external|virtual|definer\\s*=\\s*\\S+)\\s+)*(?<kind>table|view|index|function|procedure|trigger|type|domain|sequence|schema|database|role|user|extension|policy|event|package|column)\\s+(?:concurrently\\s+)?(?:if\\s+(?:not\\s+)?exists\\s+)?(?:only\\s+)?(?<name>${name}(?:\\s*\\.\\s*${name}){0,3})`,
  'iu',
);

/** Marks that matter to where a statement ends. Each alternative is bounded or runs to a mark of one character. */
const marks =
  /--[^\n]*|\/\*|'(?:[^'\\]|''|\\.)*'?|"[^"]*"?|`[^`]*`?|\$[A-Za-z_]{0,60}\$|;|\b(?:begin|case|end|create|transaction|work|atomic)\b|^[ \t]*(?:go|delimiter[^\n]*)[ \t]*$/gimu;

function statements(text: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  /** BEGIN and CASE that are open inside of what CREATE defines. */
  let nested = 0;
  let creates = false;
  let sawWord = false;
  let lastBegin = -1;
  const finish = (end: number): void => {
    const content = text.slice(start, end);
    const trimmed = content.trim();
    const from = start + content.indexOf(trimmed);
    start = end;
    nested = 0;
    creates = false;
    sawWord = false;
    if (trimmed === '' || trimmed === ';') return;
    const found = subject.exec(withoutComments(trimmed).slice(0, 1000))?.groups;
    const symbol =
      found === undefined
        ? undefined
        : `${(found['kind'] ?? '').toLowerCase()} ${(found['name'] ?? '').replace(/["`[\]\s]/gu, '')}`;
    blocks.push({ start: from, end: from + trimmed.length, kind: 'code', ...(symbol === undefined ? {} : { symbol }) });
  };
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const mark = found[0].toLowerCase();
    if (mark === '/*') {
      const end = text.indexOf('*/', found.index + 2);
      if (end < 0) break;
      marks.lastIndex = end + 2;
    } else if (mark.startsWith('$')) {
      const end = text.indexOf(found[0], marks.lastIndex);
      if (end >= 0) marks.lastIndex = end + mark.length;
    } else if (mark === ';') {
      // BEGIN; opens a transaction, not a body.
      if (lastBegin >= 0 && /^\s*$/u.test(text.slice(lastBegin, found.index))) nested = Math.max(0, nested - 1);
      if (nested === 0) finish(found.index + 1);
    } else if (/^\s*(?:go|delimiter)/u.test(mark)) {
      finish(found.index);
    } else if (mark === 'create') {
      // Only the first word of a statement creates; the text before it is looked at once.
      creates ||= !sawWord && withoutComments(text.slice(start, found.index)).trim() === '';
      sawWord = true;
    } else if (mark === 'begin' || mark === 'case') {
      if (creates) nested++;
      lastBegin = mark === 'begin' ? marks.lastIndex : lastBegin;
    } else if (
      mark === 'end' &&
      !/^\s+(?:if|loop|while|repeat|for)\b/iu.test(text.slice(marks.lastIndex, marks.lastIndex + 20))
    )
      nested = Math.max(0, nested - 1);
  }
  finish(text.length);
  return blocks;
}

/** Comments before a statement say nothing of its name. */
function withoutComments(statement: string): string {
  let rest = statement;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.trimStart();
    if (rest.startsWith('--')) rest = rest.includes('\n') ? rest.slice(rest.indexOf('\n')) : '';
    else if (rest.startsWith('/*')) rest = rest.includes('*/') ? rest.slice(rest.indexOf('*/') + 2) : '';
  }
  return rest;
}
