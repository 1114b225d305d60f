// Who does what to whom, read roughly: the nouns around a word that may be a verb or a deed ("the invasion of the island by the
// army"), turned round for the passive. Two readings of one deed agree, contradict, or say nothing of each other.

import { afterBe } from './markers.ts';
import type { Token } from './tokens.ts';

interface Deed {
  readonly doer?: number;
  readonly done?: number;
}

const stops = /^(?:and|or|but|which|who|that|while|when|because|although|if|,|;|:|\(|\))$/u;
const light = /^(?:the|a|an|his|her|its|their|this|that|these|those|own|s)$/u;
const takesPlace = /^(?:took|takes|taken|take|happen|happened|happens|occurred|occurs|place|was|were|is|are)$/u;

/** The head of the noun phrase that ends before `at`, auxiliaries and adverbs passed over. */
function before(tokens: readonly Token[], at: number): number | undefined {
  for (let other = at - 1; other >= 0 && other > at - 7; other -= 1) {
    const token = tokens[other] as Token;
    if (stops.test(token.text) || stops.test(token.lower)) return undefined;
    if (token.content && !/ly$/u.test(token.lower)) {
      if (token.type !== 'word') continue;
      // "of the island" belongs to what stands before it.
      const marker = tokens
        .slice(Math.max(0, other - 3), other)
        .findLast((item) => !item.content && !light.test(item.lower));
      const adjacent = tokens
        .slice(Math.max(0, other - 3), other)
        .some((item) => item.lower === 'of' || item.lower === 'in' || item.lower === 'by');
      if (adjacent && marker && /^(?:of|in|by|from|for|at|on)$/u.test(marker.lower)) {
        other = tokens.findLastIndex((item, index) => index < other && item === marker);
        continue;
      }
      return other;
    }
  }
  return undefined;
}

/** The head of the noun phrase that begins at `from`. */
function after(tokens: readonly Token[], from: number): number | undefined {
  let head: number | undefined;
  for (let other = from; other < tokens.length && other < from + 7; other += 1) {
    const token = tokens[other] as Token;
    if (token.content && token.type === 'word') head = other;
    else if (token.content || light.test(token.lower)) {
      if (head !== undefined && !token.content) break;
    } else break;
  }
  return head;
}

function deedAt(tokens: readonly Token[], at: number): Deed {
  const token = tokens[at] as Token;
  const next = tokens[at + 1];
  const byAt = (from: number): number => {
    for (let other = from; other < tokens.length && other < from + 8; other += 1) {
      if (stops.test(tokens[other]?.text ?? '')) return -1;
      if (tokens[other]?.lower === 'by' && !tokens[other + 1]?.quantity) return other;
    }
    return -1;
  };
  if (next?.lower === 'of' || (next?.lower === 'by' && !afterBe(tokens, at))) {
    const by = byAt(at + 1);
    const done = next.lower === 'of' ? after(tokens, at + 2) : undefined;
    const doer = by < 0 ? undefined : after(tokens, by + 1);
    return { ...(doer !== undefined && { doer }), ...(done !== undefined && { done }) };
  }
  if (takesPlace.test(token.lower)) return {};
  if (afterBe(tokens, at) && !/ing$/u.test(token.lower)) {
    const by = byAt(at + 1);
    const done = before(tokens, at);
    const doer = by < 0 ? undefined : after(tokens, by + 1);
    return { ...(doer !== undefined && { doer }), ...(done !== undefined && { done }) };
  }
  const doer = before(tokens, at);
  const done = next && (next.content || light.test(next.lower)) ? after(tokens, at + 1) : undefined;
  return { ...(doer !== undefined && { doer }), ...(done !== undefined && { done }) };
}

export type Agreement = 'agrees' | 'contradicts' | 'silent';

/** What the roles around one aligned deed say: turned round, the same, or nothing. */
export function rolesOf(
  claim: readonly Token[],
  quote: readonly Token[],
  { at, there, alignedTo }: { readonly at: number; readonly there: number; readonly alignedTo: (at: number) => number },
): Agreement {
  const token = claim[at] as Token;
  if (token.type !== 'word' || token.name || (quote[there] as Token).name) return 'silent';
  const mine = deedAt(claim, at);
  const theirs = deedAt(quote, there);
  const place = (index: number | undefined): number => (index === undefined ? -1 : alignedTo(index));
  const same = (index: number | undefined, other: number | undefined): boolean => {
    const found = place(index);
    return found >= 0 && other !== undefined && (found === other || quote[found]?.lower === quote[other]?.lower);
  };
  const turned = same(mine.doer, theirs.done) || same(mine.done, theirs.doer);
  const kept = same(mine.doer, theirs.doer) || same(mine.done, theirs.done);
  // "The railway was closed", "the railway closed": one place alone says nothing.
  const isWhole = ({ doer, done }: Deed): boolean => doer !== undefined && done !== undefined;
  if (turned && !kept) return isWhole(mine) || isWhole(theirs) ? 'contradicts' : 'silent';
  return kept && !turned ? 'agrees' : 'silent';
}
