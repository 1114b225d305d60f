// The other names of what a query asks for, short for long and long for short, as passages of the corpus define them (Schwartz &
// Hearst 2003). Nothing is kept between queries: what is defined is read again from what the caller may read. A loose definition
// (letters inside of words) counts if two documents hold it, one by initials as it stands.

import { analyzeText } from '../../text/analyze.ts';
import { guessLanguage } from '../../text/language/language.ts';
import { stopWords } from '../../text/language/stop-words.ts';
import { findDefinitions, isShortForm, shortFormKey } from '../../text/words/acronyms.ts';
import type { BestPassage } from './reading.ts';

export interface OtherName {
  /** The words of the query. */
  readonly asked: string;
  /** What the corpus calls it too, and of how many terms that is. */
  readonly name: string;
  readonly terms: number;
  readonly documents: number;
}

/** Other names that one query is widened by. */
const most = 4;
/** A loose definition is one when so many documents hold it. */
const leastSightings = 2;
/** Of the documents that define a short form: so many must agree. */
const leastShare = 0.6;
/** Of the documents that hold a long form: so many must shorten it, or the short form is nobody else's. */
const leastUse = 0.35;

/** What a query excludes is no name of what it asks for. */
const exclusions = /(?<=^|\s)-(?:["“„][^"“”„]+["”“]|\p{L}\S*)/gu;

/** Words of a query as they stand, without quotation marks and the punctuation at their ends. */
function wordsOf(query: string): string[] {
  return query
    .replace(exclusions, ' ')
    .split(/[\s"“”„«»()[\]{},;:!?。？！]+/u)
    .map((word) => word.replace(/^['’]+|(?:['’]s)?['’]{0,8}\.?$/gu, ''))
    .filter((word) => word !== '');
}

/** Words of a query that are written like short forms; none where everything is in capitals. */
export function shortFormsOf(query: string): readonly string[] {
  const words = wordsOf(query);
  if (words.length > 1 && !/\p{Ll}/u.test(query)) return [];
  return [...new Set(words.filter((word) => isShortForm(word)))];
}

interface Sighting {
  readonly short: string;
  readonly long: string;
  readonly terms: readonly string[];
  readonly documents: Set<string>;
  exact: boolean;
}

/** Definitions of the passages, by short form and by the terms of the long one, in the order of the first sighting. */
function collect(passages: readonly BestPassage[]): readonly Sighting[] {
  const sightings = new Map<string, Sighting>();
  for (const { documentId, text, language: known } of passages) {
    if (!/[(（]/u.test(text)) continue;
    const language = known ?? guessLanguage(text);
    for (const { short, long, exact } of findDefinitions(text, language)) {
      const terms = analyzeText(long, { language });
      if (terms.length === 0) continue;
      const key = `${shortFormKey(short)} ${terms.join(' ')}`;
      const seen = sightings.get(key) ?? { short, long, terms, documents: new Set<string>(), exact: false };
      seen.documents.add(documentId);
      seen.exact ||= exact;
      sightings.set(key, seen);
    }
  }
  return [...sightings.values()].filter(({ exact, documents }) => exact || documents.size >= leastSightings);
}

/** The definition that most documents give, if it is undisputed; among equals the one seen first, and so in the better passage. */
function commonest(sightings: readonly Sighting[]): Sighting | undefined {
  const all = sightings.reduce((sum, { documents }) => sum + documents.size, 0);
  const best = sightings.reduce<Sighting | undefined>(
    (first, one) => (first === undefined || one.documents.size > first.documents.size ? one : first),
    undefined,
  );
  return best && best.documents.size >= leastShare * all ? best : undefined;
}

/** At most four other names, of short forms first, in the order of the query. */
export function otherNames(query: string, passages: readonly BestPassage[]): readonly OtherName[] {
  const sightings = collect(passages);
  if (sightings.length === 0) return [];
  const words = wordsOf(query);
  const language = passages[0]?.language ?? guessLanguage(query);
  const stops = stopWords(language);
  const terms = analyzeText(words.join(' '), { language });
  // A query that defines a short form says itself what it means.
  const settled = new Set(
    [...query.matchAll(/[(（]([^()（）]*)[)）]/gu)].map(([, inside]) => shortFormKey(inside ?? '')),
  );
  const found: OtherName[] = [];
  for (const word of new Set(words)) {
    // In small letters a word is a short form only if it is no word of the language: it is not IT.
    if (!isShortForm(word) && stops.has(word.toLowerCase())) continue;
    const key = shortFormKey(word);
    const meant = settled.has(key)
      ? undefined
      : commonest(sightings.filter(({ short }) => shortFormKey(short) === key));
    if (meant && placeOf(meant.terms, terms) === -1)
      found.push({ asked: word, name: meant.long, terms: meant.terms.length, documents: meant.documents.size });
  }
  const holding = createCount(passages);
  // The longest first: who asks for embryonic stem cells does not ask for embryonic stems.
  const taken = new Set<number>();
  for (const sighting of [...sightings].sort((one, other) => other.terms.length - one.terms.length)) {
    const { short, long, terms: wanted, documents } = sighting;
    const at = placeOf(wanted, terms);
    if (at === -1 || wanted.some((_, place) => taken.has(at + place))) continue;
    const key = shortFormKey(short);
    if (settled.has(key) || words.some((word) => shortFormKey(word) === key)) continue;
    if (documents.size < leastUse * holding(wanted)) continue;
    for (const place of wanted.keys()) taken.add(at + place);
    found.push({ asked: long, name: short, terms: 1, documents: documents.size });
  }
  return found.slice(0, most);
}

/** Where terms follow one another among those of a text; -1 if they do not. */
const placeOf = (wanted: readonly string[], terms: readonly string[]): number =>
  terms.findIndex((_, at) => wanted.every((term, place) => terms[at + place] === term));

/** Counts documents of which a passage holds a long form; each passage is analysed once, and only if anything is counted. */
function createCount(passages: readonly BestPassage[]): (wanted: readonly string[]) => number {
  const read = new Map<BestPassage, readonly string[]>();
  return (wanted) => {
    const documents = new Set<string>();
    for (const passage of passages) {
      if (documents.has(passage.documentId)) continue;
      const terms = read.get(passage) ?? analyzeText(passage.text, { language: passage.language });
      read.set(passage, terms);
      if (placeOf(wanted, terms) !== -1) documents.add(passage.documentId);
    }
    return documents.size;
  };
}
