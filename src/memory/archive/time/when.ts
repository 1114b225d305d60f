// Times that a question names, as ranges of a calendar: days, months, quarters, halves, seasons, years, decades, "last week", "three months
// ago", and what stands before, after, since or between them. Vague ones are of the past: "in March" is the latest March that the archive
// knows. "Before the move" names an event: its words are given back, since only the archive knows when that was.
import type { Calendar, Day } from './calendar.ts';

export interface WhenContext {
  readonly calendar: Calendar;
  readonly nowMs: number;
  /** Of the archive, where anything in it has a time. */
  readonly lastMs?: number | undefined;
}

export interface When {
  /** Half open. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** The words that name it, as they stand in the question. */
  readonly phrase: string;
}

interface Range {
  readonly from: Day;
  /** Not in it. */
  readonly to: Day;
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const season = '(spring|summer|autumn|fall|winter)';
const seasons: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 12 };
const weekday = '(mon|tues|wednes|thurs|fri|satur|sun)day';
const weekdays = ['sun', 'mon', 'tues', 'wednes', 'thurs', 'fri', 'satur'];
const year = '((?:19|20)\\d\\d)';
const unit = '(day|week|weekend|month|quarter|year)';
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const count = `(\\d{1,3}|an?|a couple of|a few|${numbers.slice(1).join('|')})`;

const monthOf = (name: string): number => monthNames.indexOf(name.slice(0, 3).toLowerCase()) + 1;
function countOf(text: string): number {
  const lower = text.toLowerCase();
  if (/^\d+$/u.test(lower)) return Number(lower);
  if (lower === 'a couple of') return 2;
  if (lower === 'a few') return 3;
  return Math.max(1, numbers.indexOf(lower));
}

const day = (yearOf: number, monthOf_: number, dayOf = 1): Day => ({ year: yearOf, month: monthOf_, day: dayOf });
const months = (yearOf: number, first: number, length: number): Range => ({
  from: day(yearOf, first),
  to: day(yearOf, first + length),
});
const days = (from: Day, length: number): Range => ({ from, to: { ...from, day: from.day + length } });

interface Today extends Day {
  /** 0: Sunday. */
  readonly weekday: number;
}

type Build = (groups: readonly string[], today: Today) => Range | undefined;

function shifted(today: Today, unitName: string, back: number): Range {
  const { year: y, month: m, day: d } = today;
  if (unitName === 'day') return days(day(y, m, d - back), 1);
  if (unitName === 'weekend') {
    // The Saturday that began this week's or the one before.
    const saturday = d - ((today.weekday + 1) % 7);
    return days(day(y, m, saturday - 7 * Math.max(0, back - (today.weekday === 6 || today.weekday === 0 ? 0 : 1))), 2);
  }
  if (unitName === 'week') return days(day(y, m, d - ((today.weekday + 6) % 7) - 7 * back), 7);
  if (unitName === 'month') return months(y, m - back, 1);
  if (unitName === 'quarter') return months(y, m - ((m - 1) % 3) - 3 * back, 3);
  return months(y - back, 1, 12);
}

/** Around a day that lies so far back: as vague as its unit. */
function ago(today: Today, unitName: string, back: number): Range {
  if (unitName === 'day') return shifted(today, 'day', back);
  if (unitName === 'week' || unitName === 'weekend') {
    const at = day(today.year, today.month, today.day - 7 * back);
    return days({ ...at, day: at.day - 3 }, 7);
  }
  return shifted(today, unitName, back);
}

/** The latest that began before today. */
const latest = (today: Today, first: number, length: number, back = 0): Range => {
  const isAhead = first > today.month;
  return months(today.year - (isAhead ? 1 : 0) - back, first, length);
};

