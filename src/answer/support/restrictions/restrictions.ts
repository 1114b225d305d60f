// What a claim leaves out of its sentence that may take away more than words. What stands in brackets may go, and
// what stands apart: a statement of its own, an item, a clause between commas.
import type { Alignment } from '../align.ts';
import { prepositions } from '../markers.ts';
import type { Token } from '../tokens.ts';

/** What takes something back, or binds what it stands beside. */
const binding =
  /^(?:except|excluding|excepting|barring|save|without|minus|unlike|apart|aside|otherwise|außer|ohne|if|unless|provided|providing|given|upon|assuming|once|whenever|lest|subject|depending|contingent|wenn|falls|sofern|until|bis|withdr[ae]wn?|withdrew|revoked|cancell?ed|annulled|overturned|reversed|repealed|abandoned|retracted|rejected|denied|failed|disputed|refuted|replaced|lost|suspended|postponed|together|jointly|combined)$/u;
const joint = /^(?:and|or|because|und|oder|weil|[;:.])$/u;
const clause = /^(?:but|so|such|including|which|who|whose|where|aber|\p{L}+ing)$/u;
const standsForThing = /^(?:it|them|him|her|us|one|then|there|itself|themselves|himself)$/u;

/** A run of words of the sentence without any that the claim has. */
interface Run {
  readonly quote: readonly Token[];
  readonly start: number;
  readonly end: number;
  readonly isUsed: (at: number) => boolean;
}

const isMark = (token: Token | undefined, form: RegExp): boolean => token?.type === 'mark' && form.test(token.text);

/** The runs of words that a claim left out, each as text; empty where every omission is harmless. */
export function restrictionsRemoved(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
): readonly string[] {
  const surplus = new Map<string, number>();
  for (const token of quote) if (!token.content) surplus.set(token.lower, (surplus.get(token.lower) ?? 0) + 1);
  for (const token of claim) if (!token.content) surplus.set(token.lower, (surplus.get(token.lower) ?? 0) - 1);
  const isUsed = (at: number): boolean => {
    const token = quote[at] as Token;
    return alignment.used[at] === 1 || (!token.content && (surplus.get(token.lower) ?? 0) <= 0);
  };
  const isKept = (at: number): boolean => quote[at]?.content === true && isUsed(at);
  if (!quote.some((_, at) => isKept(at))) return [];
  const removed: string[] = [];
  for (let at = 0; at < quote.length; at += 1) {
    if (!tells(quote, at) || isUsed(at)) continue;
    let [start, end] = [at, at];
    while (start > 0 && !isKept(start - 1)) start -= 1;
    while (end + 1 < quote.length && !isKept(end + 1)) end += 1;
    const run = { quote, start, end, isUsed };
    const isNamed = start === 0 && isNamedByPronoun(claim, quote.slice(start, end + 1));
    if (!isNamed && !isInBrackets(run) && !isSpeltOut(run) && !isApart(run))
      removed.push(textOf(quote.slice(at, end + 1)));
    at = end;
  }
  return removed;
}

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 80);

/** Content words, and small words at the end that stand for them: "on each one", "acts on it". */
function tells(quote: readonly Token[], at: number): boolean {
  const token = quote[at] as Token;
  if (token.content) return true;
  if (token.type !== 'word' || !(token.quantifier || standsForThing.test(token.lower))) return false;
  for (let other = at - 1; other >= 0 && other >= at - 2; other -= 1) {
    const before = quote[other] as Token;
    if (before.content || before.type === 'mark') return false;
    if (prepositions.has(before.lower)) {
      const next = quote[at + 1];
      return next === undefined || next.type === 'mark' || !next.content;
    }
  }
  return false;
}

/** A statement or item at either end, a clause between commas: "The pier is old, and it is closed", "The lake, which froze in May, drew skaters". */
function isApart({ quote, start, end, isUsed }: Run): boolean {
  // "In 1999 (its last year), and …": brackets before it go by themselves.
  const isOpen = isMark(quote[start], /^\($/u);
  const words = quote.slice(
    isOpen ? quote.findIndex((token, at) => at > start && isMark(token, /^\)$/u)) + 1 : start,
    end + 1,
  );
  if (words.some(({ lower, negates }) => negates || binding.test(lower))) return false;
  const opensWithComma = isMark(words[0], /^[,–—]$/u);
  const [opener = '', behind] = words.slice(opensWithComma ? 1 : 0).map(({ lower }) => lower);
  if (behind === 'only') return false;
  const isTail = !quote.some((token, at) => at > end && token.content && isUsed(at));
  if (isTail) return joint.test(opener) || (opensWithComma && clause.test(opener));
  if (quote.some(({ content }, at) => at < start && content))
    return opensWithComma && isMark(words.at(-1), /^[,–—]$/u) && clause.test(opener);
  const [last, joined] = words.slice(words.findLastIndex(({ content }) => content) + 1);
  return isMark(last, /^[;:.]$/u) || (isMark(last, /^,$/u) && joint.test(joined?.lower ?? ''));
}

/** "It is closed" for "The pier is closed": the claim has a pronoun where the quote has its subject. */
function isNamedByPronoun([first]: readonly Token[], words: readonly Token[]): boolean {
  return (
    /^(?:it|he|she|they|this|these)$/u.test(first?.lower ?? '') &&
    words.every(
      ({ type, quantifier, lower }) =>
        type !== 'mark' && lower !== first?.lower && !quantifier && !prepositions.has(lower),
    )
  );
}

/** Everything that was left out stands in brackets, and is no exception or condition. */
function isInBrackets({ quote, start, end, isUsed }: Run): boolean {
  let depth = 0;
  let holdsWords = false;
  for (let at = 0; at <= end; at += 1) {
    const token = quote[at] as Token;
    const isBinding = binding.test(token.lower);
    if (isMark(token, /^[([]$/u)) depth += 1;
    else if (isMark(token, /^[)\]]$/u)) depth = Math.max(0, depth - 1);
    else if (at >= start && token.content && !isUsed(at)) {
      if (depth === 0 || isBinding) return false;
      holdsWords = true;
    } else if (at >= start && depth > 0 && isBinding) return false;
  }
  return holdsWords;
}

/** "World Health Organization (" before the acronym that the claim has. */
function isSpeltOut({ quote, start, end, isUsed }: Run): boolean {
  const acronym = quote[end + 1];
  if (!isMark(quote[end], /^\($/u) || !acronym || !isUsed(end + 1) || !/^[\p{Lu}\d]{2,}s?$/u.test(acronym.text))
    return false;
  return quote.slice(start, end).every((token) => !token.content || acronym.lower.includes(token.lower[0] as string));
}
