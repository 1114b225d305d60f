// Whether two statements say of the same thing what cannot both be: another number with its unit, another date or version, one denies what the
// other says, or says the opposite. Invariant: it errs towards silence. Statements are of the same thing where the words that are no figures agree,
// and neither is bound to a condition that the other does not have. Pure.
import type { ConflictKind } from '../../core/answer.ts';
import { type DateMention, dateCovers } from '../../text/quantities/dates.ts';
import { type Quantity, sameAmount } from '../../text/quantities/quantities.ts';
import { cacheTexts } from '../../text/tokens/text-cache.ts';
import { polarityOf } from '../../text/words/negation.ts';
import { areOpposites } from '../../text/words/opposites.ts';
import { similarity } from '../support/align.ts';
import { type Language, languageOf, readTokens, type Token } from '../support/tokens.ts';
import { isLabel, nameOthers } from './labels.ts';
import { swappedName } from './swapped-name.ts';

export type ContradictionKind = Exclude<ConflictKind, 'judged'>;

export interface Contradiction {
  readonly kind: ContradictionKind;
  /** What both speak of, in words of the first. */
  readonly about: string;
}

/** A statement as it is compared. */
export interface Statement {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Words that are no figures and say something. */
  readonly words: readonly Token[];
  /** What stands over it: title and headings may name what it speaks of. */
  readonly context: readonly Token[];
  readonly quantities: readonly Token[];
  readonly dates: readonly DateMention[];
  readonly versions: readonly string[];
  readonly isNegative: boolean;
}

