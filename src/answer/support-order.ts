// Decides whether a claim may say the quote's words in another order. It may when only a list was reordered, one adjunct
// with the same preposition moved, active became passive, "Y of X" became "X's Y", or both sides of "is the" changed places;
// every other change of order may have swapped who did what, or which number belongs to what, and is refused.
import type { Alignment } from './align.ts';
import type { Token } from './support-tokens.ts';

export interface OrderProblem {
  readonly claim: string;
  readonly quote: string;
}

const separators = /^(?:,|;|and|or|&|und|oder|sowie|、|和|与|及|nor|plus|،|و)$/u;
const conjunctions = /^(?:and|or|&|und|oder|sowie|nor|plus|well|、|和|与|及|;|و)$/u;
const articles = /^(?:the|a|an|der|die|das|den|dem|ein|eine|einen|einem|both|either|also|too|auch)$/u;
const be = /^(?:is|are|was|were|be|been|being|gets|get|got|ist|sind|war|waren|wird|wurde|wurden|werden|worden)$/u;
const prepositions = new Set(
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
  return (
    isListReordered(claim, quote, block) ||
    isAdjunctMoved(claim, quote, chunks) ||
    isVoiceChanged(claim, quote, chunks) ||
    isGenitive(claim, quote, chunks) ||
    isCopulaTurned(claim, quote, chunks) ||
    isAdverbMoved(claim, chunks)
  );
}

const isAdverb = (token: Token): boolean => /ly$/u.test(token.lower) && !token.name;

function isAdverbMoved(claim: readonly Token[], chunks: readonly Chunk[]): boolean {
  return (
    chunks.length === 2 &&
    chunks.some((chunk) => chunk.claim.length === 1 && isAdverb(claim[chunk.claim[0] as number] as Token))
  );
}

/** Same items, separated by commas and conjunctions only, in another order, each item unchanged inside. */
function isListReordered(
  claim: readonly Token[],
  quote: readonly Token[],
  block: readonly (readonly [number, number])[],
): boolean {
  // "From left to right", "in order of": the order says something.
  if (
    quote.some(
      (token, at) =>
        /^(?:respectively|beziehungsweise|bzw|ranked|ranking|order|reihenfolge|successively|consecutively)$/u.test(
          token.lower,
        ) ||
        (/^(?:left|right|top|bottom|oldest|youngest|north|south|east|west)$/u.test(token.lower) &&
          quote[at - 1]?.lower === 'from' &&
          quote[at + 1]?.lower === 'to'),
    )
  )
    return false;
  const ends = block.map((pair) => pair[1]);
  const identity = new Map(block.map(([at, other]) => [other, at]));
  const known = new Set(block.map(([at]) => at));
  const [from, to] = [(block[0] as readonly [number, number])[0], (block.at(-1) as readonly [number, number])[0]];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  // A list has a conjunction; a mere comma also stands before appositions and clauses.
  if (!hasConjunction(claim, from, to) || !endsInConjunction(claim, from, to) || !endsInConjunction(quote, low, high))
    return false;
  // "by A and by B" has its small words inside the items, "of A and B" before the list.
  return [false, true].some((lead) => {
    const mine = itemsOf(claim, lead ? leadOf(claim, from) : from, lead ? tailOf(claim, to) : to, (at) =>
      known.has(at) ? at : undefined,
    );
    const theirs = itemsOf(quote, lead ? leadOf(quote, low) : low, lead ? tailOf(quote, high) : high, (at) =>
      identity.get(at),
    );
    if (!mine || !theirs || mine.length < 2 || mine.length !== theirs.length) return false;
    if (onlyFiguresDiffer(mine, claim) || !areAlike(mine, claim)) return false;
    if (isCutByPhrase(claim, from) || isCutByPhrase(quote, low)) return false;
    if (mine.length === 2 && (servesTwoClauses(claim, from, to) || servesTwoClauses(quote, low, high))) return false;
    const sorted = [...theirs].sort();
    return [...mine].sort().every((item, index) => item === sorted[index]);
  });
}

/** "1500 rpm and 1800 rpm": items that differ in their figure alone are told apart by their order. */
function onlyFiguresDiffer(items: readonly string[], claim: readonly Token[]): boolean {
  const bare = items.map((item) =>
    item.replace(/#(\d+)/gu, (_, at: string) =>
      (claim[Number(at)] as Token).type === 'word' ? (claim[Number(at)] as Token).lower : '#',
    ),
  );
  return bare.some((item, at) => item.includes('#') && bare.indexOf(item) !== at);
}

