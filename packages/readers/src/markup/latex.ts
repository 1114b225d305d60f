// LaTeX to text by line: what stands in line 40 of the text stands in line 40 of the file. Commands and environments give way to their text, formulas and
// listings stay as they are written, comments, settings, labels and citations go. Invariant: linear time; nothing is run, expanded or included.

import {
  canonicalText,
  governHeadings,
  parsedDocument,
  publishedDate,
  requireText,
} from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { markupBlocks } from '../canonical/markup-blocks.ts';
import type { BlockKind } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { accents, symbols } from './latex-symbols.ts';

export const latex: Parser = {
  name: 'latex',
  mimes: ['application/x-tex'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name, declaredEncoding(input.bytes));
    const { lines, facts, notes } = flatten(source);
    const text = canonicalText(lines.map((line) => line.text).join('\n'));
    requireText(text, input.name);
    const { marks, blocks } = structureOf(text, lines);
    const levels = [...new Set(marks.map(({ level }) => level))].sort((a, b) => a - b);
    const dense = marks.map((mark) => ({ ...mark, level: levels.indexOf(mark.level) + 1 }));
    return parsedDocument({
      text,
      mime: 'application/x-tex',
      title: facts['title'] ?? dense[0]?.title,
      publishedAt: publishedDate(facts['date']),
      headings: governHeadings(dense, text.length),
      blocks,
      metadata: facts['author'] === undefined ? {} : { author: facts['author'] },
      citeByLine: true,
      warnings: [...warnings, ...notes],
    });
  },
};

/** The encoding that \usepackage[…]{inputenc} names, by its WHATWG label. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 16_384));
  const name = /\\usepackage\[(\w+)\]\{inputenc\}/u.exec(head)?.[1];
  const labels: Record<string, string> = {
    latin1: 'windows-1252',
    ansinew: 'windows-1252',
    latin2: 'iso-8859-2',
    latin9: 'iso-8859-15',
    applemac: 'macintosh',
    koi8: 'koi8-r',
  };
  return name === undefined ? undefined : (labels[name] ?? name.replace(/^cp(\d+)$/u, 'windows-$1'));
}

interface FlatLine {
  readonly text: string;
  readonly kind: BlockKind;
  /** Of headings. */
  readonly level?: number;
  readonly title?: string;
  /** Whether a block begins here, whatever stands above. */
  readonly isFirst?: boolean;
}

const levels: Readonly<Record<string, number>> = {
  title: 1,
  part: 2,
  chapter: 3,
  section: 4,
  subsection: 5,
  subsubsection: 6,
  paragraph: 7,
  subparagraph: 8,
};
const formula = /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|math|displaymath|IEEEeqnarray)\*?$/u;
const listing = /^(?:verbatim|Verbatim|lstlisting|minted|alltt|tikzpicture|algorithmic|comment|filecontents)\*?$/u;
const rows = /^(?:tabular[xy*]?|tabulary|longtable|array)$/u;
const quotation = /^(?:quote|quotation|verse)$/u;

/** An argument: braces that hold others, two deep. */
const nested = String.raw`\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,200}\}){0,200}\}){0,500})\}`;
const plainArgument = String.raw`(?:\s?\[[^\]]{0,200}\]){0,2}\s?\{[^{}]{0,300}\}`;
const titled = new RegExp(
  String.raw`^\s*\\(title|author|date|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph)\*?\s*(?:\[[^\]]{0,300}\])?${nested}`,
  'u',
);
const mostTitleLines = 5;
const fact = new RegExp(String.raw`\\(title|author|date)\s?(?:\[[^\]]{0,300}\])?${nested}`, 'gu');

