// Reads the text of a query into what the engine searches: terms with their weights, phrases in quotes, excluded words. The
// operators count in short queries only; a question in sentences means its quotation marks and dashes as punctuation, and
// requiring or excluding by them would lose its answer. Total: any text is a query.

import { FootnoteError } from '../../core/errors.ts';
import type { Expansion } from '../../engine/expand-term.ts';
import type { LexicalIndex } from '../../engine/lexical.ts';
import type { Phrase } from '../../engine/phrases.ts';
import type { LexicalTerm, TermPair } from '../../engine/query.ts';
import { analyzeQuery, analyzeText, analyzeWords, readQueryWords } from '../../text/analyze.ts';
import { knownWord } from '../../text/words/known-word.ts';
import type { StoreQuery } from '../store.ts';

export interface ParsedQuery {
  readonly terms: readonly LexicalTerm[];
  /** Terms that follow one another in the query. */
  readonly pairs: readonly TermPair[];
  /** Words that the languages of the index read as different terms. */
  readonly readings: readonly (readonly string[])[];
  readonly required: readonly Phrase[];
  readonly excluded: readonly Phrase[];
  /** What was read into the query beyond its words, for the explanation. */
  readonly notes: readonly string[];
}

/** Distinct terms of a query that are looked up; a pasted page would otherwise cost seconds. */
export const maximumTerms = 128;
/** Distinct unknown terms that are guessed at: each costs a walk through a part of the dictionary. */
const maximumGuesses = 8;
/** More words than this, or a question mark, make it a question in natural language. */
const operatorWords = 8;
/** A guess counts less than a word that was asked for: half for an edit, a quarter for two. */
const guessWeight = 0.5;

/** Distinct terms that texts searched along may add to those of the query. */
const maximumFurtherTerms = 64;
/** Texts searched along that an explanation names. */
const maximumNamed = 12;

