// A sentence said the other way round, word for word: "A was built before B" and "B was built after A", "sent B a letter" and "sent a
// letter to B", "has a length of 3 km" and "is 3 km long", "there are 14 clocks in the hall" and "the hall has 14 clocks". Each form is
// read over the whole of both sentences: nothing may be left on either side.
import { areOpposites } from '../../../text/words/opposites.ts';
import { similarity } from '../align.ts';
import type { Comparison } from '../contradictions/comparison.ts';
import { isFigure, isSameFigure } from '../contradictions/facts.ts';
import type { Token } from '../tokens.ts';

/** Words of a sentence with their places; articles and marks say nothing here. */
type Words = readonly Token[];
type Same = (mine: Token, theirs: Token) => boolean;

const article = /^(?:the|a|an)$/u;
const be = /^(?:is|are|was|were)$/u;
const have = /^(?:has|have|had|contains?|contained|holds?|held)$/u;
const place = /^(?:in|on|at)$/u;
const standing = /^(?:is|are|was|were|stands?|stood|lies|lie|lay|sits?|sat|situated|located|found)$/u;
const side = /^(?:north|south|east|west)$/u;
/** What is more on one side is less on the other. */
const converse = /^(?:before|after|above|below|over|under|north|south|east|west|earlier|later|\p{L}{2,}er)$/u;
const gives =
  /^(?:g[ai]ve[sn]?|giving|sen[dt]s?|grant(?:s|ed)?|offer(?:s|ed)?|sold|sells?|lends?|lent|show(?:s|ed|n)?|hand(?:s|ed)?|pa(?:id|ys?)|award(?:s|ed)?|told|tells?|promised?|owed?|taught|teach(?:es)?|left|brings?|brought|assign(?:s|ed)?|allotted)$/u;
const measures: readonly (readonly [noun: RegExp, adjective: RegExp])[] = [
  [/^length$/u, /^long$/u],
  [/^height$/u, /^(?:high|tall)$/u],
  [/^(?:width|breadth)$/u, /^(?:wide|broad)$/u],
  [/^depth$/u, /^deep$/u],
  [/^thickness$/u, /^thick$/u],
  [/^age$/u, /^old$/u],
];
/** Words under which a sentence may not be turned. */
const unsure = /^(?:not|never|nor|neither|if|unless|whether|only|than|or|but|and)$/u;

export function isSaidTurned({ claim, anchored, match, quote, anchor }: Comparison): boolean {
  const start = quote.sentence.indexOf(anchor);
  if (start < 0) return false;
  const same: Same = (mine, theirs) => {
    if (isFigure(mine) || isFigure(theirs)) return isFigure(mine) && isFigure(theirs) && isSameFigure(mine, theirs);
    if (!mine.content || !theirs.content) return mine.lower === theirs.lower;
    const there = match.to[claim.indexOf(mine)] ?? -1;
    return similarity(mine, theirs) > 0 || quote.tokens[there] === theirs;
  };
  const wordsOf = (tokens: readonly Token[]): Words =>
    tokens.filter(({ type, lower }) => type !== 'mark' && !article.test(lower));
  const [mine, theirs] = [wordsOf(claim), wordsOf(anchored)];
  if (mine.length < 4 || theirs.length < 4) return false;
  return (
    isConverse(mine, theirs, same) ||
    [isGivenTo, isMeasured, isThere].some(
      (form) => form(mine, theirs, same) || form(theirs, mine, (a, b) => same(b, a)),
    )
  );
}

const isPhrase = (mine: Words, theirs: Words, same: Same): boolean =>
  mine.length > 0 && mine.length === theirs.length && mine.every((token, at) => same(token, theirs[at] as Token));
const isFree = (words: Words): boolean => !words.some(({ lower }) => unsure.test(lower));

