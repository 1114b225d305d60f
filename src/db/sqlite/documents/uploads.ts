// Uploads, collections and attached files in SQLite. Invariant: documents count and are listed only where they may be read.
import { FootnoteError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/ids.ts';
import type { Scope } from '../../../core/scope.ts';
import { notePages } from '../../erasure/erasure-notes.ts';
import type {
  AttachedFile,
  Collection,
  FilesOf,
  ListedFile,
  ListSlice,
  Upload,
  UploadRepository,
} from '../../repositories/uploads.ts';
import { rowReader } from '../../row-reader.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { insert, orReplace } from '../file/insert-row.ts';
import type { Writer } from '../requests/sessions.ts';
import { accessCondition, type SqlParameter } from './filter-sql.ts';

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

interface Part {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

/** The slice of what `from` lists by time. */
function sliceSql({ sql, parameters }: Part, { limit, descending, after }: ListSlice): Part {
  const [sign, order] = descending ? ['<', 'DESC'] : ['>', 'ASC'];
  const beyond = after ? ` WHERE (at, id) ${sign} (?, ?)` : '';
  return {
    sql: `SELECT * FROM (${sql})${beyond} ORDER BY at ${order}, id ${order} LIMIT ?`,
    parameters: [...parameters, ...(after ? [after.at, after.id] : []), limit],
  };
}

export function createUploadRepository(scope: Scope, read: Reader, write: Writer): UploadRepository {
  const { tenant, principal } = scope;
  const access = accessCondition(scope, 'd');
  const mine: Part = {
    sql: 'tenant = ? AND (principal = ? OR ?)',
    parameters: [tenant, principal.id, principal.role === 'admin' ? 1 : 0],
  };
  const all = ({ sql, parameters }: Part): Promise<readonly object[]> =>
    read((database) => prepared(database, sql).all(...parameters));

  /** The documents and files that `of` names, each once: a file that is read in again is no document until it is. */
  function filesSql(of: FilesOf, state?: string): Part {
    const inState: Part =
      state === undefined ? { sql: '', parameters: [] } : { sql: ' AND a.state = ?', parameters: [state] };
    const columns = 'a.created_at AS at, a.file_id AS id, 0 AS isDocument, a.state AS state, 0 AS characters';
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

  const attachedRow = ({ source, uri, fileId, runId, createdAt, state, documentId, facts }: AttachedFile) => ({
    tenant,
    source,
    uri: uri.toWellFormed(),
    file_id: fileId,
    run_id: runId,
    created_at: createdAt,
    state,
    document_id: documentId ?? null,
    facts: JSON.stringify(facts),
  });

  return {
    put: ({ id, name, mime, purpose, size, createdAt }, bytes) =>
      write((database) => {
        const facts = { created_at: createdAt, name: name.toWellFormed(), mime: mime.toWellFormed(), purpose, size };
        insert(database, 'upload', { tenant, id, principal: principal.id, ...facts, hash: sha256(bytes), bytes });
      }),
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
      return row?.bytes;
    },
    delete: (id) =>
      write((database) => {
        const sql = `DELETE FROM upload WHERE ${mine.sql} AND id = ?`;
        const isGone = prepared(database, sql).run(...mine.parameters, id).changes > 0;
        if (isGone) notePages(database, tenant);
        return isGone;
      }),
    putCollection: ({ source, isOwn, createdAt, facts }) =>
      write((database) => {
        const sql = 'INSERT INTO collection VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET facts = excluded.facts';
        const owner = isOwn ? principal.id : '';
        prepared(database, sql).run(tenant, source, owner, createdAt, JSON.stringify(facts));
      }),
    disown: (source) =>
      write((database) => {
        const sql = "UPDATE collection SET principal = '' WHERE tenant = ? AND source = ? AND principal = ?";
        prepared(database, sql).run(tenant, source, principal.id);
      }),
    async collections() {
      const rows = await all({ sql: 'SELECT * FROM collection WHERE tenant = ?', parameters: [tenant] });
      return rows.map((row) => ({
        ...ownOfCollection(row),
        isOwn: (row as { principal?: unknown }).principal === principal.id,
        facts: factsOf(row),
      }));
    },
    putAttached: (files) =>
      write((database) => {
        for (const file of files) insert(database, 'attached_file', attachedRow(file), orReplace);
      }),
    settle: ({ source, uri, runId, state, documentId = null, facts }) =>
      write((database) => {
        const sql =
          'UPDATE attached_file SET state = ?, document_id = ?, facts = ? WHERE tenant = ? AND source = ? AND uri = ? AND run_id = ?';
        const values = [state, documentId, JSON.stringify(facts), tenant, source, uri.toWellFormed(), runId];
        return prepared(database, sql).run(...values).changes > 0;
      }),
    attached: async ({ fileId, source }) =>
      (
        await all({
          sql: `SELECT * FROM attached_file WHERE tenant = ? AND file_id = ?${source === undefined ? '' : ' AND source = ?'}`,
          parameters: [tenant, fileId, ...(source === undefined ? [] : [source])],
        })
      ).map(toAttached),
    detach: (source, uri) =>
      write((database) => {
        const sql = 'DELETE FROM attached_file WHERE tenant = ? AND source = ? AND uri = ?';
        prepared(database, sql).run(tenant, source, uri.toWellFormed());
      }),
    async files(of, { state, ...slice }) {
      const rows = (await all(sliceSql(filesSql(of, state), slice))) as readonly (ListedFile & object)[];
      return rows.map(({ at, id, isDocument }) => ({ at, id, isDocument: Boolean(isDocument) }));
    },
    async counts(of) {
      const { sql, parameters } = filesSql(of);
      const rows = (await all({
        sql: `SELECT state, count(*) AS files, sum(characters) AS characters FROM (${sql}) GROUP BY state`,
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
