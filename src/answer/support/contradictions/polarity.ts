// What a claim affirms and its quotes deny, or the other way round; the opposite of a word of the quote; all for most.
// Only the sentence that carries most of the claim speaks, and only of the words that both have.
import { areOpposites } from '../../../text/words/opposites.ts';
import type { Token } from '../tokens.ts';
import type { Comparison } from './comparison.ts';

/** Words that deny without "not": what is said beside them may stand for a denial. */
const denying =
  /^(?:un|in|im|ir|il|dis|non|mis)\p{L}{4}|less(?:ly)?$|^(?:no|nor|none|nobody|nothing|never|without|lack\p{L}*|fail\p{L}*|refus\p{L}*|den(?:y|ie)\p{L}*|reject\p{L}*|declin\p{L}*|avoid\p{L}*|prevent\p{L}*|stop\p{L}*|ban\p{L}*|absen\p{L}*|miss\p{L}*|few|fewer|little|less|least|only|hardly|barely|rarely|seldom|instead|rather|but|despite|although|though|however|too|except|exclud\p{L}*|other|than|never|los[st]\p{L}*|end\p{L}*|stopped|cancel\p{L}*|abandon\p{L}*|free|zero|empty|remain\p{L}*|unchanged|still|yet|false|myth|against|rul\p{L}*|out|doubt\p{L}*|wrong\p{L}*|neither|alone|away|drop\p{L}*|quit|until|while|whereas|contrast|unlike|ceas\p{L}*|prohibit\p{L}*|forb\p{L}*|block\p{L}*|halt\p{L}*|withdr\p{L}*|retir\p{L}*|cut|closed?|shut|gone|last|near|nearly|almost|first|best|worst|\p{L}{2,}est)$/u;

/** Reasons of the form `kind: detail`; `opposites` are the words of the claim that say the opposite and deny it. */
export function turnedRound(comparison: Comparison, opposites: ReadonlySet<number>): string[] {
  const found = new Set<string>();
  if (opposites.size === 0) denials(comparison, found);
  oppositeWords(comparison, found);
  quantifiers(comparison, found);
  return [...found];
}

const isDenying = (token: Token): boolean => token.negates || (token.type === 'word' && denying.test(token.lower));
const isPlainNo = ({ lower }: Token): boolean => /^(?:not|no|never|nor|neither|none|nobody|nothing)$/u.test(lower);

function denials({ claim, quote, match, anchor, anchored }: Comparison, found: Set<string>): void {
  const drawnOn = new Set<number>();
  for (const [at, token] of claim.entries())
    if (token.content && (match.to[at] as number) >= 0) drawnOn.add(quote.sentence[match.to[at] as number] as number);
  const isDenied = quote.tokens.some((token, at) => drawnOn.has(quote.sentence[at] as number) && isDenying(token));
  const no = claim.find((token, at) => isPlainNo(token) && !(token.lower === 'not' && claim[at + 1]?.lower === 'only'));
  if (no && !isDenied) {
    found.add(`negation-added: ${no.text}`);
    return;
  }
  let [compared, denied, affirmed] = [0, 0, 0];
  let word = '';
  for (const [at, token] of claim.entries()) {
    const there = match.to[at] as number;
    if (!token.content || there < 0 || quote.sentence[there] !== anchor || token.type !== 'word' || token.name)
      continue;
    const other = quote.tokens[there] as Token;
    compared += 1;
    if (token.negations > 0 && other.negations === 0) denied += 1;
    if (token.negations === 0 && other.negations > 0) affirmed += 1;
    if (token.negations !== other.negations) word = other.text;
  }
  const isMost = (count: number): boolean => count > 0 && count * 2 > compared;
  if (isMost(denied) && no && !anchored.some(isDenying)) found.add(`negation-added: ${no.text}`);
  if (isMost(affirmed) && anchored.some(isPlainNo) && !claim.some(isDenying)) found.add(`negation-removed: ${word}`);
}

const telling =
  /^(?:before|after|above|below|with|without|until|since|first|last|more|less|fewer|least|most|for|against|inside|outside|never|always)$/u;

