// Pages of documents that a filter leaves. Invariant: the event loop is held for milliseconds at a time whatever the filter and however many
// documents there are: they are looked at in pieces, in the order of the list, until the page is full or its deadline has come.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DocumentRecord } from '../core/document.ts';
import type { Scope } from '../core/scope.ts';
import type { Filter } from '../core/search.ts';
import { type DocumentRow, documentColumns, toDocument } from './document-rows.ts';
import type { Reader } from './documents-sqlite.ts';
import { accessCondition, printFilter, type SqlParameter } from './filter-sql.ts';
import { createPage, parseCursor, toLimit, toPage } from './paging.ts';
import { createPieceSize } from './piece-size.ts';
import type { DocumentRepository, PageOf } from './record.ts';

type Key = readonly [source: string, uri: string];

/** What a list is narrowed to before its filter is looked at. */
interface Range {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

/** Longest piece of work in one turn. */
const turnMs = 4;

/** The one source that documents must be of, where the filter says so in the first place. */
function sourceOf(filter: Filter): string | undefined {
  if (filter.op === 'eq' && filter.field === 'source' && typeof filter.value === 'string')
    return filter.value.toWellFormed();
  if (filter.op !== 'and') return undefined;
  return filter.filters.map(sourceOf).find((source) => source !== undefined);
}

function rangeOf(source: string | undefined, after: Key, upTo?: Key): Range {
  if (source !== undefined)
    return {
      sql: `d.source = ? AND d.uri > ?${upTo ? ' AND d.uri <= ?' : ''}`,
      parameters: [source, after[1], ...(upTo ? [upTo[1]] : [])],
    };
  return {
    sql: `(d.source, d.uri) > (?, ?)${upTo ? ' AND (d.source, d.uri) <= (?, ?)' : ''}`,
    parameters: [...after, ...(upTo ?? [])],
  };
}

/** Values of a document in lists: its own facts, and as many as its metadata, warnings and groups have commas. */
function weightOf({ metadata, access, warnings }: DocumentRow): number {
  let weight = 25;
  for (const json of [metadata, access ?? '', warnings])
    for (let at = json.indexOf(','); at !== -1; at = json.indexOf(',', at + 1)) weight++;
  return weight;
}

export function createDocumentList(scope: Scope, read: Reader) {
  const access = accessCondition(scope, 'd');
  // By the key of the list: the planner would prefer any other index, and sort.
  const from = `FROM document AS d INDEXED BY sqlite_autoindex_document_2 WHERE d.tenant = ?`;
  const order = 'ORDER BY d.source, d.uri';

  /** The key of the last document of a piece; undefined for the piece that is the last. */
  function endOf(database: DatabaseSync, { sql, parameters }: Range, documents: number): Key | undefined {
    const row = database
      .prepare(`SELECT d.source, d.uri ${from} AND ${sql} ${order} LIMIT 1 OFFSET ?`)
      .get(scope.tenant, ...parameters, documents - 1);
    return row && [String(row['source']), String(row['uri'])];
  }

  return async (request: Parameters<DocumentRepository['list']>[0]): Promise<PageOf<DocumentRecord>> => {
    const limit = toLimit(request);
    const cursor = parseCursor(request, ['string', 'string']) as Key | undefined;
    const filter = request.filter && printFilter(request.filter, 'd');
    const pinned = request.filter && sourceOf(request.filter);
    const source = cursor && cursor[0] !== pinned ? undefined : pinned;
    const inPieces = filter !== undefined || scope.principal.role !== 'admin';
    const sql = `SELECT ${documentColumns} ${from} AND ${access.sql}${filter ? ` AND ${filter.sql}` : ''}`;
    const parameters = [scope.tenant, ...access.parameters, ...(filter?.parameters ?? [])];
    const page = createPage<DocumentRow>(limit, weightOf);
    const size = createPieceSize();
    let after: Key | undefined = cursor ?? [source ?? '', ''];
    // A filter can be long: it is compiled once, for pieces that end and for the last.
    const statements = new Map<string, StatementSync>();

    const look = (database: DatabaseSync): void => {
      const begun = performance.now();
      for (let now = begun; after !== undefined && !page.isFull && now - begun < turnMs; ) {
        const last: Key | undefined = inPieces ? endOf(database, rangeOf(source, after), size.documents) : undefined;
        const range = rangeOf(source, after, last);
        // A bound LIMIT would have it compiled anew for each piece.
        const statement = statements.get(range.sql) ?? database.prepare(`${sql} AND ${range.sql} ${order}`);
        statements.set(range.sql, statement);
        const from = performance.now();
        for (const row of statement.iterate(...parameters, ...range.parameters)) {
          if (!page.take(row as unknown as DocumentRow)) break;
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
    return toPage(page.rows, page.limit, { value: toDocument, key: (row) => [row.source, row.uri] });
  };
}
