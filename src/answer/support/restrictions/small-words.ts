// The small words between two neighbours of a claim must be those that stand between them in the sentence: "held for the French" is not "held by the
// French", and "was beaten" is not "beat". Articles and forms of one word may differ; where the claim leaves words out or moves them, other checks speak.
import type { Alignment } from '../align.ts';
import { prepositions } from '../markers.ts';
import type { Token } from '../tokens.ts';
import { isVerbForm } from './words.ts';

const present = /^(?:is|are|am|ist|sind|wird|werden)$/u;
const past = /^(?:was|were|war|waren|wurde|wurden)$/u;
const bare = /^(?:be|been|being|worden)$/u;
const pronoun = /^(?:he|she|it|they|we|i|you|who|which|er|sie|es|wir|ihr|ich|there|but)$/u;

/** As it is compared: forms of "be" by their time; relations of dates and figures are read with them (checks.ts). */
function telling({ lower, type }: Token, isBeforeWord: boolean): string {
  if (type !== 'word') return '';
  if (present.test(lower)) return 'is';
  if (past.test(lower)) return 'was';
  if (bare.test(lower)) return 'be';
  return pronoun.test(lower) || (isBeforeWord && prepositions.has(lower)) ? lower : '';
}

/** The first stretch whose small words differ, or undefined. */
export function smallWordsChanged(
  claim: readonly Token[],
  quote: readonly Token[],
  { toQuote }: Alignment,
): { readonly claim: string; readonly quote: string } | undefined {
  // From the beginning, too.
  const content = [-1, ...[...claim.keys()].filter((at) => claim[at]?.content)];
  for (const [index, at] of content.entries()) {
    const next = content[index + 1];
    if (next === undefined) break;
    const [from, to] = [at < 0 ? -1 : (toQuote[at] as number), toQuote[next] as number];
    if ((at >= 0 && from < 0) || to <= from) continue;
    const between = quote.slice(from + 1, to);
    const isAside = between.some(({ text }) => text === '(');
    const other = isAside ? undefined : between.find((token) => token.content && token.name);
    // "Alice won and Bob lost": another one may have done what follows.
    if (at >= 0 && other && isVerbForm(quote[to] as Token))
      return { claim: claim[next]?.text ?? '', quote: other.text };
    if (between.some((token) => token.content)) continue;
    const isBeforeWord = quote[to]?.type === 'word';
    const wordsOf = (tokens: readonly Token[]): string =>
      tokens
        .map((token) => telling(token, isBeforeWord))
        .filter((word) => word !== '')
        .join(' ');
    const [mine, theirs] = [wordsOf(claim.slice(at + 1, next)), wordsOf(between)];
    if (mine !== theirs) return { claim: mine || 'nothing', quote: theirs || 'nothing' };
  }
  return undefined;
}
