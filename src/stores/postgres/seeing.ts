// What one search sees: a tenant as it stands at that moment, and the condition that the caller's access and filter make of a document.
import type { Scope } from '../../core/scope.ts';
import type { Filter } from '../../core/search.ts';
import type { Connection } from '../../db/postgres/client/client.ts';
import type { CursorPlace } from '../cursor.ts';
import { printAccess, printFilter } from './filter-sql.ts';
import type { Tables } from './tables.ts';
import { createValues, type Values } from './values.ts';

export interface SeenTenant {
  readonly number: number;
  readonly documents: number;
  /** Documents with an access list. */
  readonly closed: number;
  readonly chunks: number;
  /** Of all chunks, in terms. */
  readonly length: number;
  readonly languages: Readonly<Record<string, number>>;
}

export interface Seeing {
  readonly tables: Tables;
  readonly tenant: SeenTenant;
  readonly values: Values;
  /** Over a document `d`; undefined: every one may be seen. */
  readonly condition: string | undefined;
}

/** Where a page begins, and how many hits it may give. */
export interface Reach {
  readonly after: CursorPlace | undefined;
  readonly wanted: number;
}

export interface Found {
  readonly chunkId: string;
  readonly documentId: string;
  readonly score: number;
}

/** Undefined where nothing was delivered of the tenant. */
export async function tenantIn(
  connection: Pick<Connection, 'rows'>,
  tables: Tables,
  name: string,
): Promise<SeenTenant | undefined> {
  const [row] = await connection.rows<SeenTenant>(
    `SELECT number, documents, closed, chunks, length, languages FROM ${tables.tenant} WHERE name = $1`,
    [name],
  );
  return row;
}

/** Throws `invalid-request` for a filter that cannot mean anything. */
export function see(
  tenant: SeenTenant,
  { tables, scope, filter }: { readonly tables: Tables; readonly scope: Scope; readonly filter: Filter | undefined },
): Seeing {
  const values = createValues();
  const parts = [
    tenant.closed > 0 ? printAccess(scope.principal, values) : undefined,
    filter && printFilter(filter, values),
  ].filter((part) => part !== undefined);
  return { tables, tenant, values, condition: parts.length === 0 ? undefined : parts.join(' AND ') };
}

/**
 * As a table: of all rows of `from` the best `most` and what scores as the last of them; behind the place where a page ended, those of the rows from
 * its score on, so that what was written before it meanwhile takes nobody's place.
 */
export function bestSql(
  { bind }: Values,
  {
    from,
    score,
    after,
    most,
  }: Pick<Reach, 'after'> & { readonly from: string; readonly score: string; readonly most: number },
): string {
  const best = (where: string): string =>
    `(SELECT * FROM ${from} ${where} ORDER BY ${score} DESC FETCH FIRST (${bind(most)}::int) ROWS WITH TIES)`;
  if (after === undefined) return best('');
  const bound = `${bind(after.score)}::float8`;
  return `(SELECT * FROM ${from} WHERE ${score} = ${bound} UNION ALL ${best(`WHERE ${score} < ${bound}`)})`;
}

/** What follows the place where a page ended, of rows with their score and chunk. */
export function behindSql({ bind }: Values, after: CursorPlace | undefined): string {
  if (after === undefined) return '';
  const score = `${bind(after.score)}::float8`;
  return `WHERE score < ${score} OR (score = ${score} AND "chunkId" > ${bind(after.chunkId)}::text)`;
}
