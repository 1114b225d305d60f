// Cuts one word into its search terms: the stem of a plain word; for identifiers (camelCase, snake_case, dotted) the
// whole and its parts; numbers with their thousands joined; abbreviations without their points. Pure; what was cut is
// remembered, so that the term of a word is the same string each time and its hash is computed once.

import { stopWords } from './language/stop-words.ts';
import { createSpanCache, type SpanCache } from './tokens/span-cache.ts';
import { foldDiacritics, normaliseWord } from './words/normalise.ts';
import { stemWord } from './words/stem.ts';

/** A term with its place inside the word, in UTF-16 code units. */
export interface Piece {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly stop: boolean;
}

/** A plain word is its one term; what is more than a term that spans the whole word is told in pieces. */
export type Cut = string | readonly Piece[];

/** Cuts `text.slice(start, end)`, a word as it stands in the text. */
export type WordCutter = (text: string, start: number, end: number) => Cut;

/** About 12 MB in each of two generations when full, for all languages together. */
const createCutCache = (): SpanCache<Cut> =>
  createSpanCache<Cut>({ spans: 131_072, valueBytes: cutBytes, maxValueBytes: 6_000_000 });
let cache = createCutCache();
const cutters = new Map<string, WordCutter>();
/** More than there are in any real index: whoever makes up languages does not fill the cache with them. */
const mostLanguages = 1000;

/** The cutter of a language (BCP 47 primary subtag; unknown ones are not stemmed). */
export function wordCutter(language: string): WordCutter {
  const known = cutters.get(language);
  if (known) return known;
  if (cutters.size >= mostLanguages) {
    cutters.clear();
    cache = createCutCache();
  }
  const cutter = cache.reader((word) => compact(cutWord(word, language), word.length));
  cutters.set(language, cutter);
  return cutter;
}

function compact(pieces: readonly Piece[], length: number): Cut {
  const [first] = pieces;
  if (first && pieces.length === 1 && !first.stop && first.start === 0 && first.end === length)
    return detach(first.term);
  return pieces.map((piece) => ({ ...piece, term: detach(piece.term) }));
}

/** The same characters in a string of their own: a part of a string keeps the whole document in memory. */
function detach(term: string): string {
  if (term.length < 13) return term;
  return String.fromCharCode(...Array.from({ length: term.length }, (_, at) => term.charCodeAt(at)));
}

function cutBytes(cut: Cut): number {
  if (typeof cut === 'string') return 24 + cut.length * 2;
  return cut.reduce((sum, { term }) => sum + 80 + term.length * 2, 16);
}

const plain = /^[a-z]+$/u;
const simple = /^[\p{L}\p{M}]+$/u;
const hump = /\p{Ll}\p{Lu}/u;
const numeric = /^\p{N}[\p{N}.,]*$/u;
const measured = /^(\p{N}[\p{N}.,]*)(\p{L}{1,4})$/u;
const eliding: ReadonlySet<string> = new Set(['fr', 'it', 'ca']);
/** Longest term kept: longer ones are data (base64, hashes of hashes), not words. */
const longestTerm = 64;

