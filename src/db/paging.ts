// Pages by key, not by offset: a cursor names the last row seen, so that rows written meanwhile neither shift nor repeat.
import { FootnoteError } from '../core/errors.ts';
import type { PageOf, PageRequest } from './record.ts';

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

/** As many of the rows as fill a page and one more, the least that tells `toPage` that there are others. `weigh` says what a row costs, in values. */
export function takePage<Row>(
  rows: Iterable<Row>,
  limit: number,
  weigh: (row: Row) => number,
): { rows: Row[]; limit: number } {
  const taken: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    taken.push(row);
    const shown = taken.length - 1;
    weight += weigh(row);
    if (shown > 0 && weight > mostPageWeight) return { rows: taken, limit: Math.min(limit, shown) };
    if (shown === limit) break;
  }
  return { rows: taken, limit };
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
