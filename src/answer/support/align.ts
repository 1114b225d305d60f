// Aligns the content tokens of a claim with those of one quoted sentence: a longest common subsequence under a similarity
// (Hirschberg's problem, plain dynamic programming: sentences are short), then the rest by nearest match. What the second
// step finds stands in another order and has to be excused by order.ts.

import { dateCovers } from '../../text/quantities/dates.ts';
import { sameAmount } from '../../text/quantities/quantities.ts';
import { foldDiacritics } from '../../text/words/normalise.ts';
import { areSynonyms } from '../../text/words/synonyms.ts';
import type { Token } from './tokens.ts';

export interface Alignment {
  /** For each claim token (index into the reading) the aligned quote token, or -1. */
  readonly toQuote: Int32Array;
  /** For each quote token whether some claim token is aligned with it. */
  readonly used: Uint8Array;
}

const romanForm = /^(?=[IVXLC]{1,6}$)(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/u;
const romanValues: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100 };

/** The value of a roman numeral such as VIII, or undefined. */
export function romanValue(text: string): number | undefined {
  if (!romanForm.test(text)) return undefined;
  let total = 0;
  for (let at = 0; at < text.length; at += 1) {
    const value = romanValues[text[at] as string] as number;
    total += value < (romanValues[text[at + 1] as string] ?? 0) ? -value : value;
  }
  return total;
}

/** Endings that turn a word into its noun, adjective or adverb without changing what it is about. */
const derivation =
  /^(?:e|ly|al|ally|ation|ion|tion|ment|ness|ity|ive|ed|ing|s|es|ance|ence|able|ization|y|ial|ical|ically|ic|ate|ated|ates|ating|ant|ent|al|ary|ional|ions|ations|ments)?$/u;

function derived(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5 || a[0] !== b[0]) return false;
  let same = 0;
  while (same < shorter && a[same] === b[same]) same += 1;
  return same >= 5 && same >= shorter - 3 && derivation.test(a.slice(same)) && derivation.test(b.slice(same));
}

/** "2m copies" is "2 million copies"; a space before the m would make it metres. */
function isMillion(short: Token, long: Token): boolean {
  if (!/^\d[\d.,]*m$/u.test(short.text) || !/^\d[\d.,]* million$/iu.test(long.text)) return false;
  return short.quantity?.high === undefined && long.quantity?.value === (short.quantity?.value ?? 0) * 1_000_000;
}

const beyondAscii = /[^\0-\x7f]/u;
const digit = /\d/u;

/** How well a claim token is carried by a quote token: 1 same word, quantity or date; lower for synonyms; 0 not at all. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function similarity(claim: Token, quote: Token): number {
  if (claim.date && quote.date) return dateCovers(quote.date, claim.date) ? 1 : 0;
  if (claim.date || quote.date) {
    const date = claim.date ?? quote.date;
    const quantity = claim.date ? quote.quantity : claim.quantity;
    if (!date || !quantity || date.precision !== 'year' || quantity.unit || quantity.high !== undefined) return 0;
    return quantity.value === date.year && (claim.date === undefined || date.bareYear) ? 1 : 0;
  }
  if (claim.type === 'number' || quote.type === 'number') {
    if (claim.quantity && quote.quantity)
      return sameAmount(claim.quantity, quote.quantity) || isMillion(claim, quote) || isMillion(quote, claim) ? 1 : 0;
    const [quantity, word] = claim.quantity ? [claim.quantity, quote] : [quote.quantity, claim];
    return quantity && !quantity.unit && word.type === 'word' && romanValue(word.text) === quantity.value ? 0.9 : 0;
  }
  if (claim.type !== quote.type) return 0;
  if (claim.lower === quote.lower) return 1;
  if (claim.type === 'character') return 0;
  for (const key of claim.keys) if (quote.keys.includes(key)) return 0.95;
  if (beyondAscii.test(quote.lower) && foldDiacritics(quote.lower) === claim.lower) return 0.95;
  if (digit.test(claim.lower) || digit.test(quote.lower))
    return claim.lower.replaceAll('-', '') === quote.lower.replaceAll('-', '') ? 0.95 : 0;
  if (claim.name && quote.name) return 0;
  if (areSynonyms(claim.lower, quote.lower)) return 0.85;
  return derived(claim.lower, quote.lower) ? 0.8 : 0;
}

/** Aligns content tokens. Cost: content tokens of the claim times those of the quote. */
export function alignTokens(claim: readonly Token[], quote: readonly Token[]): Alignment {
  const mine = indexes(claim);
  const theirs = indexes(quote);
  const toQuote = new Int32Array(claim.length).fill(-1);
  const used = new Uint8Array(quote.length);
  const width = theirs.length + 1;
  const scores = new Float32Array(mine.length * theirs.length);
  const best = new Float32Array((mine.length + 1) * width);
  for (let i = 0; i < mine.length; i += 1)
    for (let j = 0; j < theirs.length; j += 1)
      scores[i * theirs.length + j] = similarity(
        claim[mine[i] as number] as Token,
        quote[theirs[j] as number] as Token,
      );
  for (let i = mine.length - 1; i >= 0; i -= 1)
    for (let j = theirs.length - 1; j >= 0; j -= 1) {
      const match = scores[i * theirs.length + j] as number;
      const diagonal = match > 0 ? match + (best[(i + 1) * width + j + 1] as number) : 0;
      best[i * width + j] = Math.max(diagonal, best[(i + 1) * width + j] as number, best[i * width + j + 1] as number);
    }
  let i = 0;
  let j = 0;
  while (i < mine.length && j < theirs.length) {
    const here = best[i * width + j] as number;
    const match = scores[i * theirs.length + j] as number;
    if (match > 0 && Math.abs(here - match - (best[(i + 1) * width + j + 1] as number)) < 1e-4) {
      toQuote[mine[i] as number] = theirs[j] as number;
      used[theirs[j] as number] = 1;
      i += 1;
      j += 1;
    } else if (here === best[(i + 1) * width + j]) i += 1;
    else j += 1;
  }
  for (const [row, at] of mine.entries()) {
    if (toQuote[at] !== -1) continue;
    let choice = -1;
    let score = 0;
    for (const [column, other] of theirs.entries()) {
      const value = (scores[row * theirs.length + column] as number) - (used[other] ? 2 : 0);
      if (value > score) {
        choice = other;
        score = value;
      }
    }
    if (choice >= 0) {
      toQuote[at] = choice;
      used[choice] = 1;
    }
  }
  return { toQuote, used };
}

function indexes(tokens: readonly Token[]): number[] {
  const found: number[] = [];
  for (const [at, token] of tokens.entries()) if (token.content) found.push(at);
  return found;
}
