// What a claim affirms and its quotes deny, or the other way round; the opposite of a word of the quote; all for most.
// Only the sentence that carries most of the claim speaks, and only of the words that both have.

import type { Comparison } from './comparison.ts';
import type { Token } from './tokens.ts';

/** Words that deny without "not": what is said beside them may stand for a denial. */
const denying =
  /^(?:un|in|im|ir|il|dis|non|mis)\p{L}{4}|less(?:ly)?$|^(?:no|nor|none|nobody|nothing|never|without|lack\p{L}*|fail\p{L}*|refus\p{L}*|den(?:y|ie)\p{L}*|reject\p{L}*|declin\p{L}*|avoid\p{L}*|prevent\p{L}*|stop\p{L}*|ban\p{L}*|absen\p{L}*|miss\p{L}*|few|fewer|little|less|least|only|hardly|barely|rarely|seldom|instead|rather|but|despite|although|though|however|too|except|exclud\p{L}*|other|than|never|los[st]\p{L}*|end\p{L}*|stopped|cancel\p{L}*|abandon\p{L}*|free|zero|empty|remain\p{L}*|unchanged|still|yet|false|myth|against|rul\p{L}*|out|doubt\p{L}*|wrong\p{L}*|neither|alone|away|drop\p{L}*|quit|until|while|whereas|contrast|unlike|ceas\p{L}*|prohibit\p{L}*|forb\p{L}*|block\p{L}*|halt\p{L}*|withdr\p{L}*|retir\p{L}*|cut|closed?|shut|gone|last|near|nearly|almost|first|best|worst|\p{L}{2,}est)$/u;

/** Reasons of the form `kind: detail`. */
export function turnedRound(comparison: Comparison): string[] {
  const found = new Set<string>();
  denials(comparison, found);
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
