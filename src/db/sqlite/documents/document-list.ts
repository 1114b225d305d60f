// Pages of documents that a filter leaves. Invariant: the event loop is held for milliseconds at a time whatever the filter and however many
// documents there are: they are looked at in pieces, in the order of the list, until the page is full or its deadline has come.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Scope } from '../../../core/scope.ts';
import type { Filter } from '../../../core/search.ts';
import { nextTurn } from '../../../core/waiting/pieces.ts';
import { type DocumentRow, documentColumns, toDocument } from '../../document-rows.ts';
import { createPage, parseCursor, toLimit, toPage } from '../../paging.ts';
import { createPieceSize } from '../../piece-size.ts';
import type { DamagedDocument, DocumentPage, DocumentRepository } from '../../repositories/documents.ts';
import { type Reader, withLargeIntegers } from '../file/connection.ts';
import { toRecordError } from '../file/sqlite-errors.ts';
import { accessCondition, printFilter, type SqlParameter } from './filter-sql.ts';
import { type FoundRow, isSound, readDocumentRows, toDamaged } from './sound-documents.ts';

type Key = readonly [string, string];

/** An order of the list: the columns of its key, and the index that holds them so. The planner would prefer any other, and sort. */
const byUri = {
  index: 'sqlite_autoindex_document_2',
  columns: ['d.source', 'd.uri'],
  ordered: 'd.source, d.uri',
  ...{ behind: '>', upTo: '<=', first: ['', ''] as Key },
  keyOf: ({ source, uri }: FoundRow): Key => [source, uri],
} as const;
const newestFirst = {
  index: 'document_by_time',
  columns: ['d.updated_at', 'd.id'],
  ordered: 'd.updated_at DESC, d.id DESC',
  ...{ behind: '<', upTo: '>=', first: ['\u{10ffff}', ''] as Key },
  keyOf: ({ updated_at, id }: FoundRow): Key => [String(updated_at), String(id)],
} as const;

