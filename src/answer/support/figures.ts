// What figures of a quote amount to: a number or date of a claim that the quote does not state may still follow from it by
// arithmetic. Each rule needs the words that ask for it ("in total", "fell by", "nine years"), the same unit, and gives the
// computation in words. What no rule gives is not in the quote.

import { type DateMention, dateCovers } from '../../text/quantities/dates.ts';
import { boundCovers, type Quantity, sameAmount } from '../../text/quantities/quantities.ts';
import type { Token } from './tokens.ts';

export interface Figure {
  readonly token: Token;
  readonly at: number;
}

export interface Licence {
  /** Undefined: the quote states the figure itself. */
  readonly derivation?: string;
  /** Where in the quote it stands, or the first of the figures that it was computed from. */
  readonly at: number;
}

export interface FigureSetting {
  readonly claim: readonly Token[];
  readonly quote: readonly Token[];
  readonly figures: readonly Figure[];
}

/** Figures that are added up: more is guessing. */
const mostTerms = 5;
const mostFigures = 24;

const words = (tokens: readonly Token[]): string => ` ${tokens.map((token) => token.lower).join(' ')} `;
const totalling =
  / (?:total|totals?|totalled|totaled|totalling|together|combined|altogether|overall|all|in all|sum|and|both|jointly|collectively|aggregate|whole|played|competed) /u;
const differing =
  / (?:by|more|less|fewer|higher|lower|taller|longer|shorter|older|younger|larger|smaller|bigger|heavier|lighter|faster|slower|deeper|wider|cheaper|difference|differ|differs|gap|margin|change|changed|increase|decrease|rise|fall|drop|gain|loss|reduction|growth|later|earlier|took|lasted|spanned|separate|after|before|ahead|behind|for|within|span|over) /u;
const rising =
  / (?:rose|rise|rises|risen|grew|grow|grows|growth|grown|increased?|increases|increase|gained?|gain|climbed|up|raised|jumped|surged|more|higher|expanded) /u;
const falling =
  / (?:fell|fall|falls|fallen|dropped|drop|declined?|decline|decreased?|decrease|decreases|reduced?|reduction|cut|shrank|shrunk|lost|lower|lowered|less|down|cheaper|slashed) /u;
const about = /^(?:about|at-least|at-most|more-than|less-than)$/u;

const size = (quantity: Quantity, value: number = quantity.value): number => value * (quantity.unit?.factor ?? 1);
const isShare = (quantity: Quantity): boolean => quantity.unit?.dimension === 'ratio' || quantity.kind === 'fraction';

/** Equal as far as the claim's digits go: 12,480 is about 12,500, 8.05 km is 8 km. */
function roundsTo(exact: number, said: number, isLoose: boolean): boolean {
  if (said === 0) return exact === 0;
  const difference = Math.abs(exact - said) / Math.abs(said);
  if (difference < 1e-9) return true;
  const digits = said
    .toPrecision(12)
    .replace(/(?:\.|(?<![.0]))0+$|\.|e[\s\S]*$/gu, '')
    .replace(/^-?0*/u, '')
    .replace(/(?<!0)0+$/u, '').length;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(said))) - Math.max(0, digits - 1));
  // One digit says little: eight kilometres for 8.4 is too free, unless "about" is said.
  const halfUnit = (digits < 2 && !isLoose ? unit / 20 : unit / 2) * 1.0001;
  return Math.abs(exact - said) <= halfUnit && difference <= (isLoose ? 0.08 : 0.002);
}

/** The bound that the claim puts on a rounded figure must hold. */
function boundHolds(claim: Quantity, exact: number, said: number): boolean {
  if (claim.bound === 'more-than') return exact > said;
  if (claim.bound === 'less-than') return exact < said;
  if (claim.bound === 'at-least') return exact >= said;
  if (claim.bound === 'at-most') return exact <= said;
  return true;
}

const shown = (value: number): string => Number(value.toPrecision(6)).toLocaleString('en-US');
const unitName = (quantity: Quantity): string => (quantity.unit ? ` ${quantity.unit.name}` : '');