/** Words that change nothing in what is said, or stand in one wording and not in another. */
const soft: ReadonlySet<string> = new Set(
  (
    'use uses used using take takes took set sets get gets last lasts stay stays keep keeps make makes give gives need needs require requires amount amounts amounted number value total ' +
    'current currently now today nowadays new only exactly precisely say says said state states stated mean means equal equals configured come comes happen happens apply applies hold holds ' +
    'contain contains include includes stand stands run runs work works year date time day days since ago actually officially always generally usually typically normally simply please note ' +
    'out up off default defaults built-in factory standard'
  ).split(' '),
);
/** Before what follows them a statement holds under a condition. */
const conditions: ReadonlySet<string> = new Set(
  'on in for if when with under during unless until before after from within where while by via at through except without inside outside per among'.split(
    ' ',
  ),
);
/** Of everything: no condition. */
const universal: ReadonlySet<string> = new Set('all any every each both default general total most'.split(' '));
/** No statement of fact. */
const unsaid =
  /\?\s*$|\b(?:for example|for instance|e\.g\.|suppose|imagine|assume|let us|let's|if you|would|might|perhaps|maybe)\b/iu;
/** A heading that asks, often without its mark. */
const asked =
  /^(?:does|do|did|is|are|was|were|can|could|will|would|should|has|have|how|what|when|where|which|who|why)\b[^.!]*$/iu;
const leastShared = 2;
const mostWords = 60;

const versionForm =
  /\b(?:versions?|releases?|v\.?)\s*(\d+(?:\.\d+)*)\b|\bv(\d+(?:\.\d+)*)\b|\b(\d+\.\d+\.\d+)\b|\b(?:Node(?:\.js)?|Python|Java|PHP|Ruby|Go|Rust|PostgreSQL|Postgres|MySQL|SQLite|Ubuntu|Debian|Android|iOS|macOS|Windows|Kubernetes|Docker|TypeScript|ECMAScript|OpenSSL|React|Angular|Vue|Django|Rails|Spring|Redis|Kafka)\s+(\d+(?:\.\d+)*)\b/giu;

/** Claims are read for what comes first, for disagreements and for agreements, and mostly are sentences of the evidence. */
const statementUnder = cacheTexts((text, over) => readAnew(text, over, languageOf(text)), { characters: 100_000 });

/** `text` as it is compared, `over` being what stands over it. Shared with other readers. */
export const readStatement = (text: string, over = '', language?: Language): Statement =>
  language === undefined ? statementUnder(text, over) : readAnew(text, over, language);

/** Words of what stands over many sentences. */
const contextOf = cacheTexts(
  (over, language) => readTokens(over, language as Language).tokens.filter((token) => token.content),
  { characters: 20_000 },
);

function readAnew(text: string, over: string, language: Language): Statement {
  const { tokens } = readTokens(text, language);
  const isFigure = (token: Token): boolean =>
    token.quantity !== undefined || token.date !== undefined || /\d/u.test(token.lower);
  return {
    text,
    tokens,
    words: tokens.filter((token) => token.content && token.type !== 'mark' && !isFigure(token)),
    context: over === '' ? [] : contextOf(over, language),
    quantities: tokens.filter((token) => token.quantity !== undefined && token.date === undefined),
    dates: tokens.flatMap(({ date }) => date ?? []),
    versions: [...text.matchAll(versionForm)].map((found) => found.slice(1).find((one) => one !== undefined) ?? ''),
    isNegative: polarityOf(text).polarity === 'negative',
  };
}

/** Whether a sentence can be held against others at all. */
export const isStatement = ({ text, words }: Statement): boolean =>
  words.length > 0 && words.length <= mostWords && !unsaid.test(text) && !asked.test(text);

// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
export function contradictionOf(left: Statement, right: Statement): Contradiction | undefined {
  if (left.text === right.text || !isStatement(left) || !isStatement(right)) return undefined;
  if (nameOthers(left, right)) return undefined;
  const swapped = swappedName(left, right);
  if (swapped) return { kind: 'name', about: wordsOf(swapped) };
  // Whatever contradicts shares half of its words at least, and where one side has more than one word of its own the other has none: most
  // sentences are out after a few words.
  const mine = compareWords(left, right, left.words.length / 2);
  if (!mine) return undefined;
  const ownAtMost = mine.unmatched.length > 1 ? 0 : mine.unmatched.length === 1 ? 1 : right.words.length / 2;
  const theirs = compareWords(right, left, ownAtMost);
  if (!theirs) return undefined;
  // A short statement may share nothing but the heading above it: "Default: 10" below "poolSize".
  if (mine.matched.length + mine.named.length + theirs.named.length < leastShared) return undefined;
  const about = aboutOf(left, right, { ...mine, heading: theirs.named });
  const [own, other] = [mine.unmatched, theirs.unmatched];
  if (own.length === 1 && other.length === 1) {
    const [one, another] = [own[0] as Token, other[0] as Token];
    // "Impossible" denies by itself.
    const denies = [one, another].some(({ lower }) => polarityOf(lower).polarity === 'negative');
    const isOpposed = areOpposites(one.lower, another.lower) && (left.isNegative === right.isNegative) !== denies;
    return isOpposed && sameFigures(left, right) ? { kind: 'opposite', about } : undefined;
  }
  // Where each says something that the other does not, they may speak of different things.
  if (own.length > 0 && other.length > 0) return undefined;
  const shared = Math.min(shareOf(mine), shareOf(theirs));
  if (shared < 0.5) return undefined;
  if (isBound(left, own) || isBound(right, other)) return undefined;
  if (left.isNegative !== right.isNegative)
    return shared >= 0.75 && sameFigures(left, right) ? { kind: 'negation', about } : undefined;
  if (left.isNegative) return undefined;
  const [newer, older] = [freeOf(left.versions, right.versions), freeOf(right.versions, left.versions)];
  // Of several versions one alone is another: "v5 needs Node 18" and "v5 needs Node 20", but not "v4 needs Node 18".
  if (newer.length === 1 && older.length === 1) {
    // Where another figure differs as well, the version says which one is spoken of: "version 2 came in 2019", "version 3 came in 2021".
    const without = (statement: Statement, [version = '']: readonly string[]): Statement => ({
      ...statement,
      quantities: statement.quantities.filter(({ lower }) => !lower.includes(version)),
    });
    const isNamed = datesDiffer(left.dates, right.dates) || amountsDiffer(without(left, newer), without(right, older));
    return isNamed ? undefined : { kind: 'version', about };
  }
  if (left.versions.length > 0 && right.versions.length > 0 && newer.length + older.length > 0) return undefined;
  if (datesDiffer(left.dates, right.dates)) return { kind: 'date', about };
  if (amountsDiffer(left, right)) return { kind: 'number', about };
  return undefined;
}

interface Compared {
  readonly matched: readonly Token[];
  readonly unmatched: readonly Token[];
  /** Words that only what stands over the other one has. */
  readonly named: readonly Token[];
}

/** Undefined where more than `atMost` words are in neither the other one nor what stands over it. */
function compareWords({ words }: Statement, other: Statement, atMost: number): Compared | undefined {
  const matched: Token[] = [];
  const unmatched: Token[] = [];
  const named: Token[] = [];
  for (const word of words) {
    if (other.words.some((one) => similarity(word, one) > 0)) matched.push(word);
    else if (other.context.some((one) => similarity(word, one) > 0)) named.push(word);
    else if (!soft.has(word.lower) && unmatched.push(word) > atMost) return undefined;
  }
  return { matched, unmatched, named };
}

const shareOf = ({ matched, unmatched, named }: Compared): number => {
  const agreed = matched.length + named.length;
  return agreed / Math.max(1, agreed + unmatched.length);
};

/**
 * What only this one says makes it a statement of something else, or of a case: it stands under a condition ("on Windows", "for large files"),
 * is a part ("the handbook of …") or narrows what both name ("connect timeout").
 */
function isBound({ tokens }: Statement, unmatched: readonly Token[]): boolean {
  const isOwn = (token: Token | undefined): boolean => token !== undefined && unmatched.includes(token);
  return unmatched.some((word) => {
    const at = tokens.indexOf(word);
    if (word.name && at > 0) return true;
    let before = at - 1;
    while (before >= 0 && (isOwn(tokens[before]) || isPlain(tokens[before] as Token))) before -= 1;
    if (
      conditions.has(tokens[before]?.lower ?? '') &&
      !tokens.slice(before, at).some(({ lower }) => universal.has(lower))
    )
      return true;
    let after = at + 1;
    while (isOwn(tokens[after])) after += 1;
    const next = tokens[after];
    if (next === undefined || /ly$|^(?:everywhere|always|still|also)$/u.test(word.lower)) return false;
    return next.lower === 'of' || (next.content && next.type === 'word' && !soft.has(next.lower));
  });
}

/** Articles and the like: they stand between a condition and what it is of. */
const isPlain = ({ content, type, lower }: Token): boolean => !content && type === 'word' && !conditions.has(lower);

/** Versions that the other statement does not name. */
const freeOf = (versions: readonly string[], others: readonly string[]): readonly string[] =>
  versions.filter((one) => !others.includes(one));

const sameFigures = (left: Statement, right: Statement): boolean =>
  (freeOf(left.versions, right.versions).length === 0 || freeOf(right.versions, left.versions).length === 0) &&
  !datesDiffer(left.dates, right.dates) &&
  !amountsDiffer(left, right);

const agree = (one: DateMention, other: DateMention): boolean => dateCovers(one, other) || dateCovers(other, one);

function datesDiffer(left: readonly DateMention[], right: readonly DateMention[]): boolean {
  const [mine, theirs] = [
    left.filter((date) => !right.some((one) => agree(date, one))),
    right.filter((date) => !left.some((one) => agree(date, one))),
  ];
  if (mine.length !== 1 || theirs.length !== 1) return false;
  const isTime = ({ precision }: DateMention): boolean => precision === 'time';
  return isTime(mine[0] as DateMention) === isTime(theirs[0] as DateMention);
}

function amountsDiffer(left: Statement, right: Statement): boolean {
  const free = ({ quantities }: Statement, other: Statement): readonly Token[] =>
    quantities.filter(
      ({ quantity }) => !other.quantities.some((one) => sameAmount(quantity as Quantity, one.quantity as Quantity)),
    );
  const [mine, theirs] = [free(left, right), free(right, left)];
  if (mine.length === 0 || theirs.length === 0) return false;
  const pairs = mine.flatMap((one) =>
    theirs.filter((other) => areComparable([left, one], [right, other])).map((other) => [one, other] as const),
  );
  if (pairs.length === 0 || pairs.length > Math.max(mine.length, theirs.length)) return false;
  return pairs.every(([one, other]) => excludeEachOther(one.quantity as Quantity, other.quantity as Quantity));
}

/** Amounts of the same: of one dimension, or counts of what the same word names. */
function areComparable([left, one]: readonly [Statement, Token], [right, other]: readonly [Statement, Token]): boolean {
  const [mine, theirs] = [one.quantity as Quantity, other.quantity as Quantity];
  if (isLabel(left, one) || isLabel(right, other)) return false;
  if ((mine.kind === 'ordinal') !== (theirs.kind === 'ordinal')) return false;
  if (mine.unit || theirs.unit) return mine.unit !== undefined && mine.unit.dimension === theirs.unit?.dimension;
  const [named, also] = [nounAfter(left, one), nounAfter(right, other)];
  if (named && also)
    return similarity(named, also) > 0 || (left.quantities.length === 1 && right.quantities.length === 1 && !mine.word);
  return left.quantities.length === 1 && right.quantities.length === 1;
}

function nounAfter({ tokens }: Statement, token: Token): Token | undefined {
  const at = tokens.indexOf(token);
  const next = tokens.slice(at + 1, at + 3).find(({ content, type }) => content || type === 'mark');
  return next?.content ? next : undefined;
}

const size = ({ unit }: Quantity, value: number): number => value * (unit?.factor ?? 1);

/** No amount is both: "at least 5" and "8" may be. */
function excludeEachOther(one: Quantity, other: Quantity): boolean {
  const rangeOf = (quantity: Quantity): readonly [number, number] => {
    const [low, high] = [size(quantity, quantity.value), size(quantity, quantity.high ?? quantity.value)];
    if (quantity.bound === 'about') return [low - Math.abs(low) * 0.1, high + Math.abs(high) * 0.1];
    return [low, high];
  };
  const limits = (quantity: Quantity): boolean => quantity.bound !== 'exact' && quantity.bound !== 'about';
  const [[low, high], [otherLow, otherHigh]] = [rangeOf(one), rangeOf(other)];
  const isApart = high < otherLow || otherHigh < low;
  // Two limits of one kind are two statements of one limit.
  if (limits(one) && limits(other)) return one.bound === other.bound && isApart;
  if (limits(one) || limits(other)) {
    const [limit, exact] = limits(one) ? [one, otherLow] : [other, low];
    const at = size(limit, limit.value);
    return limit.bound === 'at-least' || limit.bound === 'more-than' ? exact < at : exact > at;
  }
  return isApart;
}

const mostAbout = 6;

/** The first words of the statement that both have, as they stand together; before them what only the text above it names of the other one. */
function aboutOf(
  { tokens, words, context }: Statement,
  other: Statement,
  { matched, named, heading }: Compared & { readonly heading: readonly Token[] },
): string {
  const agreed = new Set([...matched, ...named]);
  const telling = (token: Token): boolean => token.lower === 'default' || !soft.has(token.lower);
  const runs: Token[][] = [[]];
  for (const token of tokens)
    if (agreed.has(token)) runs.at(-1)?.push(token);
    else if (!isPlain(token)) runs.push([]);
  const first = runs.find((one) => one.some(telling))?.filter(telling) ?? words;
  // A name alone does not say what of it.
  const all = runs.flat().filter(telling);
  const run = first.length > 1 || all.length === 0 ? first : all;
  const over = context.filter(
    (token) => token.name && other.words.some((one) => one.name && similarity(token, one) > 0) && !isIn(token, run),
  );
  // "Default: 10" names by itself nothing that it speaks of.
  const above = run.length > 1 || over.length > 0 ? [] : heading;
  return [...new Set([...over, ...above, ...run].map(({ text }) => text))].slice(0, mostAbout).join(' ');
}

const wordsOf = (tokens: readonly Token[]): string =>
  [...new Set(tokens.map(({ text }) => text))].slice(0, mostAbout).join(' ');

const isIn = (token: Token, tokens: readonly Token[]): boolean => tokens.some((one) => similarity(token, one) > 0);