/** What a list is narrowed to before its filter is looked at. */
interface Range {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

/** Longest piece of work in one turn. */
const turnMs = 4;

/** The one source that documents must be of, where the filter says so in the first place. */
export function sourceOf(filter: Filter): string | undefined {
  if (filter.op === 'eq' && filter.field === 'source' && typeof filter.value === 'string')
    return filter.value.toWellFormed();
  if (filter.op !== 'and') return undefined;
  return filter.filters.map(sourceOf).find((source) => source !== undefined);
}

interface Narrowed {
  readonly order: typeof byUri | typeof newestFirst;
  /** In the order by uri alone: the one source that there is. */
  readonly source: string | undefined;
}
function rangeOf({ order, source }: Narrowed, after: Key, last?: Key): Range {
  if (source !== undefined)
    return {
      sql: `d.source = ? AND d.uri > ?${last ? ' AND d.uri <= ?' : ''}`,
      parameters: [source, after[1], ...(last ? [last[1]] : [])],
    };
  const key = `(${order.columns.join(', ')})`;
  return {
    sql: `${key} ${order.behind} (?, ?)${last ? ` AND ${key} ${order.upTo} (?, ?)` : ''}`,
    parameters: [...after, ...(last ?? [])],
  };
}

/** Values of a document in lists: its own facts, and as many as its metadata, warnings and groups have commas. */
function weightOf(row: FoundRow): number {
  if (row.seal === undefined) return 1;
  let weight = 25;
  // What is damaged may be of any type.
  for (const json of [row.metadata, row.access, row.warnings].map((value) => String(value ?? '')))
    for (let at = json.indexOf(','); at !== -1; at = json.indexOf(',', at + 1)) weight++;
  return weight;
}
export function createDocumentList(scope: Scope, read: Reader) {
  const access = accessCondition(scope, 'd');
  return async (request: Parameters<DocumentRepository['list']>[0]): Promise<DocumentPage> => {
    const limit = toLimit(request);
    const isNewest = request.sort === 'newest';
    const order = isNewest ? newestFirst : byUri;
    const { ordered, columns } = order;
    const from = `FROM document AS d INDEXED BY ${order.index} WHERE d.tenant = ?`;
    const cursor = parseCursor(request, ['string', 'string', ...(isNewest ? (['string'] as const) : [])]);
    const keyAfter: Key | undefined = cursor && [String(cursor[0]), String(cursor[1])];
    const filter = request.filter && printFilter(request.filter, 'd');
    const pinned = request.filter && sourceOf(request.filter);
    const narrowed = { order, source: isNewest || (cursor && cursor[0] !== pinned) ? undefined : pinned };
    const inPieces = filter !== undefined || scope.principal.role !== 'admin';
    const sql = `SELECT ${documentColumns} ${from} AND ${access.sql}${filter ? ` AND ${filter.sql}` : ''}`;
    const parameters = [scope.tenant, ...access.parameters, ...(filter?.parameters ?? [])];
    const page = createPage<FoundRow>(limit, weightOf);
    const size = createPieceSize();
    let after: Key | undefined = keyAfter ?? (narrowed.source === undefined ? order.first : [narrowed.source, '']);
    /** The key of the last document of a piece; undefined for the piece that is the last. */
    const endOf = (database: DatabaseSync, { sql: range, parameters: bound }: Range): Key | undefined => {
      const [one, other] = columns;
      const row = database
        .prepare(`SELECT ${one} AS one, ${other} AS other ${from} AND ${range} ORDER BY ${ordered} LIMIT 1 OFFSET ?`)
        .get(scope.tenant, ...bound, size.documents - 1);
      return row && [String(row['one']), String(row['other'])];
    };
    // A filter can be long: it is compiled once, for pieces that end and for the last.
    const statements = new Map<string, StatementSync>();

    /** What of a piece was not taken yet: rows that cannot be read together are read one by one. */
    const takeOneByOne = (
      database: DatabaseSync,
      piece: { readonly after: Key; readonly last: Key | undefined },
    ): void => {
      const taken = page.rows.at(-1);
      const range = rangeOf(narrowed, taken ? order.keyOf(taken) : piece.after, piece.last);
      const rows = readDocumentRows(database, {
        where: `${access.sql}${filter ? ` AND ${filter.sql}` : ''} AND ${range.sql}`,
        order: ordered,
        parameters: [...access.parameters, ...(filter?.parameters ?? []), ...range.parameters],
        limit: limit + 1 - page.rows.length,
      });
      for (const row of rows) if (!page.take(row)) break;
    };

    const look = (database: DatabaseSync): void => {
      const begun = performance.now();
      for (let now = begun; after !== undefined && !page.isFull && now - begun < turnMs; ) {
        const last: Key | undefined = inPieces ? endOf(database, rangeOf(narrowed, after)) : undefined;
        const range = rangeOf(narrowed, after, last);
        // A bound LIMIT would have it compiled anew for each piece.
        const statement =
          statements.get(range.sql) ??
          withLargeIntegers(database.prepare(`${sql} AND ${range.sql} ORDER BY ${ordered}`));
        statements.set(range.sql, statement);
        const from = performance.now();
        try {
          for (const row of statement.iterate(...parameters, ...range.parameters)) {
            if (!page.take(row as unknown as DocumentRow)) break;
          }
        } catch (error) {
          if (toRecordError(error).code !== 'data-corrupt') throw error;
          takeOneByOne(database, { after, last });
        }
        after = last;
        now = performance.now();
        size.took(now - from);
      }
    };
    while (true) {
      request.signal?.throwIfAborted();
      await read(look);
      if (after === undefined || page.isFull) break;
      await nextTurn();
    }
    const broken: DamagedDocument[] = [];
    const found = toPage(page.rows, page.limit, {
      value(row) {
        if (isSound(row)) return toDocument(row);
        if (scope.principal.role === 'admin') broken.push(toDamaged(row));
        return undefined;
      },
      key: (row) => [...order.keyOf(row), ...(isNewest ? ['newest'] : [])],
    });
    const data = found.data.filter((document) => document !== undefined);
    return { ...found, data, ...(broken.length > 0 && { damaged: broken }) };
  };
}