/** In order, of a line: what each stands for. */
const replacements: readonly (readonly [pattern: RegExp, text: string])[] = [
  // How authors put away what nobody shall read.
  [/\\iffalse(?![a-zA-Z]).{0,2000}?\\fi(?![a-zA-Z])/gu, ''],
  // Citations, labels and references name what stands elsewhere; the space before them goes with them.
  [
    new RegExp(
      String.raw`[~ ]?\\(?:[cC]ite\w*|(?:paren|text|auto|no)cite|(?:eq|page|auto|name|v|c|C)?ref|label)\*?${plainArgument}`,
      'gu',
    ),
    '',
  ],
  [
    new RegExp(
      String.raw`\\(?:usepackage|documentclass|bibliography\w{0,5}|addbibresource|[vh]space|\w{0,4}pagestyle|pagenumbering|includegraphics|graphicspath|cline|cmidrule|color|selectlanguage|hypersetup|input|include|subfile|lstinputlisting|end)\*?${plainArgument}`,
      'gu',
    ),
    '',
  ],
  [
    new RegExp(
      String.raw`\\(?:(?:set|addto)(?:length|counter)|multicolumn|multirow|resizebox)(?:${plainArgument}){2}`,
      'gu',
    ),
    '',
  ],
  [
    new RegExp(
      String.raw`\\(?:textcolor|colorbox|parbox|raisebox|scalebox|foreignlanguage|hyperlink)${plainArgument}`,
      'gu',
    ),
    '',
  ],
  [/\\begin\s?\{[^{}]{1,60}\}(?:\s?\[[^\]]{0,100}\]|\s?\{(?:[^{}]|\{[^{}]{0,100}\}){0,100}\}){0,4}/gu, ''],
  [new RegExp(String.raw`\\texorpdfstring\s?${nested}\s?\{[^{}]{0,300}\}`, 'gu'), '$1'],
  [new RegExp(String.raw`\\(?:footnote|thanks)(?:\[\d+\])?${nested}`, 'gu'), ' ($1)'],
  [new RegExp(String.raw`\\href\s?\{([^{}]{0,1000})\}\s?${nested}`, 'gu'), '$2 ($1)'],
  [/\\item\s?\[([^[\]]{0,200})\]/gu, '$1 '],
  [/\\item(?![a-zA-Z])\s*/gu, '- '],
  [/\\bibitem\s?(?:\[[^[\]]{0,200}\])?\s?\{([^{}]{0,200})\}/gu, '[$1] '],
  [/\\\\\*?(?:\s?\[[^\]]{0,30}\])?/gu, ' '],
  [/(\\[a-zA-Z]+)\[[^\]]{0,200}\](?=\{)/gu, '$1'],
];
/** Accents over letters; commands and marks; braces. */
const token =
  /\\(["'`^~=.]|[uvHcdkbr](?=[\s{]))\s?\{?(\\[ij](?![a-zA-Z])|\p{L})\}?|\\([a-zA-Z@]+)\*?(?:\{\}| )?|\\(.)|[{}~&]|-{2,3}|``|''|[`']/gu;
const marks: Readonly<Record<string, string>> = {
  '~': ' ',
  '--': '–',
  '---': '—',
  '``': '“',
  "''": '”',
  '`': '‘',
  "'": '’',
};
/** Formulas in a line, and what stands for itself. */
const literal =
  /(\$\$?[^$]{1,1000}\$\$?|\\\(.{0,500}?\\\)|\\\[.{0,500}?\\\]|\\verb\*?(?:\|[^|]{0,300}\||![^!]{0,300}!|\+[^+]{0,300}\+))/u;

const blank: FlatLine = { text: '', kind: 'other' };
const uncommented = (line: string): string => {
  const comment = [...line.matchAll(/\\.|%/gu)].find(([mark]) => mark === '%');
  return line.slice(0, comment?.index ?? line.length);
};

function flatten(source: string): { lines: FlatLine[]; facts: Record<string, string>; notes: string[] } {
  const given = source.split('\n');
  const opening = given.findIndex((line) => /^[^%]*\\begin\s?\{document\}/u.test(line));
  const definitions = source.matchAll(/\\(?:(?:re)?newcommand\*?\s?\{?|def\s?)\\([A-Za-z]+)/gu);
  const own = new Set(Array.from(definitions, ([, name]) => name ?? ''));
  const leftOut = new Set<string>();
  const lines: FlatLine[] = [];
  const facts: Record<string, string> = {};
  let [included, openRows, openQuotations] = [0, 0, 0];
  let [isInRows, isRowOpen] = [false, false];
  /** What ends the lines that are kept as they are, or left out. */
  let until: { readonly end: string; readonly kind: BlockKind | undefined } | undefined;

  const prose = (piece: string): string =>
    replacements
      .reduce((text, [pattern, stands]) => text.replace(pattern, stands), piece)
      .replace(token, (found: string, accent?: string, letter?: string, name?: string, sign?: string) => {
        if (accent !== undefined) return `${(letter ?? '').replace('\\', '')}${accents[accent] ?? ''}`.normalize('NFC');
        if (name !== undefined && own.has(name)) leftOut.add(name);
        const command = name ?? sign;
        if (command !== undefined) return symbols[command] ?? (command === 'footnote' ? ' ' : '');
        return found === '&' ? (isInRows ? ' | ' : ' ') : (marks[found] ?? '');
      });
  const plain = (line: string): string =>
    line
      .split(literal)
      .map((piece, index) => (index % 2 === 0 ? prose(piece) : piece.replace(/^\\verb\*?.(.*).$/u, '$1')))
      .join('')
      .replace(/\s+/gu, ' ')
      .trim();

  /** What of a line is kept or left out as it is, and what stands before and behind it. */
  const partsOf = (line: string): readonly [before: string, kept: string, after: string] => {
    const opened = [/\\begin\s?\{([^{}]{1,60})\}/gu, /\\(iffalse)(?![a-zA-Z])/gu, /^\s*\\(\[)/gu]
      .flatMap((pattern) => [...line.matchAll(pattern)])
      .find(([, name = '']) => formula.test(name) || listing.test(name) || name === 'iffalse' || name === '[');
    if (opened === undefined) return [line, '', ''];
    const [, name = ''] = opened;
    const end = name === 'iffalse' ? '\\fi' : name === '[' ? '\\]' : `\\end{${name}}`;
    const isFormula = formula.test(name) || name === '[';
    const close = line.indexOf(end, opened.index);
    if (close < 0)
      until = { end, kind: isFormula ? 'other' : name === 'comment' || name === 'iffalse' ? undefined : 'code' };
    const stop = close < 0 ? line.length : close + end.length;
    return [line.slice(0, opened.index), isFormula ? line.slice(opened.index, stop) : '', line.slice(stop)];
  };

  /** A heading, or a fact of the document, with as many lines as it goes over. */
  const titledLines = (near: string): readonly FlatLine[] => {
    const [all, name = '', said = ''] = titled.exec(near) ?? [];
    if (all === undefined) return [];
    const [title, rest] = [plain(said), plain(near.slice(all.length).split('\n')[0] ?? '')];
    const level = levels[name];
    const text = lines.length < opening || rest === '' ? title : `${title} ${rest}`;
    const isProse = level === undefined || (level > 6 && rest !== '');
    const first: FlatLine = isProse
      ? { text, kind: 'paragraph', isFirst: true }
      : { text, kind: 'heading', level, title };
    return [first, ...Array.from(all.matchAll(/\n/gu), () => blank)];
  };

  const bodyLine = (line: string): FlatLine => {
    const [before, kept, after] = partsOf(line);
    const environments = [...`${before} ${after}`.matchAll(/\\(begin|end)\s?\{([^{}]{1,60})\}/gu)];
    const isWithin = (open: number, kind: RegExp): boolean =>
      open > 0 || environments.some(([, , name = '']) => kind.test(name));
    isInRows = isWithin(openRows, rows);
    const isQuoted = isWithin(openQuotations, quotation);
    for (const [, what, name = ''] of environments) {
      const step = what === 'begin' ? 1 : -1;
      if (rows.test(name)) openRows = Math.max(0, openRows + step);
      if (quotation.test(name)) openQuotations = Math.max(0, openQuotations + step);
    }
    const around = plain(before) + plain(after);
    const text = [plain(before), kept, plain(after)].filter((part) => part !== '').join(' ');
    const isItem = /\\(?:bib)?item(?![a-zA-Z])/u.test(before);
    const isFirst = isItem || (isInRows && !isRowOpen) || /^\s*\\caption/u.test(before);
    isRowOpen = isInRows && text !== '' && !before.includes('\\\\');
    if (isInRows) return { text, kind: 'table-row', isFirst };
    if (isItem) return { text, kind: 'list-item', isFirst };
    if (kept !== '' && around === '') return { text, kind: 'other' };
    return { text, kind: isQuoted ? 'quote' : 'paragraph', isFirst };
  };

  for (const [, name = '', said = ''] of source.matchAll(fact)) facts[name] ??= plain(said).slice(0, 1000);
  while (lines.length < given.length) {
    const at = lines.length;
    const raw = given[at] ?? '';
    if (until !== undefined) {
      const isEnd = raw.includes(until.end);
      const isText = until.kind === 'other' || (until.kind === 'code' && !isEnd);
      lines.push(isText ? { text: raw, kind: until.kind ?? 'other' } : blank);
      if (isEnd) until = undefined;
      continue;
    }
    const [line = '', ending] = uncommented(raw).split(/\\end\s?\{document\}/u);
    included += [...line.matchAll(/\\(?:input|include|subfile|lstinputlisting)\s?[[{]/gu)].length;
    const near = (): string =>
      given
        .slice(at, at + mostTitleLines)
        .map(uncommented)
        .join('\n');
    const headed = /^\s*\\[a-z]+\*?\s*[[{]/u.test(line) ? titledLines(near()) : [];
    if (headed.length > 0) lines.push(...headed);
    else lines.push(at < opening ? blank : bodyLine(line));
    if (ending !== undefined) break;
  }
  const names = [...leftOut].slice(0, 5).map((name) => `\\${name}`);
  const one = included === 1;
  return {
    lines,
    facts,
    notes: [
      ...(included === 0
        ? []
        : [`${included} included ${one ? 'file is' : 'files are'} not read: give ${one ? 'it' : 'them'} as well.`]),
      ...(names.length === 0
        ? []
        : [`Commands that the file defines itself are left out: ${names.join(', ')}${leftOut.size > 5 ? ' …' : ''}`]),
    ],
  };
}

function structureOf(text: string, lines: readonly FlatLine[]): ReturnType<ReturnType<typeof markupBlocks>['finish']> {
  const markup = markupBlocks(text);
  for (const [index, { text: said, kind, level, title, isFirst }] of lines.entries()) {
    if (said.trim() === '') {
      if (kind !== 'code') markup.end();
    } else if (level !== undefined) markup.heading(title ?? said, level, { first: index, last: index });
    else {
      if (isFirst === true) markup.end();
      markup.extend(
        kind === 'paragraph' && isFirst !== true && markup.continues('list-item', index) ? 'list-item' : kind,
        index,
      );
    }
  }
  return markup.finish();
}
