// Reads of documents, chunks and deliveries for one scope. Invariant: every query holds the access condition of the scope, what is kept
// in memory (row-cache.ts) is given out under the same condition, and no text, chunk, file or structure leaves without having been
// checked against the hash it was written with when it was read.
import type { DatabaseSync } from 'node:sqlite';
import type { DocumentRecord } from '../../../core/document.ts';
import { placesOf } from '../../../core/documents/places.ts';
import { accessNames, mayReadDocument, type Scope } from '../../../core/scope.ts';
import { freezeJson } from '../../../core/traces/kept-json.ts';
import {
  type ChunkAndDocumentValues,
  type ChunkRow,
  chunkColumns,
  chunkRowFrom,
  type DocumentRow,
  damaged,
  documentColumns,
  documentRowFrom,
  isSealed,
  isText,
  toChunk,
  toDocument,
} from '../../document-rows.ts';
import { unpackJson } from '../../packed.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type { DocumentStructure } from '../../repositories/changes.ts';
import type { ChunkHash, DocumentRepository } from '../../repositories/documents.ts';
import { isMeantFor, toDelivery } from '../delivery/rows.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { createDocumentList } from './document-list.ts';
import { createDuplicateReads } from './duplicates.ts';
import { accessCondition, type SqlParameter } from './filter-sql.ts';
import { type ChunkInDocument, frozenChunk, type RowCache, type TenantRows } from './row-cache.ts';
import { isFile, isSound, isSoundDocument, readDocumentRows } from './sound-documents.ts';

const uriBatch = 500;

