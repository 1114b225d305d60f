// Left-out words inside the statement itself: phrases with their prepositions, modifiers and heads. Here an omission is harmless
// only where something happened once.

import { isKindOfName, isNamePrefix } from '../name-parts.ts';
import type { Token } from '../tokens.ts';
import {
  auxiliaries,
  changes,
  circumstances,
  degrees,
  describing,
  isGraded,
  isMark,
  isPastVerb,
  isVerbForm,
  isVerbLike,
  linking,
  narrowingAdverbs,
  past,
  prepositions,
  type Restriction,
  type Run,
  rest,
  takingBack,
  tells,
} from './words.ts';

/** A phrase with its preposition. Only where and when of what happened once may go, and the agent of a passive. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function readPhrase(run: Run, at: number): number | Restriction {
  const { quote, end, place, once, isUsed } = run;
  const { lower } = quote[at] as Token;
  let stop = at + 1;
  while (stop <= end) {
    const token = quote[stop] as Token;
    if (isMark(token, /^[,;:()—–.]$/u)) break;
    if (
      !token.content &&
      (/^(?:and|or|but|that|which|who|when|while|because|und|oder|aber)$/u.test(token.lower) ||
        (prepositions.test(token.lower) && token.lower !== 'of' && token.lower !== 'to'))
    )
      break;
    stop += 1;
  }
  const inner = quote.slice(at + 1, stop);
  if (!inner.some((_, index) => tells(quote, at + 1 + index))) return stop;
  const previous = quote[at - 1];
  // The phrase runs into a kept word: its own words were cut, and what was kept stands under it.
  const runsOn = stop > end && place !== 'tail' && !isMark(quote[end]) && !isVerbLike(quote, end + 1, isUsed);
  const follower = quote[end + 1];
  if (runsOn && !inner.some((token) => token.date) && (follower?.name || !inner.some((token) => token.name)))
    return readWords(run, at + 1);
  const subject = !quote.slice(0, at).some(isVerbForm);
  const hasDate = inner.some((token) => token.date);
  // "Written in part by", but "in the eastern part".
  if (degrees.test(inner.find(({ content }) => content)?.lower ?? '') && !/^(?:the|an?)$/u.test(inner[0]?.lower ?? ''))
    return rest(run, at, 'phrase');
  // "Everyone in the sales team": whoever that is of.
  if ((place !== 'lead' || previous?.quantifier) && subject && !isMark(previous)) return rest(run, at, 'phrase');
  if (
    lower === 'by' &&
    isPassivePast(quote, at) &&
    !inner.some((token) => token.type === 'number') &&
    !inner.some((token) => /ing$/u.test(token.lower))
  )
    return negatedOrDoubted(quote, isUsed) ? rest(run, at, 'phrase') : stop;
  if (lower === 'in' && isScope(inner, quote.slice(0, at))) return rest(run, at, 'phrase');
  // "Wages rose in the public sector": when something changed may go, where it did may not.
  const isChanged = quote.slice(Math.max(0, at - nearestChange), at).some((token) => changes.test(token.lower));
  if (isChanged && !hasDate && /^(?:in|at|near|inside|outside|along|throughout|around|among)$/u.test(lower))
    return rest(run, at, 'phrase');
  if (
    ((circumstances.test(lower) && !isTrial(quote, at)) ||
      (lower === 'on' && (hasDate || inner.some((token) => token.name))) ||
      (lower === 'on' && previous !== undefined && isPastVerb(previous))) &&
    once()
  )
    return stop;
  if (lower === 'by' && hasDate && once()) return stop;
  return rest(run, at, 'phrase');
}

/** Among whom, when in a life or of which contest: "in her age group", "in one patient out of five", "in her youth", "won the primary in Ohio". */
const isScope = (inner: readonly Token[], before: readonly Token[]): boolean =>
  scopes.test(inner.findLast(({ content }) => content)?.lower ?? '') ||
  (inner.some(({ type, date, quantifier }) => (type === 'number' || quantifier !== undefined) && !date) &&
    inner.some(({ lower }) => /^(?:cases?|instances?|trials?|out)$/u.test(lower) || subjectsOfTrials.test(lower))) ||
  (before.some(({ lower }) => /^(?:was|were)$/u.test(lower)) && inner.some(({ lower }) => agesOfLife.test(lower))) ||
  (before.some(({ lower }) => contests.test(lower)) && !inner.some(({ date }) => date));
