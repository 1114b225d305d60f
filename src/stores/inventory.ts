// What a store that keeps a row for each chunk says that it holds: one hash for each document, of the keys and stamps of its rows.
import { sha256 } from '../core/ids.ts';
import type { HeldDocument } from './held.ts';

export interface HeldRow {
  readonly key: string;
  readonly documentId: string;
  /** Tells all that the row holds. */
  readonly stamp: string;
}

/** Undefined where there are none. */
export function hashOfRows(rows: readonly Omit<HeldRow, 'documentId'>[]): string | undefined {
  if (rows.length === 0) return undefined;
  const lines = rows.map(({ key, stamp }) => `${key} ${stamp}`);
  return sha256(lines.toSorted().join('\n'));
}

/** For a store that keeps a row for each chunk under a key of its own. */
export function heldByRows(rows: readonly HeldRow[]): readonly HeldDocument[] {
  const byDocument = Map.groupBy(rows, ({ documentId }) => documentId);
  return [...byDocument].map(([documentId, own]) => ({ documentId, hash: hashOfRows(own) ?? '', copies: 1 }));
}
