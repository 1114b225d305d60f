// Left-out words that say something of their own beside the statement: a clause before it, brackets, clauses and appositions between
// commas, further statements joined by "and".
import type { Token } from '../tokens.ts';
import {
  auxiliaries,
  clauseEnd,
  conditional,
  examples,
  excepting,
  exceptingBehind,
  isMark,
  isPastVerb,
  isVerbForm,
  prepositions,
  type Restriction,
  type Run,
  reasons,
  rest,
  takenBack,
} from './words.ts';

/** Everything that was left out stands in brackets. */
export function isAside({ quote, start, end, isUsed }: Run): boolean {
  let depth = 0;
  let holdsWords = false;
  for (let at = 0; at <= end; at += 1) {
    const token = quote[at] as Token;
    if (isMark(token, /^[([]$/u)) depth += 1;
    else if (isMark(token, /^[)\]]$/u)) depth = Math.max(0, depth - 1);
    else if (at >= start && token.content && !isUsed(at)) {
      if (depth === 0 || excepting.test(token.lower) || conditional.test(token.lower)) return false;
      holdsWords = true;
    } else if (at >= start && depth > 0 && (excepting.test(token.lower) || conditional.test(token.lower))) return false;
  }
  return holdsWords;
}

/** "World Health Organization (" before the acronym that the claim has. */
export function isSpeltOut({ quote, start, end, isUsed }: Run): boolean {
  const acronym = quote[end + 1];
  if (!isMark(quote[end], /^\($/u) || !acronym || !isUsed(end + 1) || !/^[\p{Lu}\d]{2,}s?$/u.test(acronym.text))
    return false;
  const letters = acronym.lower;
  return quote.slice(start, end).every((token) => !token.content || letters.includes(token.lower[0] as string));
}

/** A clause or phrase between commas: "which …", "the capital of …", "making …". */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function readAside(run: Run, comma: number): number | Restriction {
  const { quote, end, once } = run;
  let at = comma + 1;
  const token = quote[at];
  if (!token || at > end) return comma + 1;
  const close = quote.findIndex((other, index) => index > comma && index <= end + 1 && isMark(other, /^[,—–;.]$/u));
  const stop = close < 0 ? end + 1 : close;
  const endsHere = stop <= end || stop >= quote.length - 1 || isMark(quote[stop]);
  if (/^(?:which|who|whose|whom|where)$/u.test(token.lower) && endsHere) return relativeEnd(run, comma);
  if (/^(?:and|or|but|und|oder|aber|nor|yet)$/u.test(token.lower)) return at;
  if (
    excepting.test(token.lower) ||
    conditional.test(token.lower) ||
    /^(?:not|only|other|when|where|as)$/u.test(token.lower)
  )
    return at;
  if (!token.content && reasons.test(token.lower)) return at;
  if (/ing$/u.test(token.lower) && token.content && !prepositions.test(token.lower)) return stop;
  if (examples.test(token.lower)) return stop;
  if (!token.content && prepositions.test(token.lower)) return at;
  // An apposition or a list item: nouns with their phrases, closed by a comma or the end.
  if (endsHere) {
    const words = quote.slice(at, stop);
    if (words.some((other) => takenBack.test(other.lower) && !other.name)) return rest(run, at, 'clause');
    if (exceptingBehind.test(words.findLast(({ type }) => type === 'word')?.lower ?? ''))
      return rest(run, at, 'exception');
    const isList = isMark(quote[stop], /^,$/u) || words.length < 12;
    if (isList || once()) return stop;
  }
  at = comma + 1;
  return at;
}

/** Where a relative clause between commas ends: at the last comma of the run, or its end. */
function relativeEnd({ quote, end }: Run, from: number): number {
  const close = quote.findLastIndex((other, index) => index > from && index <= end && isMark(other, /^[,—–]$/u));
  return close > from + 2 ? close + 1 : end + 1;
}

/** "because it rained", "although …": a clause with a verb of its own that runs to a comma or the end. */
export function startsReason({ quote, start, end, place }: Run, at: number): boolean {
  const { lower } = quote[at] as Token;
  if (/^(?:because|although|though|whereas|whilst|weil|obwohl|so)$/u.test(lower))
    return lower !== 'so' || quote[at + 1]?.lower === 'that' || isMark(quote[at - 1]);
  if (!isMark(quote[at - 1]) && at > start + 1) return false;
  return isMark(quote[at - 1]) && (place === 'tail' || isMark(quote[end], /^,$/u));
}

const is = /^(?:is|are|was|were)$/u;

/** "and was rebuilt in 1675", "and Graz": another statement or another item. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function readJoined(run: Run, at: number): number | Restriction {
  const { quote, end, place, isUsed } = run;
  const stop = clauseEnd(run, at);
  const words = quote.slice(at + 1, stop);
  if (
    words.some((token) => excepting.test(token.lower)) ||
    /^(?:not|never|no|rarely|seldom|hardly|nowhere|neither)$/u.test(words[0]?.lower ?? '')
  )
    return rest(run, at, 'exception');
  if (words[0]?.quantifier?.scale === 'only' || conditional.test(words[0]?.lower ?? ''))
    return rest(run, at, 'condition');
  if (
    words.some((token) => takenBack.test(token.lower) && !token.name) &&
    !words.slice(0, 2).some((token) => token.name)
  )
    return rest(run, at, 'clause');
  // "In 2010 in Europe and in 2014 in Japan": neither time is that of both places.
  if (prepositions.test(words[0]?.lower ?? '') && words.some(({ date }) => date) && !words.some(isVerbForm))
    return rest(run, at, 'phrase');
  // "The label and two rivals together sold 40 million".
  if (words.some(({ lower }) => /^(?:together|jointly|collectively|combined|altogether)$/u.test(lower)))
    return rest(run, at, 'phrase');
  const before = quote.slice(0, at);
  if (
    before.some((token) => /^(?:between|both|either|neither|zwischen)$/u.test(token.lower)) &&
    !words.some((token) => auxiliaries.test(token.lower) || isPastVerb(token))
  )
    return rest(run, at, 'phrase');
  // "salt and pepper shakers": what follows is used, so the word belongs to it.
  if (place === 'inside' && stop > end && !isMark(quote[end]) && isUsed(end + 1)) {
    // "Books and films are the second life": what stands behind the verb is of both.
    const kept = quote.findIndex((token, index) => index > at && index < end && is.test(token.lower) && isUsed(index));
    if (kept > 0 && words.slice(0, kept - at - 1).every((token) => !isPastVerb(token))) return kept + 1;
    const hasVerb = words.some((token) => isPastVerb(token) || auxiliaries.test(token.lower));
    if (hasVerb && !prepositions.test(quote[end]?.lower ?? '')) return stop;
    return (quote[end] as Token).content && quote.slice(at + 1, end + 1).every((token) => token.content)
      ? stop
      : at + 1;
  }
  if (
    quote.slice(0, at).some((token) => /^(?:or|nor)$/u.test(token.lower)) ||
    /^(?:or|oder|nor)$/u.test((quote[at] as Token).lower)
  )
    return run.once() ? stop : rest(run, at, 'phrase');
  return stop;
}
