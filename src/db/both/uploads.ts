// Uploads, collections and attached files in the record. Invariant: documents count and are listed only where they may be read.
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type {
  AttachedFile,
  Collection,
  FilesOf,
  ListedFile,
  ListSlice,
  Upload,
  UploadRepository,
} from '../repositories/uploads.ts';
import { rowReader } from '../row-reader.ts';
import { rows, run, runEach, type Statements, type StatementValue, type Steps } from '../statements.ts';
import type { DeletionGuard } from './deletions.ts';
import { effectNote } from './effects.ts';

const toUpload = rowReader<Upload>('id', 'name', 'mime', 'purpose', 'size', 'createdAt');
const uploadColumns = 'id, name, mime, purpose, size, created_at';

/** What of it is damaged is left out. */
function factsOf(row: object): object {
  try {
    const facts: unknown = JSON.parse(String((row as { facts?: unknown }).facts));
    return typeof facts === 'object' && facts !== null ? facts : {};
  } catch {
    return {};
  }
}
const ownOfCollection = rowReader<Omit<Collection, 'isOwn'>>('source', 'createdAt');
const ownOfAttached = rowReader<AttachedFile>('source', 'uri', 'fileId', 'runId', 'createdAt', 'state', 'documentId');
const toAttached = (row: object): AttachedFile => ({ ...ownOfAttached(row), facts: factsOf(row) });

/** A part of a statement, with what stands in the places of its `?`. */
export interface Part {
  readonly sql: string;
  readonly parameters: readonly StatementValue[];
}

export interface UploadPorts {
  readonly statements: Statements;
  /** Of documents `d` that the scope may read. */
  readonly access: Part;
  readonly notePages: DeletionGuard['notePages'];
}

