// Whether only the items of a list changed places: the same items, each unchanged inside and of one kind, with separators
// and a conjunction between them, in a place where their order says nothing. What looks like a list but joins two clauses
// or cuts through a name is none.
import { markerBefore, prepositions } from './markers.ts';
import type { Token } from './tokens.ts';

const separators = /^(?:,|;|and|or|&|und|oder|sowie|、|和|与|及|nor|plus|،|و)$/u;
const conjunctions = /^(?:and|or|&|und|oder|sowie|nor|plus|well|、|和|与|及|;|و)$/u;
const articles = /^(?:the|a|an|der|die|das|den|dem|ein|eine|einen|einem|both|either|also|too|auch)$/u;
/** Same items, separated by commas and conjunctions only, in another order, each item unchanged inside. */
export function isListReordered(
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
  // "Laverne & Shirley and Benson": the sign is part of a name.
  const signs = claim.slice(from, to + 1).map((token) => token.lower);
  if (signs.includes('&') && signs.some((word) => /^(?:and|or|und|oder)$/u.test(word))) return false;
  // "Mexican and Asian (mainly Hmong)": the brackets are of the last one.
  if (quote[high + 1]?.text === '(') return false;
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
    // "The width of A; the B held the C": a lone semicolon parts statements.
    if (mine.length === 2 && signs.includes(';')) return false;
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
  // "Charles, 8th Baron X and Anne": an apposition, no item.
  const figures = items.map((item) => {
    const first = /#(\d+)/u.exec(item)?.[1];
    return first !== undefined && (claim[Number(first)] as Token).type === 'number';
  });
  if (figures.some(Boolean) && !figures.every(Boolean)) return false;
  return small.size === 1 && (!names.slice(1).some(Boolean) || names.slice(1).every(Boolean));
}

/** "United States, Vietnam": the list would begin inside a name. */
function isCutByPhrase(tokens: readonly Token[], from: number): boolean {
  const [before, first] = [tokens[from - 1], tokens[from] as Token];
  return before?.name === true && /^\p{Lu}/u.test(before.text) && /^\p{Lu}/u.test(first.text);
}

/** "replaced with A and B was dropped", "met A and B left": two clauses, not a list of two. */
function servesTwoClauses(tokens: readonly Token[], from: number, to: number): boolean {
  let at = leadOf(tokens, from) - 1;
  if (at < 0 || (tokens[at] as Token).type === 'mark') return false;
  const conjunction = tokens.slice(from, to).find((token) => conjunctions.test(token.lower))?.lower;
  const next = tokens[to + 1];
  if (next?.type !== 'word' || conjunction === 'or') return false;
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