export function createDocumentRepository(scope: Scope, read: Reader, cache: RowCache): DocumentRepository {
  const access = accessCondition(scope, 'd');
  const list = createDocumentList(scope, read);
  /** Who asks, as far as it says what may be read. */
  const reader =
    scope.principal.role === 'admin'
      ? ''
      : `${JSON.stringify([accessNames(scope.principal), scope.principal.sources])} `;
  const mine = (document: DocumentRecord): boolean => mayReadDocument(scope.principal, document);

  const all = <Row>(database: DatabaseSync, sql: string, parameters: readonly SqlParameter[]): Row[] =>
    prepared(database, sql).all(...parameters) as unknown as Row[];

  const documentWhere = (database: DatabaseSync, where: string, parameters: readonly SqlParameter[]) => {
    const sql = `SELECT ${documentColumns} FROM document AS d WHERE ${access.sql} AND ${where}`;
    const [row] = all<DocumentRow>(database, sql, [...access.parameters, ...parameters]);
    return row === undefined ? undefined : toDocument(row);
  };

  const bodyOf = <Row>(database: DatabaseSync, columns: string, id: string): Row | undefined =>
    all<Row>(
      database,
      `SELECT ${columns} FROM document AS d JOIN document_body AS b ON b.tenant = d.tenant AND b.document_id = d.id WHERE ${access.sql} AND d.id = ?`,
      [...access.parameters, id],
    )[0];

  // CROSS JOIN fixes the order: the planner would read every row of the tenant for a list of unknown length.
  const wantedChunks = `FROM json_each(?) AS wanted CROSS JOIN chunk AS c ON c.tenant = ? AND c.id = wanted.value CROSS JOIN document AS d ON d.tenant = c.tenant AND d.id = c.document_id`;
  const chunksSql = `SELECT ${chunkColumns}, ${documentColumns} ${wantedChunks} WHERE ${access.sql}`;
  const hashesSql = `SELECT c.id AS chunkId, c.document_id AS documentId, c.hash AS hash ${wantedChunks} WHERE ${access.sql}`;
  const anyBody = 'SELECT 1 FROM document_body WHERE tenant = ? AND document_id = ?';

  /** What is kept of the documents as they are now. */
  const keptNow = (database: DatabaseSync): TenantRows => {
    const row = prepared(database, 'SELECT revision FROM document_change WHERE tenant = ?').get(scope.tenant);
    return cache.at(scope.tenant, Number(row?.['revision'] ?? 0));
  };

  /** Chunks in their documents, checked and from now on kept, by id. One query for all: each more was a third of the time. */
  const readChunks = (database: DatabaseSync, kept: TenantRows, ids: readonly string[]) => {
    const statement = prepared(database, chunksSql);
    // Of 39 columns each name costs as much as its value.
    statement.setReturnArrays(true);
    const parameters = [JSON.stringify(ids), scope.tenant, ...access.parameters];
    const rows = statement.all(...parameters) as unknown as readonly ChunkAndDocumentValues[];
    const documents = new Map<string, DocumentRecord>();
    const documentOf = (id: string, values: ChunkAndDocumentValues): DocumentRecord => {
      const known = documents.get(id) ?? kept.get('documents', id);
      const document = known ?? freezeJson(toDocument(documentRowFrom(values)));
      documents.set(id, document);
      if (known === undefined) kept.keep('documents', id, document);
      return document;
    };
    const found = new Map<string, ChunkInDocument>();
    for (const values of rows) {
      const row = chunkRowFrom(values);
      const document = documentOf(row.document_id, values);
      const chunk = frozenChunk(freezeJson(toChunk(row)), document);
      found.set(row.id, chunk);
      kept.keep('chunks', row.id, chunk);
    }
    return found;
  };

  return {
    get: (id) => read((database) => documentWhere(database, 'd.id = ?', [id])),

    findByUri: (source, uri) =>
      read((database) => documentWhere(database, 'd.source = ? AND d.uri = ?', [source, uri.toWellFormed()])),

    findByUris: (source, uris) =>
      read((database) => {
        const wanted = JSON.stringify(uris.map((uri) => uri.toWellFormed()));
        // CROSS JOIN fixes the order, as in chunksSql.
        const sql = `SELECT ${documentColumns}, wanted.key AS place FROM json_each(?) AS wanted CROSS JOIN document AS d ON d.tenant = ? AND d.source = ? AND d.uri = wanted.value WHERE ${access.sql}`;
        const rows = all<DocumentRow & { readonly place: number }>(database, sql, [
          wanted,
          scope.tenant,
          source,
          ...access.parameters,
        ]);
        const sound = new Map<string, DocumentRecord>();
        const broken = new Map<string, string>();
        for (const row of rows) {
          const uri = uris[row.place] ?? row.uri;
          if (isSealed(row)) sound.set(uri, toDocument(row));
          // Its parts know their document by its id: what none of them names is not its id any more.
          else if (prepared(database, anyBody).get(scope.tenant, String(row.id))) broken.set(uri, row.id);
        }
        return { sound, damaged: broken };
      }),

    knownIds: (ids) =>
      read((database) => {
        const sql = `SELECT d.id FROM json_each(?) AS wanted CROSS JOIN document AS d ON d.tenant = ? AND d.id = wanted.value WHERE ${access.sql}`;
        const rows = all<{ id: string }>(database, sql, [JSON.stringify(ids), scope.tenant, ...access.parameters]);
        return new Set(rows.map((row) => row.id));
      }),

    list,

    isSound: (id) => isSoundDocument(read, { tenant: scope.tenant, id }),

    async *listUris(source) {
      let after: string | undefined;
      for (;;) {
        const rows = await read((database) =>
          readDocumentRows(database, {
            where: `${access.sql} AND d.source = ?${after === undefined ? '' : ' AND d.uri > ?'}`,
            order: 'd.uri',
            parameters: [...access.parameters, source, ...(after === undefined ? [] : [after])],
            limit: uriBatch,
          }),
        );
        for (const row of rows) {
          // A damaged entry counts as changed, so that the next sync of its source writes it anew.
          const document = isSound(row) ? toDocument(row) : undefined;
          const modified = document?.metadata['sourceModifiedAt'];
          // One without an id goes with its source, or when it is written anew.
          if (typeof row.id !== 'string') continue;
          yield {
            id: row.id,
            uri: row.uri,
            contentHash: document?.contentHash ?? 'damaged',
            ...(typeof modified === 'string' ? { sourceModifiedAt: modified } : {}),
            ...(document?.reading === undefined ? {} : { reading: document.reading }),
          };
        }
        after = rows.at(-1)?.uri;
        if (rows.length < uriBatch) return;
      }
    },

    async *inside({ source, uri, container }) {
      let after = `${uri}/`;
      for (;;) {
        const rows = await read((database) =>
          readDocumentRows(database, {
            // After the slash comes the zero: so the index of uris finds those that lie below.
            where: `${access.sql} AND d.source = ? AND d.uri > ? AND d.uri < ? AND d.container = ?`,
            order: 'd.uri',
            parameters: [
              ...access.parameters,
              source,
              after.toWellFormed(),
              `${uri}0`.toWellFormed(),
              container.toWellFormed(),
            ],
            limit: uriBatch,
          }),
        );
        yield rows.filter(isSound).map(toDocument);
        after = rows.at(-1)?.uri ?? after;
        if (rows.length < uriBatch) return;
      }
    },

    count: () =>
      read((database) => {
        const sql = `SELECT count(*) AS documents, coalesce(sum(d.chunk_count), 0) AS chunks FROM document AS d WHERE ${access.sql}`;
        const [row] = all<{ documents: number; chunks: number }>(database, sql, access.parameters);
        return { documents: row?.documents ?? 0, chunks: row?.chunks ?? 0 };
      }),

    text: (id) =>
      read((database) => {
        const kept = keptNow(database);
        const known = kept.get('texts', id);
        if (known) return mine(known.document) ? known.text : undefined;
        const row = bodyOf<DocumentRow & { text: string }>(database, `${documentColumns}, b.text`, id);
        if (row === undefined) return undefined;
        const document = freezeJson(toDocument(row));
        if (!isText(row.text, document.textHash) || row.text.length !== document.textLength)
          throw damaged('The text', id);
        kept.keep('documents', id, document);
        kept.keep('texts', id, { document, text: row.text });
        return row.text;
      }),

    file: (id) =>
      read((database) => {
        const row = bodyOf<{ file: Uint8Array | null; file_hash: string | null }>(database, 'b.file, b.file_hash', id);
        if (row === undefined || row.file === null) return undefined;
        if (!isFile(row.file, row.file_hash)) throw damaged('The original file', id);
        return row.file;
      }),

    structure: (id) =>
      read((database) => {
        const row = bodyOf<{ structure: Uint8Array }>(database, 'b.structure', id);
        return row && (unpackJson(row.structure, `The structure of document ${id}`) as DocumentStructure);
      }),

    places: (id) =>
      read((database) => {
        const kept = keptNow(database);
        const known = kept.get('layouts', id);
        if (known) return mine(known.document) ? known : undefined;
        const row = bodyOf<DocumentRow & { structure: Uint8Array }>(database, `${documentColumns}, b.structure`, id);
        if (row === undefined) return undefined;
        const structure = unpackJson(row.structure, `The structure of document ${id}`) as DocumentStructure;
        const document = freezeJson(toDocument(row));
        const places = freezeJson(placesOf(structure, document));
        const layout = { document, pages: freezeJson(structure.pages), places };
        kept.keep('documents', id, document);
        kept.keep('layouts', id, layout);
        return layout;
      }),

    chunks: (documentId) =>
      read((database) => {
        const document = documentWhere(database, 'd.id = ?', [documentId]);
        if (document === undefined) return [];
        const sql = `SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = ? AND c.document_id = ? ORDER BY c.ordinal`;
        const chunks = all<ChunkRow>(database, sql, [scope.tenant, documentId]).map(toChunk);
        if (chunks.length !== document.chunkCount) throw damaged('The list of chunks', documentId);
        return chunks;
      }),

    chunksById: (chunkIds) =>
      read((database) => {
        const kept = keptNow(database);
        const unread: string[] = [];
        const known = chunkIds.map((id) => {
          const row = kept.get('chunks', id);
          if (row === undefined) unread.push(id);
          return row && mine(row.document) ? row : undefined;
        });
        const found = unread.length === 0 ? undefined : readChunks(database, kept, unread);
        return known.flatMap((row, at) => row ?? found?.get(chunkIds[at] ?? '') ?? []);
      }),

    hashes: (chunkIds) =>
      read((database) => {
        const kept = keptNow(database);
        const found = new Map(chunkIds.map((id) => [id, kept.get('hashes', reader + id)]));
        const unread = chunkIds.filter((id) => found.get(id) === undefined);
        const parameters = [JSON.stringify(unread), scope.tenant, ...access.parameters];
        for (const hash of unread.length === 0 ? [] : all<ChunkHash>(database, hashesSql, parameters)) {
          found.set(hash.chunkId, hash);
          kept.keep('hashes', reader + hash.chunkId, hash);
        }
        return chunkIds.flatMap((id) => found.get(id) ?? []);
      }),

    ...createDuplicateReads(scope, read),

    storesHolding: (chunkIds) =>
      read((database) => {
        const sql = `SELECT c.id AS chunkId, (SELECT json_group_array(v.store) FROM delivery AS v
          WHERE v.tenant = d.tenant AND v.document_id = d.id AND v.status = 'delivered') AS stores ${wantedChunks} WHERE ${access.sql}`;
        const parameters = [JSON.stringify(chunkIds), scope.tenant, ...access.parameters];
        return all<{ chunkId: string; stores: string }>(database, sql, parameters).map(({ chunkId, stores }) => ({
          chunkId,
          stores: JSON.parse(stores) as string[],
        }));
      }),

    deliveries: (documentId) =>
      read((database) => {
        const sql = `SELECT v.* FROM delivery AS v JOIN document AS d ON d.tenant = v.tenant AND d.id = v.document_id WHERE ${access.sql} AND d.id = ? AND v.operation IS NOT 'delete' ORDER BY v.store`;
        return all<object>(database, sql, [...access.parameters, documentId]).map(toDelivery);
      }),

    undelivered: (store, after = '', limit) =>
      read((database) => {
        const sql = `SELECT d.id FROM document AS d WHERE ${access.sql} AND d.id > ? AND ${isMeantFor} AND NOT EXISTS (SELECT 1 FROM delivery AS v WHERE v.tenant = d.tenant AND v.document_id = d.id AND v.store = ? AND v.status = 'delivered' AND v.revision = d.revision) ORDER BY d.id LIMIT ?`;
        const rows = all<{ readonly id: string }>(database, sql, [...access.parameters, after, store, store, limit]);
        return rows.map(({ id }) => id);
      }),

    listDeliveries: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const where = [access.sql, "v.operation IS NOT 'delete'"];
        const parameters: SqlParameter[] = [...access.parameters];
        if (request.store !== undefined) {
          where.push('v.store = ?');
          parameters.push(request.store);
        }
        if (request.status !== undefined) {
          where.push('v.status = ?');
          parameters.push(request.status);
        }
        if (cursor) {
          where.push('(v.store, v.document_id) > (?, ?)');
          parameters.push(...cursor);
        }
        const sql = `SELECT v.* FROM delivery AS v JOIN document AS d ON d.tenant = v.tenant AND d.id = v.document_id WHERE ${where.join(' AND ')} ORDER BY v.store, v.document_id LIMIT ?`;
        return toPage(all<object>(database, sql, [...parameters, limit + 1]).map(toDelivery), limit, {
          value: (delivery) => delivery,
          key: ({ store, documentId }) => [store, documentId],
        });
      }),
  };
}
