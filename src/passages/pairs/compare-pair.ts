// The chance that two statements tell different values of one thing, and the chance that they tell the same: two logistic models over some twenty named
// numbers (weights.json, fitted by scripts/fit-pairs.ts). Invariants: without two values that exclude each other there is no conflict; a chance depends on
// the two statements and what stands over them alone, and is the same the other way round.

import type { SourceSpan } from '../../core/document.ts';
import { termSet } from '../../text/terms.ts';
import { type Clash, type ClashKind, clashOf, figuresHeldBy } from './clash.ts';
import { headOf, type Reading, readSide, type Side } from './read-side.ts';
import fitted from './weights.json' with { type: 'json' };

export type { ClashKind } from './clash.ts';
export type { Side } from './read-side.ts';

/** Each number with its meaning. A side's own terms are those that the other side neither says nor has over it. */
export const pairMeanings = {
  cover: 'the smaller share of plain terms that the other side says or has over it',
  coverText: 'the smaller share of plain terms that the other side says itself',
  shared: 'plain terms that both say, up to five',
  ownLess: 'own terms of the side with fewer, up to four',
  ownMore: 'own terms of the side with more, up to four',
  onlyValue: 'neither side has an own term or a further figure',
  ownNames: 'own terms that are written as names or codes, up to two',
  near: 'share of the words around the two values that agree',
  label: 'the values follow the same word as plain numbers, and other figures differ as well',
  otherFigures: 'further figures that one side alone has, up to three',
  sameFigures: 'both sides share a figure',
  headMost:
    'the larger share of the terms over one side that the other side says or has over it; 0 where nothing stands over it',
  headFigures: 'over each side stand figures, and none in common',
  headSeries: 'what stands over them shares terms, and over each stands one that the other side lacks',
  unnamedApart: 'a side leaves it to what stands over it of what it speaks, and the other side knows nothing of that',
  asking: 'one side asks',
  negated: 'one side denies and the other does not',
  isDate: 'the values are dates or times',
  isDenial: 'what differs is a denial',
  denialCover: 'of these, the cover by what the other side says itself',
  isOpposite: 'what differs is an opposite',
  isName: 'what differs is a name or a code',
  nameShared: 'of these, the plain terms that both say, up to five',
  clashOver: 'what differs stands over its own side, and so says what it is about',
  nameFirst: 'a name differs with which both begin',
} as const;
export type PairFeature = keyof typeof pairMeanings;
export const pairFeatures = Object.keys(pairMeanings) as readonly PairFeature[];

export interface PairChances {
  /** 0..1; 0 where nothing excludes anything. */
  readonly conflict: number;
  /** 0..1; 0 where something does. */
  readonly same: number;
  readonly kind?: ClashKind;
  /** What both speak of, in words of the first. */
  readonly about: string;
}

/** From this chance a conflict is told: of what was not fitted on none of 70 told pairs was false, and half of those written for it were found. */
export const conflictFrom = fitted.conflict.from;

export const sayTheSame = (left: Side, right: Side): boolean =>
  (comparePair(left, right)?.same ?? 0) >= fitted.same.from;

/** Statements that say less of each other are of no thing in common: of 78 pairs that are told none does. */
const leastShared = 0.25;

function sayOfEachOther(one: Reading, other: Reading): boolean {
  const says = ({ terms }: Reading, { all }: Reading): boolean => {
    let shared = 0;
    for (const term of terms) if (all.has(term)) shared += 1;
    return shared >= leastShared * terms.size;
  };
  return says(one, other) && says(other, one);
}

/** Undefined where the two share too little to be compared. */
export function comparePair(left: Side, right: Side): PairChances | undefined {
  const [one, other] = [readSide(left), readSide(right)];
  if (!sayOfEachOther(one, other)) return undefined;
  const measured = measurePair(one, other);
  if (!measured) return undefined;
  const { features, kind, about } = measured;
  return {
    conflict: kind === undefined ? 0 : chanceOf(features, fitted.conflict),
    same: kind === undefined ? chanceOf(features, fitted.same) : 0,
    ...(kind !== undefined && { kind }),
    about,
  };
}

