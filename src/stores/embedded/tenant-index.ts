// The index of one tenant as the record's database keeps it: rows of analysed chunks that no segment holds yet (the log),
// segments, and what was removed from them. Written in the transaction of the documents themselves, so that record and index
// never disagree; every row that can bring a hit carries a seal, because SQLite finds few of the bits that rot.
import type { DatabaseSync } from 'node:sqlite';
import { type IndexState, sealRemoval, sealRow } from '../../db/repositories/index-log.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import { createIndexLog, readIndexState } from '../../db/sqlite/index-log.ts';
import type { Entry } from '../../engine/build-segment.ts';
import { segmentVersion } from '../../engine/segment.ts';
import { createChunkAnalysis, printTerms } from '../../engine/threads/analysis.ts';
import type { StoreDocument } from '../delivered.ts';
import { createLogPieces, type LogPieces } from './log-pieces.ts';
import { type Fragment, headingsOf, languageOf, preparedOf } from './prepare.ts';

/** Changes with the analyzer, the fields or the layout: an index of another version is built again from the record. */
export const indexVersion = segmentVersion * 1000 + 3;

/** Statements over the index of a tenant; each runs in the caller's transaction. */
export interface TenantIndex {
  readonly tenant: string;
  state(database: DatabaseSync): IndexState | undefined;
  /** Makes the state where there is none; whatever the record holds is then still to be indexed. */
  begin(database: DatabaseSync): void;
  /** Replaces all chunks of each document. */
  put(database: DatabaseSync, batch: readonly StoreDocument[]): void;
  remove(database: DatabaseSync, documentIds: readonly string[]): void;
  count(database: DatabaseSync): { readonly documents: number; readonly chunks: number };
  /** Rows of the log as an index in memory takes them. */
  readonly pieces: LogPieces;
  /** Reads some rows of the log after `row` ahead of a search; returns the last one, undefined at the end. */
  readAhead(database: DatabaseSync, row: number): number | undefined;
}

/** Rows of the log that are read in one piece: some 5 ms. */
const rowsAhead = 80;
const lastRowSql = `SELECT max(last) AS last FROM (
  SELECT max(last_row) AS last FROM lexical_document WHERE tenant = ?1
  UNION ALL SELECT max(last_row) FROM lexical_segment WHERE tenant = ?1
  UNION ALL SELECT max(last_row) FROM vector_block WHERE tenant = ?1
  UNION ALL SELECT max(row) FROM lexical_log WHERE tenant = ?1)`;

