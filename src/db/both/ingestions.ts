// Runs of ingestion with the outcome of each file. Runs name files, so readers do not see them.
import {
  fileStates,
  type Ingestion,
  type IngestionCounts,
  type IngestionFile,
  ingestionStates,
} from '../../core/documents/runs.ts';
import { hasRole, mayRead, type Scope } from '../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { IngestionRepository, RecordedFile } from '../repositories/ingestions.ts';
import { run, runEach, type Statements, type Steps } from '../statements.ts';
import { insertion, sourcesCondition } from './conditions.ts';
import type { DeletionGuard } from './deletions.ts';
import { effectNote } from './effects.ts';
import type { Part } from './uploads.ts';

interface IngestionRow {
  readonly id: string;
  readonly source: string;
  readonly state: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly counts: string;
  readonly error: string | null;
}

type StoredError = { readonly code: string; readonly message: string; readonly access?: unknown };

const damagedError: StoredError = {
  code: 'data-corrupt',
  message: 'What is kept of this run is damaged. The documents are another matter: run footnote doctor.',
};

const countNames = ['found', 'done', 'unchanged', 'failed', 'deleted', 'chunks'] as const;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
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

const errorOf = ({ error }: FileRow): StoredError | undefined =>
  error === null ? undefined : (fromJson<StoredError>(error, isError) ?? damagedError);

/** A list that damage left nothing of lets nobody but admins. */
const accessOf = (row: FileRow): readonly string[] | undefined => {
  const access = errorOf(row)?.access;
  return access === undefined || isTexts(access) ? access : [];
};

function toFile(row: FileRow): IngestionFile {
  const state = fileStates.find((one) => one === row.state);
  const { access: _, ...stored } = errorOf(row) ?? damagedError;
  const error = row.error === null ? undefined : stored;
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

const putSql = `INSERT INTO ingestion (tenant, id, source, state, started_at, finished_at, counts, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, id) DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at, counts = excluded.counts,
  error = excluded.error`;
const addFileSql = insertion(
  'ingestion_file',
  'tenant ingestion_id uri state document_id chunks error warnings change kind',
);

export function createIngestionRepository(
  scope: Scope,
  statements: Statements,
  { guard, access }: { readonly guard: DeletionGuard; readonly access: Part },
): IngestionRepository {
  const { tenant, principal } = scope;
  /** What was read in and deleted since is told as the sweep of deletions would leave it: whose it was, and nothing of it. */
  function* withoutGone(files: readonly RecordedFile[]): Steps<readonly RecordedFile[]> {
    const isDone = ({ state }: IngestionFile): boolean => state === 'done';
    const read = files.flatMap((file) => (isDone(file) ? (file.documentId ?? []) : []));
    if (read.length === 0 || !(yield* guard.deletedSince(tenant))) return files;
    const gone = yield* guard.missing(tenant, read);
    return files.map((file) => {
      const { documentId, error: _, warnings: __, ...left } = file;
      return isDone(file) && documentId !== undefined && gone.has(documentId)
        ? { ...left, documentId, uri: `erased:${documentId}` }
        : file;
    });
  }
  const [own, ...sources] = sourcesCondition(principal, 'source');
  /** The runs that may be seen: parameters of `visible`. */
  const reader = [tenant, hasRole(principal, 'writer') ? 1 : 0, ...sources] as const;
  const visible = `tenant = ? AND ? = 1${own}`;
  const isReadable = `(f.document_id IS NULL OR NOT EXISTS (SELECT 1 FROM document AS x WHERE x.tenant = f.tenant AND x.id = f.document_id)
    OR EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = f.tenant AND d.id = f.document_id AND ${access.sql}))`;
  return {
    put(ingestion) {
      const note = effectNote();
      return statements.write(function* () {
        yield* run(
          putSql,
          tenant,
          ingestion.id,
          ingestion.source,
          ingestion.state,
          ingestion.startedAt,
          ingestion.finishedAt ?? null,
          JSON.stringify(ingestion.counts),
          toJson(ingestion.error),
        );
        yield* note('run', ingestion.id);
      });
    },
    async get(id) {
      const [row] = await statements.rows<IngestionRow>(
        `SELECT * FROM ingestion WHERE ${visible} AND id = ?`,
        ...reader,
        id,
      );
      return row && toIngestion(row);
    },
    async list(request) {
      const limit = toLimit(request);
      const cursor = parseCursor(request, ['string', 'string']);
      const sql = `SELECT * FROM ingestion WHERE ${visible} ${cursor ? 'AND (started_at, id) < (?, ?)' : ''} ORDER BY started_at DESC, id DESC LIMIT ?`;
      const found = await statements.rows<IngestionRow>(sql, ...reader, ...(cursor ?? []), limit + 1);
      return toPage(found, limit, { value: toIngestion, key: (row) => [row.started_at, row.id] });
    },
    putFiles: (id, files) =>
      statements.write(function* () {
        const byUri = new Map((yield* withoutGone(files)).map((file) => [file.uri.toWellFormed(), file]));
        const sql = 'DELETE FROM ingestion_file WHERE tenant = ? AND ingestion_id = ? AND uri = ANY(?)';
        yield* run(sql, tenant, id, [...byUri.keys()]);
        yield* runEach(
          addFileSql,
          [...byUri].map(([uri, file]) => [
            tenant,
            id,
            uri,
            file.state,
            file.documentId ?? null,
            file.chunks ?? null,
            toJson(file.error && { ...file.error, ...(file.access && { access: file.access }) }),
            toJson(file.warnings),
            file.change ?? null,
            file.kind ?? null,
          ]),
        );
      }),
    async files(id, request) {
      const limit = toLimit(request);
      const { state } = request;
      const found: FileRow[] = [];
      let after = parseCursor(request, ['string']);
      for (let isMore = true; isMore && found.length <= limit; ) {
        const sql = `SELECT f.* FROM ingestion_file AS f WHERE f.tenant = ? AND f.ingestion_id = (SELECT id FROM ingestion WHERE ${visible} AND id = ?)
          AND ${isReadable}${state ? ' AND f.state = ?' : ''}${after ? ' AND f.uri > ?' : ''} ORDER BY f.uri LIMIT ?`;
        const read = await statements.rows<FileRow>(
          sql,
          tenant,
          ...reader,
          id,
          ...access.parameters,
          ...(state ? [state] : []),
          ...(after ?? []),
          limit + 1,
        );
        found.push(...read.filter((row) => mayRead(principal, accessOf(row))));
        isMore = read.length > limit;
        after = [read.at(-1)?.uri ?? ''];
      }
      return toPage(found, limit, { value: toFile, key: (row) => [row.uri] });
    },
  };
}
