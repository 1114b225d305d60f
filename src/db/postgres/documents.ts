// Reads of documents, chunks and deliveries for one scope. Invariants: every query holds the access condition of the scope, and no text, chunk,
// file or structure leaves without having been checked against the hash it was written with. Rows are not kept in memory yet.
import type { Delivery, DocumentRecord } from '../../core/document.ts';
import { placesOf } from '../../core/documents/places.ts';
import { sha256 } from '../../core/ids.ts';
import type { Scope } from '../../core/scope.ts';
import type { Filter } from '../../core/search.ts';
import {
  type ChunkRow,
  chunkRowFrom,
  type DocumentRow,
  damaged,
  documentRowFrom,
  isSealed,
  isText,
  toChunk,
  toDocument,
} from '../document-rows.ts';
import { unpackJson } from '../packed.ts';
import { type CursorKey, parseCursor, toLimit, toPage } from '../paging.ts';
import type { DocumentStructure } from '../repositories/changes.ts';
import type {
  ChunkHash,
  DamagedDocument,
  DocumentListRequest,
  DocumentPage,
  DocumentRepository,
} from '../repositories/documents.ts';
import { sourceOf } from '../sqlite/documents/document-list.ts';
import type { PostgresClient, Value } from './client/client.ts';
import { accessCondition, chunkAndDocumentColumns, chunkColumns, documentColumns, uriOrder } from './document-reads.ts';
import { createDuplicateReads, createKnownLinks, isLinkedSql } from './duplicates.ts';
import { unsupported } from './unsupported.ts';

interface BodyRow {
  readonly text: Uint8Array;
  readonly structure: Uint8Array;
  readonly file: Uint8Array | null;
  readonly hash: string | null;
}

const uriBatch = 500;
const deliveryColumns =
  'v.document_id AS "documentId", v.store, v.status, v.revision, v.attempts, v.last_error AS "lastError", v.updated_at AS "updatedAt"';

const toDelivery = ({ lastError, ...row }: Omit<Delivery, 'lastError'> & { readonly lastError: string | null }) => ({
  ...row,
  ...(lastError !== null && { lastError }),
});

const detailOf = (row: DocumentRow): string =>
  damaged('The entry', row.id, { source: row.source, uri: row.uri }).message;

/** Whether documents are those that a filter leaves; throws for one that cannot be. */
export type ReadFilter = (filter: Filter) => (document: DocumentRecord) => boolean;

export interface DocumentPorts {
  readonly readFilter?: ReadFilter | undefined;
  /** The revision of the corpus that is known of. */
  readonly seen?: () => number;
}

