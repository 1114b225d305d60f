// Which names of a claim stand for a pronoun of the quote. A name may be put where the quote has "he", "it" or "their" if the
// sentence before, or a line of the given context, opens with that name: it never adds a name anywhere else.
import { findNames } from '../../text/words/names.ts';
import type { Alignment } from './align.ts';
import type { Token } from './tokens.ts';

const pronoun =
  /^(?:he|she|it|they|him|her|them|his|its|their|hers|theirs|this|these|those|er|sie|es|ihr|ihre|sein|seine|dieser|diese|dieses)$/u;
const owning = /^(?:his|its|their|hers|theirs|ihr|ihre|sein|seine)$/u;

/** Indexes of claim tokens that a pronoun of the quote covers. `before` is the sentence before and the lines of the context. */
export function findResolved(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
  before: () => readonly string[],
): ReadonlySet<number> {
  const resolved = new Set<number>();
  let previous = -1;
  for (let at = 0; at < claim.length; at += 1) {
    const token = claim[at] as Token;
    if (!token.content) continue;
    if ((alignment.toQuote[at] as number) >= 0) {
      previous = at;
      continue;
    }
    const run = [at];
    let next = at + 1;
    for (; next < claim.length; next += 1) {
      const other = claim[next] as Token;
      if (!other.content) continue;
      if ((alignment.toQuote[next] as number) >= 0) break;
      run.push(next);
    }
    if (run.every((index) => isNameLike(claim[index] as Token)) && stands(run, previous, next))
      for (const index of run) resolved.add(index);
    at = next - 1;
  }
  return resolved;

  function stands(run: readonly number[], from: number, to: number): boolean {
    const low = from < 0 ? -1 : (alignment.toQuote[from] as number);
    const high = to < claim.length ? (alignment.toQuote[to] as number) : quote.length;
    if (high <= low) return false;
    const gap = quote.slice(low + 1, high);
    const said = gap.find((token) => !token.content && pronoun.test(token.lower));
    if (!said || gap.some((token) => token.content && isNameLike(token))) return false;
    // The name takes the place of the pronoun, so the claim has not both.
    if (claim.slice(from + 1, to).some((token) => token.lower === said.lower)) return false;
    const last = claim[run.at(-1) as number] as Token;
    if (
      owning.test(said.lower) &&
      !last.possessive &&
      !claim.slice(from + 1, run[0]).some((token) => token.lower === 'of')
    )
      return false;
    return before().some((text) =>
      opensWith(
        text,
        run.map((index) => (claim[index] as Token).lower),
      ),
    );
  }
}

const isNameLike = (token: Token): boolean =>
  token.content && !token.quantity && !token.date && (token.name || /^\p{Lu}/u.test(token.text));

function opensWith(text: string, words: readonly string[]): boolean {
  const first = findNames(text.slice(0, 400))[0];
  if (!first) return false;
  const there = new Set(
    first.words.flatMap((word) =>
      word
        .toLowerCase()
        .replace(/['’]s$/u, '')
        .split('-'),
    ),
  );
  return words.every((word) => word.split('-').every((part) => there.has(part)));
}
