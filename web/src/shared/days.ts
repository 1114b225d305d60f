// Days of the calendar: as an address holds them, the days beside them, and dates of documents as people read them. Pure.
const dayMs = 86_400_000;

/** Whether the text names a day that there is: the 31st of February is none, though some engines read it as a day of March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(text);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

function beside(day: string, count: number): string {
  if (!isDay(day)) return '';
  const text = new Date(Date.parse(day) + count * dayMs).toISOString();
  // Years of five digits and years before 0 have a sign.
  return /^\d/.test(text) ? text.slice(0, 10) : '';
}

/** Empty after what is no day. */
export const dayAfter = (day: string): string => beside(day, 1);
/** Empty before what is no day. */
export const dayBefore = (day: string): string => beside(day, -1);

const ways = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
} as const;

/**
 * The date of a document, no finer than it was given: `2024`, `2024-05`, a day, or an instant, which is told as its day in UTC, as filters count days.
 * Undefined for what is none.
 */
export function dateText(date: string): string | undefined {
  const [, year = '', month, day, time = ''] = /^(\d{4})(?:-(\d{2})(?:-(\d{2})([Tt ].*)?)?)?$/.exec(date) ?? [];
  const first = `${year}-${month ?? '01'}-${day ?? '01'}`;
  if (!isDay(first)) return undefined;
  if (month === undefined) return year;
  if (day === undefined) return ways.month.format(Date.parse(first));
  // What is written without an offset is UTC, as everywhere in Footnote.
  const instant = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(time) ? Date.parse(date) : Number.NaN;
  return ways.day.format(Number.isNaN(instant) ? Date.parse(first) : instant);
}
