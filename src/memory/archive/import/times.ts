// Times of exports: with an offset they are instants, without one they are of the zone in which the export was made.
import { calendarOf } from '../time/calendar.ts';
import { toMs } from './incoming.ts';

const isoPattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|UTC|[+-]\d{2}:?\d{2})?$/u;

export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
  readonly ms?: number;
}

/** The instant at which clocks of the zone show this time, the earlier of two; undefined for no time of a calendar. */
export function instantOf(
  { year, month, day, hour = 0, minute = 0, second = 0, ms = 0 }: LocalTime,
  timeZone: string,
): number | undefined {
  const local = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  const date = new Date(local);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 60)
    return undefined;
  const { localMs } = calendarOf(timeZone);
  const dayMs = 86_400_000;
  const instants = [local - dayMs, local + dayMs]
    .map((near) => local - (localMs(near) - near))
    .sort((one, other) => one - other);
  return instants.find((instant) => localMs(instant) === local) ?? instants[1];
}

/** Seconds or milliseconds since 1970, RFC 3339, or the same without its offset. */
export function readTime(value: unknown, timeZone: string): number | undefined {
  const ms = toMs(value);
  if (ms !== undefined || typeof value !== 'string') return ms;
  const found = isoPattern.exec(value.trim());
  if (!found) {
    // Dates of mails and of JavaScript; only those that say their offset.
    const parsed = /(?:GMT|UTC|[+-]\d{4})/u.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isFinite(parsed) ? parsed : undefined;
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = found;
  const local = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    ms: Number(fraction.padEnd(3, '0').slice(0, 3)),
  };
  if (offset === undefined) return instantOf(local, timeZone);
  const utc = instantOf(local, 'UTC');
  const shift = /^([+-])(\d{2}):?(\d{2})$/u.exec(offset);
  if (utc === undefined || !shift) return utc;
  const minutes = Number(shift[2]) * 60 + Number(shift[3]);
  return utc - (shift[1] === '-' ? -1 : 1) * minutes * 60_000;
}
