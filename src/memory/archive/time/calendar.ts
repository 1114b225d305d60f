// Calendar places in a time zone: from an instant to its day there, and from a day to the instant at which it begins. A day may have 23 or
// 25 hours, may begin at 01:00 (São Paulo 2018-11-04) or be missing (Apia 2011-12-30). Intl knows the zones; Temporal is not in Node 24.
import type { BinUnit } from '../../../core/archive.ts';
import { FootnoteError } from '../../../core/errors.ts';

export interface Day {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  readonly day: number;
}

export type Unit = Exclude<BinUnit, 'auto'>;

export interface Calendar {
  readonly timeZone: string;
  /** Where the clocks there stand, as if it were UTC. */
  localMs(ms: number): number;
  dayOf(ms: number): Day;
  /** The first instant of the day; days beyond the month's end are those of the next one. */
  startOf(day: Day): number;
  /** The beginning of the bin that holds the instant, and that of the next one. */
  binOf(ms: number, unit: Unit): { readonly fromMs: number; readonly toMs: number };
  labelOf(ms: number, unit: Unit): string;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

const calendars = new Map<string, Calendar>();
/** More zones than these are not kept. */
const keptCalendars = 50;
/** Days of a zone whose offsets are kept: a century. */
const keptDays = 36_525;

/** Throws `invalid-request` for a zone that does not exist. */
export function calendarOf(timeZone: string): Calendar {
  const known = calendars.get(timeZone);
  if (known) return known;
  const calendar = createCalendar(timeZone);
  if (calendars.size >= keptCalendars) calendars.clear();
  calendars.set(timeZone, calendar);
  return calendar;
}

function createCalendar(timeZone: string): Calendar {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (cause) {
    const message = `There is no time zone "${timeZone}". Give an IANA name, such as Europe/Berlin or UTC.`;
    throw new FootnoteError('invalid-request', message, { cause });
  }
  const isUtc = timeZone === 'UTC';
  const readLocal = (ms: number): number => {
    const found: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) found[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = found;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000);
  };
  /** By day of UTC how far the clocks there are ahead; NaN on days on which they change. Intl takes a microsecond or more for each look. */
  const offsets = new Map<number, number>();
  const offsetOn = (day: number): number => {
    let offset = offsets.get(day);
    if (offset === undefined) {
      const [first, last] = [day * dayMs, (day + 1) * dayMs - 1000];
      offset = readLocal(first) - first;
      if (readLocal(last) - last !== offset) offset = Number.NaN;
      if (offsets.size >= keptDays) offsets.clear();
      offsets.set(day, offset);
    }
    return offset;
  };
  const localMs = (ms: number): number => {
    if (isUtc) return ms;
    const offset = offsetOn(Math.floor(ms / dayMs));
    return Number.isNaN(offset) ? readLocal(ms) : ms + offset;
  };
  const dayOf = (ms: number): Day => dayAt(localMs(ms));

  /** The first instant at which the clocks there show this time or a later one. */
  function firstAt(wantedLocalMs: number): number {
    if (isUtc) return wantedLocalMs;
    // Offsets before and after whatever change lies near; the earlier instant counts where a time is shown twice.
    const instants = [wantedLocalMs - dayMs, wantedLocalMs + dayMs]
      .map((near) => wantedLocalMs - (localMs(near) - near))
      .sort((left, right) => left - right);
    for (const instant of instants) if (localMs(instant) === wantedLocalMs) return instant;
    // The clocks skip it: the change itself is looked for.
    let [low, high] = [(instants[0] as number) - dayMs, (instants[1] as number) + dayMs];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (localMs(middle) < wantedLocalMs) low = middle;
      else high = middle;
    }
    return high;
  }
  const startOf = ({ year, month, day }: Day): number => firstAt(utcOf(year, month - 1, day));

  function binOf(ms: number, unit: Unit): { fromMs: number; toMs: number } {
    if (unit === 'hour') {
      // Zones that differ by minutes have hours of their own.
      const local = localMs(ms);
      const into = ((local % hourMs) + hourMs) % hourMs;
      return { fromMs: ms - into, toMs: ms - into + hourMs };
    }
    const { year, month, day } = dayOf(ms);
    if (unit === 'day') return { fromMs: startOf({ year, month, day }), toMs: startOf({ year, month, day: day + 1 }) };
    if (unit === 'week') {
      const first = day - ((new Date(utcOf(year, month - 1, day)).getUTCDay() + 6) % 7);
      return { fromMs: startOf({ year, month, day: first }), toMs: startOf({ year, month, day: first + 7 }) };
    }
    const months = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
    const first = month - ((month - 1) % months);
    return {
      fromMs: startOf({ year, month: first, day: 1 }),
      toMs: startOf({ year, month: first + months, day: 1 }),
    };
  }

  function labelOf(ms: number, unit: Unit): string {
    const { year, month, day } = dayOf(ms);
    const shown = year < 0 || year > 9999 ? String(year) : pad(year, 4);
    if (unit === 'year') return shown;
    if (unit === 'quarter') return `${shown}-Q${Math.ceil(month / 3)}`;
    if (unit === 'month') return `${shown}-${pad(month)}`;
    const date = `${shown}-${pad(month)}-${pad(day)}`;
    if (unit !== 'hour') return date;
    return `${date}T${pad(new Date(localMs(ms)).getUTCHours())}`;
  }
  return { timeZone, localMs, dayOf, startOf, binOf, labelOf };
}

/** Years below 100 are themselves, and not of the last century. */
function utcOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
}

function dayAt(localMs: number): Day {
  const date = new Date(localMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** An instant with its offset, or a local time, a day, a month or a year of the zone: its beginning. Throws `invalid-request`. */
export function readInstant(text: string, calendar: Calendar, name: string): number {
  const partial = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/u.exec(text);
  if (partial) {
    const [year = 0, month = 1, day = 1] = partial
      .slice(1)
      .map((part) => (part === undefined ? undefined : Number(part)));
    if (month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate())
      return calendar.startOf({ year, month, day });
  } else if (/^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/u.test(text)) {
    const ms = Date.parse(text.replace(' ', 'T'));
    if (Number.isFinite(ms)) return ms;
  }
  throw new FootnoteError(
    'invalid-request',
    `${name}: "${text.slice(0, 50)}" is no time. Give an instant such as 2024-03-01T00:00:00Z, or a day, month or year such as 2024-03.`,
  );
}
