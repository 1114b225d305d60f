// Runs of ingestion with the outcome of each file, and idempotency keys. Runs name files, so readers do not see them; keys
// are kept for 24 hours per principal and route, and are claimed before the work they guard begins.

import type { DatabaseSync } from 'node:sqlite';
import {
  fileStates,
  type Ingestion,
  type IngestionCounts,
  type IngestionFile,
  ingestionStates,
} from '../../core/documents/runs.ts';
import { hasRole, type Scope } from '../../core/scope.ts';
import { eraseReply } from '../erasure/erased-texts.ts';
import { deletedSince, documentIdsIn, missingDocuments, notePages } from '../erasure/erasure-notes.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { IdempotencyRepository, StoredResponse } from '../repositories/idempotency.ts';
import type { IngestionRepository } from '../repositories/ingestions.ts';
import { sourcesCondition } from './documents/filter-sql.ts';
import { prepared, type Reader } from './file/connection.ts';
import type { Writer } from './requests/sessions.ts';

const idempotencyMs = 24 * 60 * 60 * 1000;

interface IngestionRow {
  readonly id: string;
  readonly source: string;
  readonly state: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly counts: string;
  readonly error: string | null;
}

type StoredError = { readonly code: string; readonly message: string };

const damagedError: StoredError = {
  code: 'data-corrupt',
  message: 'What is kept of this run is damaged. The documents are another matter: run footnote doctor.',
};

const countNames = ['found', 'done', 'unchanged', 'failed', 'deleted', 'chunks'] as const;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value);
const isError = (value: unknown): value is StoredError =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value;

