// What two statements say that excludes each other: another amount, another date, a denial, an opposite, another name in the same place. It says where
// they may contradict each other, and the fitted model (pairs.ts) whether they do. Pure.
import { type DateMention, dateCovers } from '../../text/quantities/dates.ts';
import { type Quantity, sameAmount } from '../../text/quantities/quantities.ts';
import { areOpposites } from '../../text/words/opposites.ts';
import type { Reading, SideWord } from './read-side.ts';

export type ClashKind = 'number' | 'date' | 'version' | 'negation' | 'opposite' | 'name';

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Clash {
  readonly kind: ClashKind;
  readonly left: Place;
  readonly right: Place;
  /** 0..1: share of the words around both values that agree. */
  readonly near: number;
  /** Two whole numbers without a unit, right behind the same word. */
  readonly isLabel: boolean;
  /** Nothing that says anything stands in front of either. */
  readonly isFirst: boolean;
}

type Figure = Quantity | DateMention;
const isDate = (figure: Figure): figure is DateMention => 'precision' in figure;

const agree = (one: Figure, other: Figure): boolean => {
  if (isDate(one) && isDate(other)) return dateCovers(one, other) || dateCovers(other, one);
  return !isDate(one) && !isDate(other) && (sameAmount(one, other) || sameAmount(other, one));
};

/** Figures that one side alone has. */
export function figuresHeldBy(
  one: Reading,
  other: Reading,
): { readonly left: readonly Figure[]; readonly right: readonly Figure[]; readonly isShared: boolean } {
  const [mine, theirs]: readonly (readonly Figure[])[] = [
    [...one.quantities, ...one.dates],
    [...other.quantities, ...other.dates],
  ];
  const left = (mine ?? []).filter((figure) => !theirs?.some((held) => agree(figure, held)));
  const right = (theirs ?? []).filter((figure) => !mine?.some((held) => agree(figure, held)));
  return { left, right, isShared: left.length < (mine?.length ?? 0) };
}

interface OwnWords {
  readonly own: readonly SideWord[];
  readonly theirs: readonly SideWord[];
}

/** Undefined where nothing excludes anything. */
export function clashOf(one: Reading, other: Reading, { own, theirs }: OwnWords): Clash | undefined {
  const { left, right } = figuresHeldBy(one, other);
  const figures = left
    .flatMap((mine) => right.flatMap((their) => figureClash([one, mine], [other, their]) ?? []))
    .sort((a, b) => b.near - a.near || a.left.start + a.right.start - b.left.start - b.right.start);
  if (figures[0]) return figures[0];
  // What is said of another amount is not denied by it.
  if (left.length > 0 && right.length > 0) return undefined;
  const between = (kind: ClashKind, mine: Place, their: Place): Clash => ({
    kind,
    left: mine,
    right: their,
    near: nearness([one, mine], [other, their]),
    isLabel: false,
    isFirst: [...one.plain.slice(0, 1), ...other.plain.slice(0, 1)].every(
      ({ start }, at) => start >= (at === 0 ? mine : their).start,
    ),
  });
  if (one.isNegative !== other.isNegative) return between('negation', nowhere, nowhere);
  for (const mine of own)
    for (const their of theirs)
      if (areOpposites(mine.written.toLowerCase(), their.written.toLowerCase()))
        return between('opposite', mine, their);
  const [name, otherName] = [onlyName(own), onlyName(theirs)];
  return name && otherName ? between('name', name, otherName) : undefined;
}

const nowhere: Place = { start: -1, end: -1 };

/** All own words as one run of names. */
function onlyName(own: readonly SideWord[]): Place | undefined {
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last || own.length > 4 || !own.every(({ written }) => /^\p{Lu}|\d/u.test(written))) return undefined;
  return { start: first.start, end: last.end };
}

function figureClash(
  [one, mine]: readonly [Reading, Figure],
  [other, their]: readonly [Reading, Figure],
): Clash | undefined {
  if (!areComparable(mine, their)) return undefined;
  const [before, after] = [wordBefore(one, mine), wordBefore(other, their)];
  const isWhole = [mine, their].every((figure) => /^\d{1,5}$/u.test(figure.text.trim()));
  return {
    kind: isDate(mine) ? 'date' : isVersion(one, mine) && isVersion(other, their) ? 'version' : 'number',
    left: mine,
    right: their,
    near: nearness([one, mine], [other, their]),
    isLabel: isWhole && before !== undefined && before === after,
    isFirst: false,
  };
}

function areComparable(mine: Figure, their: Figure): boolean {
  if (isDate(mine) || isDate(their))
    return isDate(mine) && isDate(their) && (mine.precision === 'time') === (their.precision === 'time');
  if ((mine.kind === 'ordinal') !== (their.kind === 'ordinal')) return false;
  return mine.unit?.dimension === their.unit?.dimension && excludeEachOther(mine, their);
}

const isVersion = ({ text }: Reading, { start }: Figure): boolean =>
  /(?:\b(?:versions?|releases?)|\bv)\.?\s?$/iu.test(text.slice(Math.max(0, start - 12), start));

const aroundBefore = 3;
const aroundAfter = 2;

const wordsBefore = ({ plain }: Reading, { start }: Place): readonly SideWord[] =>
  plain.filter((word) => word.end <= start).slice(-aroundBefore);
const wordBefore = (side: Reading, place: Place): string | undefined => {
  const word = wordsBefore(side, place).at(-1);
  return word && /^[\s.]{0,2}$/u.test(side.text.slice(word.end, place.start)) ? word.term : undefined;
};

/** Share of the words around one value that stand around the other, of the side with fewer. */
function nearness([one, mine]: readonly [Reading, Place], [other, their]: readonly [Reading, Place]): number {
  const around = (side: Reading, place: Place): ReadonlySet<string> =>
    new Set(
      [...wordsBefore(side, place), ...side.plain.filter(({ start }) => start >= place.end).slice(0, aroundAfter)].map(
        ({ term }) => term,
      ),
    );
  const [left, right] = [around(one, mine), around(other, their)];
  const most = Math.max(left.size, right.size);
  return most === 0 ? 0 : left.intersection(right).size / most;
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