/** Whether the quote gives the figure of the claim at `at`; undefined where it does not. */
export function licenceOf(at: number, setting: FigureSetting): Licence | undefined {
  const token = setting.claim[at] as Token;
  // "Thirty Years" is a name.
  if (/^\p{Lu}\p{Ll}+ \p{Lu}/u.test(token.text))
    return setting.figures
      .map((figure) => (figure.token.text === token.text ? { at: figure.at } : undefined))
      .find((licence) => licence !== undefined);
  const figures = setting.figures.slice(0, mostFigures);
  if (token.date) {
    const { date } = token;
    const isPart = /^(?:early|late|mid)$/u.test(setting.claim[at - 1]?.lower ?? '');
    const stated = isPart
      ? undefined
      : figures.find((figure) => figure.token.date && dateCovers(figure.token.date, date));
    if (stated) return { at: stated.at };
    const period = figures.find((figure) => figure.token.date && liesIn(figure.token.date, token, setting.claim, at));
    if (period) return { at: period.at, derivation: `${period.token.text} lies in ${token.text}` };
    if (!token.quantity) return undefined;
  }
  const quantity = token.quantity;
  if (!quantity) return undefined;
  return stated(quantity, figures) ?? converted(quantity, figures) ?? computed(quantity, at, { ...setting, figures });
}

/** "the 20th century" of 1902, with "early" or "late" in front only where it fits. */
function liesIn(date: DateMention, token: Token, claim: readonly Token[], at: number): boolean {
  const period = token.date;
  if (!period || date.year === undefined || period.year === undefined) return false;
  if (!/^(?:day|month|year)$/u.test(date.precision)) return false;
  const width = period.precision === 'decade' ? 10 : period.precision === 'century' ? 100 : 0;
  if (width === 0) return false;
  // The 20th century is 1901 to 2000; 1902 is early in it.
  const start = period.precision === 'century' ? Math.floor(period.year / 100) * 100 : period.year;
  const into = date.year - start;
  if (into < 0 || into > width) return false;
  const before = claim[at - 1]?.lower;
  if (before === 'early') return into <= 0.4 * width;
  if (before === 'late') return into >= 0.6 * width;
  return before !== 'mid' || Math.abs(into - width / 2) <= 0.2 * width;
}

function stated(quantity: Quantity, figures: readonly Figure[]): Licence | undefined {
  const same = figures.filter(({ token }) => token.quantity && sameAmount(quantity, token.quantity));
  if (same.length > 0) {
    // "Up to 70" gives no 70.
    const fitting = same.find(({ token }) => boundCovers((token.quantity as Quantity).bound, quantity.bound));
    return fitting && { at: fitting.at };
  }
  for (const { token, at } of figures) {
    const other = token.quantity;
    if (!other) continue;
    if ((quantity.kind === 'ordinal') !== (other.kind === 'ordinal')) continue;
    const comparable =
      quantity.unit?.dimension === other.unit?.dimension ||
      (isShare(quantity) && isShare(other)) ||
      // "a population of 12,480" and "12,500 people": what is counted is another word.
      (quantity.unit === undefined && other.unit === undefined);
    if (!comparable || quantity.high !== undefined) continue;
    const [said, exact] = [size(quantity), size(other)];
    if (isShare(quantity) !== isShare(other)) continue;
    const isRounded =
      about.test(quantity.bound) ||
      isShare(quantity) ||
      Math.abs(said) >= 10_000 ||
      quantity.unit?.name !== other.unit?.name;
    if (
      isRounded &&
      roundsTo(exact / (quantity.unit?.factor ?? 1), quantity.value, about.test(quantity.bound)) &&
      boundHolds(quantity, exact, said)
    )
      return { at, derivation: `${other.text} is ${quantity.text}, rounded` };
  }
  return undefined;
}

/** Units whose conversion is no plain factor, or whose names have two meanings. */
function converted(quantity: Quantity, figures: readonly Figure[]): Licence | undefined {
  const name = quantity.unit?.name ?? '';
  for (const { token, at } of figures) {
    const other = token.quantity;
    if (!other?.unit) continue;
    let value: number | undefined;
    if (/C$/u.test(other.unit.name) && /F$/u.test(name) && /°|deg/iu.test(other.unit.name + other.text))
      value = other.value * 1.8 + 32;
    else if (/F$/u.test(other.unit.name) && /C$/u.test(name) && /°|deg/iu.test(other.unit.name + other.text))
      value = (other.value - 32) / 1.8;
    else if (quantity.unit?.dimension === 'mass' && /\bpounds?$/iu.test(other.text))
      value = (other.value * 0.45359237) / quantity.unit.factor;
    else if (other.unit.dimension === 'mass' && /\bpounds?$/iu.test(quantity.text)) value = size(other) / 0.45359237;
    else if (other.unit.dimension === 'months' && quantity.unit?.dimension === 'time' && other.unit.name === 'yr')
      value = (other.value * 365.25 * 86_400) / quantity.unit.factor;
    if (value !== undefined && roundsTo(value, quantity.value, true) && boundHolds(quantity, value, quantity.value))
      return { at, derivation: `${other.text} = ${shown(value)}${unitName(quantity)}` };
  }
  return undefined;
}

