// Recurrence rules (RFC 5545 §3.3.10) in words, so that "every other Friday" is found and read. Invariant: a rule is described, never expanded.

const units: Readonly<Record<string, string>> = {
  SECONDLY: 'second',
  MINUTELY: 'minute',
  HOURLY: 'hour',
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
};
const days: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const months = 'January February March April May June July August September October November December'.split(' ');
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const maxListed = 31;

/** `dateText` renders an UNTIL; undefined for a rule without a frequency that we know. */
export function recurrenceWords(rule: string, dateText: (value: string) => string): string | undefined {
  const parts = new Map(
    rule.split(';').map((part): [string, string] => {
      const equals = part.indexOf('=');
      return [part.slice(0, equals).trim().toUpperCase(), part.slice(equals + 1).trim()];
    }),
  );
  const unit = units[(parts.get('FREQ') ?? '').toUpperCase()];
  if (unit === undefined) return undefined;
  const interval = Number.parseInt(parts.get('INTERVAL') ?? '1', 10);
  const every = interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`;
  const listed = (key: string): string[] => (parts.get(key) ?? '').split(',').filter(Boolean).slice(0, maxListed);
  const position = listed('BYSETPOS').map(ordinal);
  const weekdays = listed('BYDAY').map(weekday);
  const onDays =
    weekdays.length === 0 ? '' : ` on ${position.length === 0 ? '' : `the ${join(position)} `}${join(weekdays)}`;
  const monthDays = listed('BYMONTHDAY').map((day) => (day.startsWith('-') ? dayFromEnd(day) : `day ${day}`));
  const inMonths = listed('BYMONTH').map((month) => months[Number.parseInt(month, 10) - 1] ?? month);
  const count = parts.get('COUNT');
  const until = parts.get('UNTIL');
  return [
    every,
    onDays,
    monthDays.length === 0 ? '' : ` on ${join(monthDays)}`,
    inMonths.length === 0 ? '' : ` in ${join(inMonths)}`,
    count === undefined ? '' : `, ${count} times`,
    until === undefined ? '' : `, until ${dateText(until)}`,
  ].join('');
}

/** `2TU` is the second Tuesday, `-1FR` the last Friday. */
function weekday(code: string): string {
  const found = /^([+-]?\d{1,2})?([A-Z]{2})$/u.exec(code.trim().toUpperCase());
  const day = days[found?.[2] ?? ''];
  if (day === undefined) return code;
  return found?.[1] === undefined ? day : `the ${ordinal(found[1])} ${day}`;
}

function ordinal(number: string): string {
  const value = Number.parseInt(number, 10);
  if (value === -1) return 'last';
  if (value < 0) return `${ordinal(String(-value))} last`;
  return ordinals[value] || `${value}th`;
}

const dayFromEnd = (day: string): string => (day === '-1' ? 'the last day' : `day ${day.slice(1)} from the end`);

const join = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
