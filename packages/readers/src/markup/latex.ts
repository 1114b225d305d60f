// LaTeX to canonical text: sections as headings, lists, tables and quotations as they read, formulas and listings as they are written, comments and
// settings left out. Invariant: linear time, nothing expanded (not even the file's own commands, of which it warns) and no file included.

import { governHeadings, parsedDocument, publishedDate, requireText } from '../canonical/canonical-text.ts';
import { decodeText } from '../canonical/decode.ts';
import { joinText } from '../canonical/joined-text.ts';
import type { BlockKind, Metadata } from '../document.ts';
import type { ParseInput, Parser } from '../reader.ts';
import { latexMacros } from './latex-macros.ts';
import { endOfArgument, endOfFormula, skipArguments, skipBlanks } from './latex-scan.ts';
import { accents, environmentArguments, leading, silent, symbols } from './latex-symbols.ts';

export const latex: Parser = {
  name: 'latex',
  mimes: ['application/x-tex'],
  parse: async (input: ParseInput) => {
    const { text: source, warnings } = decodeText(input.bytes, input.name, declaredEncoding(input.bytes));
    requireText(source, input.name);
    const { joined, facts, notes } = readLatex(source);
    const document = joined.finish();
    requireText(document.text, input.name);
    const levels = [...new Set(document.headings.map(({ level }) => level))].sort((a, b) => a - b);
    const marks = document.headings.map((heading) => ({ ...heading, level: levels.indexOf(heading.level) + 1 }));
    const { title, date, ...metadata } = facts;
    return parsedDocument({
      ...document,
      headings: governHeadings(marks, document.text.length),
      mime: 'application/x-tex',
      title: title ?? document.headings[0]?.title,
      publishedAt: publishedDate(date),
      metadata: metadata as Metadata,
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

const levelOf: Readonly<Record<string, number>> = {
  part: 2,
  chapter: 3,
  section: 4,
  subsection: 5,
  subsubsection: 6,
  paragraph: 7,
  subparagraph: 8,
};
const factNames = new Set(['title', 'author', 'date']);
const references = /^(?:[cC]ite\w*|parencite|textcite|autocite|ref|eqref|pageref|autoref|[cC]ref|nameref|vref)$/u;
const includes = /^(?:input|include|subfile|import|subimport|includeonly|lstinputlisting|verbatiminput)$/u;
const definitions =
  /^(?:newcommand|renewcommand|providecommand|DeclareRobustCommand|NewDocumentCommand|def|edef|gdef|let)$/u;
const mathEnvironment =
  /^(?:equation|align|alignat|flalign|gather|multline|eqnarray|math|displaymath|IEEEeqnarray)\*?$/u;
const verbatimEnvironment =
  /^(?:verbatim|Verbatim|lstlisting|minted|alltt|tikzpicture|algorithmic|comment|filecontents)\*?$/u;
const tableEnvironment = /^(?:tabular[xy*]?|longtable|array)$/u;
/** Captured arguments in one another: more than people write. */
const maxCaptures = 20;

type Facts = Record<string, string | undefined>;

function readLatex(source: string): { joined: ReturnType<typeof joinText>; facts: Facts; notes: string[] } {
  let joined = joinText();
  const facts: Facts = {};
  const defined = new Set<string>();
  const leftOut = new Set<string>();
  const macros = latexMacros();
  let included = 0;
  let parts: string[] = [];
  const environments: string[] = [];
  /** What to do when a group closes; plain groups have nothing to do. */
  const groups: ((() => void) | undefined)[] = [];
  let captures = 0;
  let inItem = false;
  /** Where reading goes on after a group that was closed; undefined for behind it. */
  let jump: number | undefined;
  /** Whether a \fi may follow. */
  let hasEnds = true;

  const kindNow = (): BlockKind => {
    if (inItem) return 'list-item';
    return environments.some((name) => /^(?:quote|quotation|verse)$/u.test(name)) ? 'quote' : 'paragraph';
  };
  const inTable = (): boolean => environments.some((name) => tableEnvironment.test(name));
  const prose = (): string =>
    parts
      .join('')
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .replace(/\n{2,}/gu, '\n')
      .trim();
  const flush = (kind: BlockKind = kindNow()): void => {
    if (captures > 0) return;
    const text = prose();
    parts = [];
    if (text !== '') joined.put(kind, kind === 'table-row' ? text.replace(/(?<!\s)\s*\n\s*/gu, ' ') : text);
  };
  /** Reads the argument at `at` apart and hands its text to `use`; the place where reading goes on. */
  const capture = (at: number, use: (text: string) => void): number => {
    const start = skipBlanks(source, at);
    if (source[start] !== '{' || captures >= maxCaptures) return at;
    const outer = parts;
    parts = [];
    captures++;
    groups.push(() => {
      const text = prose().replace(/\s+/gu, ' ');
      parts = outer;
      captures--;
      use(text);
    });
    return start + 1;
  };
  const block = (kind: BlockKind, text: string, level?: number): void => {
    flush();
    joined.put(kind, text, level);
  };

  const command = (name: string, at: number): number => {
    const bare = name.replace(/\*$/u, '');
    const level = levelOf[bare];
    if (level !== undefined) {
      flush();
      inItem = false;
      return capture(skipArguments(source, at, 0), (text) => block('heading', text, level));
    }
    if (factNames.has(bare))
      return capture(skipArguments(source, at, 0), (text) => {
        facts[bare] ??= text.slice(0, 1000);
      });
    if (references.test(bare)) {
      const start = skipBlanks(source, skipArguments(source, at, 0));
      const end = endOfArgument(source, start, '{');
      if (end === undefined) return at;
      parts.push(`[${source.slice(start + 1, end - 1)}]`);
      return end;
    }
    if (includes.test(bare)) {
      included++;
      return skipArguments(source, at, bare.endsWith('import') ? 2 : 1);
    }
    if (definitions.test(bare)) {
      const own = /^\s*(?:\{\s*)?\\([a-zA-Z@]+)/u.exec(source.slice(at, at + 100));
      if (own === null) return at;
      defined.add(own[1] ?? '');
      // The name in braces is an argument; without them, the parameters stand before the body.
      const afterName = at + own[0].length;
      const body = source[afterName] === '}' ? afterName + 1 : source.indexOf('{', afterName);
      if (body < 0 || body > afterName + 200) return afterName;
      const end = skipArguments(source, body, 1);
      const hasParameters = /\S/u.test(source.slice(afterName + (source[afterName] === '}' ? 1 : 0), body));
      const open = skipBlanks(source, body);
      if (!hasParameters && source[open] === '{') macros.define(own[1] ?? '', source.slice(open + 1, end - 1));
      return end;
    }
    if (bare === 'begin' || bare === 'end') return environment(bare, at);
    // How authors put away what nobody shall read.
    if (bare === 'iffalse') {
      const end = hasEnds ? source.indexOf('\\fi', at) : -1;
      hasEnds = end >= 0;
      return end < 0 ? at : end + 3;
    }
    if (bare === 'item' || bare === 'bibitem') {
      flush();
      inItem = true;
      const label = skipBlanks(source, at);
      const labelEnd = endOfArgument(source, label, '[');
      const key = bare === 'bibitem' ? endOfArgument(source, labelEnd ?? label, '{') : undefined;
      const marker =
        key === undefined
          ? labelEnd === undefined
            ? '- '
            : ''
          : `[${source.slice((labelEnd ?? label) + 1, key - 1)}] `;
      parts.push(marker);
      if (key !== undefined) return key;
      if (labelEnd === undefined) return at;
      parts.push(`${source.slice(label + 1, labelEnd - 1)} `);
      return labelEnd;
    }
    if (bare === 'footnote' || bare === 'thanks')
      return capture(skipArguments(source, at, 0), (text) => parts.push(text === '' ? '' : ` (${text})`));
    if (bare === 'caption') return capture(skipArguments(source, at, 0), (text) => block('paragraph', text));
    if (bare === 'url' || bare === 'path' || bare === 'nolinkurl') {
      const end = endOfArgument(source, at, '{');
      if (end === undefined) return at;
      parts.push(source.slice(at + 1, end - 1));
      return end;
    }
    if (bare === 'href') {
      const end = endOfArgument(source, at, '{');
      if (end === undefined) return at;
      const url = source.slice(at + 1, end - 1);
      return capture(end, (text) => parts.push(text === '' || text === url ? url : `${text} (${url})`));
    }
    // For the page, and for the outline of a PDF.
    if (bare === 'texorpdfstring' && source[skipBlanks(source, at)] === '{') {
      groups.push(() => {
        jump = skipArguments(source, token.lastIndex, 1);
      });
      return skipBlanks(source, at) + 1;
    }
    if (bare === 'par') {
      flush();
      return at;
    }
    const count = silent[bare];
    if (count !== undefined) return skipArguments(source, at, count);
    const before = leading[bare];
    if (before !== undefined) return skipArguments(source, at, before);
    const symbol = symbols[bare];
    if (symbol !== undefined) {
      parts.push(symbol);
      // The space after a command of letters ends its name.
      if (source.startsWith('{}', at)) return at + 2;
      return /^[a-z]/iu.test(bare) ? skipBlanks(source, at) : at;
    }
    const accent = accents[bare];
    if (accent !== undefined) return accented(accent, at);
    const words = macros.textOf(bare);
    if (words !== undefined) {
      parts.push(words);
      return source.startsWith('{}', at) ? at + 2 : at;
    }
    if (defined.has(bare)) leftOut.add(bare);
    return endOfArgument(source, at, '[') ?? at;
  };

  const accented = (mark: string, at: number): number => {
    const found = /^\s*(?:\{\s*)?(\\[ij]|\p{L})(?:\s*\})?/u.exec(source.slice(at, at + 12));
    if (found === null) return source.startsWith('{}', at) ? at + 2 : at;
    const letter = (found[1] ?? '').replace('\\', '');
    parts.push(`${letter}${mark}`.normalize('NFC'));
    return at + found[0].length;
  };

  const environment = (which: 'begin' | 'end', at: number): number => {
    const end = endOfArgument(source, at, '{');
    if (end === undefined) return at;
    const name = source.slice(at + 1, end - 1).trim();
    if (which === 'end') {
      flush(inTable() ? 'table-row' : undefined);
      const last = environments.lastIndexOf(name);
      if (last >= 0) environments.length = last;
      if (/^(?:itemize|enumerate|description|thebibliography|list)$/u.test(name)) inItem = false;
      return name === 'document' ? source.length : end;
    }
    if (mathEnvironment.test(name) || verbatimEnvironment.test(name)) {
      const closing = `\\end{${name}}`;
      const close = source.indexOf(closing, end);
      const stop = close < 0 ? source.length : close;
      flush();
      if (mathEnvironment.test(name))
        joined.put('other', source.slice(at - '\\begin'.length, Math.min(source.length, stop + closing.length)));
      else if (name !== 'comment')
        joined.put(
          'code',
          source.slice(skipArguments(source, end, name === 'minted' ? 1 : 0), stop).replace(/^\s*\n/u, ''),
        );
      return Math.min(source.length, stop + closing.length);
    }
    if (name === 'document') {
      // What stands before is settings, and text only by mistake.
      joined = joinText();
      parts = [];
      groups.length = 0;
      captures = 0;
      environments.length = 0;
      for (const fact of ['title', 'author', 'date'])
        if (facts[fact])
          joined.put(fact === 'title' ? 'heading' : 'paragraph', facts[fact], fact === 'title' ? 1 : undefined);
      return end;
    }
    flush();
    if (environments.length < 1000) environments.push(name);
    return skipArguments(
      source,
      end,
      environmentArguments[name.replace(/[*]$/u, '')] ?? environmentArguments[name] ?? 0,
    );
  };

  const token =
    /%[^\n]*(?:\n[ \t]*)?|\\[a-zA-Z@]+\*?|\\[\s\S]|\n[^\S\n]*\n\s*|\$\$?|[{}&~]|-{2,3}|``|''|[^%\\\n${}&~`'-]+|[\s\S]/gu;
  for (let found = token.exec(source); found !== null; found = token.exec(source)) {
    const [text] = found;
    let next = token.lastIndex;
    const first = text[0];
    if (first === '%') continue;
    if (first === '\\') {
      const name = text.slice(1);
      if (name === '\\') {
        next = skipArguments(source, next, 0);
        if (inTable()) flush('table-row');
        else parts.push('\n');
      } else if (name === '(' || name === '[') {
        const end = endOfFormula(source, next, name === '(' ? '\\)' : '\\]');
        if (end !== undefined) {
          parts.push(name === '(' ? source.slice(found.index, end) : `\n${source.slice(found.index, end)}\n`);
          next = end;
        }
      } else if (name.replace('*', '') === 'verb') {
        const mark = source[next] ?? '';
        const end =
          source
            .slice(next + 1, next + 1000)
            .split('\n')[0]
            ?.indexOf(mark) ?? -1;
        if (mark !== '' && end >= 0) {
          parts.push(source.slice(next + 1, next + 1 + end));
          next += end + 2;
        }
      } else next = command(name, next);
    } else if (first === '$') {
      const end = endOfFormula(source, next, text);
      if (end === undefined) parts.push(text);
      else {
        parts.push(text === '$' ? source.slice(found.index, end) : `\n${source.slice(found.index, end)}\n`);
        next = end;
      }
    } else if (first === '{') groups.push(undefined);
    else if (first === '}') {
      groups.pop()?.();
      next = jump ?? next;
      jump = undefined;
    } else if (first === '&') parts.push(inTable() ? ' | ' : ' ');
    else if (first === '\n' && text.length > 1) {
      if (captures > 0 || inTable()) parts.push(' ');
      else flush();
    } else parts.push(plainMarks[text] ?? text);
    token.lastIndex = next;
  }
  while (captures > 0 && groups.length > 0) groups.pop()?.();
  flush();
  const names = [...leftOut].slice(0, 5).map((name) => `\\${name}`);
  return {
    joined,
    facts,
    notes: [
      ...(included === 0
        ? []
        : [
            `${included} included ${included === 1 ? 'file is' : 'files are'} not read: give ${included === 1 ? 'it' : 'them'} as well.`,
          ]),
      ...(names.length === 0
        ? []
        : [`Commands that the file defines itself are left out: ${names.join(', ')}${leftOut.size > 5 ? ' …' : ''}`]),
    ],
  };
}

const plainMarks: Readonly<Record<string, string>> = {
  '~': ' ',
  '--': '–',
  '---': '—',
  '``': '“',
  "''": '”',
  '`': '‘',
  "'": '’',
};
