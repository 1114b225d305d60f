// Finds for each word of a claim the word of the quote that carries it, over all of its sentences: the same word, another form,
// a listed synonym, the doer of a deed. Where several do, the one nearest to what its neighbours were found in, so that a claim is read
// off as few places as possible.

import { isInitialism } from '../../text/words/names.ts';
import { similarity } from './align.ts';
import type { Token } from './tokens.ts';

export interface QuoteText {
  readonly tokens: readonly Token[];
  /** The sentence that each token stands in. */
  readonly sentence: Int32Array;
  /** Positions of content words by inflection key. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  /** One position for each different content word. */
  readonly distinct: readonly number[];
}

export interface Match {
  /** For each claim token the quote token, or -1. */
  readonly to: Int32Array;
}

export function quoteTextOf(sentences: readonly (readonly Token[])[]): QuoteText {
  const tokens = sentences.flat();
  const sentence = new Int32Array(tokens.length);
  let at = 0;
  for (const [index, part] of sentences.entries())
    for (let turn = 0; turn < part.length; turn += 1) sentence[at++] = index;
  const byKey = new Map<string, number[]>();
  const distinct: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (!token.content) continue;
    let isNew = true;
    for (const key of token.keys) {
      const known = byKey.get(key);
      if (known) {
        known.push(index);
        isNew = false;
      } else byKey.set(key, [index]);
    }
    if (isNew && token.type === 'word') distinct.push(index);
  }
  return { tokens, sentence, byKey, distinct };
}

const agent = /(?:er|or|ers|ors|ist|ists)$/u;

/** "founder" of "founded", "coaches" of "coach": the doer of a deed. */
function isAgent(a: string, b: string): boolean {
  const [doer, deed] = agent.test(a) ? [a, b] : [b, a];
  if (!agent.test(doer)) return false;
  const stem = doer.replace(agent, '');
  return stem.length >= 4 && deed.startsWith(stem) && /^(?:e|ed|es|s|ing|ion)?$/u.test(deed.slice(stem.length));
}

/** How well a word of the quote carries one of the claim, 0..1. */
function relatedness(claim: Token, quote: Token): number {
  if (claim.type !== 'word' || quote.type !== 'word') return 0;
  const direct = similarity(claim, quote);
  if (direct > 0) return direct;
  if (claim.name && quote.name) return isInitialism(claim.text, [quote.text]) ? 0.7 : 0;
  return isAgent(claim.lower, quote.lower) ? 0.7 : 0;
}

/** Ordinals name things: "the second". */
const isDateOrCount = ({ type, quantity }: Token): boolean =>
  type === 'date' || (type === 'number' && quantity?.kind !== 'ordinal');

export function matchWords(claim: readonly Token[], quote: QuoteText): Match {
  const to = new Int32Array(claim.length).fill(-1);
  const candidates = claim.map((token): readonly (readonly [position: number, score: number])[] => {
    if (!token.content || isDateOrCount(token)) return [];
    if (token.quantity)
      return [...quote.tokens.keys()].flatMap((at) =>
        similarity(token, quote.tokens[at] as Token) > 0 ? [[at, 1] as const] : [],
      );
    const found = new Map<number, number>();
    for (const key of token.keys)
      for (const position of quote.byKey.get(key) ?? []) {
        const value = similarity(token, quote.tokens[position] as Token);
        if (value > (found.get(position) ?? 0)) found.set(position, value);
      }
    return [...found];
  });
  // The sentence that has most of it is where words are looked for first.
  const shares = new Map<number, number>();
  for (const list of candidates) {
    for (const sentence of new Set(list.map(([position]) => quote.sentence[position] as number)))
      shares.set(sentence, (shares.get(sentence) ?? 0) + 1);
  }
  let previous = -1;
  for (const [at, token] of claim.entries()) {
    if (!token.content || isDateOrCount(token)) continue;
    let options = candidates[at] as readonly (readonly [number, number])[];
    if (options.length === 0 && token.type === 'word') {
      const related: [number, number][] = [];
      for (const position of quote.distinct) {
        const value = relatedness(token, quote.tokens[position] as Token);
        if (value > 0)
          for (const same of quote.byKey.get((quote.tokens[position] as Token).keys[0] ?? '') ?? [position])
            related.push([same, value]);
      }
      options = related;
    }
    let best = -1;
    let value = Number.NEGATIVE_INFINITY;
    for (const [position, alike] of options) {
      const sentence = quote.sentence[position] as number;
      const near =
        previous < 0 ? 0 : Math.abs(position - previous) < 4 ? 0.3 : sentence === quote.sentence[previous] ? 0.15 : 0;
      const share = 0.5 * ((shares.get(sentence) ?? 0) / Math.max(1, claim.length));
      if (alike + near + share > value) {
        value = alike + near + share;
        best = position;
      }
    }
    if (best < 0) continue;
    to[at] = best;
    previous = best;
  }
  return { to };
}