const scopes =
  /^(?:group|class|category|division|bracket|genre|discipline|segment|subset|summers|winters|seasons|nights|weekends|weather|conditions|emergencies|situations|circumstances|places|patches|spots)$/u;
/** What somebody was then, they are not ever since. */
const agesOfLife =
  /^(?:youth|childhood|boyhood|girlhood|adolescence|infancy|teens|twenties|thirties|forties|fifties|sixties|retirement)$/u;
/** Each place has its own. */
const contests = /^(?:primary|primaries|elections?|referendums?|votes?|ballots?|polls?|majority)$/u;

/** So many words before where something changed. */
const nearestChange = 3;

/** "In mice", "in patients": whom a finding was made on. */
export function isTrial(quote: readonly Token[], at: number): boolean {
  const next = quote.slice(at + 1, at + 4).find((token) => token.content);
  const isBare = quote[at + 1]?.content === true;
  return quote[at]?.lower === 'in' && isBare && next !== undefined && subjectsOfTrials.test(next.lower);
}

const subjectsOfTrials =
  /^(?:mice|mouse|rats?|rabbits?|pigs?|dogs?|cats|monkeys|primates|animals?|cells?|humans?|people|patients?|adults?|children|infants|women|men|girls|boys|volunteers|participants|smokers|athletes|vitro|vivo|silico|yeast|bacteria|plants|zebrafish|sheep|cattle|birds)$/u;

/** "was built", "had been closed on Monday", ", founded" stands right before, with nothing else that a "by" could belong to. */
export function isPassivePast(quote: readonly Token[], before: number): boolean {
  for (let at = before - 1; at >= 0 && at > before - 7; at -= 1) {
    const token = quote[at] as Token;
    if (token.type === 'mark') return false;
    if (isPastVerb(token) && token.content)
      return (
        quote.slice(Math.max(0, at - 3), at).some((other) => /^(?:was|were|been|wurde|wurden)$/u.test(other.lower)) ||
        isMark(quote[at - 1], /^,$/u)
      );
    if (token.content && !token.date && !token.name && at < before - 1) return false;
  }
  return false;
}

export const negatedOrDoubted = (quote: readonly Token[], isUsed: (at: number) => boolean): boolean =>
  quote.some(
    (token, at) => token.content && isUsed(at) && (token.negations > 0 || token.doubt > 0 || token.condition !== ''),
  ) || quote.some((token) => token.quantifier?.scale === 'only');

/** What stands behind "of" is the very thing. */
const sameThing =
  /^(?:city|town|village|municipality|borough|island|state|kingdom|republic|province|county|district|region|river|month|year|name|game|language|title|job|post|position|practice|process|act|form|kind|type|sort|use|presence|existence|case|sum)$/u;

/** "Green tea exports doubled" says less than "Tea exports doubled"; "the old mill" is one mill. */
const isOfAll = (quote: readonly Token[], at: number, after: Token): boolean =>
  !after.name &&
  !determiners.test(quote[at]?.lower ?? '') &&
  !quote.slice(Math.max(0, at - 4), at).some(({ lower, possessive }) => possessive || determiners.test(lower));
const determiners = /^(?:the|an?|this|that|these|those|his|her|its|their|my|our|your|one|some|s)$/u;

/** Which of two or of several. */
const toldApart =
  /^(?:lower|upper|inner|outer|north|south|east|west|northern|southern|eastern|western|left|right|front|rear|regional|provincial|federal|municipal|standing)$/u;

const isNameLike = ({ name, text }: Token): boolean => name || /^\p{Lu}/u.test(text);
/** A noun before a noun names its kind; what describes one tells nothing apart. */
const tellsWhich = (token: Token): boolean =>
  token.type === 'word' && token.content && !isNameLike(token) && !token.possessive && !describing.test(token.lower);