/** The slice of what `from` lists by time. */
function sliceSql({ sql, parameters }: Part, { limit, descending, after }: ListSlice): Part {
  const [sign, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const beyond = after ? ` WHERE (at, id) ${sign} (?, ?)` : '';
  return {
    sql: `SELECT * FROM (${sql}) AS listed${beyond} ORDER BY at ${order}, id ${order} LIMIT ?`,
    parameters: [...parameters, ...(after ? [after.at, after.id] : []), limit],
  };
}

const putUpload = `INSERT INTO upload (tenant, id, principal, created_at, name, mime, purpose, size, hash, bytes)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const putAttachedRow = `INSERT INTO attached_file (tenant, source, uri, file_id, run_id, created_at, state, document_id, facts)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function createUploadRepository(
  { tenant, principal }: Scope,
  { statements, access, notePages }: UploadPorts,
): UploadRepository {
  const mine: Part = {
    sql: 'tenant = ? AND (principal = ? OR ? = 1)',
    parameters: [tenant, principal.id, principal.role === 'admin' ? 1 : 0],
  };
  const all = ({ sql, parameters }: Part): Promise<readonly object[]> => statements.rows<object>(sql, ...parameters);

  /** The documents and files that `of` names, each once: a file that is read in again is no document until it is. */
  function filesSql(of: FilesOf, state?: string): Part {
    const inState: Part =
      state === undefined ? { sql: '', parameters: [] } : { sql: ' AND a.state = ?', parameters: [state] };
    const columns = 'a.created_at AS at, a.file_id AS id, 0 AS "isDocument", a.state AS state, 0 AS characters';
    const isWanted = of.runId === undefined ? 'a.document_id IS NULL' : 'a.run_id = ?';
    const files = `SELECT ${columns} FROM attached_file AS a WHERE a.tenant = ? AND a.source = ? AND ${isWanted}${inState.sql}`;
    const wanted = of.runId === undefined ? [] : [of.runId];
    const parameters = [tenant, of.source, ...wanted, ...inState.parameters];
    if (of.runId !== undefined) return { sql: files, parameters };
    if (state !== undefined && state !== 'done') return { sql: files, parameters };
    const documents = `SELECT d.updated_at, d.id, 1, 'done', d.text_length FROM document AS d WHERE ${access.sql} AND d.source = ?
      AND NOT EXISTS (SELECT 1 FROM attached_file AS b WHERE b.tenant = d.tenant AND b.source = d.source AND b.uri = d.uri AND b.document_id IS NULL)`;
    return { sql: `${files} UNION ALL ${documents}`, parameters: [...parameters, ...access.parameters, of.source] };
  }

  /** In the place of those of the same addresses. */
  function* attach(files: readonly AttachedFile[]): Steps<void> {
    const last = new Map(files.map((file) => [JSON.stringify([file.source, file.uri.toWellFormed()]), file]));
    const remove = 'DELETE FROM attached_file WHERE tenant = ? AND source = ? AND uri = ANY(?)';
    for (const [source, some] of Map.groupBy(last.values(), (file) => file.source))
      yield* run(
        remove,
        tenant,
        source,
        some.map(({ uri }) => uri.toWellFormed()),
      );
    const attached = Array.from(last.values(), (file) => {
      const { source, uri, fileId, runId, createdAt, state, documentId, facts } = file;
      const told = [state, documentId ?? null, JSON.stringify(facts)];
      return [tenant, source, uri.toWellFormed(), fileId, runId, createdAt, ...told];
    });
    yield* runEach(putAttachedRow, attached);
  }

  return {
    put({ id, name, mime, purpose, size, createdAt }, bytes) {
      const note = effectNote();
      return statements.write(function* () {
        const facts = [createdAt, name.toWellFormed(), mime.toWellFormed(), purpose, size];
        yield* run(putUpload, tenant, id, principal.id, ...facts, sha256(bytes), bytes);
        yield* note('upload', id);
      });
    },
    async get(id) {
      const [row] = await all({
        sql: `SELECT ${uploadColumns} FROM upload WHERE ${mine.sql} AND id = ?`,
        parameters: [...mine.parameters, id],
      });
      return row && toUpload(row);
    },
    async list({ purpose, ...slice }) {
      const isOf = purpose === undefined ? '' : ' AND purpose = ?';
      const rows = await all(
        sliceSql(
          {
            sql: `SELECT ${uploadColumns}, created_at AS at FROM upload WHERE ${mine.sql}${isOf}`,
            parameters: [...mine.parameters, ...(purpose === undefined ? [] : [purpose])],
          },
          slice,
        ),
      );
      return rows.map(toUpload);
    },
    async bytes(id) {
      const [row] = (await all({
        sql: `SELECT hash, bytes FROM upload WHERE ${mine.sql} AND id = ?`,
        parameters: [...mine.parameters, id],
      })) as readonly { readonly hash: string; readonly bytes: Uint8Array }[];
      if (row && sha256(row.bytes) !== row.hash)
        throw new FootnoteError('data-corrupt', `The bytes of file ${id} are damaged in the record. Upload it again.`);
      return row && new Uint8Array(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength);
    },
    delete: (id) =>
      statements.free(function* () {
        const isGone = (yield* run(`DELETE FROM upload WHERE ${mine.sql} AND id = ?`, ...mine.parameters, id)) > 0;
        if (isGone) yield* notePages(tenant);
        return isGone;
      }),
    putCollection: ({ source, isOwn, createdAt, facts }) =>
      statements.write(function* () {
        const sql = `INSERT INTO collection (tenant, source, principal, created_at, facts) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (tenant, source) DO UPDATE SET facts = excluded.facts`;
        yield* run(sql, tenant, source, isOwn ? principal.id : '', createdAt, JSON.stringify(facts));
      }),
    disown: (source) =>
      statements.write(function* () {
        const sql = "UPDATE collection SET principal = '' WHERE tenant = ? AND source = ? AND principal = ?";
        yield* run(sql, tenant, source, principal.id);
      }),
    async collections() {
      const rows = await all({ sql: 'SELECT * FROM collection WHERE tenant = ?', parameters: [tenant] });
      return rows.map((row) => ({
        ...ownOfCollection(row),
        isOwn: (row as { principal?: unknown }).principal === principal.id,
        facts: factsOf(row),
      }));
    },
    putAttached(files) {
      const note = effectNote();
      return statements.write(function* () {
        const ids = [...new Set(files.map(({ fileId }) => fileId))];
        const sql = 'SELECT DISTINCT file_id AS id FROM attached_file WHERE tenant = ? AND file_id = ANY(?)';
        const before = new Set((yield* rows<{ readonly id: string }>(sql, tenant, ids)).map(({ id }) => id));
        yield* attach(files);
        yield* note('attached', files[0]?.runId ?? '');
        return new Set(ids.filter((id) => !before.has(id)));
      });
    },
    settle: ({ source, uri, runId, state, documentId = null, facts }) =>
      statements.write(function* () {
        const sql =
          'UPDATE attached_file SET state = ?, document_id = ?, facts = ? WHERE tenant = ? AND source = ? AND uri = ? AND run_id = ?';
        const values = [state, documentId, JSON.stringify(facts), tenant, source, uri.toWellFormed(), runId];
        return (yield* run(sql, ...values)) > 0;
      }),
    attached: async ({ fileId, source }) =>
      (
        await all({
          sql: `SELECT * FROM attached_file WHERE tenant = ? AND file_id = ?${source === undefined ? '' : ' AND source = ?'}`,
          parameters: [tenant, fileId, ...(source === undefined ? [] : [source])],
        })
      ).map(toAttached),
    detach: (source, uri) =>
      statements.free(function* () {
        yield* run(
          'DELETE FROM attached_file WHERE tenant = ? AND source = ? AND uri = ?',
          tenant,
          source,
          uri.toWellFormed(),
        );
      }),
    async files(of, { state, ...slice }) {
      const rows = (await all(sliceSql(filesSql(of, state), slice))) as readonly (ListedFile & object)[];
      return rows.map(({ at, id, isDocument }) => ({ at, id, isDocument: Boolean(isDocument) }));
    },
    async counts(of) {
      const { sql, parameters } = filesSql(of);
      const rows = (await all({
        sql: `SELECT state, count(*) AS files, sum(characters) AS characters FROM (${sql}) AS listed GROUP BY state`,
        parameters,
      })) as readonly { readonly state: string; readonly files: number; readonly characters: number }[];
      const counts = { pending: 0, done: 0, failed: 0, cancelled: 0, characters: 0 };
      for (const { state, files, characters } of rows) {
        counts.characters += characters;
        if (state in counts) counts[state as 'done'] += files;
      }
      return counts;
    },
    async times(source) {
      const sql = `SELECT min(d.updated_at) AS first, max(d.updated_at) AS last FROM document AS d WHERE ${access.sql} AND d.source = ?`;
      const [row = {}] = await all({ sql, parameters: [...access.parameters, source] });
      return rowReader<{ readonly first?: string; readonly last?: string }>('first', 'last')(row);
    },
  };
}

/** What became of a file that the process did not live to read. */
const cutOff = { code: 'internal', message: 'The server was stopped before this file was read in. Attach it again.' };

/** Files whose reading was cut off, of everybody, where the condition holds: they say so. */
export function* markCutOff(condition = '1 = 1'): Steps<void> {
  type Row = { readonly facts: string } & Record<'tenant' | 'source' | 'uri', string>;
  const pending = `SELECT tenant, source, uri, facts FROM attached_file WHERE state = 'pending' AND ${condition}`;
  for (const row of yield* rows<Row>(pending)) {
    const sql = "UPDATE attached_file SET state = 'failed', facts = ? WHERE tenant = ? AND source = ? AND uri = ?";
    yield* run(sql, JSON.stringify({ ...factsOf(row), error: cutOff }), row.tenant, row.source, row.uri);
  }
}