export function createDocumentRepository(
  client: PostgresClient,
  scope: Scope,
  { readFilter, seen = () => -1 }: DocumentPorts = {},
): DocumentRepository {
  const access = accessCondition(scope);
  const links = createKnownLinks(seen);
  const isAdmin = scope.principal.role === 'admin';
  /** The place of the next value behind those of the access condition. */
  const next = access.values.length + 1;

  type Asked = Pick<PostgresClient, 'rows'>;
  const documentsWhere = (
    where: string,
    values: readonly Value[],
    on: Asked = client,
  ): Promise<readonly DocumentRow[]> =>
    on.rows(`SELECT ${documentColumns} FROM document AS d WHERE ${access.sql} AND ${where}`, [
      ...access.values,
      ...values,
    ]);
  const documentWhere = async (...asked: Parameters<typeof documentsWhere>): Promise<DocumentRecord | undefined> => {
    const [row] = await documentsWhere(...asked);
    return row && toDocument(row);
  };
  const get = (id: string, on?: Asked) => documentWhere(`d.id = $${next}`, [id], on);
  /** Whoever asks for them asks in one moment with that of their document. */
  const chunkRows = (on: Asked, id: string): Promise<readonly ChunkRow[]> =>
    on.rows(`SELECT ${chunkColumns} FROM chunk AS c WHERE c.tenant = $1 AND c.document_id = $2 ORDER BY c.ordinal`, [
      scope.tenant,
      id,
    ]);

  const bodyOf = async <Row>(columns: string, id: string): Promise<(Row & DocumentRow) | undefined> => {
    const sql = `SELECT ${documentColumns}, ${columns} FROM document AS d JOIN document_body AS b ON b.tenant = d.tenant AND b.document_id = d.id
      WHERE ${access.sql} AND d.id = $${next}`;
    return (await client.rows<Row & DocumentRow>(sql, [...access.values, id]))[0];
  };
  const structureOf = async (id: string) => {
    const row = await bodyOf<{ readonly structure: Uint8Array }>('b.structure', id);
    if (row === undefined) return undefined;
    const structure = unpackJson(row.structure, `The structure of document ${id}`) as DocumentStructure;
    return { structure, document: row };
  };

  const wanted = `FROM unnest($${next}::text[]) WITH ORDINALITY AS w (id, place) JOIN chunk AS c ON c.tenant = $1 AND c.id = w.id
    JOIN document AS d ON d.tenant = c.tenant AND d.id = c.document_id WHERE ${access.sql}`;

  const rowsByUri = (source: string, after: string | undefined): Promise<readonly DocumentRow[]> =>
    client.rows(
      `SELECT ${documentColumns} FROM document AS d WHERE ${access.sql} AND d.source = $${next}
       AND ($${next + 1}::text IS NULL OR (${uriOrder}) > (left($${next + 1}, 200), $${next + 1})) ORDER BY ${uriOrder} LIMIT $${next + 2}`,
      [...access.values, source, after ?? null, uriBatch],
    );

  /** So many documents in order behind a key, which are looked through in pieces where a filter leaves few of them. */
  async function listed(
    after: CursorKey,
    wanted: number,
    { filter, sort, signal }: Parameters<DocumentRepository['list']>[0],
  ): Promise<readonly DocumentRow[]> {
    if (filter && !readFilter) throw unsupported('lists of documents by a filter');
    const passes = filter && readFilter?.(filter);
    const source = filter && sourceOf(filter);
    const sql = `SELECT ${documentColumns} FROM document AS d WHERE ${access.sql} AND ($${next + 3}::text IS NULL OR d.source = $${next + 3})
      AND ${
        sort === 'newest'
          ? `(d.updated_at, d.id) < ($${next}, $${next + 1}) ORDER BY d.updated_at DESC, d.id DESC`
          : `(d.source, ${uriOrder}) > ($${next}, left($${next + 1}, 200), $${next + 1}) ORDER BY d.source, ${uriOrder}`
      } LIMIT $${next + 2}`;
    const found: DocumentRow[] = [];
    for (let key = after; ; ) {
      signal?.throwIfAborted();
      const together = passes ? uriBatch : wanted;
      const some = await client.rows<DocumentRow>(sql, [...access.values, ...key, together, source ?? null]);
      for (const row of some) if (!passes || (isSealed(row) && passes(toDocument(row)))) found.push(row);
      const last = some.at(-1);
      if (found.length >= wanted || last === undefined || some.length < together) return found.slice(0, wanted);
      key = keyOf(last, sort);
    }
  }

  const keyOf = ({ source, uri, updated_at, id }: DocumentRow, sort: DocumentListRequest['sort']): CursorKey =>
    sort === 'newest' ? [updated_at, id] : [source, uri];

  return {
    get: (id) => get(id),
    findByUri: (source, uri) =>
      documentWhere(`d.source = $${next} AND d.uri_hash = $${next + 1}`, [source, sha256(uri.toWellFormed())]),

    async findByUris(source, uris) {
      const asked = new Map(uris.map((uri) => [uri.toWellFormed(), uri]));
      const rows = await documentsWhere(`d.source = $${next} AND d.uri_hash = ANY($${next + 1})`, [
        source,
        [...asked.keys()].map((uri) => sha256(uri)),
      ]);
      const sound = new Map<string, DocumentRecord>();
      const broken = new Map<string, string>();
      for (const row of rows) {
        const uri = asked.get(row.uri) ?? row.uri;
        if (isSealed(row)) sound.set(uri, toDocument(row));
        else broken.set(uri, row.id);
      }
      return { sound, damaged: broken };
    },

    async knownIds(ids) {
      const sql = `SELECT d.id FROM document AS d WHERE ${access.sql} AND d.id = ANY($${next})`;
      const rows = await client.rows<{ readonly id: string }>(sql, [...access.values, ids]);
      return new Set(rows.map(({ id }) => id));
    },

    async list(request) {
      const limit = toLimit(request);
      const isNewest = request.sort === 'newest';
      const cursor = parseCursor(request, ['string', 'string', ...(isNewest ? (['string'] as const) : [])]);
      const rows = await listed(cursor?.slice(0, 2) ?? [isNewest ? '\u{10ffff}' : '', ''], limit + 1, request);
      const broken: DamagedDocument[] = [];
      const page = toPage(rows, limit, {
        value(row) {
          if (isSealed(row)) return toDocument(row);
          if (isAdmin) broken.push({ id: row.id, source: row.source, uri: row.uri, detail: detailOf(row) });
          return undefined;
        },
        key: (row) => [...keyOf(row, request.sort), ...(isNewest ? ['newest'] : [])],
      });
      const data = page.data.filter((document) => document !== undefined);
      return { ...page, data, ...(broken.length > 0 && { damaged: broken }) } satisfies DocumentPage;
    },

    isSound: (id) =>
      client.read(async (connection) => {
        const [row] = await connection.rows<DocumentRow>(
          `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = $1 AND d.id = $2`,
          [scope.tenant, id],
        );
        if (row === undefined) return true;
        const sql =
          'SELECT text, structure, file, file_hash AS hash FROM document_body WHERE tenant = $1 AND document_id = $2';
        const [body] = await connection.rows<BodyRow>(sql, [scope.tenant, id]);
        const chunks = await chunkRows(connection, id);
        try {
          if (body === undefined || chunks.length !== row.chunk_count) return false;
          toDocument(row);
          chunks.forEach(toChunk);
          unpackJson(body.structure, id);
        } catch {
          return false;
        }
        const isFileSound = body.file === null || sha256(body.file) === body.hash;
        return isFileSound && isText(Buffer.from(body.text).toString(), row.text_hash);
      }),

    async *listUris(source) {
      for (let after: string | undefined; ; ) {
        const rows = await rowsByUri(source, after);
        for (const row of rows) {
          // A damaged entry counts as changed, so that the next sync of its source writes it anew.
          const document = isSealed(row) ? toDocument(row) : undefined;
          const modified = document?.metadata['sourceModifiedAt'];
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
      // After the slash comes the zero.
      const end = `${uri}0`;
      const sql = `SELECT ${documentColumns} FROM document AS d WHERE ${access.sql} AND d.source = $${next}
        AND (${uriOrder}) > (left($${next + 1}, 200), $${next + 1}) AND (${uriOrder}) < (left($${next + 2}, 200), $${next + 2})
        ORDER BY ${uriOrder} LIMIT $${next + 3}`;
      for (let after = `${uri}/`; ; ) {
        const rows = await client.rows<DocumentRow>(sql, [...access.values, source, after, end, uriBatch]);
        const documents = rows.filter(isSealed).map(toDocument);
        yield documents.filter((one) => one.metadata['container'] === container && one.uri.startsWith(`${container}/`));
        after = rows.at(-1)?.uri ?? after;
        if (rows.length < uriBatch) return;
      }
    },

    async count() {
      const sql = `SELECT count(*) AS documents, coalesce(sum(d.chunk_count), 0) AS chunks FROM document AS d WHERE ${access.sql}`;
      const [row] = await client.rows<{ documents: number; chunks: number }>(sql, access.values);
      return { documents: row?.documents ?? 0, chunks: row?.chunks ?? 0 };
    },

    async text(id) {
      const row = await bodyOf<{ readonly text: Uint8Array }>('b.text', id);
      if (row === undefined) return undefined;
      const document = toDocument(row);
      const text = Buffer.from(row.text).toString();
      if (!isText(text, document.textHash) || text.length !== document.textLength) throw damaged('The text', id);
      return text;
    },

    async file(id) {
      const row = await bodyOf<{ readonly file: Uint8Array | null; readonly hash: string | null }>(
        'b.file, b.file_hash AS hash',
        id,
      );
      if (!row?.file) return undefined;
      if (sha256(row.file) !== row.hash) throw damaged('The file', id);
      return new Uint8Array(row.file);
    },

    structure: async (id) => (await structureOf(id))?.structure,

    async places(id) {
      const found = await structureOf(id);
      return found && { pages: found.structure.pages, places: placesOf(found.structure, toDocument(found.document)) };
    },

    chunks: (documentId) =>
      client.read(async (connection) => {
        const document = await get(documentId, connection);
        if (document === undefined) return [];
        const chunks = (await chunkRows(connection, documentId)).map(toChunk);
        if (chunks.length !== document.chunkCount) throw damaged('The list of chunks', documentId);
        return chunks;
      }),

    async chunksById(ids) {
      const sql = `SELECT ${chunkAndDocumentColumns}, ${isLinkedSql('d.id')} AS is_linked ${wanted} ORDER BY w.place`;
      const documents = new Map<string, DocumentRecord>();
      const note = links.noting();
      return (await client.rows(sql, [...access.values, ids])).map((row) => {
        const values = Object.values(row);
        const chunk = toChunk(chunkRowFrom(values));
        const document = documents.get(chunk.documentId) ?? toDocument(documentRowFrom(values));
        documents.set(chunk.documentId, document);
        note(document.id, values.at(-1) === true);
        return { chunk, document };
      });
    },

    hashes: (ids) =>
      client.rows<ChunkHash>(
        `SELECT c.id AS "chunkId", c.document_id AS "documentId", c.hash ${wanted} ORDER BY w.place`,
        [...access.values, ids],
      ),

    ...createDuplicateReads(client, scope.tenant, { access, known: links }),

    storesHolding: (ids) =>
      client.rows<{ readonly chunkId: string; readonly stores: readonly string[] }>(
        `SELECT c.id AS "chunkId", ARRAY(SELECT v.store::text FROM delivery AS v WHERE v.tenant = d.tenant AND v.document_id = d.id
         AND v.status = 'delivered' ORDER BY v.store) AS stores ${wanted} ORDER BY w.place`,
        [...access.values, ids],
      ),

    async deliveries(documentId) {
      const sql = `SELECT ${deliveryColumns} FROM delivery AS v JOIN document AS d ON d.tenant = v.tenant AND d.id = v.document_id
        WHERE ${access.sql} AND d.id = $${next} ORDER BY v.store`;
      const rows = await client.rows<Parameters<typeof toDelivery>[0]>(sql, [...access.values, documentId]);
      return rows.map(toDelivery);
    },

    async undelivered(store, after = '', limit) {
      const sql = `SELECT d.id FROM document AS d WHERE ${access.sql} AND d.id > $${next} AND (d.stores IS NULL OR $${next + 1} = ANY(d.stores))
        AND NOT EXISTS (SELECT 1 FROM delivery AS v WHERE v.tenant = d.tenant AND v.document_id = d.id AND v.store = $${next + 1}
          AND v.status = 'delivered' AND v.revision = d.revision) ORDER BY d.id LIMIT $${next + 2}`;
      const rows = await client.rows<{ readonly id: string }>(sql, [...access.values, after, store, limit]);
      return rows.map(({ id }) => id);
    },

    async listDeliveries(request) {
      const limit = toLimit(request);
      const cursor = parseCursor(request, ['string', 'string']) ?? ['', ''];
      const sql = `SELECT ${deliveryColumns} FROM delivery AS v JOIN document AS d ON d.tenant = v.tenant AND d.id = v.document_id
        WHERE ${access.sql} AND (v.store, v.document_id) > ($${next}, $${next + 1}) AND ($${next + 2}::text IS NULL OR v.store = $${next + 2})
        AND ($${next + 3}::text IS NULL OR v.status = $${next + 3}) ORDER BY v.store, v.document_id LIMIT $${next + 4}`;
      const values = [...access.values, ...cursor, request.store ?? null, request.status ?? null, limit + 1];
      const rows = await client.rows<Parameters<typeof toDelivery>[0]>(sql, values);
      return toPage(rows.map(toDelivery), limit, {
        value: (delivery) => delivery,
        key: ({ store, documentId }) => [store, documentId],
      });
    },
  };
}