function oppositeWords({ claim, quote, match, anchor, anchored }: Comparison, found: Set<string>): void {
  const mine = new Set(claim.flatMap(({ lower, keys }) => [lower, ...keys]));
  const theirs = new Set(quote.tokens.flatMap(({ lower, keys }) => [lower, ...keys]));
  const start = quote.sentence.indexOf(anchor);
  for (const [at, token] of claim.entries()) {
    const isTelling = telling.test(token.lower);
    if (!isTelling && (token.type !== 'word' || token.name || !token.content || (match.to[at] as number) >= 0))
      continue;
    if (theirs.has(token.lower)) continue;
    for (const [place, other] of anchored.entries()) {
      const isTheirs = telling.test(other.lower) || (other.type === 'word' && !other.name && other.content);
      if (!isTheirs || mine.has(other.lower) || other.keys.some((key) => mine.has(key))) continue;
      if (!areOpposites(token.lower, other.lower) || isDeniedAlone(token) !== isDeniedAlone(other)) continue;
      if (converse.test(token.lower) && changesSides({ claim, match }, at, start + place)) continue;
      if (sharesNeighbour({ claim, match }, at, start + place)) {
        found.add(`direction-changed: ${other.text} → ${token.text}`);
        break;
      }
    }
  }
}

/** Words of the claim that are denied where the sentence affirms the opposite, or the other way round: "not open", "closed". */
export function saysTheOpposite({ claim, match, anchored }: Comparison): ReadonlySet<number> {
  const mine = new Set(claim.flatMap(({ lower, keys }) => [lower, ...keys]));
  const found = new Set<number>();
  for (const [at, token] of claim.entries()) {
    if (token.type !== 'word' || token.name || !token.content || (match.to[at] as number) >= 0) continue;
    for (const other of anchored) {
      if (other.type !== 'word' || !other.content || other.keys.some((key) => mine.has(key))) continue;
      if (areOpposites(token.lower, other.lower) && isDeniedAlone(token) !== isDeniedAlone(other)) found.add(at);
    }
  }
  return found;
}

/** Denied by another word than itself: "prohibited" denies what follows. */
const isDeniedAlone = (token: Token): boolean => token.negations - (token.negates ? 1 : 0) > 0;

/** What one sells another buys: with their places changed both say the same. */
const converse =
  /^(?:b(?:uy|uys|uying|ought)|s(?:ell|ells|elling|old)|purchas\p{L}*|gi(?:ve|ves|ving|ven)|gave|receiv\p{L}*|t(?:ake|akes|aking|aken|ook)|len[dt]\p{L}*|borrow\p{L}*|t(?:each|eaches|eaching|aught)|learn\p{L}*|w(?:in|ins|inning|on)|los(?:e|es|ing|t)|beat|import\p{L}*|export\p{L}*|preced\p{L}*|follow\p{L}*|succeed\p{L}*|employ\p{L}*|more|less|fewer|above|below|before|after|\p{L}+er)$/u;

/** A word that stands before the one stands after the other. */
function changesSides({ claim, match }: Pick<Comparison, 'claim' | 'match'>, at: number, there: number): boolean {
  return claim.some((token, near) => {
    const other = match.to[near] as number;
    const isNear = token.content && token.type === 'word' && Math.abs(near - at) <= 8 && Math.abs(other - there) <= 10;
    return near !== at && other >= 0 && isNear && near < at !== other < there;
  });
}

/** Both stand beside the same word: "rose by", "fell by" of the same thing. */
function sharesNeighbour({ claim, match }: Pick<Comparison, 'claim' | 'match'>, at: number, there: number): boolean {
  for (let near = Math.max(0, at - 5); near <= Math.min(claim.length - 1, at + 5); near += 1) {
    const other = match.to[near] as number;
    if (near !== at && other >= 0 && claim[near]?.content && Math.abs(other - there) <= 5) return true;
  }
  return false;
}

/** "All" where the quote says most or some of the same. */
function quantifiers({ claim, anchored, match, quote }: Comparison, found: Set<string>): void {
  const theirs = anchored.filter((token) => token.quantifier);
  for (const [at, { quantifier, lower }] of claim.entries()) {
    if (!quantifier || quantifier.rank < 4) continue;
    const target = claim.findIndex((token, index) => index > at && token.content);
    const there = target < 0 ? undefined : quote.tokens[match.to[target] as number];
    const weaker = theirs.find(
      (token) => token.quantifier?.scale === quantifier.scale && (token.quantifier?.rank ?? 4) < 4,
    );
    if (there && weaker && !theirs.some((token) => token.quantifier?.rank === 4) && anchored.includes(there))
      found.add(`quantifier-changed: ${weaker.lower} → ${lower}`);
  }
}
