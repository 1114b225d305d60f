// The topic of a question to the archive, word by word: how much each word tells, by how few turns have it. Invariant: a
// word that several languages of the archive read differently counts once.
import type { PeekRequest } from '../../core/archive.ts';
import { readQueryWords } from '../../text/analyze.ts';
import { stopWordLanguages } from '../../text/language/stop-words.ts';
import { isLight, isWeightless } from './meta-words.ts';
import type { ReadableArchive } from './reading.ts';

export interface TopicWord {
  readonly text: string;
  /** As languages of the archive have it. */
  readonly terms: ReadonlySet<string>;
  readonly weight: number;
  /** Turns that have it. */
  readonly hits: number;
  /** It asks something of the topic rather than naming it. */
  readonly isLight: boolean;
}

const weighedWords = 8;
/** In a small archive everything is common. */
const leastWeight = 0.7;
/** A light word that nobody said weighs no more than so much of the word that names the topic best. */
const lightShare = 0.5;

export const weightIn = (words: readonly TopicWord[], terms: ReadonlySet<string>): number =>
  words.reduce((sum, { terms: own, weight }) => sum + (own.values().some((term) => terms.has(term)) ? weight : 0), 0);

export const wholeWeight = (words: readonly TopicWord[]): number => words.reduce((sum, { weight }) => sum + weight, 0);

interface TellingWord {
  /** As it is asked for: terms are not read again, since a stem has a stem, too. */
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

const wordForm = /[\p{L}\p{N}][\p{L}\p{N}'’.&+#-]*/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** `known`: terms of the query as the archive reads it. */
function tellingWords(query: string, known: ReadonlySet<string>, silent: ReadonlySet<string>): readonly TellingWord[] {
  const words: (TellingWord & { readonly isTelling: boolean })[] = [];
  const take = (text: string, own: Iterable<string>): void => {
    const terms = new Set(own).intersection(known);
    const isNew = words.every((word) => word.terms.isDisjointFrom(terms));
    const isTelling = !terms.values().some((term) => isWeightless(term) || silent.has(term));
    if (terms.size > 0 && isNew) words.push({ text, terms, isTelling });
  };
  for (const [text] of query.matchAll(wordForm)) {
    const { terms } = readQueryWords(text, { languages: stopWordLanguages });
    // Of writing without spaces each term is a word.
    if (unspaced.test(text)) for (const term of terms) take(term, [term]);
    else take(text, terms);
  }
  const telling = words.filter((word) => word.isTelling);
  return (telling.length > 0 ? telling : words).slice(0, weighedWords);
}

export interface WeighOptions {
  readonly query: string;
  /** Terms of the query as the archive reads it. */
  readonly terms: readonly string[];
  /** Words that weigh nothing: the name of somebody who is asked for is not said by them. */
  readonly silent: ReadonlySet<string>;
  readonly timeRange?: PeekRequest['time_range'];
  readonly signal: AbortSignal;
}

export async function weighTopic(
  archive: Pick<ReadableArchive, 'peek'>,
  { query, terms, silent, timeRange, signal }: WeighOptions,
): Promise<readonly TopicWord[]> {
  const words: TopicWord[] = [];
  for (const { text, terms: own } of tellingWords(query, new Set(terms), silent)) {
    signal.throwIfAborted();
    const { total } = await archive.peek({
      query: text,
      top_n_snippets: 0,
      bin: 'year',
      ...(timeRange && { time_range: timeRange }),
    });
    const weight = Math.max(leastWeight, Math.log(1 + (total.turns - total.hits + 0.5) / (total.hits + 0.5)));
    words.push({ text, terms: own, weight, hits: total.hits, isLight: own.values().some(isLight) });
  }
  const heaviest = Math.max(0, ...words.filter((word) => !word.isLight).map(({ weight }) => weight));
  return words.map((word) =>
    word.isLight && word.hits === 0 && heaviest > 0
      ? { ...word, weight: Math.min(word.weight, lightShare * heaviest) }
      : word,
  );
}
