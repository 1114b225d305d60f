// What a claim leaves out of the sentence that it rests on. A statement is narrowed by exceptions, conditions, phrases, modifiers,
// the head of a name; left out, it says more than the quote. So every run of words that the claim left out must be of a kind
// that is known to take nothing away: an aside, a further clause, an example, a reason, the circumstances of something that
// happened once. Everything else is named as a restriction that was removed.

import { isCondition } from '../../../text/words/hedges.ts';
import type { Alignment } from '../align.ts';
import type { Token } from '../tokens.ts';
import { isAside, isSpeltOut, readAside, readJoined, startsReason } from './asides.ts';
import {
  auxiliaries,
  clauseEnd,
  conditional,
  examples,
  excepting,
  hasContent,
  isGraded,
  isMark,
  isPastVerb,
  linking,
  prepositions,
  type Restriction,
  type Run,
  reasons,
  rest,
  rules,
  takingBack,
  tells,
} from './words.ts';

/** Verbs that compare: "for easy problems the small model outperformed the large one" does not say that it did for all. */
const outdoing =
  /^(?:out(?:perform|number|pac|sell|sold|weigh|scor|last|rank|strip|grew|shone|did)|surpass|exceed)(?:e?[ds]|ing|s)?$/u;
const holdsAsSaid = [auxiliaries, rules, outdoing];

/** Something that happened once: past, neither counted, compared, denied, doubted nor meant of all. */
function happenedOnce(quote: readonly Token[], isKept: (at: number) => boolean): boolean {
  let hasPast = false;
  for (const [at, token] of quote.entries()) {
    if (!isKept(at)) continue;
    if (
      token.type === 'number' ||
      (token.quantifier && !(token.quantifier.scale === 'amount' && token.quantifier.rank < 3)) ||
      token.negates ||
      token.negations > 0
    )
      return false;
    if (token.doubt > 0 || token.modality !== '' || token.condition !== '' || isGraded(token)) return false;
    if (token.type === 'word' && holdsAsSaid.some((form) => form.test(token.lower))) return false;
    if (isPastVerb(token)) hasPast = true;
  }
  return hasPast;
}

/** What the claim left out of the sentence that takes away more than words. Empty where every omission is harmless. */
export function restrictionsRemoved(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
): Restriction[] {
  const surplus = new Map<string, number>();
  for (const token of quote) if (!token.content) surplus.set(token.lower, (surplus.get(token.lower) ?? 0) + 1);
  for (const token of claim) if (!token.content) surplus.set(token.lower, (surplus.get(token.lower) ?? 0) - 1);
  const isUsed = (at: number): boolean => {
    const token = quote[at] as Token;
    return alignment.used[at] === 1 || (!token.content && (surplus.get(token.lower) ?? 0) <= 0);
  };
  const removed: Restriction[] = [];
  let cached: boolean | undefined;
  const once = (): boolean => {
    cached ??= happenedOnce(quote, (at) => keeps(quote, isUsed, at));
    return cached;
  };
  const firstUsed = quote.findIndex((token, at) => token.content && isUsed(at));
  if (firstUsed < 0) return removed;
  const lastUsed = quote.findLastIndex((token, at) => token.content && isUsed(at));
  let at = 0;
  while (at < quote.length) {
    if (!tells(quote, at) || isUsed(at)) {
      at += 1;
      continue;
    }
    let [start, end] = [at, at];
    while (start > 0 && !((quote[start - 1] as Token).content && isUsed(start - 1))) start -= 1;
    while (end + 1 < quote.length && !((quote[end + 1] as Token).content && isUsed(end + 1))) end += 1;
    const place = start <= firstUsed && end < firstUsed ? 'lead' : start > lastUsed ? 'tail' : 'inside';
    const isPronoun = place === 'lead' && start === 0 && isNamedByPronoun(claim, quote.slice(start, end + 1));
    const restriction = isPronoun ? undefined : readRun({ quote, start, end, place, once, isUsed });
    if (restriction) removed.push(restriction);
    at = end + 1;
  }
  return removed;
}

