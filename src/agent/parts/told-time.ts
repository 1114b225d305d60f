// Of which year, or quarter, an amount is told, and whether that is the one asked about: the figure of another year is another figure. Pure.
import type { Lack, Told } from './told.ts';

const year = /(?<![\p{Nd}.,$€£])(?:1[89]|20)\p{Nd}{2}(?![\p{Nd}%]|[.,]\p{Nd})/gu;
const shortYear = /\b(?:FY|Q[1-4]) ?['’]?(\p{Nd}{2})\b/gu;
const dayOf =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.? \p{Nd}{1,2}\b|\b(?:January|February|March|April|June|July|August|September|October|November|December)\b/gu;
const quarterly = /\bquarters?\b|\bthree months\b|\b(?:13|thirteen)[ -]weeks?\b|\bQ[1-4]\b/iu;
const yearly = /\b(?:full|fiscal|twelve months|52 weeks|annual|year ended)\b/iu;
const asksYear = /\b(?:during|over|for|in) (?:the|this|that|last) (?:\p{Ll}{1,12} )?year\b/iu;

/** A year or a day counts nothing. */
export const withoutDates = (text: string): string => text.replace(dayOf, ' ').replace(year, ' ');

export const yearsIn = (text: string): ReadonlySet<string> =>
  new Set([
    ...[...text.matchAll(year)].map(([one]) => one),
    ...[...text.matchAll(shortYear)].map(([, one = '']) => `20${one}`),
  ]);

const named = ['first', 'second', 'third', 'fourth'];
const quarterNamed = /\bQ([1-4])\b|\b(first|second|third|fourth)[ -]quarter\b/giu;
const quartersIn = (text: string): ReadonlySet<number> =>
  new Set(
    [...text.matchAll(quarterNamed)].map(([, short, word = '']) =>
      short === undefined ? named.indexOf(word.toLowerCase()) + 1 : Number(short),
    ),
  );

/** What says of which time a row is: its columns, or the nearest line above it that names a year. */
function toldOver({ text, columns, before }: Told): string {
  if (columns !== '' || !text.includes(' | ')) return columns;
  return (
    before
      .split('\n')
      .toReversed()
      .slice(0, mostLines)
      .find((line) => yearsIn(line).size > 0) ?? ''
  );
}
const mostLines = 12;

/** Undefined where no time was asked for, none is told, or it is the one asked about. */
export function lackOfTime(question: string, told: Told): Lack | undefined {
  const wanted = yearsIn(question);
  const said = `${told.text}\n${toldOver(told)}`;
  const years = yearsIn(said);
  if (wanted.size > 0 && years.size > 0 && wanted.isDisjointFrom(years))
    return { isWithout: false, reason: `tells of ${[...years].slice(0, 2).join(' and ')}` };
  const [quarters, toldQuarters] = [quartersIn(question), quartersIn(told.text)];
  if (quarters.size > 0 && toldQuarters.size > 0 && quarters.isDisjointFrom(toldQuarters))
    return { isWithout: false, reason: 'tells of another quarter' };
  const isYearAsked = (wanted.size > 0 || asksYear.test(question)) && !quarterly.test(question);
  if (isYearAsked && quarterly.test(told.text) && !yearly.test(told.text.replace(/\bquarter of fiscal\b/giu, ' ')))
    return { isWithout: false, reason: 'tells of a quarter' };
  return undefined;
}
