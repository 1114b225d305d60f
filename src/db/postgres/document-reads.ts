// Conditions and columns of reads of documents. Invariant: every query holds the access condition of the scope, and every row is checked
// against its seal before anything of it is believed.
import { sha256 } from '../../core/ids.ts';
import { accessNames, type Scope } from '../../core/scope.ts';
import type { Part } from '../both/uploads.ts';
import { chunkColumns, type DocumentRow, documentColumns } from '../document-rows.ts';
import { type Existing, toExisting } from '../write-rules.ts';
import type { Connection, Value } from './client/client.ts';

export interface Condition {
  readonly sql: string;
  /** Of `$1` and on. */
  readonly values: readonly Value[];
}

/** The rows of `document AS d` that the scope may read. */
export function accessCondition({ tenant, principal }: Scope): Condition {
  if (principal.role === 'admin') return { sql: 'd.tenant = $1', values: [tenant] };
  const names = accessNames(principal);
  const readable = 'd.tenant = $1 AND (d.readers IS NULL OR d.readers && $2::text[])';
  return principal.sources === undefined
    ? { sql: readable, values: [tenant, names] }
    : { sql: `${readable} AND d.source = ANY($3)`, values: [tenant, names, principal.sources] };
}

/** The same for statements that both databases take. */
export function accessPart(scope: Scope): Part {
  const { sql, values } = accessCondition(scope);
  return {
    sql: values.reduce<string>((text, _, at) => text.replace(`$${at + 1}`, '?'), sql),
    parameters: values as Part['parameters'],
  };
}

export interface HeldDocument extends Existing {
  readonly row: DocumentRow;
}

/** Documents of a tenant by id, or by source and uri, whoever may read them. */
export async function findExisting(
  connection: Connection,
  tenant: string,
  { ids, places }: { readonly ids: readonly string[]; readonly places: readonly (readonly [string, string])[] },
): Promise<readonly HeldDocument[]> {
  if (ids.length === 0 && places.length === 0) return [];
  const sql = `SELECT ${documentColumns} FROM document AS d WHERE d.tenant = $1 AND d.id = ANY($2)
    UNION SELECT ${documentColumns} FROM unnest($3::text[], $4::text[]) AS p (source, uri_hash)
    JOIN document AS d ON d.tenant = $1 AND d.source = p.source AND d.uri_hash = p.uri_hash`;
  const values = [tenant, ids, places.map(([source]) => source), places.map(([, uri]) => sha256(uri))];
  return (await connection.rows<DocumentRow>(sql, values)).map((row) => ({ ...toExisting(row), row }));
}

/** Of a chunk and of its document in one statement, so that both are of one moment: the values of a row are what `chunkRowFrom` and `documentRowFrom` take. */
export const chunkAndDocumentColumns = `${chunkColumns}, ${documentColumns.replaceAll(/d\.(\w+)/gu, '$& AS d_$1')}`;

/** In the order of addresses, by the index of their beginnings. */
export const uriOrder = 'left(d.uri, 200), d.uri';

export { chunkColumns, documentColumns };
