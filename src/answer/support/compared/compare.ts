// Comparisons that the figures of several quotes decide: "Alpha came first: released in 2001, before Beta in 2004." Whoever composes an answer and whoever
// verifies it ask the same function. Invariant: each figure stands in a quote, is of the thing that it is said of, and all are of one event or attribute
// in one unit; where a quote gives a second figure that differs, or figures overlap, nothing is compared.
import type { DateMention } from '../../../text/quantities/dates.ts';
import { type AmountReading, type AttributeName, attributeNames, attributes, type Measured } from './amounts.ts';
import { beginnings, type EventKind, type EventReading, eventOf, wordOf } from './events.ts';
import { amountReadings, eventReadings, type Quoted } from './readings.ts';

/** What is asked of the things: which came about earlier, or which has more. */
export type Relation =
  | { readonly by: 'time'; readonly event?: EventKind | undefined; readonly wants: 'first' | 'last' }
  | { readonly by: 'amount'; readonly what: Measured; readonly wants: 'more' | 'less'; readonly word: string };

export interface Compared {
  /** The comparison as a claim. */
  readonly text: string;
  readonly derivation: string;
  /** The quotes that it rests on, in the order of the things. */
  readonly quotes: readonly number[];
}

/** Why nothing is compared. */
export type NotCompared = { readonly missing: string };

const mostThings = 6;

/** Puts the things in order by what the quotes say of them. `things`: as they are to be named in the claim. */
export function compareBy(
  relation: Relation,
  things: readonly string[],
  quotes: readonly Quoted[],
): Compared | NotCompared {
  if (things.length < 2 || things.length > mostThings || things.some((thing) => /[;:\n]|\.\s/u.test(thing)))
    return { missing: 'They cannot be told apart by their names.' };
  return relation.by === 'time' ? byTime(relation, things, quotes) : byAmount(relation, things, quotes);
}

interface Figure<Reading> {
  readonly thing: string;
  readonly reading: Reading;
  readonly quote: number;
}

/** One figure of each thing, where all quotes agree on it. */
function figuresOf<Reading>(
  things: readonly string[],
  quotes: readonly Quoted[],
  {
    read,
    isSame,
  }: {
    readonly read: (quoted: Quoted, thing: string) => readonly Reading[];
    readonly isSame: (a: Reading, b: Reading) => boolean;
  },
): readonly Figure<Reading>[] | NotCompared {
  const figures: Figure<Reading>[] = [];
  for (const thing of things) {
    const all = quotes.flatMap((quoted, quote) => read(quoted, thing).map((reading) => ({ thing, reading, quote })));
    const [first] = all;
    if (!first) return { missing: `No passage found states it outright of "${thing}".` };
    if (all.some(({ reading }) => !isSame(reading, first.reading)))
      return { missing: `The passages found state it of "${thing}" in more than one way.` };
    figures.push(first);
  }
  return figures;
}

const daysIn = ({ year = 0, month, day }: DateMention): readonly [first: number, last: number] => {
  const at = year * 10_000;
  return [at + (month ?? 1) * 100 + (day ?? 1), at + (month ?? 12) * 100 + (day ?? 31)];
};
const whenOf = (kind: EventKind, { precision, text }: DateMention): string =>
  `${kind === 'active' ? 'since' : precision === 'day' ? 'on' : 'in'} ${text}`;

