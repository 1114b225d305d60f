// Two things that messages and rows write otherwise than questions do: who is spoken to ("Thanks, John!") is not who it is about, and a day has figures
// ("2022-02-25", where the question says "25 February 2022"). Pure; linear in the text.
import { type DateMention, findDates } from '../../text/quantities/dates.ts';
import type { Question } from './question.ts';
import type { Term } from './terms.ts';

/** Between the beginning of a sentence and the name there is at most one word: "Wow, John!", "Hey Maria,". */
const beforeAddress = /(?:^|[,;:.!?…\n]\s{0,13})(?:\p{L}{1,10}[,!]?\s)?$/u;
const afterAddress = /^\s?(?:[,!?…]|\.(?:\s|$))/u;

/** Whether a name at this place of a message calls somebody. Prose says "John, who …" as well: only for messages. */
export function isAddress(text: string, start: number, end: number): boolean {
  if (!/^\p{Lu}/u.test(text.slice(start, end))) return false;
  return afterAddress.test(text.slice(end, end + 3)) && beforeAddress.test(text.slice(Math.max(0, start - 14), start));
}

export interface AskedDate extends DateMention {
  /** Which terms of the question write it. */
  readonly terms: readonly number[];
}

/** The days and months that the question names, with the terms that do. */
export function askedDates({ text, terms }: Pick<Question, 'text' | 'terms'>): readonly AskedDate[] {
  return findDates(text)
    .filter(({ year, month }) => year !== undefined && month !== undefined)
    .map((mention) => ({ ...mention, terms: terms.flatMap((term, index) => (isInside(term, mention) ? [index] : [])) }))
    .filter((mention) => mention.terms.length > 0);
}

const isInside = (term: Pick<Term, 'start' | 'end'>, { start, end }: DateMention): boolean =>
  term.start >= start && term.end <= end;

/** The terms of the question whose day or month the text writes, however it does. */
export function datedTerms(text: string, asked: readonly AskedDate[]): readonly number[] {
  if (asked.length === 0 || !/\d/u.test(text)) return [];
  const written = findDates(text);
  return asked.flatMap((wanted) => (written.some((date) => isOf(date, wanted)) ? wanted.terms : []));
}

function isOf(date: DateMention, { year, month, day }: DateMention): boolean {
  if (date.year !== year) return false;
  const readings = [{ month: date.month, day: date.day }, ...(date.alternative ? [date.alternative] : [])];
  return readings.some((reading) => reading.month === month && (day === undefined || reading.day === day));
}
