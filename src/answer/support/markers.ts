// The small words that govern a word: the preposition or conjunction in front of it, and the form of "be" of a passive.
import type { Token } from './tokens.ts';

const be = /^(?:is|are|was|were|be|been|being|gets|get|got|ist|sind|war|waren|wird|wurde|wurden|werden|worden)$/u;
export const prepositions = new Set(
  'in on at by for from to into onto with within without about against between among across through throughout during before after above below over under near toward since until till despite because although when while if as of per via unless whereas following upon alongside im am auf aus bei beim mit nach von vom vor zu zum zur für durch seit bis während wegen unter über zwischen gegen ohne ab trotz innerhalb außerhalb neben hinter'.split(
    ' ',
  ),
);

/** The preposition or conjunction that governs the token at `at`, or ''. Articles and the like in between are passed over. */
export function markerBefore(tokens: readonly Token[], at: number): string {
  for (let other = at - 1; other >= 0 && other >= at - 4; other -= 1) {
    const token = tokens[other] as Token;
    if (token.type === 'mark' || token.content || token.type === 'number' || token.type === 'date') return '';
    if (token.lower === 'to' && tokens[other - 1]?.lower === 'up') return 'until';
    if (prepositions.has(token.lower)) return token.lower;
  }
  return '';
}

/** True if a form of "be" (adverbs aside) stands right before the token: the passive, with a participle. */
export function afterBe(tokens: readonly Token[], at: number): boolean {
  for (let other = at - 1; other >= 0 && other >= at - 4; other -= 1) {
    const token = tokens[other] as Token;
    if (be.test(token.lower)) return true;
    if (
      token.type === 'mark' ||
      !(/ly$|^(?:not|also|later|then|first|never|often|still|ever|been)$/u.test(token.lower) || token.quantifier)
    )
      return false;
  }
  return false;
}
