// Pages by key, not by offset: a cursor names the last row seen, so that rows written meanwhile neither shift nor repeat.
import { FootnoteError } from '../core/errors.ts';
import type { PageOf, PageRequest, SoundPage } from './repositories/page.ts';

export const maximumPageLimit = 1000;
export const defaultPageLimit = 50;

export type CursorKey = readonly (string | number)[];

/** Throws `invalid-request` unless `limit` is a whole number from 1 to 1000. */
export function toLimit(request: PageRequest): number {
  const limit = request.limit ?? defaultPageLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > maximumPageLimit)
    throw new FootnoteError(
      'invalid-request',
      `limit is ${limit}: it must be a whole number from 1 to ${maximumPageLimit}.`,
    );
  return limit;
}

/** The key in the request's cursor, with the types of `shape`; undefined on the first page. Throws `invalid-request`. */
export function parseCursor(request: PageRequest, shape: readonly ('string' | 'number')[]): CursorKey | undefined {
  if (request.cursor === undefined) return undefined;
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(request.cursor, 'base64url').toString('utf8'));
  } catch {
    key = undefined;
  }
  if (Array.isArray(key) && key.length === shape.length && key.every((part, index) => typeof part === shape[index]))
    return key as CursorKey;
  throw new FootnoteError(
    'invalid-request',
    'The cursor is not one of this list. Pass `nextCursor` of a page unchanged.',
  );
}

/** Rows that weigh this much together fill a page before its limit does: some 50 ms of reading, checking and printing. */
const mostPageWeight = 25_000;

/**
 * Rows of a page, taken one by one in any number of pieces: as many as the limit asks for, fewer where they weigh more than a page holds, and one more
 * row, which tells that there is a next page.
 */
export interface PageInHand<Row> {
  /** False once no further row is wanted. */
  take(row: Row): boolean;
  readonly isFull: boolean;
  readonly rows: readonly Row[];
  /** How many of the rows the page shows. */
  readonly limit: number;
}

export function createPage<Row>(limit: number, weigh: (row: Row) => number): PageInHand<Row> {
  const rows: Row[] = [];
  let weight = 0;
  let shownAtMost = limit;
  let isFull = false;
  return {
    take: (row) => {
      const shown = rows.length;
      rows.push(row);
      weight += weigh(row);
      if (shown > 0 && weight > mostPageWeight) shownAtMost = Math.min(limit, shown);
      isFull = shown >= shownAtMost;
      return !isFull;
    },
    get isFull() {
      return isFull;
    },
    rows,
    get limit() {
      return shownAtMost;
    },
  };
}

/** Cuts `rows` (asked for with one more than `limit`) into a page. */
export function toPage<Row, T>(
  rows: readonly Row[],
  limit: number,
  map: { readonly value: (row: Row) => T; readonly key: (row: Row) => CursorKey },
): PageOf<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const data = shown.map(map.value);
  if (rows.length <= limit || last === undefined) return { data };
  return { data, nextCursor: Buffer.from(JSON.stringify(map.key(last))).toString('base64url') };
}

/** The same without the rows that are damaged; they are named where `tells` says so. */
export function toSoundPage<Row extends { readonly id: string }, T>(
  rows: readonly Row[],
  limit: number,
  map: {
    readonly value: (row: Row) => T;
    readonly key: (row: Row) => CursorKey;
    readonly isSound: (row: Row) => boolean;
    readonly tells: boolean;
  },
): SoundPage<T> {
  const page = toPage(rows, limit, { value: (row) => row, key: map.key });
  const damaged = page.data.filter((row) => !map.isSound(row)).map(({ id }) => ({ id: String(id) }));
  const data = page.data.filter(map.isSound).map(map.value);
  return { ...page, data, ...(map.tells && damaged.length > 0 && { damaged }) };
}