/** "A was built before B", "B was built after A". */
function isConverse(mine: Words, theirs: Words, same: Same): boolean {
  const cuts = (words: Words): number[] =>
    words.flatMap(({ lower }, at) => {
      const isCut = converse.test(lower) && (!side.test(lower) || words[at + 1]?.lower === 'of');
      return at > 0 && isCut ? [at] : [];
    });
  return cuts(mine).some((at) =>
    cuts(theirs).some(
      (there) =>
        areOpposites(mine[at]?.lower ?? '', theirs[there]?.lower ?? '') &&
        isTurnedAt(partedAt(mine, at), partedAt(theirs, there), same),
    ),
  );
}

type Sides = readonly [left: Words, right: Words];

const partedAt = (words: Words, at: number): Sides => [
  words.slice(0, at),
  words.slice(at + (/^(?:than|of)$/u.test(words[at + 1]?.lower ?? '') ? 2 : 1)),
];

function isTurnedAt([left, right]: Sides, [theirLeft, theirRight]: Sides, same: Same): boolean {
  if ([left, right, theirLeft, theirRight].some((words) => !isFree(words) || words.some(isFigure))) return false;
  if (!isPhrase(right, theirLeft.slice(0, right.length), same)) return false;
  if (!isPhrase(left.slice(0, theirRight.length), theirRight, same)) return false;
  const [deed, theirDeed] = [left.slice(theirRight.length), theirLeft.slice(right.length)];
  const isPlace = (words: Words): boolean => words.length > 0 && words.every(({ lower }) => standing.test(lower));
  return isPhrase(deed, theirDeed, same) || (isPlace(deed) && isPlace(theirDeed));
}

/** "Sent a letter to the author", "sent the author a letter". */
function isGivenTo(long: Words, short: Words, same: Same): boolean {
  const [at, there] = [long, short].map((words) => words.findIndex(({ lower }) => gives.test(lower))) as [
    number,
    number,
  ];
  const to = long.findIndex(({ lower }, index) => index > at + 1 && lower === 'to');
  if (at < 1 || there < 1 || to < 0 || to === long.length - 1 || !isFree(long) || !isFree(short)) return false;
  if (short.slice(there).some(({ lower, content }) => !content && (lower === 'to' || place.test(lower)))) return false;
  return (
    isPhrase(long.slice(0, at + 1), short.slice(0, there + 1), same) &&
    isPhrase([...long.slice(to + 1), ...long.slice(at + 1, to)], short.slice(there + 1), same)
  );
}

/** "Has a length of 3 km", "is 3 km long". */
function isMeasured(noun: Words, adjective: Words, same: Same): boolean {
  const at = noun.findIndex(({ lower }) => have.test(lower));
  const there = adjective.findIndex(({ lower }) => be.test(lower));
  const [name, of, ...figure] = noun.slice(at + 1);
  const [last, ...rest] = adjective.slice(there + 1).reverse();
  if (at < 1 || there < 1 || !name || !last || of?.lower !== 'of' || !isFree(noun) || !isFree(adjective)) return false;
  return (
    measures.some(([first, second]) => first.test(name.lower) && second.test(last.lower)) &&
    isPhrase(noun.slice(0, at), adjective.slice(0, there), same) &&
    isPhrase(figure, rest.reverse(), same)
  );
}

/** "There are 14 clocks in the hall", "the hall has 14 clocks". */
function isThere(existing: Words, having: Words, same: Same): boolean {
  if (existing[0]?.lower !== 'there' || !be.test(existing[1]?.lower ?? '')) return false;
  const at = existing.findIndex(({ lower }, index) => index > 2 && place.test(lower));
  const there = having.findIndex(({ lower }) => have.test(lower));
  if (at < 0 || there < 1 || !isFree(existing) || !isFree(having)) return false;
  return (
    isPhrase(existing.slice(at + 1), having.slice(0, there), same) &&
    isPhrase(existing.slice(2, at), having.slice(there + 1), same)
  );
}