/** Items of one kind: the same small words in each, all names or none where names are listed, quotation marks closed. */
function areAlike(items: readonly string[], claim: readonly Token[]): boolean {
  const small = new Set<string>();
  const names: boolean[] = [];
  for (const item of items) {
    const words = item.trim().split(' ');
    if (words.filter((word) => word === '"').length % 2 === 1) return false;
    small.add(words.filter((word) => !word.startsWith('#') && word !== '"' && word !== 'of').join(' '));
    const content = words.filter((word) => word.startsWith('#')).map((word) => claim[Number(word.slice(1))] as Token);
    names.push(content.length > 0 && content.every((token) => /^[\p{Lu}\d]/u.test(token.text)));
  }
  return small.size === 1 && (!names.slice(1).some(Boolean) || names.slice(1).every(Boolean));
}

/** "United States, Vietnam": the list would begin inside a name. */
function isCutByPhrase(tokens: readonly Token[], from: number): boolean {
  const [before, first] = [tokens[from - 1], tokens[from] as Token];
  return before !== undefined && before.name && /^\p{Lu}/u.test(before.text) && /^\p{Lu}/u.test(first.text);
}

/** "replaced with A and B was dropped", "met A and B left": two clauses, not a list of two. */
function servesTwoClauses(tokens: readonly Token[], from: number, to: number): boolean {
  let at = leadOf(tokens, from) - 1;
  if (at < 0 || (tokens[at] as Token).type === 'mark') return false;
  const conjunction = tokens.slice(from, to).find((token) => conjunctions.test(token.lower))?.lower;
  const next = tokens[to + 1];
  if (!next || next.type !== 'word' || conjunction === 'or') return false;
  if (/^(?:is|was|has|does|ist|wird|wurde|hat)$/u.test(next.lower)) return true;
  at = from - 1;
  const governed = prepositions.has(markerBefore(tokens, from));
  if (governed || markerBefore(tokens, from) === 'of') return false;
  return (
    /^(?:are|were|have|had|will|would|can|could|may|might|must|should|did|do|sind|waren|werden|haben)$/u.test(
      next.lower,
    ) ||
    (next.content &&
      /(?:[^aeiou]ed|s|[wl]ent|came|took|gave|left|won|lost|made|ran|rose|fell|got)$/u.test(next.lower) &&
      next.lower === next.text)
  );
}

/** "In A and B, the C" is no list of three: where there is a conjunction, one stands before the last item. */
function endsInConjunction(tokens: readonly Token[], from: number, to: number): boolean {
  let last = '';
  let seen = false;
  for (let at = from; at <= to; at += 1) {
    const word = (tokens[at] as Token).lower;
    if (separators.test(word) || word === 'well') {
      last = last === '' || !separators.test((tokens[at - 1] as Token).lower) ? word : `${last} ${word}`;
      seen ||= conjunctions.test(word);
    }
  }
  return !seen || last.split(' ').some((word) => conjunctions.test(word));
}

/** A conjunction between the items, or further on in the same list. */
function hasConjunction(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (conjunctions.test(token.lower)) return true;
    if (at > to && !token.content && token.text !== ',' && !articles.test(token.lower)) return false;
  }
  return false;
}