/** What JSON says, or undefined where damage left none of the kind that is looked for. */
function fromJson<T>(text: unknown, isOne: (value: unknown) => boolean): T | undefined {
  try {
    const value: unknown = JSON.parse(String(text));
    return isOne(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

const noCounts: IngestionCounts = { found: 0, done: 0, unchanged: 0, failed: 0, deleted: 0, chunks: 0 };
const areCounts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  countNames.every((name) => name in value) &&
  Object.values(value).every(isCount);

/** A damaged run is listed as one that failed, with what can be read of it: it must not hide the others. */
function toIngestion(row: IngestionRow): Ingestion {
  const counts = fromJson<IngestionCounts>(row.counts, areCounts);
  const state = ingestionStates.find((one) => one === row.state);
  const error = row.error === null ? undefined : (fromJson<StoredError>(row.error, isError) ?? damagedError);
  const told = counts === undefined || state === undefined ? damagedError : error;
  return {
    id: row.id,
    source: row.source,
    state: state ?? 'failed',
    startedAt: row.started_at,
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
    counts: counts ?? noCounts,
    ...(told && { error: told }),
  };
}

interface FileRow {
  readonly uri: string;
  readonly state: string;
  readonly document_id: string | null;
  readonly chunks: number | null;
  readonly error: string | null;
  readonly warnings: string | null;
  readonly change: string | null;
  readonly kind: string | null;
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

function toFile(row: FileRow): IngestionFile {
  const state = fileStates.find((one) => one === row.state);
  const error = row.error === null ? undefined : (fromJson<StoredError>(row.error, isError) ?? damagedError);
  const warnings =
    row.warnings === null ? undefined : (fromJson<string[]>(row.warnings, isTexts) ?? [damagedError.message]);
  const change = row.change === 'added' || row.change === 'changed' ? row.change : undefined;
  const told = state === undefined ? damagedError : error;
  return {
    uri: row.uri,
    state: state ?? 'failed',
    ...(change && { change }),
    ...(typeof row.kind === 'string' && { kind: row.kind }),
    ...(typeof row.document_id === 'string' && { documentId: row.document_id }),
    ...(isCount(row.chunks) && { chunks: row.chunks ?? 0 }),
    ...(told && { error: told }),
    ...(warnings && { warnings }),
  };
}

const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export function createIngestionRepository(scope: Scope, read: Reader, write: Writer): IngestionRepository {
  const { tenant } = scope;
  const [own, ...sources] = sourcesCondition(scope.principal, 'source');
  /** The runs that may be seen: parameters of `visible`. */
  const reader = [tenant, hasRole(scope.principal, 'writer') ? 1 : 0, ...sources] as const;
  const visible = `tenant = ? AND ?${own}`;
  return {
    put: (ingestion) =>
      write((database) => {
        prepared(
          database,
          'INSERT INTO ingestion VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at, counts = excluded.counts, error = excluded.error',
        ).run(
          tenant,
          ingestion.id,
          ingestion.source,
          ingestion.state,
          ingestion.startedAt,
          ingestion.finishedAt ?? null,
          JSON.stringify(ingestion.counts),
          toJson(ingestion.error),
        );
      }),
    get: (id) =>
      read((database) => {
        const row = prepared(database, `SELECT * FROM ingestion WHERE ${visible} AND id = ?`).get(...reader, id);
        return row && toIngestion(row as unknown as IngestionRow);
      }),
    list: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const sql = `SELECT * FROM ingestion WHERE ${visible} ${cursor ? 'AND (started_at, id) < (?, ?)' : ''} ORDER BY started_at DESC, id DESC LIMIT ?`;
        const rows = prepared(database, sql).all(...reader, ...(cursor ?? []), limit + 1);
        return toPage(rows as unknown as IngestionRow[], limit, {
          value: toIngestion,
          key: (row) => [row.started_at, row.id],
        });
      }),
    putFiles: (id, files) =>
      write((database) => {
        for (const file of files)
          prepared(database, 'INSERT OR REPLACE INTO ingestion_file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
            tenant,
            id,
            file.uri.toWellFormed(),
            file.state,
            file.documentId ?? null,
            file.chunks ?? null,
            toJson(file.error),
            toJson(file.warnings),
            file.change ?? null,
            file.kind ?? null,
          );
      }),
    files: (id, request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string']);
        const state = request.state;
        const sql = `SELECT * FROM ingestion_file WHERE tenant = ? AND ingestion_id = (SELECT id FROM ingestion WHERE ${visible} AND id = ?)${state ? ' AND state = ?' : ''}${cursor ? ' AND uri > ?' : ''} ORDER BY uri LIMIT ?`;
        const rows = prepared(database, sql).all(
          tenant,
          ...reader,
          id,
          ...(state ? [state] : []),
          ...(cursor ?? []),
          limit + 1,
        );
        return toPage(rows as unknown as FileRow[], limit, { value: toFile, key: (row) => [row.uri] });
      }),
  };
}

interface IdempotencyRow {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
}

export function createIdempotencyRepository(
  scope: Scope,
  read: Reader,
  { write, free }: { readonly write: Writer; readonly free: Writer },
): IdempotencyRepository {
  const owner = [scope.tenant, scope.principal.id] as const;

  /** The reply as it may be kept: without what was deleted while it was made. */
  const withoutErased = (
    database: DatabaseSync,
    { route, key, response }: { readonly route: string; readonly key: string; readonly response: StoredResponse },
  ): StoredResponse => {
    const sql =
      'SELECT created_ms AS began FROM idempotency WHERE tenant = ? AND principal = ? AND route = ? AND key = ?';
    const began = prepared(database, sql).get(...owner, route, key)?.['began'];
    if (!deletedSince(database, scope.tenant, Number(began ?? 0))) return response;
    const missing = missingDocuments(database, scope.tenant, documentIdsIn(response.body));
    if (missing.size === 0) return response;
    const at = new Date().toISOString();
    return { ...response, ...eraseReply(response.body, ({ documentId }) => missing.has(documentId), at) };
  };

  const dropOld = (database: DatabaseSync): number => {
    const now = Date.now();
    prepared(database, 'DELETE FROM idempotency WHERE created_ms < ?').run(now - idempotencyMs);
    return now;
  };

  return {
    begin: (route, key, requestHash) =>
      write((database): 'new' | 'running' | StoredResponse => {
        const now = dropOld(database);
        const sql =
          'SELECT request_hash, status, body FROM idempotency WHERE tenant = ? AND principal = ? AND route = ? AND key = ?';
        const row = prepared(database, sql).get(...owner, route, key) as IdempotencyRow | undefined;
        if (row === undefined) {
          prepared(database, 'INSERT INTO idempotency VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)').run(
            ...owner,
            route,
            key,
            requestHash,
            now,
          );
          return 'new';
        }
        if (row.status === null || row.body === null) return 'running';
        return { requestHash: row.request_hash, status: row.status, body: row.body };
      }),
    finish: (route, key, given) =>
      write((database) => {
        const response = withoutErased(database, { route, key, response: given });
        prepared(database, 'INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
          ...owner,
          route,
          key,
          response.requestHash,
          dropOld(database),
          response.status,
          response.body,
        );
      }),
    release: (route, key) =>
      write((database) => {
        prepared(
          database,
          'DELETE FROM idempotency WHERE tenant = ? AND principal = ? AND route = ? AND key = ? AND status IS NULL',
        ).run(...owner, route, key);
      }),
    read: (route, key) =>
      read((database) => {
        const sql = `SELECT request_hash AS requestHash, status, body FROM idempotency
          WHERE tenant = ? AND principal = ? AND route = ? AND key = ? AND status IS NOT NULL AND created_ms >= ?`;
        return prepared(database, sql).get(...owner, route, key, Date.now() - idempotencyMs) as
          | StoredResponse
          | undefined;
      }),
    forget: (route, key, replies) =>
      free((database) => {
        const sql = 'DELETE FROM idempotency WHERE tenant = ? AND principal = ? AND route = ? AND';
        prepared(database, `${sql} key = ?`).run(...owner, route, key);
        prepared(database, `${sql} instr(body, ?)`).run(...owner, replies.route, replies.holding);
        notePages(database, scope.tenant);
      }),
  };
}
