// Finds what a model quotes in the passages that it was shown: word for word, else with folded spaces, marks and case, else by an
// alignment in which numbers, names, negations and every word of weight are the same. Invariant: a place in one passage comes out, or
// nothing; what is cited is always the passage's own text there, never what the model wrote. After Sellers 1980 (approximate matching).

import { inflectionKeys } from '../../text/words/inflect.ts';
import { foldDiacritics } from '../../text/words/normalise.ts';
import { areOpposites } from '../../text/words/opposites.ts';
import { type FoldedText, foldWithOffsets } from './fold.ts';

/** A passage as quotes are looked for in it; make it once, search it often. */
export interface QuotedText {
  readonly id: number;
  readonly text: string;
  readonly folded: () => FoldedText;
  readonly words: () => readonly Word[];
}

export interface QuotePlace {
  readonly block: QuotedText;
  /** Offsets into the passage's text. */
  readonly start: number;
  readonly end: number;
}

export type LocatedQuote =
  | {
      readonly found: true;
      readonly how: 'exact' | 'normalised' | 'aligned';
      /** Where it stands more than once, the first few places. */
      readonly places: readonly QuotePlace[];
      /** `quote-in-other-block: 2 → 4` where the model named another passage. */
      readonly notes: readonly string[];
    }
  | { readonly found: false; readonly reason: string };

interface Word {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lower: string;
}

/** Shorter quotes stand everywhere and say nothing. */
const leastCharacters = 2;
/** A quote is one sentence or a few. */
const mostCharacters = 4_000;
const mostPlaces = 4;
const mostAligned = 3;
/** An alignment wants so many words, and forgives so large a share of them. */
const alignment = { leastWords: 6, edits: 0.15, mostEdits: 4, mostWords: 120, sharedWords: 0.75 };

export function toQuotedText(id: number, text: string): QuotedText {
  let folded: FoldedText | undefined;
  let words: readonly Word[] | undefined;
  const fold = (): FoldedText => (folded ??= foldWithOffsets(text));
  return { id, text, folded: fold, words: () => (words ??= wordsOf(fold())) };
}

/** Places of `quote`, in the passage named or, if it is not there, in the first that holds it. Pure. */
export function locateQuote(quote: string, id: number, blocks: readonly QuotedText[]): LocatedQuote {
  // The marks that the prompt puts before every line of a passage are not its text.
  const wanted = quote.replace(/(^|\n)\| ?/gu, '$1').trim();
  if ([...wanted.matchAll(/[\p{L}\p{N}]/gu)].length < leastCharacters) return { found: false, reason: 'quote-empty' };
  if (wanted.length > mostCharacters) return { found: false, reason: `quote-too-long: ${wanted.length} characters` };
  const named = blocks.find((block) => block.id === id);
  const others = blocks.filter((block) => block !== named);
  const folded = foldWithOffsets(wanted);
  for (const [how, find] of [
    ['exact', (block: QuotedText) => exactPlaces(wanted, block)],
    ['normalised', (block: QuotedText) => normalisedPlaces(folded, block)],
    ['aligned', (block: QuotedText) => alignedPlaces(folded, block)],
  ] as const) {
    const here = named ? find(named) : [];
    if (here.length > 0) return { found: true, how, places: here, notes: [] };
    for (const block of how === 'aligned' ? nearest(folded, others) : others) {
      const places = find(block);
      if (places.length === 0) continue;
      const note = named ? `quote-in-other-block: ${id} → ${block.id}` : `quote-id-unknown: ${id} → ${block.id}`;
      return { found: true, how, places, notes: [note] };
    }
  }
  return { found: false, reason: named ? `quote-not-found: in ${id}` : `quote-not-found: ${id} is no passage` };
}

