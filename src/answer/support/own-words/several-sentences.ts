// What a claim that draws on several sentences must keep together: a figure with its clause, a deed with the one who did it, and sentences
// that speak of the same. Each finds words of one sentence that the claim tells of another.
import { wordRelation } from '../../../text/words/lexicon.ts';
import { similarity } from '../align.ts';
import type { Comparison } from '../contradictions/comparison.ts';
import { isFigure, isSameFigure } from '../contradictions/facts.ts';
import { afterBe } from '../markers.ts';
import { auxiliaries, isPastVerb } from '../restrictions/words.ts';
import type { Token } from '../tokens.ts';

/** What another sentence says must be of the same: it opens with a pronoun, or with a word that the claim takes from the first. */
export function elsewhere({ claim, quote, match, anchor, anchored }: Comparison, outside: readonly number[]): string[] {
  const keys = new Set(anchored.flatMap((token) => (token.content ? token.keys : [])));
  for (const at of outside) {
    const sentence = quote.sentence[match.to[at] as number] as number;
    const there = quote.tokens.filter((_, index) => quote.sentence[index] === sentence);
    const [later, earlier] = sentence > anchor ? [there, anchored] : [anchored, there];
    const opening = later.findIndex((token) => token.content || opensWithPronoun.test(token.lower));
    const head = later[opening];
    const first = earlier.find((token) => token.content);
    // Whoever the pronoun means opens the sentence before.
    const isOfFirst = first !== undefined && claim.some((token) => token.keys.some((key) => first.keys.includes(key)));
    const isLinked =
      isOfFirst &&
      Math.abs(sentence - anchor) === 1 &&
      head !== undefined &&
      (opensWithPronoun.test(head.lower) ||
        head.keys.some((key) =>
          later === anchored ? earlier.some((token) => token.content && token.keys.includes(key)) : keys.has(key),
        ));
    if (!isLinked) return [`subject-changed: ${claim[at]?.text} of another sentence`];
  }
  return [];
}

/** A figure belongs to what its clause is about: "founded it. He left in 1988" is not said by "founded it in 1988 and left". */
export function figuresElsewhere({ claim, quote, match }: Comparison, computed: ReadonlyMap<string, string>): string[] {
  return claim.flatMap((token, at) => {
    if (!isFigure(token) || computed.has(token.text)) return [];
    const stands = new Set(
      quote.tokens.flatMap((other, there) =>
        isFigure(other) && isSameFigure(token, other) ? [quote.sentence[there] as number] : [],
      ),
    );
    let [from, to] = [at, at];
    while (!isParting(claim[from - 1])) from -= 1;
    while (!isParting(claim[to + 1])) to += 1;
    const drawnOn = claim.slice(from, to + 1).flatMap((other, near) => {
      const there = match.to[from + near] as number;
      return other.content && !isFigure(other) && there >= 0 ? [quote.sentence[there] as number] : [];
    });
    const isOfOthers = stands.size > 0 && drawnOn.length > 0 && !drawnOn.some((sentence) => stands.has(sentence));
    return isOfOthers ? [`subject-changed: ${token.text} of another sentence`] : [];
  });
}

/** Where one clause ends, and outside of all. */
const isParting = (token: Token | undefined): boolean =>
  token === undefined || /^(?:[,;:]|and|but)$/u.test(token.type === 'mark' ? token.text : token.lower);

/** "Polonia's venue was relegated" from "Polonia's venue is in the north. Polonia was relegated": who did it stands in the other sentence. */
export function subjectsElsewhere({ claim, quote, match }: Comparison): string[] {
  const sentenceOf = (at: number): number =>
    (match.to[at] as number) < 0 ? -1 : (quote.sentence[match.to[at] as number] as number);
  const drawnOn = new Set(claim.flatMap(({ content }, at) => (content && sentenceOf(at) >= 0 ? [sentenceOf(at)] : [])));
  if (drawnOn.size < 2) return [];
  const told = (sentence: number): readonly Token[] =>
    quote.tokens.filter((_, index) => quote.sentence[index] === sentence);
  const headings = [...new Set(quote.sentence)].map(told).filter(isHeading).flat();
  const pronoun = /^(?:he|she|it|they)$/u.exec(claim[0]?.lower ?? '')?.[0];
  /** The words before the first deed; a clause that has none of its own is of the same. */
  let subject: readonly Token[] = [];
  let from = 0;
  for (const [at, token] of claim.entries()) {
    if (isParting(token)) {
      from = at + 1;
      continue;
    }
    const sentence = sentenceOf(at);
    if (!isDeed(claim, at) || sentence < 0) continue;
    const own = claim.slice(from, at).filter((word) => word.content && !isFigure(word) && !/ly$/u.test(word.lower));
    if (subject.length === 0) subject = from === 0 ? own : openingOf(claim);
    const there = told(sentence);
    if (standsForSubject.test(there.find(({ type }) => type === 'word')?.lower ?? '')) continue;
    const missing = (own.length > 0 ? own : subject).find(
      (word) => ![...there, ...headings].some((other) => isOfSameKind(word, other)),
    );
    if (missing) return [`subject-changed: ${missing.text} of another sentence`];
    // "It is called X. Its use was banned": another thing was.
    if (pronoun !== undefined && own.length === 0 && !there.some(({ lower }) => lower === pronoun))
      return [`subject-changed: ${pronoun} of another sentence`];
  }
  return [];
}

const standsForSubject = /^(?:he|she|it|they|this|these|who|which)$/u;

/** "The Millers ." says of whom the next sentence is. */
const isHeading = (tokens: readonly Token[]): boolean =>
  tokens.length <= 8 && !tokens.some((token, at) => isDeed(tokens, at) || auxiliaries.test(token.lower));

/** The words that a claim opens with, up to the first that is none of a name of a thing. */
function openingOf(claim: readonly Token[]): readonly Token[] {
  const end = claim.findIndex(({ content, lower }) => !content && !/^(?:the|an?|s|-)$/u.test(lower));
  const words = claim.slice(0, end < 0 ? claim.length : end).filter(({ content }) => content);
  // "Ana Ruiz lies in": of the present.
  return /^\p{Ll}\p{L}+s$/u.test(words.at(-1)?.text ?? '') ? words.slice(0, -1) : words;
}

/** "Was relegated", "has to register", "opened": what somebody did. */
const isDeed = (tokens: readonly Token[], at: number): boolean => {
  const token = tokens[at] as Token;
  return (
    token.type === 'word' &&
    token.content &&
    /^\p{Ll}/u.test(token.text) &&
    (afterBe(tokens, at) ||
      isPastVerb(token) ||
      /^(?:has|have|had|will|can|may|must|to)$/u.test(tokens[at - 1]?.lower ?? ''))
  );
};

const isOfSameKind = (mine: Token, theirs: Token): boolean =>
  similarity(mine, theirs) > 0 ||
  (theirs.type === 'word' && !mine.name && wordRelation(mine.lower, theirs.lower) === 'synonym');

const opensWithPronoun = /^(?:he|she|it|they|his|her|its|their|this|these|who|which)$/u;