const forms: readonly (readonly [pattern: string, build: Build])[] = [
  [`${year}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])`, ([y, m, d]) => days(day(Number(y), Number(m), Number(d)), 1)],
  [`${year}-(0[1-9]|1[0-2])`, ([y, m]) => months(Number(y), Number(m), 1)],
  [
    `(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month},? ${year}`,
    ([d, m = '', y]) => days(day(Number(y), monthOf(m), Number(d)), 1),
  ],
  [`${month} (\\d{1,2})(?:st|nd|rd|th)?,? ${year}`, ([m = '', d, y]) => days(day(Number(y), monthOf(m), Number(d)), 1)],
  [`early ${month},?(?: of)? ${year}`, ([m = '', y]) => days(day(Number(y), monthOf(m)), 11)],
  [
    `(?:late|the end of) ${month},?(?: of)? ${year}`,
    ([m = '', y]) => ({ from: day(Number(y), monthOf(m), 20), to: day(Number(y), monthOf(m) + 1) }),
  ],
  [`${month},?(?: of)? ${year}`, ([m = '', y]) => months(Number(y), monthOf(m), 1)],
  [`(?:the )?${season}(?: of)? ${year}`, ([s = '', y]) => months(Number(y), seasons[s.toLowerCase()] ?? 1, 3)],
  [
    `(?:q([1-4])|(first|second|third|fourth) quarter)(?: of)? ${year}`,
    ([q, word = '', y]) =>
      months(
        Number(y),
        3 * (q ? Number(q) : ['first', 'second', 'third', 'fourth'].indexOf(word.toLowerCase()) + 1) - 2,
        3,
      ),
  ],
  [
    `(?:the )?(first|second) half of ${year}`,
    ([half = '', y]) => months(Number(y), half.toLowerCase() === 'first' ? 1 : 7, 6),
  ],
  [`(?:early|the beginning of|the start of) ${year}`, ([y]) => months(Number(y), 1, 4)],
  [`(?:mid|the middle of)[ -]?${year}`, ([y]) => months(Number(y), 5, 4)],
  [`(?:late|the end of) ${year}`, ([y]) => months(Number(y), 9, 4)],
  [`(?:the )?((?:19|20)\\d)0s`, ([decade]) => months(Number(decade) * 10, 1, 120)],
  [
    `(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}`,
    ([d, m = ''], today) => days({ ...latest(today, monthOf(m), 1).from, day: Number(d) }, 1),
  ],
  [
    `${month} (\\d{1,2})(?:st|nd|rd|th)?(?!\\d)`,
    ([m = '', d], today) => days({ ...latest(today, monthOf(m), 1).from, day: Number(d) }, 1),
  ],
  ['the day before yesterday', (_, today) => shifted(today, 'day', 2)],
  ['yesterday', (_, today) => shifted(today, 'day', 1)],
  ['today', (_, today) => shifted(today, 'day', 0)],
  [
    `(?:the )?(?:last|past|previous) ${count} ${unit}s?`,
    ([n = '', u = ''], today) => ({
      from: { ...ago(today, u, countOf(n)).from },
      to: { ...today, day: today.day + 1 },
    }),
  ],
  [`${count} ${unit}s? ago`, ([n = '', u = ''], today) => ago(today, u, countOf(n))],
  [`(?:the )?(?:last|previous|past) ${unit}`, ([u = ''], today) => shifted(today, u, 1)],
  [`this ${unit}`, ([u = ''], today) => shifted(today, u, 0)],
  [
    `(?:last|this past) ${season}`,
    ([s = ''], today) => latest(today, seasons[s.toLowerCase()] ?? 1, 3, inSeason(today, s) ? 1 : 0),
  ],
  [`this ${season}`, ([s = ''], today) => months(today.year, seasons[s.toLowerCase()] ?? 1, 3)],
  [
    `(?:last|this past) ${month}`,
    ([m = ''], today) => latest(today, monthOf(m), 1, monthOf(m) === today.month ? 1 : 0),
  ],
  [
    `(?:last|on|this past) ${weekday}`,
    ([w = ''], today) =>
      days(
        day(today.year, today.month, today.day - (((today.weekday - weekdays.indexOf(w.toLowerCase()) + 6) % 7) + 1)),
        1,
      ),
  ],
  [
    `(?:around |at |on |over )?christmas(?: of)? ${year}`,
    ([y]) => ({ from: day(Number(y), 12, 18), to: day(Number(y) + 1, 1, 3) }),
  ],
];

/** They need a word before them, or the clause to end: "the Model 2022 printer" names no time, and "may" is a verb. */
const shyForms: readonly (readonly [pattern: string, build: Build])[] = [
  [year, ([y]) => months(Number(y), 1, 12)],
  [month, ([m = ''], today) => latest(today, monthOf(m), 1)],
  [`(?:the )?${season}`, ([s = ''], today) => latest(today, seasons[s.toLowerCase()] ?? 1, 3)],
  ['(?:around |at |over )?christmas', (_, today) => ({ from: day(today.year - 1, 12, 18), to: day(today.year, 1, 3) })],
];

