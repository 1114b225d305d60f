// What is written out for Firestore by ourselves against what the official client sends for the same fields, both to the stand-in.
import { FieldValue, Firestore } from '@google-cloud/firestore';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFirestoreStores } from '../../../src/stores/firestore/firestore-store.ts';
import { fieldOf } from '../../../src/stores/firestore/rows.ts';
import { type FirestoreRest, openFirestoreRest } from '../../../testkit/firestore-rest.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const vectors = { space: 'fixed@4', dimensions: 4 };
const numbers = [0.1, -1e-30, 0, 3.4e38];
const texts = ['Plain.', 'A "quote", a \\ and a , too: {"doubleValue":1},\u2028\u0000', 'Größe 東京 \u{1F9EA}'];

let service: FirestoreRest;
beforeEach(async () => {
  service = await openFirestoreRest();
});
afterEach(() => service.close());

interface Sent {
  readonly path: string;
  readonly writes: readonly unknown[];
}

const commits = (): readonly Sent[] =>
  service.server.requests
    .filter(({ path }) => path.includes(':commit'))
    .map(({ path, body }) => ({ path, writes: (JSON.parse(body.toString()) as { writes: unknown[] }).writes }));

/** As the official client sends it. */
async function sentByClient(rows: readonly (readonly [id: string, fields: object])[], gone: string): Promise<Sent> {
  const database = new Firestore({
    projectId: 'demo',
    host: service.host,
    ssl: false,
    preferRest: true,
    fallback: 'rest',
    authClient: {
      universeDomain: 'googleapis.com',
      getRequestHeaders: async () => new Headers(),
      fetch: (url: string, init: RequestInit) => {
        const headers = new Headers(init.headers);
        headers.set('authorization', 'Bearer owner');
        return fetch(url, { ...init, headers });
      },
    },
  } as ConstructorParameters<typeof Firestore>[0]);
  const batch = database.batch();
  for (const [id, fields] of rows) batch.set(database.collection('footnote').doc(id), fields);
  batch.delete(database.collection('footnote').doc(gone));
  await batch.commit();
  return commits().at(-1) as Sent;
}

it('writes what the official client would', async () => {
  const stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors });
  const store = stores.store(scopeOf());
  const written = texts.map((text, at) => {
    const { document, chunks } = createWrite(text, { id: `doc_${at}`, uri: `${at}.md`, access: ['ada', 'team'] });
    return { document, chunks, vectors: Float32Array.from(chunks.flatMap(() => numbers)) };
  });
  await store.upsert(written);
  const [own] = commits();
  const rows = [...service.documents('footnote')].map(([id, { [fieldOf(vectors)]: vector, ...fields }]) => {
    const near = { [fieldOf(vectors)]: FieldValue.vector(vector as number[]) };
    return [id, { ...fields, ...near }] as const;
  });
  expect(rows).toHaveLength(texts.length);
  await store.delete([{ documentId: 'doc_0' }]);
  const removed = commits()[1];
  stores.close();

  const client = await sentByClient(rows, rows[0]?.[0] ?? '');
  expect(own).toEqual({ path: client.path, writes: client.writes.slice(0, -1) });
  expect(removed).toEqual({ path: client.path, writes: client.writes.slice(-1) });
});
