// A turn as it is read: whole where it fits, else each message by its sentences that say most of it, in their order and word for word, so
// that a quote of a summary is a quote of the turn.
import type { ArchiveMessage } from '../../core/archive.ts';
import { analyzeText } from '../../text/analyze.ts';
import { segmentSentences } from '../../text/sentences.ts';
import { countTokens } from '../../text/tokens/tokens.ts';

export interface ReadMessages {
  readonly messages: readonly ArchiveMessage[];
  readonly content_used: 'full' | 'summary';
  /** Of the whole turn. */
  readonly tokens: number;
  /** Of what is given. */
  readonly usedTokens: number;
}

/** What stands between two sentences that were not neighbours. */
export const ellipsis = ' […] ';

/** Sentences of a long message that are looked at: what a person would not read on either. */
const readCharacters = 400_000;

export function readWithin(
  messages: readonly ArchiveMessage[],
  {
    maxTokens,
    terms,
    language,
  }: { readonly maxTokens: number; readonly terms?: ReadonlySet<string>; readonly language: string },
): ReadMessages {
  const counts = messages.map(({ text }) => countTokens(text));
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  if (tokens <= maxTokens) return { messages, content_used: 'full', tokens, usedTokens: tokens };
  let left = maxTokens;
  // Short messages are kept whole; what is left is shared by the long ones.
  const order = counts.map((count, at) => ({ count, at })).sort((one, other) => one.count - other.count);
  const summaries = new Map<number, ArchiveMessage>();
  for (const [done, { count, at }] of order.entries()) {
    const share = Math.floor(left / (order.length - done));
    const message = messages[at] as ArchiveMessage;
    const text = count <= share ? message.text : summarise(message.text, { maxTokens: share, terms, language });
    left -= count <= share ? count : countTokens(text);
    if (text !== '') summaries.set(at, { ...message, text });
  }
  const kept = messages.flatMap((_, at) => summaries.get(at) ?? []);
  const usedTokens = kept.reduce((sum, { text }) => sum + countTokens(text), 0);
  return { messages: kept, content_used: 'summary', tokens, usedTokens };
}

interface Weighed {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly weight: number;
}

/** The sentences with the most telling words (those that the text repeats, and those that are asked for), the first one always. */
export function summarise(
  text: string,
  {
    maxTokens,
    terms,
    language,
  }: { readonly maxTokens: number; readonly terms?: ReadonlySet<string> | undefined; readonly language: string },
): string {
  const read = text.slice(0, readCharacters);
  const sentences = segmentSentences(read, { language }).map((span) => ({
    ...span,
    words: analyzeText(read.slice(span.start, span.end), { language }),
  }));
  const frequencies = new Map<string, number>();
  for (const { words } of sentences)
    for (const word of new Set(words)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const weighed: Weighed[] = sentences.map(({ start, end, words }, at) => {
    const telling = [...new Set(words)].reduce(
      (sum, word) => sum + Math.log(frequencies.get(word) ?? 1) + (terms?.has(word) ? 5 : 0),
      at === 0 ? 10 : 0,
    );
    return {
      start,
      end,
      tokens: countTokens(read.slice(start, end)) + 3,
      weight: telling / Math.sqrt(words.length + 3),
    };
  });
  const chosen: Weighed[] = [];
  let left = maxTokens;
  for (const sentence of weighed.toSorted((one, other) => other.weight - one.weight || one.start - other.start)) {
    if (sentence.tokens > left) continue;
    chosen.push(sentence);
    left -= sentence.tokens;
  }
  chosen.sort((one, other) => one.start - other.start);
  let summary = '';
  let before: Weighed | undefined;
  for (const sentence of chosen) {
    const gap = before === undefined ? '' : read.slice(before.end, sentence.start);
    summary += gap.trim() === '' ? gap : ellipsis;
    summary += read.slice(sentence.start, sentence.end);
    before = sentence;
  }
  return summary;
}