const isQuoteMark = (token: Token | undefined): boolean => token?.type === 'mark' && /^["“”'«»„]$/u.test(token.text);

function tailOf(tokens: readonly Token[], at: number): number {
  return isQuoteMark(tokens[at + 1]) ? at + 1 : at;
}

function leadOf(tokens: readonly Token[], at: number): number {
  let from = at;
  while (
    from > 0 &&
    (isQuoteMark(tokens[from - 1]) ||
      (tokens[from - 1]?.type === 'word' &&
        !tokens[from - 1]?.content &&
        !separators.test((tokens[from - 1] as Token).lower)))
  )
    from -= 1;
  return from;
}

/** Items as comparable strings: which claim tokens and small words, in which order. */
function itemsOf(
  tokens: readonly Token[],
  from: number,
  to: number,
  idOf: (at: number) => number | undefined,
): string[] | undefined {
  const items: string[] = [];
  let item = '';
  for (let at = from; at <= to; at += 1) {
    const token = tokens[at] as Token;
    const wellAs =
      token.lower === 'well' ||
      (token.lower === 'as' && (tokens[at + 1]?.lower === 'well' || tokens[at - 1]?.lower === 'well'));
    if (separators.test(token.lower) || wellAs) {
      if (item !== '') items.push(item);
      item = '';
      continue;
    }
    if (token.lower === 'then' || token.lower === 'danach') return undefined;
    if (!token.content) {
      if (!articles.test(token.lower) && !/^[-.:]$/u.test(token.text))
        item += `${isQuoteMark(token) ? '"' : token.lower} `;
      continue;
    }
    const id = idOf(at);
    if (id === undefined) return undefined;
    item += `#${id} `;
  }
  if (item !== '') items.push(item);
  return items;
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

/** "the capital of France" and "France's capital". */
function isGenitive(claim: readonly Token[], quote: readonly Token[], chunks: readonly Chunk[]): boolean {
  if (chunks.length !== 2) return false;
  const [first, second] = chunks as [Chunk, Chunk];
  const owner = claim[first.claim.at(-1) as number] as Token;
  if (owner.possessive && markerBefore(quote, first.quote[0] as number) === 'of') return true;
  return (
    (quote[second.quote.at(-1) as number] as Token).possessive &&
    markerBefore(claim, second.claim[0] as number) === 'of'
  );
}

/** "X is the capital of Y" and "The capital of Y is X": two whole noun phrases around "is", nothing left outside them. */
function isCopulaTurned(claim: readonly Token[], quote: readonly Token[], chunks: readonly Chunk[]): boolean {
  const turned = readCopula(claim, chunks, (chunk) => chunk.claim);
  const original = readCopula(
    quote,
    [...chunks].sort((a, b) => (a.quote[0] as number) - (b.quote[0] as number)),
    (chunk) => chunk.quote,
  );
  if (!turned || !original) return false;
  const left = original.left.flatMap((chunk) => chunk.claim);
  const right = original.right.flatMap((chunk) => chunk.claim);
  const same = (a: readonly number[], b: readonly number[]): boolean =>
    a.length === b.length &&
    [...a].sort((x, y) => x - y).every((value, index) => value === [...b].sort((x, y) => x - y)[index]);
  if (
    !same(
      turned.left.flatMap((chunk) => chunk.claim),
      right,
    ) ||
    !same(
      turned.right.flatMap((chunk) => chunk.claim),
      left,
    )
  )
    return false;
  if (!turned.definite && !original.definite) return false;
  return (
    [...turned.left, ...turned.right].length <= 2 ||
    isGenitive(claim, quote, turned.left.length === 2 ? turned.left : turned.right)
  );
}

interface Copula {
  readonly left: readonly Chunk[];
  readonly right: readonly Chunk[];
  readonly definite: boolean;
}

/** Splits the block at its form of "be"; undefined where other things stand before, between or behind. */
function readCopula(
  tokens: readonly Token[],
  chunks: readonly Chunk[],
  side: (chunk: Chunk) => readonly number[],
): Copula | undefined {
  const ordered = chunks;
  for (let cut = 1; cut < ordered.length; cut += 1) {
    const from = side(ordered[cut - 1] as Chunk).at(-1) as number;
    const to = side(ordered[cut] as Chunk)[0] as number;
    const between = tokens.slice(from + 1, to).filter((token) => token.type !== 'mark');
    if (
      !between.some((token) => /^(?:is|are|was|were|ist|sind|war|waren)$/u.test(token.lower)) ||
      between.length > 2 ||
      between.some((token) => token.content || prepositions.has(token.lower))
    )
      continue;
    const start = side(ordered[0] as Chunk)[0] as number;
    const end = side(ordered.at(-1) as Chunk).at(-1) as number;
    const before = tokens.slice(0, start);
    if (before.some((token) => token.content || prepositions.has(token.lower))) return undefined;
    const behind = tokens[end + 1];
    if (behind && behind.type !== 'mark') return undefined;
    const definite =
      /^(?:the|der|die|das)$/u.test(between.at(-1)?.lower ?? '') ||
      /^(?:the|der|die|das)$/u.test(before.at(-1)?.lower ?? '') ||
      tokens.slice(start, end).some((token) => token.possessive);
    return { left: ordered.slice(0, cut), right: ordered.slice(cut), definite };
  }
  return undefined;
}
