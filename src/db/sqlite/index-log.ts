// What an index in memory follows, read from SQLite: statements that run in the caller's transaction and answer in the same turn.
import type { DatabaseSync } from 'node:sqlite';
import {
  bytesIn,
  type IndexDelta,
  type IndexMark,
  type IndexState,
  type LanguageCount,
  type LogRow,
  newSince,
  type Removal,
  type StoredSegment,
} from '../repositories/index-log.ts';
import { prepared } from './file/connection.ts';

export interface SqliteIndexLog {
  /** What came since a mark, of an index of this version. */
  changes(since: IndexMark, version: number): IndexDelta;
  rowsAfter(row: number, limit?: number): readonly LogRow[];
  segments(): readonly StoredSegment[];
  /** Undefined where they are not what was sealed. */
  bytesOf(segment: StoredSegment): Uint8Array | undefined;
}

export function readIndexState(database: DatabaseSync, tenant: string): IndexState | undefined {
  const row = prepared(database, 'SELECT * FROM lexical_state WHERE tenant = ?').get(tenant);
  return (
    row && {
      version: Number(row['version']),
      revision: Number(row['revision']),
      purged: Number(row['purged']),
      nextRow: Number(row['next_row']),
      rebuildAfter: row['rebuild_after'] as string | null,
    }
  );
}

/** Most frequent first. */
export const readLanguages = (database: DatabaseSync, tenant: string): readonly LanguageCount[] =>
  prepared(
    database,
    'SELECT language, chunks FROM lexical_language WHERE tenant = ? AND chunks > 0 ORDER BY chunks DESC, language',
  )
    .all(tenant)
    .map((row) => ({ language: String(row['language']), chunks: Number(row['chunks']) }));

export function createIndexLog(database: DatabaseSync, tenant: string): SqliteIndexLog {
  const readRow = (row: number) => {
    const found = prepared(
      database,
      'SELECT document_id, chunk_id, terms FROM lexical_log WHERE tenant = ? AND row = ?',
    ).get(tenant, row);
    const textOf = (name: string): string => String(found?.[name]);
    return { documentId: textOf('document_id'), chunkId: textOf('chunk_id'), terms: textOf('terms') };
  };

  const allRows = 'SELECT row, seal FROM lexical_log WHERE tenant = ? AND row > ? ORDER BY row';
  const rowsAfter = (after: number, limit?: number): readonly LogRow[] => {
    // A bound LIMIT has a statement compiled anew each time, so that searches do without.
    const found =
      limit === undefined
        ? prepared(database, allRows).all(tenant, after)
        : prepared(database, `${allRows} LIMIT ?`).all(tenant, after, limit);
    return found.map(({ row: at, seal }) => {
      const row = Number(at);
      return { row, seal: String(seal), read: () => readRow(row) };
    });
  };

  const segments = (): readonly StoredSegment[] =>
    prepared(
      database,
      'SELECT first_row AS first, last_row AS last, seal, parts FROM lexical_segment WHERE tenant = ? ORDER BY first_row',
    ).all(tenant) as unknown as StoredSegment[];

  const removals = (revision: number): readonly Removal[] =>
    prepared(
      database,
      'SELECT revision, first_row AS first, last_row AS last, seal FROM lexical_removed WHERE tenant = ? AND revision > ?',
    ).all(tenant, revision) as unknown as Removal[];

  return {
    changes(since, version) {
      const state = readIndexState(database, tenant);
      const { changes, any } = prepared(
        database,
        'SELECT (SELECT revision FROM document_change WHERE tenant = ?1) AS changes, EXISTS (SELECT 1 FROM document WHERE tenant = ?1) AS "any"',
      ).get(tenant) as { changes: number | null; any: number };
      const told = { state, documents: changes ?? 0, hasDocuments: any === 1 };
      if (state?.version !== version || state.revision === since.revision) return told;
      const wanted = segments();
      const { isWhole, removalsAfter } = newSince(since, state, wanted);
      return {
        ...told,
        changes: {
          isWhole,
          segments: wanted,
          rowsAfter,
          removals: removals(removalsAfter),
          languages: readLanguages(database, tenant),
        },
      };
    },
    rowsAfter,
    segments,
    bytesOf(segment) {
      const parts = prepared(database, 'SELECT bytes FROM lexical_part WHERE tenant = ? AND seal = ? ORDER BY ordinal')
        .all(tenant, segment.seal)
        .map((row) => row['bytes'] as Uint8Array);
      return bytesIn(tenant, segment, parts);
    },
  };
}
