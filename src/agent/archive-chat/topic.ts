// What a question to the archive is about, word by word: how much each word tells, and which conversations speak of how much of it. Invariant: a
// word that several languages of the archive read differently counts once.
import type { PeekRequest, PeekShare } from '../../core/archive.ts';
import { analyzeText, readQueryWords } from '../../text/analyze.ts';
import { stopWordLanguages } from '../../text/language/stop-words.ts';
import { isLight, isThing, isWeightless } from './meta-words.ts';
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

export interface SpokenIn {
  readonly conversationId: string;
  readonly title: string;
  /** Share of the topic's weight that is spoken of somewhere in it. */
  readonly share: number;
  readonly hits: number;
}

const weighedWords = 8;
/** In a small archive everything is common. */
const leastWeight = 0.7;
/** What asks something of the topic in a word that nobody said weighs no more than so much of the word that names it best. */
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
  const take = (text: string, own: Iterable<string>, isOfThing = false): void => {
    const terms = new Set(own).intersection(known);
    const isNew = words.every((word) => word.terms.isDisjointFrom(terms));
    const isTelling = isOfThing || !terms.values().some((term) => isWeightless(term) || silent.has(term));
    if (terms.size > 0 && isNew) words.push({ text, terms, isTelling });
  };
  for (const { 0: text, index } of query.matchAll(wordForm)) {
    const { terms } = readQueryWords(text, { languages: stopWordLanguages });
    // Of writing without spaces each term is a word.
    if (unspaced.test(text)) for (const term of terms) take(term, [term]);
    else take(text, terms, isThing(text, query.slice(0, index)));
  }
  const telling = words.filter((word) => word.isTelling);
  return (telling.length > 0 ? telling : words).slice(0, weighedWords);
}

export interface WeighedTopic {
  readonly words: readonly TopicWord[];
  /** Conversations that speak of it, of most of it first. */
  readonly spokenIn: readonly SpokenIn[];
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

export async function weighTopic(archive: Pick<ReadableArchive, 'peek'>, options: WeighOptions): Promise<WeighedTopic> {
  const { query, terms, silent, timeRange, signal } = options;
  const looked: (TopicWord & { readonly conversations: readonly PeekShare[] })[] = [];
  for (const { text, terms: own } of tellingWords(query, new Set(terms), silent)) {
    signal.throwIfAborted();
    const { total, conversations = [] } = await archive.peek({
      query: text,
      top_n_snippets: 0,
      bin: 'year',
      by: ['conversation'],
      ...(timeRange && { time_range: timeRange }),
    });
    const weight = Math.max(leastWeight, Math.log(1 + (total.turns - total.hits + 0.5) / (total.hits + 0.5)));
    const isOfAsking = own.values().some(isLight);
    looked.push({ text, terms: own, weight, hits: total.hits, isLight: isOfAsking, conversations });
  }
  const heaviest = Math.max(0, ...looked.filter((word) => !word.isLight).map(({ weight }) => weight));
  const words: TopicWord[] = [];
  const spoken = new Map<string, { title: string; weight: number; hits: number }>();
  for (const { conversations, ...word } of looked) {
    const isUnsaid = word.isLight && word.hits === 0 && heaviest > 0;
    const weight = isUnsaid ? Math.min(word.weight, lightShare * heaviest) : word.weight;
    words.push({ ...word, weight });
    for (const { conversation_id: id, title, count } of conversations) {
      const known = spoken.get(id) ?? { title, weight: 0, hits: 0 };
      spoken.set(id, { title, weight: known.weight + weight, hits: known.hits + count });
    }
  }
  const whole = wholeWeight(words);
  const spokenIn = [...spoken]
    .map(([conversationId, { title, weight, hits }]) => {
      const ofTitle = weightIn(words, new Set(analyzeText(title)));
      return { conversationId, title, hits, share: whole === 0 ? 0 : Math.max(weight, ofTitle) / whole };
    })
    .sort((left, right) => right.share - left.share || right.hits - left.hits);
  return { words, spokenIn };
}
