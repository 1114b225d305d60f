// The words of a question with the work that each does in it: which asks, which joins, which stands before a noun. They are data, a table for each
// language. Invariant: the words cover the question in order, and every word says where it stands.
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import tables from './words.json' with { type: 'json' };

export type WordKind =
  | 'and'
  | 'or'
  | 'then'
  | 'ask'
  | 'relative'
  | 'aux'
  | 'det'
  | 'prep'
  | 'pron'
  | 'command'
  | 'under'
  | 'comma'
  | 'semicolon'
  | 'name'
  | 'figure'
  | 'word';

export interface Word {
  readonly kind: WordKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface QuestionWords {
  readonly text: string;
  readonly words: readonly Word[];
  readonly language: Language;
}

export type Language = keyof typeof tables;
interface Table extends Omit<(typeof tables)['en'], 'one'> {
  readonly one: Readonly<Record<string, string>>;
}
const edge = String.raw`(?![\p{L}\p{M}\p{N}_])`;
const kinds = ['then', 'and', 'or', 'ask', 'relative', 'aux', 'det', 'prep', 'pron', 'command', 'under'] as const;
const quoted = String.raw`["“„«][^"”“»]{1,200}["”»]`;
const readers = (Object.entries(tables) as [Language, Table][]).map(([language, table]) => {
  const groups = kinds.map((kind) => `(?<${kind}>(?:${table[kind]})(?:${edge}|(?<=['’])))`).join('|');
  return {
    language,
    pattern: new RegExp(
      String.raw`(?<semicolon>;)|(?<comma>[,:]|\s[-–—](?=\s))|(?:${groups})|${quoted}|[^\s,;:]+(?:[,:][^\s,;:]+)*`,
      'giu',
    ),
    lead: new RegExp(`^\\W*(?:${table.lead})[\\s,:]+`, 'iu'),
    back: new RegExp(`(?<![\\p{L}\\p{M}])(?:${table.back})${edge}`, 'iu'),
    apart: new RegExp(`(?<![\\p{L}\\p{M}])(?:${table.apart})${edge}`, 'iu'),
    each: new RegExp(`(?<![\\p{L}\\p{M}])(?:${table.each})${edge}`, 'iu'),
    one: new Map(Object.entries(table.one)),
    together: new RegExp(`(?<![\\p{L}\\p{M}])(?:${table.together})${edge}`, 'iu'),
  };
});
const [first] = readers;
const readerOf = (language: Language): (typeof readers)[number] =>
  readers.find((one) => one.language === language) ?? (first as (typeof readers)[number]);

/** Where a text speaks of something that it does not name; -1 where it does not. "Is there" means nothing by it. */
export function backIn(text: string, language: Language): number {
  const { back, apart } = readerOf(language);
  return text.replace(apart, (said) => ' '.repeat(said.length)).search(back);
}
/** Whether a text says something of several things as of one. */
export const isOfAll = (text: string, language: Language): boolean => readerOf(language).together.test(text);

/** Where a text speaks of several things one by one. */
export const eachIn = (language: Language): RegExp => readerOf(language).each;
/** The verb for one thing, of one for several. */
export const verbOfOne = (verb: string, language: Language): string | undefined =>
  readerOf(language).one.get(verb.toLowerCase());

/** Without what is only said to be polite: "Please, could you tell me". */
export function withoutLead(text: string): string {
  let rest = text.trim();
  for (let times = 0; times < 3; times += 1) for (const { lead } of readers) rest = rest.replace(lead, '');
  return rest.trim();
}

function readWords(text: string): QuestionWords {
  const read = readers.map(({ language, pattern }) => {
    const words = [...text.matchAll(pattern)].map((found): Word => {
      const [said] = found;
      const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0];
      const start = found.index + said.length - said.trimStart().length;
      const isName = kind === undefined || (start > 0 && /^\s*\p{Lu}\p{Ll}/u.test(said));
      return {
        kind: isName ? kindOf(said.trim(), start) : (kind as WordKind),
        text: said.trim(),
        start,
        end: found.index + said.length,
      };
    });
    return { text, words, language, known: words.filter(({ kind }) => !plain.has(kind)).length };
  });
  return read.reduce((best, one) => (one.known > best.known ? one : best));
}

/** Reads a question in the language of which it holds most words that have a work. It is remembered, as several steps of a plan read the same. */
export const wordsOf = cacheTexts(readWords, { characters: 50_000, shortest: 0, longest: 1_000 });

const plain: ReadonlySet<WordKind> = new Set(['comma', 'semicolon', 'name', 'figure', 'word']);
const kindOf = (said: string, start: number): WordKind =>
  /^[-\p{Nd}$€£]*\p{Nd}/u.test(said)
    ? 'figure'
    : (start > 0 && /^["“„«\p{Lu}]/u.test(said)) || /^-|\p{Ll}\p{Lu}|[_\p{L}]\.\p{L}|_/u.test(said)
      ? 'name'
      : 'word';
