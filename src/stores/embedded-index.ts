// The index of one tenant as the record's database keeps it: rows of analysed chunks that no segment holds yet (the log),
// segments, and what was removed from them. Written in the transaction of the documents themselves, so that record and index
// never disagree; every row that can bring a hit carries a seal, because SQLite finds few of the bits that rot.
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../core/ids.ts';
import { prepared } from '../db/connection.ts';
import type { Entry } from '../engine/build-segment.ts';
import { segmentVersion } from '../engine/segment.ts';
import { analyzeText } from '../text/analyze.ts';
import { guessLanguage } from '../text/language.ts';
import type { StoreDocument } from './store.ts';

/** Changes with the analyzer, the fields or the layout: an index of another version is built again from the record. */
export const indexVersion = segmentVersion * 1000 + 1;

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

export interface LogRow extends RowRange {
  /** Undefined if the row is not as it was written. */
  readonly entry: Entry | undefined;
}

export interface StoredSegment extends RowRange {
  readonly seal: string;
}

/** Statements over the index of a tenant; each runs in the caller's transaction. */
export interface TenantIndex {
  readonly tenant: string;
  state(database: DatabaseSync): IndexState | undefined;
  /** Replaces all chunks of each document. */
  put(database: DatabaseSync, batch: readonly StoreDocument[]): void;
  remove(database: DatabaseSync, documentIds: readonly string[]): void;
  /** Languages of the chunks, most frequent first. */
  languages(database: DatabaseSync): string[];
  count(database: DatabaseSync): { readonly documents: number; readonly chunks: number };
  /** Rows of the log after `row`, ascending. */
  log(database: DatabaseSync, row: number): LogRow[];
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

export function sealSegment(tenant: string, { first, last }: RowRange, bytes: Uint8Array): string {
  return sealOf('segment', tenant, first, last, sha256(bytes));
}

export function createTenantIndex(tenant: string): TenantIndex {
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
    const made = { version: indexVersion, revision: 0, purged: 0, nextRow: 1, rebuildAfter: others ? '' : null };
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
      sealOf('removed', tenant, revision, first, last),
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
    put(database, batch) {
      if (batch.length === 0) return;
      const before = stateToWrite(
        database,
        batch.map(({ document }) => document.id),
      );
      if (before.version !== indexVersion) return;
      const revision = before.revision + 1;
      let row = before.nextRow;
      for (const { document, chunks } of batch) {
        take(database, document.id, revision);
        const language = languageOf({ document, chunks });
        const first = row;
        const title = document.title;
        // The title counts twice (measured), once with its stop words, so that a title of nothing else can be found.
        const titleTerms = analyzeText(title, { language }).join(' ');
        const titleAgain = analyzeText(title, { language, keepStopWords: true }).join(' ');
        for (const chunk of chunks) {
          const headings = chunk.headingPath.filter((heading) => heading !== title).join('\n');
          const terms = [
            titleTerms,
            analyzeText(headings, { language }).join(' '),
            analyzeText(chunk.text, { language }).join(' '),
            titleAgain,
          ]
            .join('\n')
            .toWellFormed();
          const documentId = document.id.toWellFormed();
          prepared(database, 'INSERT INTO lexical_log VALUES (?, ?, ?, ?, ?, ?)').run(
            tenant,
            row,
            documentId,
            chunk.id,
            terms,
            sealOf('log', tenant, row, documentId, chunk.id, terms),
          );
          row++;
        }
        prepared(database, 'INSERT INTO lexical_document VALUES (?, ?, ?, ?, ?)').run(
          tenant,
          document.id.toWellFormed(),
          first,
          row - 1,
          language,
        );
        countLanguage(database, language, chunks.length);
      }
      advance(database, revision, row);
    },
    remove(database, documentIds) {
      const before = state(database);
      if (!before) return;
      let removedSome = false;
      for (const id of documentIds) removedSome = take(database, id, before.revision + 1) || removedSome;
      if (removedSome) advance(database, before.revision + 1, before.nextRow);
    },
    languages: (database) =>
      prepared(
        database,
        'SELECT language FROM lexical_language WHERE tenant = ? AND chunks > 0 ORDER BY chunks DESC, language',
      )
        .all(tenant)
        .map((row) => String(row['language'])),
    count(database) {
      const row = prepared(
        database,
        'SELECT count(*) AS documents, sum(last_row - first_row + 1) AS chunks FROM lexical_document WHERE tenant = ? AND last_row >= first_row',
      ).get(tenant);
      return { documents: Number(row?.['documents'] ?? 0), chunks: Number(row?.['chunks'] ?? 0) };
    },
    log: (database, after) =>
      prepared(
        database,
        'SELECT row, document_id, chunk_id, terms, seal FROM lexical_log WHERE tenant = ? AND row > ? ORDER BY row',
      )
        .all(tenant, after)
        .map((found): LogRow => {
          const row = Number(found['row']);
          const [group, key, terms] = [String(found['document_id']), String(found['chunk_id']), String(found['terms'])];
          const sound = found['seal'] === sealOf('log', tenant, row, group, key, terms);
          const fields = terms.split('\n').map((field) => (field === '' ? [] : field.split(' ')));
          const entry = { row, key, group, fields: fields.slice(0, 3), extra: fields[3] ?? [] };
          return { first: row, last: row, entry: sound ? entry : undefined };
        }),
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
        'SELECT first_row AS first, last_row AS last, seal FROM lexical_segment WHERE tenant = ? ORDER BY first_row',
      ).all(tenant) as unknown as StoredSegment[],
    segmentBytes(database, segment) {
      const row = prepared(database, 'SELECT bytes FROM lexical_segment WHERE tenant = ? AND first_row = ?').get(
        tenant,
        segment.first,
      );
      const bytes = row?.['bytes'];
      return bytes instanceof Uint8Array && sealSegment(tenant, segment, bytes) === segment.seal ? bytes : undefined;
    },
  };
}

/** `en-US` is English: callers name languages in more ways than one. */
function languageOf({ document, chunks }: StoreDocument): string {
  const named = document.language?.toLowerCase().split(/[-_]/u)[0];
  return named || guessLanguage(chunks[0]?.text ?? document.title);
}
