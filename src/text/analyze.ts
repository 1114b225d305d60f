// The one analyzer of the house (engine, answers, ingestion, memory): text to search terms, the same for documents and
// queries. Stemmed by language, stop words dropped, Han as unigrams and bigrams, identifiers whole and in parts, words cut
// at the end of a line whole and in halves. Deterministic: the same text and language always give the same terms. Measured
// in shared bench/retrieval.
import { guessLanguage } from './language/language.ts';
import { wordAfterBreak } from './line-end-hyphens.ts';
import { type WordCutter, wordCutter } from './pieces.ts';
import { foldDiacritics, normaliseWord } from './words/normalise.ts';
import { withoutParticles } from './words/particles.ts';
import { stemWord } from './words/stem.ts';
import { forEachWord } from './words/words.ts';

/** A term with the UTF-16 range of the text that it stands for. Parts of an identifier overlap the whole. */
export interface AnalyzedWord {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

export interface AnalyzeOptions {
  /** BCP 47 primary subtag. Default: guessed from the text; pass the document's where it is known. */
  readonly language?: string | undefined;
  /** Stop words that are written as names are. */
  readonly keepNames?: boolean;
  readonly keepStopWords?: boolean;
}

/** `isName`: a stop word that is written as names are, such as the second word of "The Who". */
type Visit = (term: string, start: number, end: number, stop: boolean, isName?: boolean) => void;

/** Capitals that mean something else than the stop word they spell, unless everything is in capitals. */
const acronyms: ReadonlySet<string> = new Set(['US', 'IT', 'WHO']);

function visitTerms(text: string, language: string, emit: Visit): void {
  // A word of marks alone (ﹰ) is nothing once it is normalised.
  const visit: Visit = (term, start, end, stop, isName) => {
    if (term !== '') emit(term, start, end, stop, isName);
  };
  const cut = wordCutter(language);
  let shouting: boolean | undefined;
  const isAcronym = (start: number, end: number): boolean => {
    if (end - start > 3 || text.charCodeAt(start) > 0x5a || !acronyms.has(text.slice(start, end))) return false;
    shouting ??= !/\p{Ll}/u.test(text);
    return !shouting;
  };
  forEachWord(text, (start, end, kind) => {
    if (kind === 'word') {
      const rest = wordAfterBreak(text, end);
      if (rest && lowerLetters.test(text.slice(start, end)))
        visitWhole(text.slice(start, end) + rest.letters, cut, (term, stop) => visit(term, start, rest.end, stop));
      const found = cut(text, start, end);
      if (typeof found === 'string') {
        visit(found, start, end, false);
        if (text.charCodeAt(start) >= 0x590)
          for (const rest of withoutParticles(normaliseWord(text.slice(start, end), language)))
            visit(termOf(rest, language), start, end, false);
      } else
        for (const piece of found) {
          const stop = piece.stop && !isAcronym(start, end);
          visit(piece.term, start + piece.start, start + piece.end, stop, stop && isOfName(text, start, end));
        }
      const whole = wholeNumber(text, start, end);
      if (whole) visit(whole.term, start, whole.end, false);
    } else if (kind === 'cjk') visitCjk(text.slice(start, end), start, visit);
    else if (kind === 'hangul') visitPairs(text.slice(start, end), start, false, visit);
    else visitSegments(text.slice(start, end), start, visit);
  });
}

/** The rest of a number whose thousands are parted by spaces or apostrophes. */
const thousands = /(?:[ \u00a0\u2009\u202f'’]\p{Nd}{3})+(?![\p{L}\p{N}]|[.,'’]\p{Nd})/uy;

/** "1 000 000", "1'000'000", "1.000.000": the same number as 1000000. One that a single full stop parts may be a fraction. */
function wholeNumber(text: string, start: number, end: number): { term: string; end: number } | undefined {
  const code = text.charCodeAt(start);
  if (code < 0x30 || code > 0x39) return undefined;
  const word = text.slice(start, end);
  if (/^\d{1,3}(?:\.\d{3}){2,}$/u.test(word)) return { term: word.replaceAll('.', ''), end };
  if (end - start > 3 || !/^\d+$/u.test(word) || /\p{N}[ \u00a0\u2009\u202f'’.,]$/u.test(text.slice(start - 2, start)))
    return undefined;
  thousands.lastIndex = end;
  const rest = thousands.exec(text)?.[0];
  return rest === undefined
    ? undefined
    : { term: word + rest.normalize('NFKC').replace(/[^\d]/gu, ''), end: end + rest.length };
}

/** Behind one space after another word with a capital: "The Who". */
const isOfName = (text: string, start: number, end: number): boolean =>
  /^\p{Lu}\p{Ll}+$/u.test(text.slice(start, end)) &&
  /(?:^|[^\p{L}\p{N}])\p{Lu}\p{Ll}+ $/u.test(text.slice(Math.max(0, start - 20), start));

const lowerLetters = /^[\p{L}\p{M}]*\p{Ll}\u00ad?$/u;

/** A word that a hyphen at the end of its line cuts is a term as a whole; its halves follow as terms of their own. */
function visitWhole(word: string, cut: WordCutter, visit: (term: string, stop: boolean) => void): void {
  const found = cut(word, 0, word.length);
  if (typeof found === 'string') visit(found, false);
  else for (const { term, stop } of found) visit(term, stop);
}

/** Unigrams of Han (each is a word or half of one) and bigrams of everything. */
function visitCjk(run: string, start: number, visit: Visit): void {
  visitPairs(run, start, true, visit);
}

const han = /\p{Script=Han}/u;

function visitPairs(run: string, start: number, unigrams: boolean, visit: Visit): void {
  let previous = '';
  let previousStart = start;
  let at = start;
  let pairs = 0;
  for (const raw of run) {
    const character = raw.normalize('NFKC');
    if (previous !== '') {
      visit(previous + character, previousStart, at + raw.length, false);
      pairs++;
    }
    if (unigrams && han.test(character)) visit(character, at, at + raw.length, false);
    previous = character;
    previousStart = at;
    at += raw.length;
  }
  if (pairs === 0 && previous !== '' && !(unigrams && han.test(previous))) visit(previous, previousStart, at, false);
}

let segmenter: Intl.Segmenter | undefined;

/** Thai, Lao, Khmer and Burmese write no spaces: ICU's dictionary finds the words. */
function visitSegments(run: string, start: number, visit: Visit): void {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  for (const { segment, index } of segmenter.segment(run))
    visit(normaliseWord(segment), start + index, start + index + segment.length, false);
}

/** Search terms with their places, in order of start. */
export function analyzeWords(text: string, options: AnalyzeOptions = {}): AnalyzedWord[] {
  const words: AnalyzedWord[] = [];
  visitTerms(text, options.language ?? guessLanguage(text), (term, start, end, stop) => {
    if (!stop || options.keepStopWords === true) words.push({ term, start, end });
  });
  return words;
}

/** Search terms of a text to index, in order, repeated as often as they occur. */
export function analyzeText(text: string, options: AnalyzeOptions = {}): string[] {
  const terms: string[] = [];
  visitTerms(text, options.language ?? guessLanguage(text), (term, _start, _end, stop, isName) => {
    if (!stop || options.keepStopWords === true || (isName && options.keepNames === true)) terms.push(term);
  });
  return terms;
}

export interface QueryOptions {
  /** Languages of the index, most frequent first: documents are analysed each in its own. Default: the query's. */
  readonly languages?: readonly string[];
}

/**
 * Search terms of a query. Stop words are those of the query's own language; what is left is stemmed in every given
 * language, because the documents that it should find may be in any; a term that several languages agree on counts once
 * for its word. Words that the query repeats count as often (dropping duplicates costs up to 9 points of nDCG@10 on long
 * queries). A query of nothing but stop words keeps them.
 */
export const analyzeQuery = (text: string, options: QueryOptions = {}): string[] => [
  ...readQueryWords(text, options).terms,
];

/** A query as every language of the index reads it. */
export interface QueryWords {
  /** As `analyzeQuery` gives them. */
  readonly terms: readonly string[];
  /** The terms of each language in the order of the query: what follows what is told by these alone. */
  readonly sequences: readonly (readonly string[])[];
  /** The terms of each word, in whichever language. */
  readonly words: readonly (readonly string[])[];
}

export function readQueryWords(text: string, options: QueryOptions = {}): QueryWords {
  const own = guessLanguage(text, options.languages);
  const languages = options.languages?.length ? options.languages : [own];
  const stopPlaces = new Set<string>();
  visitTerms(text, own, (_term, start, end, stop) => {
    if (stop) stopPlaces.add(`${start}-${end}`);
  });
  const content = new Map<string, Set<string>>();
  const everything = new Map<string, Set<string>>();
  const read = languages.map((language) => {
    const said: string[] = [];
    const all: string[] = [];
    visitTerms(text, language, (term, start, end, stop) => {
      const place = `${start}-${end}`;
      all.push(term);
      addTo(everything, place, term);
      if (stop || stopPlaces.has(place)) return;
      said.push(term);
      addTo(content, place, term);
    });
    return { said, all };
  });
  for (const places of [content, everything]) dropGroups(places);
  const words = [...(content.size > 0 ? content : everything).values()].map((terms) => [...terms]);
  return {
    terms: words.flat(),
    sequences: read.map(({ said, all }) => (content.size > 0 ? said : all)),
    words,
  };
}

/** Who asks for 1 000 000 asks for no other number with these groups. */
function dropGroups(places: Map<string, Set<string>>): void {
  const spans = [...places].map(([place, terms]) => {
    const [start = 0, end = 0] = place.split('-').map(Number);
    const isNumber = [...terms].some((term) => term.length < end - start && /^\d{4,}$/u.test(term));
    return { place, start, end, isNumber };
  });
  for (const whole of spans.filter(({ isNumber }) => isNumber))
    for (const { place, start, end } of spans)
      if (start >= whole.start && end <= whole.end && place !== whole.place) places.delete(place);
}

function addTo(places: Map<string, Set<string>>, place: string, term: string): void {
  const terms = places.get(place);
  if (terms) terms.add(term);
  else places.set(place, new Set([term]));
}

/** A single word as the analyzer would index it, for callers that compare words. */
export function termOf(word: string, language: string): string {
  return foldDiacritics(stemWord(normaliseWord(word, language), language), language);
}
