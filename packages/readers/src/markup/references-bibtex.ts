// The entries of a BibTeX file, read in one pass over its characters: braces and quotes nest as far as they like, and an entry that does not end is
// read as far as it goes.
import { assertTextLength } from '../canonical/canonical-text.ts';
import { accents, symbols } from './latex-symbols.ts';
import type { ReferenceEntry } from './reference-entry.ts';

/** Months as every style defines them. */
const months = 'January February March April May June July August September October November December'.split(' ');
const knownStrings = new Map(months.map((month) => [month.slice(0, 3).toLowerCase(), month]));
const maxEntries = 100_000;
const maxValueLength = 100_000;

/** Throws `too-large` where strings that the file defines make more of it than a text may be. */
export function* bibEntries(source: string, fileName: string): Generator<ReferenceEntry> {
  const strings = new Map(knownStrings);
  const begin = /@[ \t]*([A-Za-z]{1,40})\s*([{(])/gu;
  let entries = 0;
  let length = 0;
  for (let found = begin.exec(source); found !== null && entries < maxEntries; found = begin.exec(source)) {
    const kind = (found[1] ?? '').toLowerCase();
    const reader = fieldReader(source, found.index + found[0].length, { close: found[2] === '(' ? ')' : '}', strings });
    if (kind === 'comment' || kind === 'preamble') {
      begin.lastIndex = reader.skip();
      continue;
    }
    const key = kind === 'string' ? '' : reader.key();
    const fields: (readonly [name: string, value: string])[] = [];
    for (const field of reader.fields()) {
      length += field[1].length;
      assertTextLength(fileName, length);
      fields.push(field);
    }
    begin.lastIndex = Math.max(begin.lastIndex, reader.position());
    // Spaces at their ends are meant: `venue # "2020"`.
    if (kind === 'string') for (const [name, value] of fields) strings.set(name, value);
    else if (fields.length > 0) {
      entries++;
      yield { key, kind, fields: fields.map(([name, value]) => [name, value.trim()] as const) };
    }
  }
}

function fieldReader(
  source: string,
  start: number,
  { close, strings }: { readonly close: string; readonly strings: ReadonlyMap<string, string> },
) {
  let at = start;
  const space = (): void => {
    while (at < source.length && /\s/u.test(source[at] ?? '')) at++;
  };
  /** Where the brace stands that closes the one before `at`; the end of the file where none does. */
  const closing = (): number => {
    let depth = 1;
    for (let index = at; index < source.length; index++) {
      const character = source[index];
      if (character === '\\') index++;
      else if (character === '{') depth++;
      else if (character === '}' && --depth === 0) return index;
    }
    return source.length;
  };
  const quoted = (): number => {
    let depth = 0;
    for (let index = at; index < source.length; index++) {
      const character = source[index];
      if (character === '\\') index++;
      else if (character === '{') depth++;
      else if (character === '}') depth--;
      else if (character === '"' && depth <= 0) return index;
    }
    return source.length;
  };
  const matchAt = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0] ?? '';
    at += found.length;
    return found;
  };
  /** Parts joined by `#`: braces, quotes, numbers, names of strings. */
  const value = (): string => {
    let joined = '';
    const add = (part: string): void => {
      if (joined.length < maxValueLength) joined += part.slice(0, maxValueLength - joined.length);
    };
    for (;;) {
      space();
      const mark = source[at];
      if (mark === '{' || mark === '"') {
        at++;
        const end = mark === '{' ? closing() : quoted();
        add(source.slice(at, end));
        at = end + 1;
      } else {
        const word = matchAt(/[^\s,#{}()"=]{1,200}/uy);
        if (word === '') break;
        add(strings.get(word.toLowerCase()) ?? word);
      }
      space();
      if (source[at] !== '#') break;
      at++;
    }
    return plainValue(joined);
  };
  return {
    position: () => at,
    skip: () => closing(),
    key(): string {
      space();
      const key = matchAt(/[^\s,{}()"=]{1,300}/uy);
      space();
      if (source[at] === ',') at++;
      return key;
    },
    *fields(): Generator<readonly [string, string]> {
      for (;;) {
        space();
        if (at >= source.length || source[at] === close) break;
        const name = matchAt(/[A-Za-z][\w.:+-]{0,60}/uy);
        space();
        if (name === '' || source[at] !== '=') {
          // Something else: on to the next comma, or to the end of the entry.
          if (source[at] !== ',') break;
          at++;
          continue;
        }
        at++;
        yield [name.toLowerCase(), value()];
        space();
        if (source[at] === ',') at++;
      }
      if (source[at] === close) at++;
    },
  };
}

/** A value as it reads: accents and letters, no braces, no line ends. */
function plainValue(value: string): string {
  return (
    value
      .replace(
        /\\(?:([`'^~="."])|([uvHckr])(?=[\s{]))\s*(?:\{\\?([A-Za-z])\}|\\?([A-Za-z]))/gu,
        (_, sign?: string, word?: string, inside?: string, bare?: string) =>
          `${inside ?? bare ?? ''}${accents[sign ?? word ?? ''] ?? ''}`.normalize('NFC'),
      )
      .replace(/\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i)(?:\{\}|(?![A-Za-z])\s?)/gu, (_, name: string) => symbols[name] ?? '')
      // What a command does to its argument is style; one without stands for itself (`\LaTeX{}`).
      .replace(/\\[A-Za-z]{1,40}\*?[ \t]*(?=\{[^}])/gu, '')
      .replace(/\\([&%$#_{}])/gu, (_, character: string) => (character === '{' || character === '}' ? '' : character))
      .replace(/\\([A-Za-z]{1,40})[ \t]*/gu, '$1')
      .replace(/[{}]/gu, '')
      .replaceAll('---', '—')
      .replaceAll('--', '–')
      .replaceAll('~', ' ')
      .replace(/\s+/gu, ' ')
  );
}