/** Words of the clause that the claim kept: used ones, and small words right beside them. */
function keeps(quote: readonly Token[], isUsed: (at: number) => boolean, at: number): boolean {
  const token = quote[at] as Token;
  if (token.content) return isUsed(at);
  const near = (step: number): boolean => {
    for (let other = at + step, turns = 0; other >= 0 && other < quote.length && turns < 3; other += step, turns += 1) {
      const neighbour = quote[other] as Token;
      if (neighbour.type === 'mark') return false;
      // "Every home match": the quantifier is of the head.
      if (neighbour.content && (isUsed(other) || !token.quantifier)) return isUsed(other);
    }
    return false;
  };
  return near(1);
}

/** "The pier is old, and it is closed": what stands before is another statement, unless it binds. */
function opensClause({ quote, start, end }: Run): boolean {
  if (
    quote.slice(start, end + 1).every(({ type, lower, content }) => type === 'mark' || linking.test(lower) || !content)
  )
    return true;
  const joint = quote.findIndex(
    ({ lower }, at) =>
      at > start && at <= end && /^(?:and|but|und|aber)$/u.test(lower) && isMark(quote[at - 1], /^[,;]$/u),
  );
  const binds = ({ lower }: Token): boolean => conditional.test(lower) || excepting.test(lower);
  return joint >= 0 && !hasContent(quote, joint, end) && !quote.slice(start, joint).some(binds);
}

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function readRun(run: Run): Restriction | undefined {
  const { quote, start, end, place, once } = run;
  let at = start;
  if (isAside(run) || isSpeltOut(run)) return undefined;
  if (place === 'lead') return opensClause(run) ? undefined : rest(run, at, 'phrase');
  while (at <= end) {
    const token = quote[at] as Token;
    const { lower } = token;
    const previous = quote[at - 1];
    const next = quote[at + 1];
    if (token.type === 'mark') {
      if (/^[([]$/u.test(token.text)) {
        const close = quote.findIndex((other, index) => index > at && isMark(other, /^[)\]]$/u));
        if (close < 0 || close > end) return rest(run, at, 'phrase');
        at = close + 1;
      } else if (/^[;:.!?\])]$/u.test(token.text)) {
        // What stands behind is another statement; what stood before was read.
        if (!hasContent(quote, at, end)) return undefined;
        if (place === 'tail') return undefined;
        at = end + 1;
      } else if (/^[,—–]$/u.test(token.text)) {
        const aside = readAside(run, at);
        if (typeof aside === 'number') at = aside;
        else return aside;
      } else at += 1;
      continue;
    }
    if (
      excepting.test(lower) ||
      (lower === 'other' && next?.lower === 'than') ||
      (lower === 'but' && /^(?:not|for)$/u.test(next?.lower ?? ''))
    )
      return rest(run, at, 'exception');
    if (
      conditional.test(lower) ||
      (lower === 'long' && next?.lower === 'as') ||
      (lower === 'case' && next?.lower === 'of') ||
      (!token.content && isCondition(lower, previous?.lower ?? '', next?.lower ?? ''))
    )
      return rest(run, at, 'condition');
    if (!token.content && /^(?:when|where|wenn)$/u.test(lower)) {
      if (!once()) return rest(run, at, 'condition');
      at = clauseEnd(run, at);
      continue;
    }
    if (!token.content && /^(?:and|or|but|und|oder|aber|nor|yet)$/u.test(lower)) {
      const joined = readJoined(run, at);
      if (typeof joined === 'number') at = joined;
      else return joined;
      continue;
    }
    if (!token.content && /^(?:that|which|who|whom|whose)$/u.test(lower)) return rest(run, at, 'clause');
    if (!token.content && reasons.test(lower) && startsReason(run, at)) {
      at = clauseEnd(run, at);
      continue;
    }
    if (examples.test(lower)) {
      at = clauseEnd(run, at);
      continue;
    }
    if (!token.content && prepositions.test(lower)) return rest(run, at, 'phrase');
    if (!token.content) {
      at += 1;
      continue;
    }
    return rest(run, at, 'modifier');
  }
  return undefined;
}

/** "It is closed" for "The pier is closed": the claim has a pronoun where the quote has its subject. */
function isNamedByPronoun(claim: readonly Token[], words: readonly Token[]): boolean {
  const first = claim[0]?.lower ?? '';
  if (!/^(?:it|he|she|they|this|these)$/u.test(first)) return false;
  return words.every(
    (token) =>
      token.type !== 'mark' &&
      token.lower !== first &&
      !token.quantifier &&
      !takingBack.test(token.lower) &&
      (token.content || !prepositions.test(token.lower)),
  );
}