function computed(quantity: Quantity, at: number, { claim, quote, figures }: FigureSetting): Licence | undefined {
  const said = words(claim);
  const alike = figures.filter(
    ({ token }) =>
      token.quantity &&
      token.quantity.kind !== 'ordinal' &&
      !token.date &&
      token.quantity.bound === 'exact' &&
      token.quantity.high === undefined &&
      (token.quantity.unit?.dimension === quantity.unit?.dimension ||
        (quantity.unit === undefined && token.quantity.unit === undefined)),
  );
  const value = size(quantity);
  if (quantity.kind === 'ordinal' || quantity.high !== undefined) return undefined;
  if (totalling.test(said) && !isShare(quantity)) {
    const sum = sumOf(alike, value);
    if (sum) return sum;
  }
  if ((differing.test(said) || rising.test(said) || falling.test(said)) && !isShare(quantity)) {
    const difference = differenceOf(alike, { value, said, quote });
    if (difference) return difference;
  }
  if (quantity.unit?.dimension === 'months' && quantity.unit.name === 'yr') {
    const span = yearsOf(figures, quantity);
    if (span) return span;
  }
  if (/ (?:age|aged|old|years?) /u.test(said) && quantity.unit === undefined && / (?:age|aged) /u.test(said)) {
    const span = yearsOf(figures, quantity);
    if (span) return span;
  }
  if (isShare(quantity)) return shareOf(figures, quantity, { said, quote });
  return countOf(quantity, at, { claim, quote });
}

function sumOf(alike: readonly Figure[], value: number): Licence | undefined {
  for (let terms = 2; terms <= Math.min(mostTerms, alike.length); terms += 1)
    for (let from = 0; from + terms <= alike.length; from += 1) {
      const run = alike.slice(from, from + terms);
      const sum = run.reduce((total, { token }) => total + size(token.quantity as Quantity), 0);
      if (Math.abs(sum - value) <= 1e-9 * Math.abs(value))
        return { at: (run[0] as Figure).at, derivation: `${run.map(({ token }) => token.text).join(' + ')}` };
    }
  return undefined;
}

function differenceOf(
  alike: readonly Figure[],
  { value, said, quote }: { readonly value: number; readonly said: string; readonly quote: readonly Token[] },
): Licence | undefined {
  for (const [index, first] of alike.entries())
    for (const second of alike.slice(index + 1)) {
      const change = size(second.token.quantity as Quantity) - size(first.token.quantity as Quantity);
      if (Math.abs(Math.abs(change) - value) > 1e-9 * Math.abs(value)) continue;
      const between = words(quote.slice(first.at + 1, second.at));
      // "from 60 to 45" is a fall; what rose in the claim must have risen.
      if (
        (first.at === second.at || / (?:to|in|by) /u.test(between)) &&
        ((rising.test(said) && change < 0) || (falling.test(said) && change > 0 && !rising.test(said)))
      )
        continue;
      const [high, low] = change > 0 ? [second, first] : [first, second];
      return { at: first.at, derivation: `${amount(high)} − ${amount(low)}` };
    }
  return undefined;
}

/** As written, or one end of a range in its unit. */
const amount = ({ token }: Figure): string =>
  / to /u.test(token.text) && token.quantity ? `${shown(token.quantity.value)}${unitName(token.quantity)}` : token.text;

/** From year to year. */
function yearsOf(figures: readonly Figure[], quantity: Quantity): Licence | undefined {
  const years = figures.filter(
    ({ token }) => token.date?.year !== undefined && /^(?:day|month|year)$/u.test(token.date.precision),
  );
  for (const [index, first] of years.entries())
    for (const second of years.slice(index + 1)) {
      const span = Math.abs((second.token.date?.year ?? 0) - (first.token.date?.year ?? 0));
      if (
        span > 0 &&
        (span === quantity.value || (about.test(quantity.bound) && Math.abs(span - quantity.value) <= 0.05 * span))
      )
        return { at: first.at, derivation: `${second.token.text} − ${first.token.text}` };
    }
  return undefined;
}

