// Which chunks stand in a collection: of some documents, or all of them, by id and stamp alone.
import type { HeldRow } from '../inventory.ts';
import type { FirestoreConnection } from './connection.ts';

/** Rows of one request. */
const pageRows = 500;

interface Listing {
  readonly documentIds: readonly string[];
  readonly signal: AbortSignal | undefined;
}

export async function listed(
  connection: FirestoreConnection,
  name: string,
  { documentIds, signal }: Listing,
): Promise<readonly { readonly id: string; readonly stamp: unknown }[]> {
  return connection.call(async (collection) => {
    const found = await collection(name)
      .where('documentId', 'in', [...documentIds])
      .select('stamp')
      .get();
    return found.docs.map((one) => ({ id: one.id, stamp: one.get('stamp') as unknown }));
  }, signal);
}

export async function allRows(
  connection: FirestoreConnection,
  name: string,
  signal: AbortSignal | undefined,
): Promise<readonly HeldRow[]> {
  const found: HeldRow[] = [];
  for (;;) {
    const after = found.at(-1);
    const page = await connection.call(async (collection, { FieldPath }) => {
      const query = collection(name).orderBy(FieldPath.documentId()).select('documentId', 'stamp').limit(pageRows);
      const { docs } = await (after === undefined ? query : query.startAfter(after.key)).get();
      return docs.map((one) => ({
        key: one.id,
        documentId: String(one.get('documentId')),
        stamp: String(one.get('stamp')),
      }));
    }, signal);
    found.push(...page);
    if (page.length < pageRows) return found;
  }
}