function cutWord(word: string, language: string): readonly Piece[] {
  if (plain.test(word) || (simple.test(word) && !hump.test(word))) return [plainPiece(word, 0, language)];
  if (numeric.test(word)) return [{ term: numberTerm(word), start: 0, end: word.length, stop: false }];
  if (/['’]/u.test(word)) return apostrophePieces(word, language);
  const amount = measured.exec(word);
  if (amount?.[1] !== undefined && amount[2] !== undefined) return amountPieces(word, amount[1], amount[2], language);
  const dotted = word.split('.');
  if (
    dotted.length > 1 &&
    dotted.every((part) => part.length === 1 || (part.length === 2 && /^\p{Lu}\p{Ll}$/u.test(part)))
  )
    return [{ term: normaliseWord(dotted.join(''), language), start: 0, end: word.length, stop: false }];
  return identifierPieces(word, language);
}

function plainPiece(word: string, start: number, language: string): Piece {
  const lower = normaliseWord(word, language);
  // The English and Russian stemmers know no diacritics (ё); the others need them.
  const normal = language === 'en' || language === 'ru' ? foldDiacritics(lower, language) : lower;
  const stop = stopWords(language).has(normal);
  const term = foldDiacritics(stop ? normal : stemWord(normal, language), language);
  return { term: term.slice(0, longestTerm), start, end: start + word.length, stop };
}

/** `1,000,000.50` -> `1000000.50`; other commas part a list of digits and stay. */
function numberTerm(word: string): string {
  const normal = word.normalize('NFKC');
  return (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(normal) ? normal.replaceAll(',', '') : normal).slice(0, longestTerm);
}

/** `10mg` -> `10mg`, `10`, `mg`; `1990s` -> `1990`; `20th` stays whole. */
function amountPieces(word: string, amount: string, unit: string, language: string): readonly Piece[] {
  const number: Piece = { term: numberTerm(amount), start: 0, end: amount.length, stop: false };
  const unitTerm = normaliseWord(unit, language);
  if (/^\d{2,4}$/u.test(amount) && unitTerm === 's') return [{ ...number, end: word.length }];
  const whole: Piece = { term: number.term + unitTerm, start: 0, end: word.length, stop: false };
  if (/^(?:st|nd|rd|th)$/u.test(unitTerm)) return [whole];
  return [whole, number, { ...plainPiece(unit, amount.length, language), stop: false }];
}

/** `nation's` -> `nation`; `don't` is a stop word; `l'homme` -> `l` (stop), `homme`; `O'Neill` -> `oneill`, `o`, `neill`. */
function apostrophePieces(word: string, language: string): readonly Piece[] {
  const parts = partsOf(word, /['’]+/gu);
  const [first, second] = parts;
  if (first === undefined || second === undefined || parts.length > 2 || eliding.has(language))
    return parts.flatMap((part) => shift(cutWord(part.text, language), part.start));
  const suffix = second.text.toLowerCase();
  const base = first.text;
  if (language === 'tr') return widen(cutWord(base, language), word.length);
  if (suffix === 't' && /n$/iu.test(base))
    return [{ term: normaliseWord(word, language), start: 0, end: word.length, stop: true }];
  if (/^(?:s|re|ve|ll|d|m)$/u.test(suffix)) return widen(cutWord(base, language), word.length);
  const whole: Piece = {
    term: foldDiacritics(normaliseWord(base + second.text, language), language),
    start: 0,
    end: word.length,
    stop: false,
  };
  return [whole, ...parts.flatMap((part) => shift(cutWord(part.text, language), part.start))];
}

/** The whole identifier, lower case, and each of its words. */
function identifierPieces(word: string, language: string): readonly Piece[] {
  const whole: Piece = {
    term: foldDiacritics(normaliseWord(word, language), language).slice(0, longestTerm),
    start: 0,
    end: word.length,
    stop: false,
  };
  const parts = partsOf(word, /[._&'’,]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu);
  if (parts.length < 2) return [whole];
  return [whole, ...parts.map((part) => partPiece(part.text, part.start, language))];
}

function partPiece(part: string, start: number, language: string): Piece {
  if (simple.test(part)) return plainPiece(part, start, language);
  return { term: normaliseWord(part, language).slice(0, longestTerm), start, end: start + part.length, stop: false };
}

/** What stands between the separators, with its offset; a separator may be empty (a boundary). */
function partsOf(word: string, separator: RegExp): readonly { text: string; start: number }[] {
  const parts: { text: string; start: number }[] = [];
  let start = 0;
  for (const match of word.matchAll(separator)) {
    if (match.index > start) parts.push({ text: word.slice(start, match.index), start });
    start = match.index + match[0].length;
  }
  if (start < word.length) parts.push({ text: word.slice(start), start });
  return parts;
}

function shift(pieces: readonly Piece[], by: number): readonly Piece[] {
  return pieces.map((piece) => ({ ...piece, start: piece.start + by, end: piece.end + by }));
}

/** Lets the last piece end with the word, so that a highlight takes in the suffix. */
function widen(pieces: readonly Piece[], end: number): readonly Piece[] {
  return pieces.map((piece, index) => (index === pieces.length - 1 || index === 0 ? { ...piece, end } : piece));
}
