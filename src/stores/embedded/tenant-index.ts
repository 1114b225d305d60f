// The index of one tenant as the record's database keeps it: rows of analysed chunks that no segment holds yet (the log),
// segments, and what was removed from them. Written in the transaction of the documents themselves, so that record and index
// never disagree; every row that can bring a hit carries a seal, because SQLite finds few of the bits that rot.
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../core/ids.ts';
import { createRecent } from '../../core/values/recent.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import { buildSegment, type Entry } from '../../engine/build-segment.ts';
import { type Segment, segmentVersion } from '../../engine/segment.ts';
import { createChunkAnalysis, parseTerms, printTerms } from '../../engine/threads/analysis.ts';
import type { StoreDocument } from '../delivered.ts';
import { type Fragment, headingsOf, languageOf, preparedOf } from './prepare.ts';

/** Changes with the analyzer, the fields or the layout: an index of another version is built again from the record. */
export const indexVersion = segmentVersion * 1000 + 3;

export interface IndexState {
  readonly version: number;
  /** Counts the transactions that changed the index. */
  readonly revision: number;
  /** Removals up to this revision may be gone from the table: whoever has seen less must load everything again. */
  readonly purged: number;
  readonly nextRow: number;
  /** Set while the index is built from the record: documents up to this id are done. */
  readonly rebuildAfter: string | null;
}

/** A run of rows, both ends included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** Rows of the log: one as an entry, or several as the segment that was made of them. Neither: not as it was written. */
export interface LogPiece extends RowRange {
  readonly entry?: Entry;
  readonly segment?: Segment;
}

export interface StoredSegment extends RowRange {
  readonly seal: string;
  readonly parts: number;
}

/** Statements over the index of a tenant; each runs in the caller's transaction. */
export interface TenantIndex {
  readonly tenant: string;
  state(database: DatabaseSync): IndexState | undefined;
  /** Makes the state where there is none; whatever the record holds is then still to be indexed. */
  begin(database: DatabaseSync): void;
  /** Replaces all chunks of each document. */
  put(database: DatabaseSync, batch: readonly StoreDocument[]): void;
  remove(database: DatabaseSync, documentIds: readonly string[]): void;
  /** Languages of the chunks, most frequent first. */
  languages(database: DatabaseSync): string[];
  languageCounts(database: DatabaseSync): { readonly language: string; readonly chunks: number }[];
  count(database: DatabaseSync): { readonly documents: number; readonly chunks: number };
  /** Rows of the log after `row`, ascending. What this process wrote itself it need not read again. */
  log(database: DatabaseSync, row: number): LogPiece[];
  /**
   * Reads some rows of the log after `row` ahead of `log`, which then need not; returns the last one, undefined at the end.
   */
  readAhead(database: DatabaseSync, row: number): number | undefined;
  /** Removals after a revision. Undefined where one is not as it was written. */
  removed(database: DatabaseSync, revision: number): readonly (RowRange | undefined)[];
  segments(database: DatabaseSync): readonly StoredSegment[];
  /** The bytes of a segment; undefined if they are not what was sealed. */
  segmentBytes(database: DatabaseSync, segment: StoredSegment): Uint8Array | undefined;
}

const toState = (row: Record<string, unknown>): IndexState => ({
  version: Number(row['version']),
  revision: Number(row['revision']),
  purged: Number(row['purged']),
  nextRow: Number(row['next_row']),
  rebuildAfter: row['rebuild_after'] as string | null,
});

const sealOf = (...parts: readonly (string | number)[]): string => sha256(JSON.stringify(parts));

/** `digest` is the SHA-256 of the segment's bytes. */
export function sealSegment(tenant: string, { first, last }: RowRange, digest: string): string {
  return sealOf('segment', tenant, first, last, digest);
}

/** What a put wrote to the log, until a search has seen it: then neither text nor seals need be read again. */
interface Written {
  readonly seals: readonly string[];
  readonly entries?: readonly Entry[];
  readonly fragment?: Fragment;
}

/** Rows of the log that are read in one piece: some 5 ms. */
const rowsAhead = 80;
/** Puts that are remembered; of older ones the rows are read. */
const keptWrites = 256;

const lastRowSql = `SELECT max(last) AS last FROM (
  SELECT max(last_row) AS last FROM lexical_document WHERE tenant = ?1
  UNION ALL SELECT max(last_row) FROM lexical_segment WHERE tenant = ?1
  UNION ALL SELECT max(last_row) FROM vector_block WHERE tenant = ?1
  UNION ALL SELECT max(row) FROM lexical_log WHERE tenant = ?1)`;

