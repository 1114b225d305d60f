// Short forms that a text itself defines, "Long Form (LF)" and "LF (Long Form)": the letters of the short form are found in the
// long one from right to left, and the first of them begins a word (Schwartz & Hearst 2003). Invariant: a definition is a range
// of the text beside its parenthesis; nothing is known of abbreviations that no text explains. Scripts without spaces and
// short forms with a letter that the long one lacks (W3C) are not read.

import { stopWords } from '../language/stop-words.ts';
import { isInitialism } from './names.ts';

export interface Definition {
  /** As written: CPUs. */
  readonly short: string;
  /** As written, white space as single spaces. */
  readonly long: string;
  /** True if the short form is the first letters of the words; else its letters stand somewhere in them. */
  readonly exact: boolean;
}

const shortest = 2;
const longest = 10;
/** Longer lines in a parenthesis are remarks. */
const longestInside = 120;

const parentheses = new RegExp(`[(（]([^()（）]{2,${longestInside}})[)）]`, 'gu');
/** Where a long form cannot reach across: sentence, clause, blank line, an earlier parenthesis. */
const borders = /[.!?]["”’']?\s+(?=["“‘']?\p{Lu})|[;:()（）|]|\n\s*\n/gu;

/** “Type II (non-insulin-dependent)” defines nothing; that intravenous is IV is the price. */
const romanNumeral = /^X{0,3}(?:IX|IV|V?I{0,3})$/u;

/** Two to ten letters and digits, at least two of them capitals and no fewer than small letters: CPU, mRNA, IoT, U.S., CPUs. */
export function isShortForm(text: string): boolean {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}.&/-]*$/u.test(text)) return false;
  if (romanNumeral.test(text)) return false;
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '');
  const size = [...letters].length;
  if (size < shortest || size > longest) return false;
  const capitals = count(letters, /\p{Lu}/gu);
  return capitals >= 2 && capitals >= count(letters, /\p{Ll}/gu);
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** What spellings of one short form have in common: CPUs, cpu and C.P.U. are CPU. */
export function shortFormKey(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=\p{Lu})s$/u, '')
    .toUpperCase();
}

/** The definitions in a text, in its order. `language`: whose stop words begin no long form (ISO 639-1). */
export function findDefinitions(text: string, language = 'en'): Definition[] {
  const stops = stopWords(language);
  const found: Definition[] = [];
  for (const match of text.matchAll(parentheses)) {
    const inside = (match[1] ?? '').trim();
    const before = text.slice(Math.max(0, match.index - 200), match.index);
    const short = bare(inside.split(/[,;]/u, 1)[0] ?? '');
    const ahead = bare(before.trimEnd().split(/\s/u).at(-1) ?? '');
    let definition: Definition | undefined;
    if (isShortForm(short)) definition = define(short, clean(before.slice(lastBorder(before))), stops);
    // The other way round: the parenthesis must be the long form from its first word on.
    else if (isShortForm(ahead)) definition = whole(ahead, clean(inside.split(';', 1)[0] ?? ''), stops);
    if (definition) found.push(definition);
  }
  return found;
}

const clean = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const bare = (text: string): string => text.trim().replace(/^["“‘'«]+|(?<!["”’'»])["”’'»]+$/gu, '');

function lastBorder(text: string): number {
  let end = 0;
  for (const match of text.matchAll(borders)) end = match.index + match[0].length;
  return end;
}

function whole(short: string, inside: string, stops: ReadonlySet<string>): Definition | undefined {
  const long = inside.replace(/^(?:the|an?|der|die|das|le|la|les|el|los|las)\s+/iu, '');
  const definition = define(short, long, stops);
  return definition?.long === bare(long) ? definition : undefined;
}

/** The long form that ends where `candidate` ends. */
function define(short: string, candidate: string, stops: ReadonlySet<string>): Definition | undefined {
  const letters = short.replace(/[^\p{L}\p{N}]/gu, '');
  const size = [...letters].length;
  // The paper's bound: a long form has at most |A| + 5 words, and at most twice as many as there are letters.
  const words = candidate.split(' ').slice(-Math.min(size + 5, size * 2));
  const near = bare(words.join(' '));
  for (const spelling of new Set([short, short.replace(/(?<=\p{Lu})s$/u, '')])) {
    const initial = initialism(spelling, near.split(' '));
    const long = initial ?? align(spelling, near);
    if (long === undefined || !isLongForm(spelling, long, stops)) continue;
    return { short, long, exact: initial !== undefined };
  }
  return undefined;
}

/** The fewest last words of which the short form is the initials. */
function initialism(short: string, words: readonly string[]): string | undefined {
  const first = short[0]?.toLowerCase() ?? '';
  for (let size = 1; size <= words.length; size++) {
    // Most words are no beginning; what follows is dear.
    if (words.at(-size)?.[0]?.toLowerCase() !== first) continue;
    const last = words.slice(-size);
    const parts = last.flatMap((word) => word.split(/[-/]/u)).filter((part) => part !== '');
    if (isInitialism(short, parts)) return last.join(' ');
  }
  return undefined;
}

/** The paper's algorithm: from right to left, each letter at its last place before the one that follows it. */
function align(short: string, candidate: string): string | undefined {
  const letters = [...short].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).map((letter) => letter.toLowerCase());
  const characters = [...candidate];
  const isWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(characters[at] ?? '');
  let at = characters.length;
  for (let place = letters.length - 1; place >= 0; place--) {
    do at--;
    while (at >= 0 && (characters[at]?.toLowerCase() !== letters[place] || (place === 0 && isWord(at - 1))));
    if (at < 0) return undefined;
  }
  return characters.slice(characters.lastIndexOf(' ', at) + 1).join('');
}

function isLongForm(short: string, long: string, stops: ReadonlySet<string>): boolean {
  const words = long.split(' ');
  const first = words[0]?.toLowerCase() ?? '';
  if (long.length <= short.length || stops.has(first) || !/\p{Ll}/u.test(long)) return false;
  const key = shortFormKey(short);
  return !words.some((word) => word.length > 1 && shortFormKey(word) === key);
}
