// Where something that is shown came from, for a person: whether anybody chose the page, when it was read and how long ago that is, and when it was
// published. Invariant: nothing is said that is not known, and a time that cannot be read is not shown.
import type { Routing } from '../../core/search.ts';
import { toPrintable } from '../terminal/terminal.ts';

export interface Provenance {
  readonly trust?: 'unvetted' | undefined;
  readonly retrievedAt?: string | undefined;
  readonly publishedAt?: string | undefined;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** In whole units, rounded down: what is two days old for an hour yet is one day old. */
export function toAge(ageMs: number): string {
  if (ageMs < minuteMs) return 'less than a minute';
  if (ageMs < hourMs) return counted(Math.floor(ageMs / minuteMs), 'minute');
  if (ageMs < 2 * dayMs) return counted(Math.floor(ageMs / hourMs), 'hour');
  if (ageMs < 60 * dayMs) return counted(Math.floor(ageMs / dayMs), 'day');
  if (ageMs < 2 * 365 * dayMs) return counted(Math.floor(ageMs / (30 * dayMs)), 'month');
  return counted(Math.floor(ageMs / (365 * dayMs)), 'year');
}

/** A day, and the time of the day where it is known. */
function toMoment(at: string): string {
  const [day = '', time] = new Date(at).toISOString().split('T');
  return at.length <= 10 || time === undefined ? day : `${day} ${time.slice(0, 5)} UTC`;
}

/** What was not asked for anew, each kind of source in a line. */
export const keptLines = ({ kept = [] }: Routing): readonly string[] =>
  kept.map(
    ({ type, ageSeconds, isStale }) =>
      `${type}: kept from an earlier search, ${toAge(1000 * ageSeconds)} old${isStale ? ', and being asked for anew' : ''}`,
  );

/** Undefined where nothing is known beside the address. */
export function provenanceOf({ trust, retrievedAt, publishedAt }: Provenance, nowMs: number): string | undefined {
  const told = (verb: string, at: string | undefined): string[] => {
    const from = at === undefined ? Number.NaN : Date.parse(at);
    if (at === undefined || !Number.isFinite(from)) return [];
    const ago = from > nowMs ? '' : `, ${toAge(nowMs - from)} ago`;
    return [`${verb} ${toMoment(at)}${ago}`];
  };
  const parts = [
    ...(trust === undefined ? [] : [`${trust}: a search of the web found this page, nobody chose it`]),
    ...told('read', retrievedAt),
    ...told('published', publishedAt),
  ];
  return parts.length === 0 ? undefined : toPrintable(parts.join(' · '));
}
