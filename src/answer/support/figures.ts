// What figures of a quote amount to: a number or date of a claim that the quote does not state may still follow from it by
// arithmetic. Each rule needs the words that ask for it ("in total", "fell by", "nine years") and the same unit. What no rule gives is
// not in the quote.

import { type DateMention, dateCovers } from '../../text/quantities/dates.ts';
import { boundCovers, type Quantity, sameAmount } from '../../text/quantities/quantities.ts';
import type { Token } from './tokens.ts';

export interface Figure {
  readonly token: Token;
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

/** Whether the quote gives the figure of the claim at `at`; undefined where it does not. */
export function followsFrom(at: number, setting: FigureSetting): boolean {
  const token = setting.claim[at] as Token;
  // "Thirty Years" is a name.
  if (/^\p{Lu}\p{Ll}+ \p{Lu}/u.test(token.text))
    return setting.figures.some((figure) => figure.token.text === token.text);
  const figures = setting.figures.slice(0, mostFigures);
  if (token.date) {
    const { date } = token;
    const isPart = /^(?:early|late|mid)$/u.test(setting.claim[at - 1]?.lower ?? '');
    const covers = figures.some(({ token }) => token.date && dateCovers(token.date, date));
    if (covers && !isPart) return true;
    if (figures.some(({ token: other }) => other.date && liesIn(other.date, token, setting.claim, at))) return true;
    if (!token.quantity) return false;
  }
  const quantity = token.quantity;
  if (!quantity) return false;
  return stated(quantity, figures) || converted(quantity, figures) || computed(quantity, { ...setting, figures });
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

function stated(quantity: Quantity, figures: readonly Figure[]): boolean {
  const same = figures.filter(({ token }) => token.quantity && sameAmount(quantity, token.quantity));
  if (same.length > 0) {
    // "Up to 70" gives no 70.
    return same.some(({ token }) => boundCovers((token.quantity as Quantity).bound, quantity.bound));
  }
  for (const { token } of figures) {
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
      return true;
  }
  return false;
}

/** Units whose conversion is no plain factor, or whose names have two meanings. */
function converted(quantity: Quantity, figures: readonly Figure[]): boolean {
  const name = quantity.unit?.name ?? '';
  for (const { token } of figures) {
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
      return true;
  }
  return false;
}

function computed(quantity: Quantity, { claim, quote, figures }: FigureSetting): boolean {
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
  if (quantity.kind === 'ordinal' || quantity.high !== undefined) return false;
  if (totalling.test(said) && !isShare(quantity)) {
    if (sumOf(alike, value)) return true;
  }
  if ((differing.test(said) || rising.test(said) || falling.test(said)) && !isShare(quantity)) {
    if (differenceOf(alike, { value, said, quote })) return true;
  }
  if (quantity.unit?.dimension === 'months' && quantity.unit.name === 'yr') {
    if (yearsOf(figures, quantity)) return true;
  }
  if (/ (?:age|aged|old|years?) /u.test(said) && quantity.unit === undefined && / (?:age|aged) /u.test(said)) {
    if (yearsOf(figures, quantity)) return true;
  }
  return isShare(quantity) && shareOf(figures, quantity, { said, quote });
}

function sumOf(alike: readonly Figure[], value: number): boolean {
  for (let terms = 2; terms <= Math.min(mostTerms, alike.length); terms += 1)
    for (let from = 0; from + terms <= alike.length; from += 1) {
      const run = alike.slice(from, from + terms);
      const sum = run.reduce((total, { token }) => total + size(token.quantity as Quantity), 0);
      if (Math.abs(sum - value) <= 1e-9 * Math.abs(value)) return true;
    }
  return false;
}

function differenceOf(
  alike: readonly Figure[],
  { value, said, quote }: { readonly value: number; readonly said: string; readonly quote: readonly Token[] },
): boolean {
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
      return true;
    }
  return false;
}

/** From year to year. */
function yearsOf(figures: readonly Figure[], quantity: Quantity): boolean {
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
        return true;
    }
  return false;
}

/** A percentage or fraction of two figures: part of a whole, or a change. */
function shareOf(
  figures: readonly Figure[],
  quantity: Quantity,
  { said, quote }: { readonly said: string; readonly quote: readonly Token[] },
): boolean {
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
          return true;
      } else {
        const isPart = / of /u.test(
          ` ${words(quote.slice(Math.max(0, Math.min(first.at, second.at) - 2), Math.max(first.at, second.at) + 1))} `,
        );
        if (isPart && fits(Math.min(x, y) / Math.max(x, y))) return true;
      }
    }
  return false;
}