function byTime(
  { event, wants }: Relation & { by: 'time' },
  things: readonly string[],
  quotes: readonly Quoted[],
): Compared | NotCompared {
  const known = new Map(things.map((thing) => [thing, quotes.map((quoted) => eventReadings(quoted, thing))] as const));
  const of = (kind: EventKind): Ordered<EventReading> | NotCompared => {
    const figures = figuresOf(things, quotes, {
      read: (quoted, thing) => (known.get(thing)?.[quotes.indexOf(quoted)] ?? []).filter((one) => one.kind === kind),
      isSame: (a, b) => daysIn(a.date).join() === daysIn(b.date).join(),
    });
    if ('missing' in figures) return figures;
    return inOrder(figures, (a, b) => {
      const [[fromA, toA], [fromB, toB]] = [daysIn(a.date), daysIn(b.date)];
      if (toA < fromB) return -1;
      return toB < fromA ? 1 : undefined;
    });
  };
  const tried = (event ? [event] : beginnings).map((kind) => ({ kind, order: of(kind) }));
  const told = tried.flatMap(({ kind, order }) => ('missing' in order ? [] : [{ kind, order }]));
  const [found] = told;
  if (!found) {
    const any = things.find((thing) => (known.get(thing) ?? []).flat().length === 0);
    if (!event && any !== undefined) return { missing: `No passage found states a date of "${any}" outright.` };
    const refusals = tried.flatMap(({ order }) => ('missing' in order ? [order] : []));
    const refusal = refusals.find(({ missing }) => !missing.startsWith('No passage')) ?? refusals[0];
    return event && refusal ? refusal : { missing: otherEvents(things, known) };
  }
  const lead = (order: Ordered<EventReading>): readonly Figure<EventReading>[] =>
    wants === 'first' ? order : order.toReversed();
  // Founded first and released last: which came first depends on what is meant.
  if (told.some(({ order }) => lead(order)[0]?.thing !== lead(found.order)[0]?.thing))
    return { missing: 'They come in another order by other dates.' };
  const [first, ...rest] = lead(found.order);
  if (!first) return { missing: 'Nothing was compared.' };
  const word = wordOf(
    found.kind,
    found.order.map(({ reading }) => reading.word),
  );
  const others = listed(rest.map(({ thing, reading }) => `${thing} ${whenOf(found.kind, reading.date)}`));
  const [came, side] = wants === 'first' ? ['first', 'before'] : ['last', 'after'];
  return {
    text: `${capital(first.thing)} came ${came}: ${word} ${whenOf(found.kind, first.reading.date)}, ${side} ${others}.`,
    derivation: [first, ...rest].map(({ thing, reading }) => `${reading.date.text} (${thing})`).join(` is ${side} `),
    quotes: quotesOf(things, found.order),
  };
}

/** What is known of each where no event is known of all. */
function otherEvents(
  things: readonly string[],
  known: ReadonlyMap<string, readonly (readonly EventReading[])[]>,
): string {
  const said = things.map((thing) => {
    const [reading] = (known.get(thing) ?? []).flat();
    return reading && `${reading.word} ${whenOf(reading.kind, reading.date)} (${thing})`;
  });
  return said.every((one) => one !== undefined)
    ? `The dates found are of different events: ${said.join(', ')}.`
    : 'No two of the dates found are of the same event.';
}

function byAmount(
  { what, wants, word }: Relation & { by: 'amount' },
  things: readonly string[],
  quotes: readonly Quoted[],
): Compared | NotCompared {
  const isSame = (a: AmountReading, b: AmountReading): boolean =>
    a.dimension === b.dimension && a.per === b.per && a.value === b.value;
  const figures = figuresOf(things, quotes, { read: (quoted, thing) => amountReadings(quoted, thing, what), isSame });
  if ('missing' in figures) return figures;
  const [one] = figures;
  if (figures.some(({ reading }) => reading.dimension !== one?.reading.dimension || reading.per !== one.reading.per))
    return { missing: 'The figures found are not in the same unit.' };
  const order = inOrder(figures, (a, b) => (a.value === b.value ? undefined : a.value - b.value));
  if ('missing' in order) return order;
  const [first, ...rest] = wants === 'less' ? order : order.toReversed();
  if (!first) return { missing: 'Nothing was compared.' };
  const than = listed(rest.map(({ thing }) => thing));
  const against = listed(rest.map(({ reading }) => reading.text));
  const relation =
    'column' in what
      ? `has a ${word} ${what.column} than`
      : 'counted' in what
        ? `has ${word} ${what.counted} than`
        : `is ${word} than`;
  return {
    text: `${capital(first.thing)} ${relation} ${than}: ${first.reading.text} against ${against}.`,
    derivation: [first, ...rest].map(({ thing, reading }) => `${reading.text} (${thing})`).join(` is ${wants} than `),
    quotes: quotesOf(things, order),
  };
}

type Ordered<Reading> = readonly Figure<Reading>[];

/** Smallest first; `compare` is undefined where two cannot be told apart. */
function inOrder<Reading>(
  figures: readonly Figure<Reading>[],
  compare: (a: Reading, b: Reading) => number | undefined,
): Ordered<Reading> | NotCompared {
  for (const [at, a] of figures.entries())
    for (const b of figures.slice(at + 1))
      if (compare(a.reading, b.reading) === undefined)
        return { missing: `What is stated of "${a.thing}" and "${b.thing}" does not tell them apart.` };
  return figures.toSorted((a, b) => compare(a.reading, b.reading) ?? 0);
}