export function createTenantIndex(tenant: string): TenantIndex {
  const written = createRecent<number, Written>(keptWrites);

  const state = (database: DatabaseSync): IndexState | undefined => {
    const row = prepared(database, 'SELECT * FROM lexical_state WHERE tenant = ?').get(tenant);
    return row && toState(row);
  };

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

  const languageCounts = (database: DatabaseSync) =>
    prepared(
      database,
      'SELECT language, chunks FROM lexical_language WHERE tenant = ? AND chunks > 0 ORDER BY chunks DESC, language',
    )
      .all(tenant)
      .map((row) => ({ language: String(row['language']), chunks: Number(row['chunks']) }));

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
      sealOf('removed', tenant, revision, first, last),
    );
    return true;
  };

  const readRow = (database: DatabaseSync, row: number): LogPiece => {
    const found = prepared(
      database,
      'SELECT document_id, chunk_id, terms, seal FROM lexical_log WHERE tenant = ? AND row = ?',
    ).get(tenant, row);
    const [group, key, terms] = ['document_id', 'chunk_id', 'terms'].map((name) => String(found?.[name])) as [
      string,
      string,
      string,
    ];
    const sound = found?.['seal'] === sealOf('log', tenant, row, group, key, terms);
    return { first: row, last: row, ...(sound ? { entry: { row, key, group, ...parseTerms(terms) } } : {}) };
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
          const seal = sealOf('log', tenant, row, documentId, chunk.id, terms);
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
        if (entries.length > 0) written.set(first, { seals, entries });
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
        if (seals.length === fragment.segment.sizes.entries) written.set(start, { seals, fragment });
      advance(database, revision, row);
    },
    remove(database, documentIds) {
      const before = state(database);
      if (!before) return;
      let removedSome = false;
      for (const id of documentIds) removedSome = take(database, id, before.revision + 1) || removedSome;
      if (removedSome) advance(database, before.revision + 1, before.nextRow);
    },
    languages: (database) => languageCounts(database).map(({ language }) => language),
    languageCounts,
    count(database) {
      const row = prepared(
        database,
        'SELECT count(*) AS documents, sum(last_row - first_row + 1) AS chunks FROM lexical_document WHERE tenant = ? AND last_row >= first_row',
      ).get(tenant);
      return { documents: Number(row?.['documents'] ?? 0), chunks: Number(row?.['chunks'] ?? 0) };
    },
    log(database, after) {
      const rows = prepared(database, 'SELECT row, seal FROM lexical_log WHERE tenant = ? AND row > ? ORDER BY row')
        .all(tenant, after)
        .map((found) => ({ row: Number(found['row']), seal: found['seal'] }));
      const pieces: LogPiece[] = [];
      for (let at = 0; at < rows.length; ) {
        const first = rows[at]?.row ?? 0;
        const made = written.get(first);
        const whole = made?.seals.every((seal, place) => {
          const other = rows[at + place];
          return other?.row === first + place && other.seal === seal;
        });
        if (made && whole === true && made.fragment?.used !== true) {
          pieces.push(...toPieces(first, made));
          at += made.seals.length;
        } else {
          pieces.push(readRow(database, first));
          at++;
        }
      }
      written.clear();
      return pieces;
    },
    readAhead(database, after) {
      const rows = prepared(
        database,
        'SELECT row, seal FROM lexical_log WHERE tenant = ? AND row > ? ORDER BY row LIMIT ?',
      ).all(tenant, after, rowsAhead);
      const first = Number(rows[0]?.['row']);
      const entries: Entry[] = [];
      for (const found of rows) {
        const row = Number(found['row']);
        const { entry } = readRow(database, row);
        if (row !== first + entries.length || !entry) break;
        entries.push(entry);
      }
      if (entries.length > 0) {
        const seals = rows.slice(0, entries.length).map((found) => String(found['seal']));
        written.set(first, { seals, fragment: { segment: buildSegment(entries), used: false } });
      }
      return rows.length === 0 ? undefined : first + Math.max(1, entries.length) - 1;
    },
    removed: (database, after) =>
      prepared(
        database,
        'SELECT revision, first_row, last_row, seal FROM lexical_removed WHERE tenant = ? AND revision > ?',
      )
        .all(tenant, after)
        .map((row) => {
          const range = { first: Number(row['first_row']), last: Number(row['last_row']) };
          const seal = sealOf('removed', tenant, Number(row['revision']), range.first, range.last);
          return row['seal'] === seal ? range : undefined;
        }),
    segments: (database) =>
      prepared(
        database,
        'SELECT first_row AS first, last_row AS last, seal, parts FROM lexical_segment WHERE tenant = ? ORDER BY first_row',
      ).all(tenant) as unknown as StoredSegment[],
    segmentBytes(database, segment) {
      const parts = prepared(database, 'SELECT bytes FROM lexical_part WHERE tenant = ? AND seal = ? ORDER BY ordinal')
        .all(tenant, segment.seal)
        .map((row) => row['bytes'] as Uint8Array);
      const bytes = Buffer.concat(parts);
      return parts.length === segment.parts && sealSegment(tenant, segment, sha256(bytes)) === segment.seal
        ? bytes
        : undefined;
    },
  };
}

/** What was written as pieces of the log; its rows were those that follow `first`. */
function toPieces(first: number, { entries, fragment }: Written): readonly LogPiece[] {
  if (entries) return entries.map((entry) => ({ first: entry.row, last: entry.row, entry }));
  if (!fragment) return [];
  const { segment } = fragment;
  fragment.used = true;
  for (let slot = 0; slot < segment.rows.length; slot++) segment.rows[slot] = first + slot;
  return [{ first, last: first + segment.rows.length - 1, segment }];
}