/** Bare words: modifiers of what follows, or the head of what stands before. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function readWords(run: Run, at: number): number | Restriction {
  const { quote, start, end, place, once, isUsed } = run;
  let stop = at;
  while (stop <= end) {
    const token = quote[stop] as Token;
    if (
      isMark(token, /^[,;:()—–.]$/u) ||
      (!token.content &&
        !/^(?:a|an|the|of|own|s|his|her|its|their|-|very|so|too|more|der|die|das)$/u.test(token.lower) &&
        token.type !== 'mark')
    )
      break;
    stop += 1;
  }
  const words = quote.slice(at, stop).filter((token) => token.content);
  const [before, after] = [quote[at - 1], quote[stop]];
  if (words.some((token) => takingBack.test(token.lower)) || words.some(isGraded)) return rest(run, at, 'modifier');
  if (words.every((token) => linking.test(token.lower))) return stop;
  if (words.some((token) => token.lower === 'called') && quote[at - 1]?.text === '-') return rest(run, at, 'modifier');
  const isAdverb = words.every((token) => /ly$/u.test(token.lower) && !token.name);
  const bindsBack = at === start && before !== undefined && before.content && isUsed(at - 1);
  const bindsOn = stop > end && place !== 'tail' && after?.content && isUsed(stop);
  if (words.some(({ lower }) => narrowingAdverbs.test(lower))) return rest(run, at, 'modifier');
  if (isAdverb) return once() || isMark(before) || isMark(after, /^[,;—–]$/u) ? stop : rest(run, at, 'modifier');
  const isVerb =
    words.some(isPastVerb) ||
    quote.slice(at - 2 < 0 ? 0 : at - 2, at).some((token) => auxiliaries.test(token.lower) || past.test(token.lower));
  if (bindsBack && before?.possessive && !words.every((token) => isPastVerb(token))) return rest(run, at, 'head');
  const isNamed = words.every((token) => token.name || /^\p{Lu}/u.test(token.text));
  const isCapital = (token: Token | undefined): boolean =>
    token !== undefined && token.type === 'word' && /^\p{Lu}/u.test(token.text);
  if (bindsBack && before?.name && isNamed && (!isCapital(after) || words.some((token) => isKindOfName(token.lower))))
    return rest(run, at, 'head');
  // "the museum [shop] closed", "the South Korean [junior] team"
  if (
    bindsBack &&
    bindsOn &&
    after &&
    before &&
    !isPastVerb(before) &&
    !isVerb &&
    (isPastVerb(after) || (before.name && !isCapital(after) && !isNamed))
  )
    return rest(run, at, 'head');
  if (bindsOn && after) {
    // "By [pupils of] Lotto", "[a third of] a metre", but "in [the city of] Lund".
    const of = quote.slice(at, stop).findLastIndex(({ lower }) => lower === 'of');
    const isHead = of > 0 && quote.slice(at + of + 1, stop).every(({ content }) => !content);
    if (isHead && !sameThing.test(quote.slice(at, at + of).findLast(({ content }) => content)?.lower ?? ''))
      return rest(run, at, 'head');
    if (
      words.every((token) => token.name || /^\p{Lu}/u.test(token.text)) &&
      (after.name || /^\p{Lu}/u.test(after.text))
    ) {
      if (before?.content && isUsed(at - 1) && (before.name || /^\p{Lu}/u.test(before.text))) return stop;
      return isKindOfName(after.lower) || words.some((token) => isNamePrefix(token.lower))
        ? rest(run, at, 'modifier')
        : stop;
    }
    if (words.some((token) => token.type === 'number')) return once() ? stop : rest(run, at, 'modifier');
    // "Fool's gold", but "the fool's gold".
    if (words.at(-1)?.possessive && !words.some(({ name }) => name) && isOfAll(quote, at, after))
      return rest(run, at, 'modifier');
    // "The lower house" is told from the other one.
    if (words.some(({ lower }) => toldApart.test(lower))) return rest(run, at, 'modifier');
    // "FM radio" is a kind of radio.
    if (words.some(({ text }) => /^\p{Lu}{2,}$/u.test(text)) && isOfAll(quote, at, after))
      return rest(run, at, 'modifier');
    if (place === 'lead' && isOfAll(quote, at, after)) return rest(run, at, 'modifier');
    // "Sales of used cars doubled".
    const isMeasured = quote[at - 1]?.lower === 'of' && quote.some(({ lower }) => changes.test(lower));
    if (isMeasured && isOfAll(quote, at, after)) return rest(run, at, 'modifier');
    // "The backup pump", "the audience award": which of them it is; "the old pump" is the one that is spoken of.
    if (!isNameLike(after) && (words.some(tellsWhich) || contests.test(after.lower))) return rest(run, at, 'modifier');
    return once() ? stop : rest(run, at, 'modifier');
  }
  if (bindsBack && before) {
    if (before.possessive || before.name || !isVerb) return rest(run, at, 'head');
  }
  return once() && !isVerb && isMark(before) ? stop : rest(run, at, isVerb ? 'clause' : 'head');
}