const quotesOf = <Reading>(things: readonly string[], figures: readonly Figure<Reading>[]): readonly number[] => [
  ...new Set(things.flatMap((thing) => figures.filter((one) => one.thing === thing).map(({ quote }) => quote))),
];

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const listed = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** `longer`, `cheaper`: what it compares by. */
export function comparativeOf(word: string): (Relation & { by: 'amount' }) | undefined {
  for (const attribute of attributeNames) {
    const { more, less }: { readonly more: readonly string[]; readonly less: readonly string[] } =
      attributes[attribute as AttributeName];
    if (more.includes(word)) return { by: 'amount', what: { attribute }, wants: 'more', word };
    if (less.includes(word)) return { by: 'amount', what: { attribute }, wants: 'less', word };
  }
  return undefined;
}

const degrees: Readonly<Record<string, 'more' | 'less'>> = {
  longer: 'more',
  higher: 'more',
  larger: 'more',
  bigger: 'more',
  greater: 'more',
  wider: 'more',
  shorter: 'less',
  lower: 'less',
  smaller: 'less',
};
/** "Has the longer battery life": by what a column is called. */
export function ofColumn(column: string, degree: string): (Relation & { by: 'amount' }) | undefined {
  const wants = degrees[degree];
  return wants && { by: 'amount', what: { column }, wants, word: degree };
}

const times = /^(?<first>[^:;]{1,200}) came (?<order>first|last): (?<word>\p{Ll}{3,20}) (?:on|in|since) /u;
const amounts =
  /^(?<first>[^:;]{1,200}?) (?:is (?<word>[a-z ]{4,20}?)|has (?<count>more|fewer) (?<counted>\p{Ll}[\p{L} -]{1,40}?)|has a (?<degree>\p{Ll}{5,8}) (?<column>\p{Ll}[\p{L} -]{1,40}?)) than (?<others>[^:;]{1,400}): /u;

/** What a claim of the form above compares, and in which of the names it could be meant; undefined for any other claim. */
function claimed(
  text: string,
): { readonly relation: Relation; readonly things: readonly (readonly string[])[] } | undefined {
  const time = times.exec(text)?.groups;
  if (time) {
    const { first = '', order, word = '' } = time;
    const event = eventOf(word);
    if (!event) return undefined;
    const wants = order === 'last' ? 'last' : 'first';
    const others = text
      .slice(text.search(wants === 'first' ? /, before / : /, after /u))
      .replace(/^, (?:before|after) /u, '')
      .replace(/\.$/u, '');
    // Each other thing stands before its date: "Beta in 2004".
    const named = splits(others).map((items) =>
      items.map((item) => item.replace(/ (?:on|in|since) (?:\D{0,16}\d|\d)[^:;]{0,24}$/u, '')),
    );
    return { relation: { by: 'time', event, wants }, things: named.map((names) => [first, ...names]) };
  }
  const amount = amounts.exec(text)?.groups;
  if (!amount) return undefined;
  const { first = '', word, count, counted, degree, column, others = '' } = amount;
  const relation: Relation | undefined =
    column !== undefined
      ? ofColumn(column, degree ?? '')
      : counted === undefined
        ? comparativeOf(word ?? '')
        : { by: 'amount', what: { counted }, wants: count === 'more' ? 'more' : 'less', word: count ?? '' };
  return relation && { relation, things: splits(others).map((names) => [first, ...names]) };
}

/** `A, B and C` as three, or as fewer where a name has "and" in it. */
function splits(list: string): readonly (readonly string[])[] {
  const all: string[][] = [[list]];
  const byAnd = / and /u.exec(list);
  if (byAnd) {
    const [head, last] = [list.slice(0, list.lastIndexOf(' and ')), list.slice(list.lastIndexOf(' and ') + 5)];
    all.unshift([...head.split(', '), last], [head, last]);
  }
  return all.slice(0, 3);
}

/** The claim with its computation, where the quotes give the same words for it; undefined for a claim of another form, or a wrong one. */
export function comparisonHeld(claim: string, quotes: readonly Quoted[]): Compared | undefined {
  const said = claimed(claim);
  if (!said) return undefined;
  for (const things of said.things) {
    const compared = compareBy(said.relation, things, quotes);
    if (!('missing' in compared) && compared.text === claim) return compared;
  }
  return undefined;
}
