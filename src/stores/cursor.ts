// Where a page of a ranking ended, as an opaque string: the key of the query, and the last hit's score, chunk and rank. The
// next page starts after that hit, so that hits written meanwhile are neither repeated nor shift the others.
import { FootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import type { StoreHit, StoreQuery } from './store.ts';

export interface CursorPlace {
  readonly score: number;
  readonly chunkId: string;
  readonly rank: number;
}

const keyOf = ({ text, filter, mode, vector, also = [] }: StoreQuery): string => {
  const along = also.length === 0 ? [] : [also.map((one) => [one.text, one.weight])];
  return sha256(JSON.stringify([text, filter ?? null, mode, ...along, ...(vector ?? [])])).slice(0, 16);
};

/** The cursor of the page after `last`. */
export function printCursor(query: StoreQuery, last: StoreHit): string {
  return Buffer.from(JSON.stringify([keyOf(query), last.score, last.chunkId, last.rank])).toString('base64url');
}

/** Where the query's cursor points; undefined without one. Throws `invalid-request` if it is not of this query. */
export function parseCursor(query: StoreQuery): CursorPlace | undefined {
  if (query.cursor === undefined) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(query.cursor, 'base64url').toString('utf8'));
    const [key, score, chunkId, rank] = Array.isArray(parts) ? (parts as unknown[]) : [];
    if (key === keyOf(query) && typeof score === 'number' && typeof chunkId === 'string' && typeof rank === 'number')
      return { score, chunkId, rank };
  } catch {
    // Not one of ours: said below.
  }
  throw new FootnoteError(
    'invalid-request',
    'The cursor does not belong to this query. Pass `nextCursor` of a page of the same query unchanged.',
  );
}