interface Model {
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

const chanceOf = (features: Readonly<Record<PairFeature, number>>, { bias, weights }: Model): number =>
  1 / (1 + Math.exp(-pairFeatures.reduce((sum, name) => sum + (weights[name] ?? 0) * features[name], bias)));

const mostAbout = 6;
const upTo = (most: number, value: number): number => Math.min(most, value) / most;

export interface MeasuredPair {
  readonly features: Readonly<Record<PairFeature, number>>;
  readonly kind?: ClashKind;
  readonly about: string;
}

/** The numbers of a pair; undefined where it shares no term. */
export function measurePair(one: Reading, other: Reading): MeasuredPair | undefined {
  const [mine, theirs] = [agreementOf(one, other), agreementOf(other, one)];
  if (mine.said.length + mine.named.length + theirs.named.length === 0) return undefined;
  const clash = clashOf(one, other, { own: mine.own, theirs: theirs.own });
  const features: Readonly<Record<PairFeature, number>> = {
    ...wordFeatures(one, other, { mine, theirs, clash }),
    ...headFeatures(one, other),
    asking: oneIf(one.isAsking || other.isAsking),
    negated: oneIf(one.isNegative !== other.isNegative),
  };
  const words = [...theirs.named, ...mine.said];
  const told = (words.length > 1 ? words : [...mine.named, ...words]).map(({ written }) => written);
  return { features, ...(clash && { kind: clash.kind }), about: [...new Set(told)].slice(0, mostAbout).join(' ') };
}

const oneIf = (holds: boolean): number => (holds ? 1 : 0);

interface Agreements {
  readonly mine: Agreement;
  readonly theirs: Agreement;
  readonly clash: Clash | undefined;
}

function wordFeatures(one: Reading, other: Reading, { mine, theirs, clash }: Agreements) {
  const isOfClash = ({ start, end }: SourceSpan, side: 'left' | 'right'): boolean =>
    clash !== undefined && start < clash[side].end && clash[side].start < end;
  const figures = figuresHeldBy(one, other);
  const own = [
    mine.own.filter((word) => !isOfClash(word, 'left')),
    theirs.own.filter((word) => !isOfClash(word, 'right')),
  ] as const;
  const [fewer, more] = [own[0].length, own[1].length].sort((a, b) => a - b) as [number, number];
  const further = (['left', 'right'] as const).reduce(
    (sum, side) => sum + figures[side].filter((figure) => !isOfClash(figure, side)).length,
    0,
  );
  const shared = upTo(5, Math.min(mine.said.length, theirs.said.length));
  const lacked = own.map(({ length }) => length) as [number, number];
  const coverText = Math.min(
    shareFrom(mine.said.length, mine.named.length + lacked[0]),
    shareFrom(theirs.said.length, theirs.named.length + lacked[1]),
  );
  const isOver = (side: 'left' | 'right', reading: Reading, opposite: Reading): boolean => {
    const words = reading.words.filter((word) => isOfClash(word, side));
    const over = headOf(reading).terms;
    return words.length > 0 && words.every(({ term }) => over.has(term) && !opposite.all.has(term));
  };
  const is = (kind: ClashKind): number => oneIf(clash?.kind === kind);
  return {
    cover: Math.min(
      shareFrom(mine.said.length + mine.named.length, lacked[0]),
      shareFrom(theirs.said.length + theirs.named.length, lacked[1]),
    ),
    coverText,
    shared,
    ownLess: upTo(4, fewer),
    ownMore: upTo(4, more),
    onlyValue: oneIf(more + further === 0),
    ownNames: upTo(2, own.flat().filter(({ isName }) => isName).length),
    near: clash?.near ?? 0,
    label: oneIf(clash?.isLabel === true && further > 0),
    otherFigures: upTo(3, further),
    sameFigures: oneIf(figures.isShared),
    isDate: is('date'),
    isDenial: is('negation'),
    denialCover: is('negation') * coverText,
    isOpposite: is('opposite'),
    isName: is('name'),
    nameShared: is('name') * shared,
    clashOver: oneIf(isOver('left', one, other) || isOver('right', other, one)),
    nameFirst: is('name') * oneIf(clash?.isFirst === true),
  };
}

function headFeatures(one: Reading, other: Reading) {
  const [mine, theirs] = [headOf(one), headOf(other)];
  const headMost = Math.max(shareOf(mine.terms, other.all), shareOf(theirs.terms, one.all));
  const own = [mine.terms.difference(other.all), theirs.terms.difference(one.all)];
  const isUnnamed = (one.isUnnamed || other.isUnnamed) && headMost === 0 && one.over.length + other.over.length > 0;
  return {
    headMost,
    headFigures: oneIf(mine.figures.size > 0 && theirs.figures.size > 0 && mine.figures.isDisjointFrom(theirs.figures)),
    headSeries: oneIf(!mine.terms.isDisjointFrom(theirs.terms) && own.every(({ size }) => size > 0)),
    unnamedApart: oneIf(isUnnamed && !speaksOf(one, other) && !speaksOf(other, one)),
  };
}

type Word = Reading['plain'][number];

interface Agreement {
  /** Plain terms that the other side says. */
  readonly said: readonly Word[];
  /** Those that only stand over it. */
  readonly named: readonly Word[];
  readonly own: readonly Word[];
}

function agreementOf({ plain }: Reading, other: Reading): Agreement {
  const said = plain.filter(({ term }) => other.terms.has(term));
  const named = plain.filter(({ term }) => !other.terms.has(term) && other.all.has(term));
  return { said, named, own: plain.filter(({ term }) => !other.all.has(term)) };
}

const shareFrom = (held: number, lacked: number): number => (held === 0 ? 0 : held / (held + lacked));

/** What stands around one side names what stands over the other. */
const speaksOf = ({ around }: Reading, other: Reading): boolean =>
  around !== undefined && !headOf(other).terms.isDisjointFrom(termSet(around));

const shareOf = (terms: ReadonlySet<string>, held: ReadonlySet<string>): number =>
  terms.size === 0 ? 0 : terms.intersection(held).size / terms.size;