/** Scripts that the analyzer cuts into pairs of characters: nearness is in the terms already. */
const pairedScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const operators = /(?<=^|\s)-(?:["“„]([^"“”„]+)["”“]|(\p{L}[^\s"“”„]+))|["“„]([^"“”„]+)["”“]/gu;

interface Operators {
  readonly words: string;
  readonly required: readonly string[];
  readonly excluded: readonly string[];
}

/** Splits a query into its words and operators. One letter behind a dash is an option of a command (`grep -v`), and no word to leave out. */
export function readOperators(text: string): Operators {
  const plain = { words: text, required: [], excluded: [] };
  if (text.length > 1000 || /[?？؟]/u.test(text)) return plain;
  const required: string[] = [];
  const excluded: string[] = [];
  const words = text.replace(operators, (_whole, notPhrase?: string, notWord?: string, phrase?: string) => {
    const out = notPhrase ?? notWord;
    if (out !== undefined) excluded.push(out);
    else if (phrase !== undefined) required.push(phrase);
    return out === undefined ? ` ${phrase ?? ''} ` : ' ';
  });
  const count = words.split(/\s+/u).filter((word) => word !== '').length;
  // Nothing but exclusions: there is nothing to exclude from, so its words are searched as they stand.
  if (count === 0 || count > operatorWords) return plain;
  return { words, required, excluded };
}

/** A query of which some words may still have to be guessed at. */
export interface ReadQuery {
  /** As it is if nothing is guessed. */
  readonly parsed: ParsedQuery;
  /** Words that no chunk holds in any reading (language, part of an identifier). */
  readonly unknown: readonly string[];
  /** Those of them that a dictionary knows: they are spelled as they should be. */
  readonly spelled: ReadonlySet<string>;
}

/** The query for an index that holds chunks in these languages, most frequent first. */
export function readQuery(text: string, index: LexicalIndex, languages: readonly string[]): ReadQuery {
  const { words, required, excluded } = readOperators(text);
  const phraseOf = (phrase: string): Phrase => {
    const readings = languages.map((language) => analyzeText(phrase, { language }));
    return [...new Map(readings.filter((terms) => terms.length > 0).map((terms) => [terms.join(' '), terms])).values()];
  };
  const notEmpty = (phrase: Phrase): boolean => phrase.length > 0;

  const weights = new Map<string, number>();
  const { terms, sequences, words: readings } = readQueryWords(words, { languages });
  for (const term of terms)
    if (weights.has(term) || weights.size < maximumTerms) weights.set(term, (weights.get(term) ?? 0) + 1);
  const missing = [...weights.keys()].filter((term) => !index.holds(term));
  const parsed = {
    pairs: pairsOf(sequences),
    readings: languages.length > 1 ? readings.filter((terms) => terms.length > 1) : [],
    terms: [...weights].map(([term, weight]) => ({ term, weight })),
    required: required.map(phraseOf).filter(notEmpty),
    excluded: excluded.map(phraseOf).filter(notEmpty),
    notes: [],
  };
  const unknown = missing.length === 0 ? [] : toGuess(missing, words, index, languages);
  return { parsed, unknown, spelled: unknown.length === 0 ? new Set() : spelledIn(words, languages) };
}

/** The terms of words that are common in any language. */
function spelledIn(words: string, languages: readonly string[]): ReadonlySet<string> {
  return new Set(
    languages
      .flatMap((language) => analyzeWords(words, { language }))
      .flatMap(({ term, start, end }) => (knownWord(words.slice(start, end).toLowerCase()) ? [term] : [])),
  );
}

/**
 * Terms that follow one another, in each language by itself: read one after another, one document in another language would part what stands side
 * by side in all the others.
 */
function pairsOf(sequences: readonly (readonly string[])[]): readonly TermPair[] {
  const pairs = sequences.flatMap((sequence) =>
    sequence.slice(1, maximumTerms).map((term, at): TermPair => [sequence[at] ?? '', term]),
  );
  const unique = [...new Map(pairs.map((pair) => [pair.join(' '), pair])).values()];
  return unique.filter((pair) => !pair.some((term) => pairedScripts.test(term))).slice(0, 2 * maximumTerms);
}

/** The terms that a chunk made of the query's words would hold: of a word that is held in one reading, the others are none of its words. */
export function wantedTerms(
  { terms, readings }: Pick<ParsedQuery, 'terms' | 'readings'>,
  isHeld: (term: string) => boolean,
): readonly LexicalTerm[] {
  if (readings.length === 0) return terms;
  const others = new Set(
    readings.flatMap((word) => (word.some(isHeld) ? word.filter((term) => !isHeld(term)) : word.slice(1))),
  );
  return terms.filter(({ term }) => !others.has(term));
}

/** Those of the missing terms that are no other reading of a word which some chunk holds. */
function toGuess(
  missing: readonly string[],
  words: string,
  index: LexicalIndex,
  languages: readonly string[],
): readonly string[] {
  const readings = languages.flatMap((language) => analyzeWords(words, { language }));
  const known = readings.filter(({ term }) => index.holds(term));
  const covered = (term: string): boolean =>
    readings
      .filter((word) => word.term === term)
      .some((place) => known.some((word) => word.start < place.end && place.start < word.end));
  return missing.filter((term) => !covered(term)).slice(0, maximumGuesses);
}

/** The query with what its unknown words may have meant, `guesses` in their order. */
export function withGuesses(
  { parsed, unknown, spelled }: ReadQuery,
  guesses: readonly (readonly Expansion[])[],
): ParsedQuery {
  const weights = new Map(parsed.terms.map(({ term, weight }) => [term, weight]));
  const notes: string[] = [];
  for (const [place, term] of unknown.entries()) {
    const expansions = (guesses[place] ?? []).filter(({ kind }) => kind === 'prefix' || !spelled.has(term));
    const weight = weights.get(term) ?? 1;
    for (const { term: meant, edits } of expansions)
      if (!weights.has(meant)) weights.set(meant, (weight * guessWeight ** Math.max(1, edits)) / expansions.length);
    if (expansions.length > 0)
      notes.push(`no chunk holds “${term}”: searched as ${expansions.map((expansion) => expansion.term).join(', ')}`);
  }
  return { ...parsed, terms: [...weights].map(([term, weight]) => ({ term, weight })), notes };
}

/** Throws `invalid-request` for a weight that is no finite number from 0 on. */
export function checkTexts(also: StoreQuery['also'] = []): void {
  for (const { text, weight } of also)
    if (!Number.isFinite(weight) || weight < 0)
      throw new FootnoteError(
        'invalid-request',
        `“${text}” is to be searched along with weight ${weight}: a weight is a finite number, 0 or more.`,
      );
}

/**
 * The query with texts that are searched along. Weights add up, as if the query held each word that many times: feedback needs
 * it so (Abdul-Jaleel et al. 2004), and the query's own words never count less than before. Phrases and pairs stay its own.
 */
export function withTexts(
  parsed: ParsedQuery,
  also: StoreQuery['also'] = [],
  languages: readonly string[] = [],
): ParsedQuery {
  const texts = also.filter(({ text, weight }) => weight > 0 && text.trim() !== '');
  if (texts.length === 0) return parsed;
  const weights = new Map(parsed.terms.map(({ term, weight }) => [term, weight]));
  const most = weights.size + maximumFurtherTerms;
  let dropped = 0;
  for (const { text, weight } of texts)
    for (const term of analyzeQuery(text, { languages })) {
      const before = weights.get(term);
      if (before === undefined && weights.size >= most) dropped++;
      else weights.set(term, (before ?? 0) + weight);
    }
  const named = texts.slice(0, maximumNamed).map(({ text, weight }) => `“${shorten(text)}” × ${round(weight)}`);
  const rest = texts.length > named.length ? ` and ${texts.length - named.length} more` : '';
  return {
    ...parsed,
    terms: [...weights].map(([term, weight]) => ({ term, weight })),
    notes: [
      ...parsed.notes,
      `searched along: ${named.join(', ')}${rest}`,
      ...(dropped > 0 ? [`${dropped} further words were left out: at most ${maximumFurtherTerms} are added`] : []),
    ],
  };
}

const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`);
const round = (weight: number): number => Number(weight.toPrecision(3));