/** A percentage or fraction of two figures: part of a whole, or a change. */
function shareOf(
  figures: readonly Figure[],
  quantity: Quantity,
  { said, quote }: { readonly said: string; readonly quote: readonly Token[] },
): Licence | undefined {
  const value = quantity.unit?.dimension === 'ratio' ? size(quantity) : quantity.value;
  const plain = figures.filter(
    ({ token }) => token.quantity && !isShare(token.quantity) && token.quantity.kind !== 'ordinal' && !token.date,
  );
  const fits = (share: number): boolean => roundsTo(share * 100, value * 100, true) && Math.abs(share - value) <= 0.006;
  const isChange = rising.test(said) || falling.test(said);
  for (const [index, first] of plain.entries())
    for (const second of plain.slice(index + 1)) {
      const [a, b] = [first.token.quantity as Quantity, second.token.quantity as Quantity];
      if (a.unit?.dimension !== b.unit?.dimension) continue;
      const [x, y] = [size(a), size(b)];
      const between = words(quote.slice(first.at + 1, second.at));
      if (isChange) {
        if ((!/ to /u.test(between) && first.at !== second.at) || x === 0) continue;
        const change = (y - x) / x;
        if (((rising.test(said) && change > 0) || (falling.test(said) && change < 0)) && fits(Math.abs(change)))
          return { at: first.at, derivation: `(${amount(second)} − ${amount(first)}) ÷ ${amount(first)}` };
      } else {
        const [part, whole] = x < y ? [first, second] : [second, first];
        const isPart = / of /u.test(
          ` ${words(quote.slice(Math.max(0, Math.min(first.at, second.at) - 2), Math.max(first.at, second.at) + 1))} `,
        );
        if (isPart && fits(Math.min(x, y) / Math.max(x, y)))
          return { at: first.at, derivation: `${part.token.text} ÷ ${whole.token.text}` };
      }
    }
  return undefined;
}

/** How many things the quote lists: "Lyon, Turin and Graz" are three. */
function countOf(
  quantity: Quantity,
  at: number,
  { claim, quote }: { readonly claim: readonly Token[]; readonly quote: readonly Token[] },
): Licence | undefined {
  if (quantity.unit || quantity.bound !== 'exact' || quantity.value < 2 || quantity.value > 12) return undefined;
  const next = claim[at + 1];
  if (!next?.content) return undefined;
  // "three times" in the quote says how many.
  const isCounted = quote.some(
    (token, other) => token.type === 'number' && quote[other + 1]?.keys.some((key) => next.keys.includes(key)),
  );
  if (isCounted) return undefined;
  const list = listsIn(quote).find(({ length }) => length === quantity.value);
  return list && { at: list.at, derivation: `count of ${list.items.join(', ')}` };
}

interface List {
  readonly at: number;
  readonly items: readonly string[];
  readonly length: number;
}

/** The lists of things in a text; what stands after "between" or holds figures is none. */
export function listsIn(quote: readonly Token[]): List[] {
  const found: List[] = [];
  for (let from = 0; from < quote.length; from += 1) {
    const list = listFrom(quote, from);
    if (list === undefined) continue;
    const { items, end } = list;
    const isOfThings =
      !/^(?:between|both)$/u.test(quote[from - 1]?.lower ?? '') &&
      !items.some((item) => /\d/u.test(item) && !/^\d{4}$/u.test(item));
    if (isOfThings) found.push({ at: from, items, length: items.length });
    from = end;
  }
  return found;
}

/** The items of a list that begins at `from` ("A, B and C" with at most four words each), or undefined. */
// oxlint-disable-next-line complexity -- One rule of language stands after another, over the same words.
function listFrom(
  quote: readonly Token[],
  from: number,
): { readonly items: readonly string[]; readonly end: number } | undefined {
  if (
    !quote[from]?.content ||
    (quote[from - 1]?.content &&
      quote[from - 1]?.type === 'word' &&
      quote[from - 1]?.name === quote[from]?.name &&
      quote[from]?.name)
  )
    return undefined;
  const items: string[] = [];
  let item: string[] = [];
  let closed = false;
  let end = from;
  for (let at = from; at < quote.length; at += 1) {
    const token = quote[at] as Token;
    const isJoint = token.text === ',' || /^(?:and|or|&)$/u.test(token.lower);
    if (
      !isJoint &&
      token.type !== 'mark' &&
      item.length < 4 &&
      (token.content || /^(?:of|the|a|an)$/u.test(token.lower))
    ) {
      item.push(token.text);
      if (closed && !quote[at + 1]?.content) break;
      continue;
    }
    if (!isJoint) break;
    end = at;
    if (item.length > 0) items.push(item.join(' '));
    item = [];
    if (/^(?:and|or|&)$/u.test(token.lower)) closed = true;
  }
  if (item.length > 0) items.push(item.join(' '));
  return closed && items.length >= 2 ? { items, end } : undefined;
}
