// Runs of ingestion with the outcome of each file, and idempotency keys. Runs name files, so readers do not see them; keys
// are kept for 24 hours per principal and route, and are claimed before the work they guard begins.
import type { DatabaseSync } from 'node:sqlite';
import { hasRole, type Scope } from '../core/scope.ts';
import { prepared } from './connection.ts';
import type { Reader } from './documents-sqlite.ts';
import { eraseReply } from './erased-texts.ts';
import { deletedSince, documentIdsIn, missingDocuments } from './erasure-notes.ts';
import { parseCursor, toLimit, toPage } from './paging.ts';
import type {
  IdempotencyRepository,
  Ingestion,
  IngestionCounts,
  IngestionFile,
  IngestionRepository,
  StoredResponse,
} from './record.ts';
import type { Writer } from './sessions-sqlite.ts';

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

const toIngestion = (row: IngestionRow): Ingestion => ({
  id: row.id,
  source: row.source,
  state: row.state as Ingestion['state'],
  startedAt: row.started_at,
  ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
  counts: JSON.parse(row.counts) as IngestionCounts,
  ...(row.error === null ? {} : { error: JSON.parse(row.error) as StoredError }),
});

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

const toFile = (row: FileRow): IngestionFile => ({
  uri: row.uri,
  state: row.state as IngestionFile['state'],
  ...(row.change === null ? {} : { change: row.change as 'added' | 'changed' }),
  ...(row.kind === null ? {} : { kind: row.kind }),
  ...(row.document_id === null ? {} : { documentId: row.document_id }),
  ...(row.chunks === null ? {} : { chunks: row.chunks }),
  ...(row.error === null ? {} : { error: JSON.parse(row.error) as StoredError }),
  ...(row.warnings === null ? {} : { warnings: JSON.parse(row.warnings) as string[] }),
});

const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export function createIngestionRepository(scope: Scope, read: Reader, write: Writer): IngestionRepository {
  const { tenant } = scope;
  const visible = hasRole(scope.principal, 'writer') ? 1 : 0;
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
        const row = prepared(database, 'SELECT * FROM ingestion WHERE tenant = ? AND id = ? AND ?').get(
          tenant,
          id,
          visible,
        );
        return row && toIngestion(row as unknown as IngestionRow);
      }),
    list: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const sql = `SELECT * FROM ingestion WHERE tenant = ? AND ? ${cursor ? 'AND (started_at, id) < (?, ?)' : ''} ORDER BY started_at DESC, id DESC LIMIT ?`;
        const rows = prepared(database, sql).all(tenant, visible, ...(cursor ?? []), limit + 1);
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
        const sql = `SELECT * FROM ingestion_file WHERE tenant = ? AND ingestion_id = ? AND ?${state ? ' AND state = ?' : ''}${cursor ? ' AND uri > ?' : ''} ORDER BY uri LIMIT ?`;
        const rows = prepared(database, sql).all(
          tenant,
          id,
          visible,
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

export function createIdempotencyRepository(scope: Scope, write: Writer): IdempotencyRepository {
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

  return {
    begin: (route, key, requestHash) =>
      write((database): 'new' | 'running' | StoredResponse => {
        const now = Date.now();
        prepared(database, 'DELETE FROM idempotency WHERE created_ms < ?').run(now - idempotencyMs);
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
          Date.now(),
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
  };
}
