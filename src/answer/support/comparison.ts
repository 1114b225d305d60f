// What a claim and all of its quotes are read into before they are held against each other: their words, which word of the quotes
// carries which of the claim, and the sentence that carries most.
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { type Match, matchWords, type QuoteText, quoteTextOf } from './match.ts';
import { sentencesOf } from './quote-reading.ts';
import { markScopes } from './scopes.ts';
import { type Language, languageOf, readTokens, type Token, tighten } from './tokens.ts';

export interface Comparison {
  readonly claim: readonly Token[];
  readonly quote: QuoteText;
  readonly match: Match;
  /** The number of the sentence that carries most of the claim, and its tokens. */
  readonly anchor: number;
  readonly anchored: readonly Token[];
  /** The same sentence as it is written. */
  readonly sentence: string;
  /** All that were read. */
  readonly sentences: readonly Sentence[];
  /** The titles and headings over the quotes, which may name what they do not. */
  readonly titles: readonly Token[];
  readonly question: readonly Token[];
  readonly language: Language;
}

export interface ComparedTexts {
  readonly claim: string;
  readonly quotes: readonly QuoteUnder[];
  /** What the claim answers, where that is known. */
  readonly question?: string | undefined;
}

/** A quote with the title and the headings over it, which may name what it does not. */
export interface QuoteUnder {
  readonly quote: string;
  readonly title: string;
  readonly headingPath?: readonly string[] | undefined;
}

/** Sentences that are read: those that share most with the claim, in their order. */
const mostSentences = 40;
/** Sentences that an encoder reads for a claim, at some 4 ms each. */
const mostNear = 12;
/** Marks of a list around a claim: "1. The pier …", "- The pier". */
const listMarks =
  /^\s{0,40}(?:\(?\d{1,2}[.)]\s{1,8}|[-*•–]\s{1,8}){1,4}|(?:[^\S\n]{0,8}\n\s{0,8}\d{1,2}\.?){1,4}\s{0,8}$/gu;

export function compareTexts({ claim, quotes, question = '' }: ComparedTexts): Comparison {
  const plain = claim.replace(listMarks, '');
  const whole = quotes.map(({ quote }) => quote).join('\n');
  const language = languageOf(whole.length > 40 ? whole : `${whole} ${claim}`);
  const read = (text: string): readonly Token[] => readTokens(tight(text), language).tokens;
  const said = read(plain);
  const sentences = chosen(
    quotes.flatMap(({ quote, title, headingPath = [] }) => {
      const over = [title, ...headingPath].filter((one) => one !== '').join('. ');
      return sentencesOf(quote, language).map((text) => ({ text, over, tokens: read(text) }));
    }),
    { claim: said, most: mostSentences },
  );
  const unmarked = quoteTextOf(sentences.map(({ tokens }) => tokens));
  const match = matchWords(said, unmarked);
  const anchor = anchorOf(said, unmarked, match);
  const from = unmarked.sentence.indexOf(anchor);
  const to = unmarked.sentence.lastIndexOf(anchor) + 1;
  const used = new Set(match.to);
  const anchored = from < 0 ? [] : markScopes(unmarked.tokens.slice(from, to), (at) => used.has(from + at));
  const quote =
    from < 0
      ? unmarked
      : { ...unmarked, tokens: [...unmarked.tokens.slice(0, from), ...anchored, ...unmarked.tokens.slice(to)] };
  return {
    claim: markScopes(said, (at) => (match.to[at] as number) >= 0),
    quote,
    match,
    anchor,
    anchored,
    sentence: sentences[anchor]?.text ?? '',
    sentences,
    titles: quotes.flatMap(({ title, headingPath = [] }) => [title, ...headingPath].flatMap(read)),
    question: read(question),
    language,
  };
}

/** The sentences that share most with the claim, each under its title and headings, and the one that carries most among them: at most `mostNear`. */
export const nearSentences = ({ claim, sentences, anchor }: Comparison): readonly string[] =>
  chosen(sentences, { claim, most: mostNear, always: sentences[anchor] }).map(({ text, over }) =>
    over === '' ? text : `${over}. ${text}`,
  );

/** Sentences are read for one claim after the other. */
const tight = cacheTexts(tighten, { characters: 60_000 });

export interface Sentence {
  readonly text: string;
  /** Its title and headings. */
  readonly over: string;
  readonly tokens: readonly Token[];
}

interface Choice {
  readonly claim: readonly Token[];
  readonly most: number;
  readonly always?: Sentence | undefined;
}

/** Those that share most with the claim, in their order. */
function chosen(sentences: readonly Sentence[], { claim, most, always }: Choice): readonly Sentence[] {
  if (sentences.length <= most) return sentences;
  const wanted = new Set(claim.flatMap((token) => (token.content ? token.keys : [])));
  const sharedBy = ({ tokens }: Sentence): number =>
    new Set(tokens.flatMap((token) => (token.content ? token.keys.filter((key) => wanted.has(key)) : []))).size;
  return sentences
    .map((sentence, at) => ({ sentence, at, shared: sentence === always ? Infinity : sharedBy(sentence) }))
    .sort((a, b) => b.shared - a.shared || a.at - b.at)
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ sentence }) => sentence);
}

function anchorOf(claim: readonly Token[], quote: QuoteText, match: Match): number {
  const votes = new Map<number, number>();
  for (const [at] of claim.entries()) {
    const there = match.to[at] as number;
    if (there >= 0) votes.set(quote.sentence[there] as number, (votes.get(quote.sentence[there] as number) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