export function createTenantIndex(tenant: string): TenantIndex {
  const pieces = createLogPieces(tenant);
  const state = (database: DatabaseSync): IndexState | undefined => readIndexState(database, tenant);

  /** The state to write with: made at the first write, when whatever else the record holds is still to be indexed. */
  const stateToWrite = (database: DatabaseSync, documentIds: readonly string[]): IndexState => {
    const present = state(database);
    if (present) return present;
    const others = prepared(
      database,
      'SELECT 1 FROM document WHERE tenant = ? AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1',
    ).get(tenant, JSON.stringify(documentIds));
    // Rows of an index whose state was lost: it is wiped as one of another version is, and what is written next goes behind them.
    const left = Number(prepared(database, lastRowSql).get(tenant)?.['last'] ?? 0);
    const version = left > 0 ? 0 : indexVersion;
    const made = { version, revision: 0, purged: 0, nextRow: left + 1, rebuildAfter: others ? '' : null };
    prepared(database, 'INSERT INTO lexical_state VALUES (?, ?, ?, ?, ?, ?)').run(
      tenant,
      made.version,
      made.revision,
      made.purged,
      made.nextRow,
      made.rebuildAfter,
    );
    return made;
  };

  const countLanguage = (database: DatabaseSync, language: string, chunks: number): void => {
    if (chunks === 0) return;
    prepared(
      database,
      'INSERT INTO lexical_language VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET chunks = chunks + excluded.chunks',
    ).run(tenant, language, chunks);
  };

  const take = (database: DatabaseSync, documentId: string, revision: number): boolean => {
    const held = prepared(
      database,
      'DELETE FROM lexical_document WHERE tenant = ? AND document_id = ? RETURNING first_row, last_row, language',
    ).get(tenant, documentId.toWellFormed());
    if (!held) return false;
    const first = Number(held['first_row']);
    const last = Number(held['last_row']);
    if (last < first) return true;
    countLanguage(database, String(held['language']), first - last - 1);
    prepared(database, 'DELETE FROM lexical_log WHERE tenant = ? AND row BETWEEN ? AND ?').run(tenant, first, last);
    prepared(database, 'INSERT INTO lexical_removed VALUES (?, ?, ?, ?, ?)').run(
      tenant,
      revision,
      first,
      last,
      sealRemoval(tenant, { revision, first, last }),
    );
    return true;
  };

  const advance = (database: DatabaseSync, revision: number, nextRow: number): void => {
    prepared(database, 'UPDATE lexical_state SET revision = ?, next_row = ? WHERE tenant = ?').run(
      revision,
      nextRow,
      tenant,
    );
  };

  return {
    tenant,
    state,
    begin: (database) => void stateToWrite(database, []),
    put(database, batch) {
      if (batch.length === 0) return;
      const before = stateToWrite(
        database,
        batch.map(({ document }) => document.id),
      );
      if (before.version !== indexVersion) return;
      const revision = before.revision + 1;
      let row = before.nextRow;
      const languages = new Map<string, number>();
      // Most documents are new, and whether one is the insert itself says.
      const holdRows = prepared(database, 'INSERT INTO lexical_document VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING');
      const runs = new Map<Fragment, { readonly start: number; readonly seals: string[] }>();
      for (const given of batch) {
        const { document, chunks } = given;
        const known = preparedOf(given);
        const language = known?.language ?? languageOf(given);
        const first = row;
        const documentId = document.id.toWellFormed();
        const analyze = known ? undefined : createChunkAnalysis(document.title, language);
        const seals: string[] = [];
        const entries: Entry[] = [];
        for (const [at, chunk] of chunks.entries()) {
          const found = analyze?.(headingsOf(chunk, document.title), chunk.text);
          if (found) entries.push({ row, key: chunk.id, group: documentId, ...found });
          const terms = found ? printTerms(found) : (known?.terms[at] ?? '');
          const seal = sealRow(tenant, row, { documentId, chunkId: chunk.id, terms });
          seals.push(seal);
          prepared(database, 'INSERT INTO lexical_log VALUES (?, ?, ?, ?, ?, ?)').run(
            tenant,
            row,
            documentId,
            chunk.id,
            terms,
            seal,
          );
          row++;
        }
        if (entries.length > 0) pieces.keep(first, { seals, entries });
        for (const { fragment, from, offset, count } of known?.pieces ?? []) {
          const run = runs.get(fragment) ?? { start: first + from - offset, seals: [] };
          runs.set(fragment, run);
          if (run.start + run.seals.length === first + from) run.seals.push(...seals.slice(from, from + count));
        }
        const hold = (): boolean => Number(holdRows.run(tenant, documentId, first, row - 1, language).changes) > 0;
        if (!hold()) {
          take(database, document.id, revision);
          hold();
        }
        languages.set(language, (languages.get(language) ?? 0) + chunks.length);
      }
      for (const [language, chunks] of languages) countLanguage(database, language, chunks);
      for (const [fragment, { start, seals }] of runs)
        if (seals.length === fragment.segment.sizes.entries) pieces.keep(start, { seals, fragment });
      advance(database, revision, row);
    },
    remove(database, documentIds) {
      const before = state(database);
      if (!before) return;
      let removedSome = false;
      for (const id of documentIds) removedSome = take(database, id, before.revision + 1) || removedSome;
      if (removedSome) advance(database, before.revision + 1, before.nextRow);
    },
    count(database) {
      const row = prepared(
        database,
        'SELECT count(*) AS documents, sum(last_row - first_row + 1) AS chunks FROM lexical_document WHERE tenant = ? AND last_row >= first_row',
      ).get(tenant);
      return { documents: Number(row?.['documents'] ?? 0), chunks: Number(row?.['chunks'] ?? 0) };
    },
    pieces,
    readAhead: (database, after) => pieces.readAhead(createIndexLog(database, tenant).rowsAfter(after, rowsAhead)),
  };
}