function inSeason(today: Today, name: string): boolean {
  const first = seasons[name.toLowerCase()] ?? 1;
  return (today.month - first + 12) % 12 < 3;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly range: Range;
}

/** The first time that stands at `from` or behind it. */
function findTime(text: string, from: number, today: Today): Found | undefined {
  let best: Found | undefined;
  const offer = (pattern: RegExp, build: Build, shift: number): void => {
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    const range = found && build(found.slice(1), today);
    if (!found || !range) return;
    const start = found.index + shift;
    const end = found.index + found[0].length;
    if (best === undefined || start < best.start || (start === best.start && end > best.end))
      best = { start, end, range };
  };
  for (const [pattern, build] of forms) offer(new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'giu'), build, 0);
  for (const [pattern, build] of shyForms)
    offer(
      new RegExp(
        `(?<=\\b(?:in|during|of|since|before|after|until|till|by|from|between|and|to|throughout|around|late|early|over)\\s)${pattern}(?![\\w-])`,
        'giu',
      ),
      build,
      0,
    );
  return best;
}

const relationBefore =
  /\b(in|on|during|since|after|before|prior to|until|till|by|from|between|around|over|throughout|within)\s+(?:the\s+)?$/iu;

/** What a question says of time; undefined where it says nothing. */
export function readWhen(question: string, context: WhenContext): When | undefined {
  const { calendar, nowMs, lastMs } = context;
  const read = (ms: number): When | undefined => readAt(question, toToday(calendar, ms), calendar);
  const when = read(nowMs);
  // An archive that ended long ago has its own "last spring".
  const isBeyond = lastMs !== undefined && when?.fromMs !== undefined && when.fromMs > lastMs;
  return isBeyond ? (read(lastMs) ?? when) : when;
}

function toToday(calendar: Calendar, ms: number): Today {
  return { ...calendar.dayOf(ms), weekday: new Date(calendar.localMs(ms)).getUTCDay() };
}

/**
 * From the beginning of one to the end of the other. Months without a year are the latest ones, so that in spring "between November and February" is told by a
 * November that lies behind that February: it is the one before. Where a year is named the two stand the wrong way round.
 */
function spanOf(
  [first, second]: readonly [Range, Range],
  hasYear: boolean,
  calendar: Calendar,
): { readonly fromMs: number; readonly toMs: number } {
  const [fromMs, toMs] = [calendar.startOf(first.from), calendar.startOf(second.to)];
  if (fromMs < toMs) return { fromMs, toMs };
  if (hasYear) return { fromMs: calendar.startOf(second.from), toMs: calendar.startOf(first.to) };
  return { fromMs: calendar.startOf({ ...first.from, year: first.from.year - 1 }), toMs };
}

function readAt(question: string, today: Today, calendar: Calendar): When | undefined {
  const found = findTime(question, 0, today);
  if (!found) return undefined;
  const before = question.slice(0, found.start);
  const relation = relationBefore.exec(before);
  const word = relation?.[1]?.toLowerCase() ?? '';
  const start = relation ? relation.index : found.start;
  const fromMs = calendar.startOf(found.range.from);
  const toMs = calendar.startOf(found.range.to);
  const phrase = (end: number): string => question.slice(start, end);
  if (word === 'between' || word === 'from') {
    const joint = /^\s*(?:and|to|until|till|through|-|–)\s+/iu.exec(question.slice(found.end));
    const second = joint && findTime(question, found.end, today);
    if (joint && second && second.start <= found.end + joint[0].length)
      return {
        ...spanOf([found.range, second.range], /\d{4}/u.test(question.slice(found.start, second.end)), calendar),
        phrase: phrase(second.end),
      };
    if (word === 'from' && !/^\s*(?:on|onwards?)\b/iu.test(question.slice(found.end)))
      return { fromMs, toMs, phrase: phrase(found.end) };
    return { fromMs, phrase: phrase(found.end) };
  }
  if (word === 'since') return { fromMs, phrase: phrase(found.end) };
  if (word === 'after') return { fromMs: toMs, phrase: phrase(found.end) };
  if (word === 'before' || word === 'prior to') return { toMs: fromMs, phrase: phrase(found.end) };
  if (word === 'until' || word === 'till' || word === 'by') return { toMs, phrase: phrase(found.end) };
  return { fromMs, toMs, phrase: phrase(found.end) };
}
