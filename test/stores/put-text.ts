// A document in the record and in the embedded store, in one transaction, as ingestion writes both.
import type { SqliteRecordDatabase } from '../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded/embedded-store.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';

type Facts = NonNullable<Parameters<typeof createWrite>[1]>;

/** Without a title, in English unless told otherwise: only the words of the text are found. */
export async function putText(
  database: SqliteRecordDatabase,
  { id, text, ...facts }: Facts & { readonly id: string; readonly text: string },
): Promise<void> {
  const scope = scopeOf();
  const write = createWrite(text, { id, uri: `${id}.md`, title: '', language: 'en', ...facts });
  await database
    .forScope(scope)
    .commit([{ kind: 'put-document', write }, createEmbeddedStore({ database, scope }).entries.put([write])]);
}
