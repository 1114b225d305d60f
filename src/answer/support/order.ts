// Decides whether a claim may say the quote's words in another order. It may when only a list was reordered, one adjunct
// with the same preposition moved, active became passive, or an adverb moved; every other change of order may have swapped who did what, or which number belongs to what, and is refused.
import type { Alignment } from './align.ts';
import { afterBe, markerBefore, prepositions } from './markers.ts';
import type { Token } from './tokens.ts';

export interface OrderProblem {
  readonly claim: string;
  readonly quote: string;
}

interface Chunk {
  readonly claim: number[];
  readonly quote: number[];
}

/** The first change of order that nothing excuses, or undefined. `claim` and `quote` are the tokens that were aligned. */
export function findOrderProblem(
  claim: readonly Token[],
  quote: readonly Token[],
  alignment: Alignment,
): OrderProblem | undefined {
  const pairs: [number, number][] = [];
  for (let at = 0; at < claim.length; at += 1) {
    const other = alignment.toQuote[at] as number;
    if (other >= 0 && (claim[at] as Token).content) pairs.push([at, other]);
  }
  // Blocks that cannot be cut without a later word standing earlier in the quote.
  let from = 0;
  while (from < pairs.length) {
    let to = from;
    let high = (pairs[from] as [number, number])[1];
    for (let at = from + 1; at < pairs.length; at += 1) {
      const position = (pairs[at] as [number, number])[1];
      if (position < high) to = at;
      if (at <= to || position < high) high = Math.max(high, ...pairs.slice(from, to + 1).map((pair) => pair[1]));
    }
    // Grow until nothing after the block precedes its highest position.
    for (let grown = true; grown; ) {
      grown = false;
      const top = Math.max(...pairs.slice(from, to + 1).map((pair) => pair[1]));
      for (let at = pairs.length - 1; at > to; at -= 1)
        if ((pairs[at] as [number, number])[1] < top) {
          to = at;
          grown = true;
          break;
        }
    }
    if (to > from) {
      const block = pairs.slice(from, to + 1);
      if (!isExcused(claim, quote, block)) {
        const [firstClaim] = block[0] as [number, number];
        const lowest = block.reduce((low, pair) => (pair[1] < low[1] ? pair : low));
        return { claim: (claim[firstClaim] as Token).text, quote: (quote[lowest[1]] as Token).text };
      }
    }
    from = to + 1;
  }
  return undefined;
}

function isExcused(
  claim: readonly Token[],
  quote: readonly Token[],
  block: readonly (readonly [number, number])[],
): boolean {
  if (block.every(([at]) => isAdverb(claim[at] as Token))) return true;
  // Figures in a row stand for what was listed before: their order says which is whose.
  if (block.every(([at]) => (claim[at] as Token).type === 'number' || (claim[at] as Token).type === 'date'))
    return false;
  const ordered = [...block].sort((a, b) => a[1] - b[1]);
  const rank = new Map(ordered.map((pair, index) => [pair[0], index]));
  const chunks: Chunk[] = [];
  let previous = -2;
  for (const [at, other] of block) {
    const position = rank.get(at) as number;
    if (position === previous + 1) {
      const last = chunks.at(-1) as Chunk;
      last.claim.push(at);
      last.quote.push(other);
    } else chunks.push({ claim: [at], quote: [other] });
    previous = position;
  }
  return isAdjunctMoved(claim, quote, chunks) || isVoiceChanged(claim, quote, chunks) || isAdverbMoved(claim, chunks);
}

const isAdverb = (token: Token): boolean => /ly$/u.test(token.lower) && !token.name;

function isAdverbMoved(claim: readonly Token[], chunks: readonly Chunk[]): boolean {
  return (
    chunks.length === 2 &&
    chunks.some((chunk) => chunk.claim.length === 1 && isAdverb(claim[chunk.claim[0] as number] as Token))
  );
}

/** [X][in Y] became [in Y][X]: two chunks, and the moved one keeps its preposition. */
function isAdjunctMoved(claim: readonly Token[], quote: readonly Token[], chunks: readonly Chunk[]): boolean {
  if (chunks.length !== 2) return false;
  return chunks.some((chunk) => {
    const at = chunk.claim[0] as number;
    const marker = markerBefore(claim, at);
    const there = markerBefore(quote, chunk.quote[0] as number);
    const token = claim[at] as Token;
    // "to make" is no adjunct.
    const infinitive = marker === 'to' && claim[at - 1]?.lower === 'to' && token.type === 'word' && !token.name;
    const plain = isPlainPhrase(claim, at) && isPlainPhrase(quote, chunk.quote[0] as number);
    // "Four years ago" has its preposition behind it.
    const isPast = chunk.claim.length === 2 && claim[chunk.claim[1] as number]?.lower === 'ago';
    if (isPast && token.type === 'number' && marker === '' && there === '') return true;
    if (marker !== '' && marker !== 'of' && marker !== 'as' && !infinitive && plain && marker === there) return true;
    return (
      chunk.claim.length === 1 &&
      (token.type === 'date' ||
        /^(?:yesterday|today|tomorrow|now|currently|today|gestern|heute|morgen)$/u.test(token.lower)) &&
      looseTime(marker) &&
      looseTime(there)
    );
  });
}

/** Nothing but articles and the like between the preposition and the word: "for which she won" is a clause. */
function isPlainPhrase(tokens: readonly Token[], at: number): boolean {
  for (let other = at - 1; other >= 0 && other >= at - 4; other -= 1) {
    const token = tokens[other] as Token;
    if (prepositions.has(token.lower)) return true;
    if (/^(?:which|whom|who|whose|what|that|where|when|he|she|it|they|we|i|you)$/u.test(token.lower)) return false;
  }
  return true;
}

const looseTime = (marker: string): boolean =>
  marker === '' || marker === 'in' || marker === 'on' || marker === 'at' || marker === 'im' || marker === 'am';

/** [S][V][O] became [O][V][S] with "by" before S on the passive side only. */
function isVoiceChanged(claim: readonly Token[], quote: readonly Token[], chunks: readonly Chunk[]): boolean {
  if (chunks.length !== 3) return false;
  const [first, verb, last] = chunks as [Chunk, Chunk, Chunk];
  const positions = [first, verb, last].map((chunk) => chunk.quote[0] as number) as [number, number, number];
  if (!(positions[2] < positions[1] && positions[1] < positions[0])) return false;
  const claimVerb = verb.claim.at(-1) as number;
  const quoteVerb = verb.quote.at(-1) as number;
  const claimPassive =
    verb.claim.some((at) => afterBe(claim, at)) && isAgent(markerBefore(claim, last.claim[0] as number));
  const quotePassive =
    verb.quote.some((at) => afterBe(quote, at)) && isAgent(markerBefore(quote, first.quote[0] as number));
  if (claimPassive === quotePassive) return false;
  const activeObject = claimPassive
    ? markerBefore(quote, first.quote[0] as number)
    : markerBefore(claim, last.claim[0] as number);
  return activeObject === '' && !afterBe(claimPassive ? quote : claim, claimPassive ? quoteVerb : claimVerb);
}

const isAgent = (marker: string): boolean => marker === 'by' || marker === 'von' || marker === 'durch';