/** Aligning is dear: beside the passage named only those that share most words with the quote are tried. */
function nearest(wanted: FoldedText, blocks: readonly QuotedText[]): readonly QuotedText[] {
  if (blocks.length <= mostAligned) return blocks;
  const words = new Set(wordsOf(wanted).map(({ lower }) => lower));
  const shared = ({ words: theirs }: QuotedText): number =>
    new Set(theirs().flatMap(({ lower }) => (words.has(lower) ? [lower] : []))).size;
  return blocks
    .map((block) => ({ block, score: shared(block) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostAligned)
    .map(({ block }) => block);
}

function exactPlaces(wanted: string, block: QuotedText): QuotePlace[] {
  return occurrences(block.text, wanted).map((start) => ({ block, start, end: start + wanted.length }));
}

function normalisedPlaces(wanted: FoldedText, block: QuotedText): QuotePlace[] {
  const needle = wanted.text.trim();
  const folded = block.folded();
  const asWritten = occurrences(folded.text, needle);
  if (asWritten.length > 0) return asWritten.map((at) => placeOf(block, at, at + needle.length));
  const anyCase = occurrences(folded.lower, wanted.lower.trim());
  // Case tells names from words: taken away only where one place can be meant.
  return anyCase.length === 1 ? anyCase.map((at) => placeOf(block, at, at + needle.length)) : [];
}

function placeOf(block: QuotedText, from: number, to: number): QuotePlace {
  const { starts, ends } = block.folded();
  return { block, start: starts[from] ?? 0, end: ends[to - 1] ?? block.text.length };
}

/** Where `wanted` stands in `text` as whole words and whole numbers. */
function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  if (wanted === '') return found;
  for (let at = text.indexOf(wanted); at >= 0 && found.length < mostPlaces; at = text.indexOf(wanted, at + 1))
    if (isWhole(text, at, at + wanted.length)) found.push(at);
  return found;
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u;
const wordish = /[\p{L}\p{N}]/u;

/** "40" does not stand in "140", in "40,000" nor in "0.40"; scripts without spaces have no whole words. */
function isWhole(text: string, start: number, end: number): boolean {
  return !isCut(text, start) && !isCut(text, end);
}

function isCut(text: string, at: number): boolean {
  const before = lastCharacter(text, at);
  const after = at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '';
  if (wordish.test(before) && wordish.test(after)) return !(unspaced.test(before) || unspaced.test(after));
  if (/\d/.test(before) && /[.,:]/.test(after)) return /\d/.test(text[at + 1] ?? '');
  if (/[.,:]/.test(before) && /\d/.test(after)) return /\d/.test(text[at - 2] ?? '');
  return /[-−]/.test(before) && /\d/.test(after) && !wordish.test(text[at - 2] ?? '');
}

function lastCharacter(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit < 0xe000 ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}

const wordForm = /[\p{L}\p{M}\p{N}]+(?:['.,:\-/][\p{L}\p{M}\p{N}]+)*[%°]?|[$€£¥₹±<>=~≈≤≥]/gu;

function wordsOf(folded: FoldedText): Word[] {
  return [...folded.text.matchAll(wordForm)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
    text,
    lower: folded.lower.slice(index, index + text.length),
  }));
}

const articles = new Set(['a', 'an', 'the', 'that']);

/** 0 the same word, 1 the same but for its ending, an accent or a slip of one letter; undefined: another word. */
function differenceOf(mine: Word, theirs: Word, isFirst: boolean): 0 | 1 | undefined {
  if (mine.text === theirs.text) return 0;
  // Most pairs end here: no licence below changes a first letter, but for an accent on it.
  const [first, other] = [mine.lower.charCodeAt(0), theirs.lower.charCodeAt(0)];
  if (first !== other && first < 0x80 && other < 0x80) return undefined;
  // A name is written with its capital; the first word of a quote may have lost or won one.
  const isCased = /\p{Lu}/u.test(mine.text) || /\p{Lu}/u.test(theirs.text);
  if (mine.lower === theirs.lower) return isFirst || !isCased ? 0 : undefined;
  if ((isCased && !isFirst) || /[^\p{L}\p{M}'-]/u.test(mine.lower + theirs.lower)) return undefined;
  if (foldDiacritics(mine.lower) === foldDiacritics(theirs.lower)) return 1;
  if (mine.lower.length < 4 || theirs.lower.length < 4 || areOpposites(mine.lower, theirs.lower)) return undefined;
  if (
    /n't$|less$|^(?:un|in|im|ir|il|non|dis|mis|a)/u.test(mine.lower) !==
    /n't$|less$|^(?:un|in|im|ir|il|non|dis|mis|a)/u.test(theirs.lower)
  )
    return undefined;
  const keys = inflectionKeys(theirs.lower);
  if (inflectionKeys(mine.lower).some((key) => keys.includes(key))) return 1;
  return isMisspelling(mine.lower, theirs.lower) && mine.lower.length >= 6 ? 1 : undefined;
}

/** The best place for `wanted` in the passage, if one is near enough and stands alone. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function alignedPlaces(wanted: FoldedText, block: QuotedText): QuotePlace[] {
  const mine = wordsOf(wanted);
  if (mine.length < alignment.leastWords || mine.length > alignment.mostWords) return [];
  const theirs = block.words();
  const known = new Set(theirs.map(({ lower }) => lower));
  if (mine.filter(({ lower }) => known.has(lower)).length < alignment.sharedWords * mine.length) return [];
  const bound = Math.min(alignment.mostEdits, Math.floor(mine.length * alignment.edits));
  const dear = bound + 1;
  // costs[j]: least edits of what was read of the quote, ending before the passage's word j; from[j]: where that begins.
  let costs = new Int16Array(theirs.length + 1);
  let from = Int32Array.from({ length: theirs.length + 1 }, (_, at) => at);
  for (const [row, word] of mine.entries()) {
    const nextCosts = new Int16Array(theirs.length + 1).fill(dear);
    const nextFrom = new Int32Array(theirs.length + 1);
    const dropsMine = articles.has(word.lower) ? 1 : dear;
    nextCosts[0] = Math.min(dear, (costs[0] ?? dear) + dropsMine);
    for (let at = 1; at <= theirs.length; at += 1) {
      const other = theirs[at - 1] as Word;
      const difference = differenceOf(word, other, row === 0) ?? dear;
      let least = (costs[at - 1] ?? dear) + difference;
      let begin = from[at - 1] ?? 0;
      const dropped = (costs[at] ?? dear) + dropsMine;
      if (dropped < least) [least, begin] = [dropped, from[at] ?? 0];
      const added = (nextCosts[at - 1] ?? dear) + (articles.has(other.lower) ? 1 : dear);
      if (added < least) [least, begin] = [added, nextFrom[at - 1] ?? 0];
      nextCosts[at] = Math.min(dear, least);
      nextFrom[at] = begin;
    }
    costs = nextCosts;
    from = nextFrom;
    if (costs.every((cost) => cost >= dear)) return [];
  }
  let best = -1;
  for (let at = 1; at <= theirs.length; at += 1)
    if ((costs[at] ?? dear) <= bound && (best < 0 || (costs[at] ?? dear) < (costs[best] ?? dear))) best = at;
  const first = theirs[from[best] ?? 0];
  const last = theirs[best - 1];
  return best < 0 || !first || !last ? [] : [placeOf(block, first.start, last.end)];
}

/** One letter added, lost, changed or standing elsewhere, after the same first letter. */
function isMisspelling(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a.charCodeAt(0) !== b.charCodeAt(0) || a === b) return false;
  let from = 1;
  while (from < a.length && from < b.length && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  const restA = a.slice(from);
  const restB = b.slice(from);
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  if (a.length !== b.length || a.length < 5) return false;
  const letters = (word: string): string => [...word].sort().join('');
  return letters(a) === letters(b);
}
