// What the embedded store promises beyond the port: it lives in the record's file, and what is deleted is gone from it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../src/db/sqlite.ts';
import { createEmbeddedStore } from '../../src/stores/embedded.ts';
import { createWrite, scopeOf, temporaryFolder } from '../db/record-fixture.ts';

const admin = scopeOf();
let place: ReturnType<typeof temporaryFolder>;
let database: SqliteRecordDatabase;
beforeEach(() => {
  place = temporaryFolder();
  database = openSqliteRecord({ folder: place.folder });
});
afterEach(async () => {
  await database.close();
  place.remove();
});

async function put(id: string, text: string, language = 'en'): Promise<void> {
  const write = createWrite(text, { id, uri: `${id}.md`, title: '', language });
  await database.forScope(admin).transact((transaction) => {
    transaction.putDocument(write);
    createEmbeddedStore({ database, scope: admin }).within?.(transaction).upsert([write]);
  });
}

async function remove(id: string): Promise<void> {
  await database.forScope(admin).transact((transaction) => {
    createEmbeddedStore({ database, scope: admin }).within?.(transaction).delete([id]);
    transaction.deleteDocument(id);
  });
}

const bytesOnDisk = (): string =>
  readdirSync(place.folder)
    .map((name) => readFileSync(join(place.folder, name), 'latin1'))
    .join('');

describe('embedded store', () => {
  it('finds the same after the folder was closed and opened again', async () => {
    await put('otter', 'An otter swims.');
    const search = () =>
      createEmbeddedStore({ database, scope: admin }).search({ text: 'otters', mode: 'lexical', limit: 5 });
    const before = await search();
    expect(before.hits).toHaveLength(1);
    await database.close();
    database = openSqliteRecord({ folder: place.folder });
    expect(await search()).toEqual(before);
  });

  it('leaves no trace of a deleted document in the file', async () => {
    for (let index = 0; index < 20; index++) await put(`d${index}`, `Document ${index} tells of otters and herons.`);
    await put('secret', 'The zanzibarquux is here, and the xylomorphic one too.');
    expect(bytesOnDisk()).toContain('zanzibarquux');
    await remove('secret');
    await database.write((connection) => connection.prepare('SELECT 1').get());
    await database.close();
    const left = bytesOnDisk();
    expect(left).toContain('heron');
    for (const canary of ['zanzibarquux', 'xylomorph']) expect(left).not.toContain(canary);
    database = openSqliteRecord({ folder: place.folder });
  });

  it('keeps an index that SQLite finds sound through many revisions', async () => {
    for (let round = 0; round < 3; round++)
      for (let index = 0; index < 30; index++)
        await put(`d${index}`, `Revision ${round} of ${index}: ${'the otter dives '.repeat((index + round) % 5)}`);
    for (let index = 0; index < 30; index += 3) await remove(`d${index}`);
    expect(await database.check()).toEqual([]);
    const store = createEmbeddedStore({ database, scope: admin });
    expect(await store.health()).toMatchObject({ documents: 20 });
    expect((await store.search({ text: 'revision', mode: 'lexical', limit: 100 })).hits).toHaveLength(
      (await store.health()).chunks,
    );
  });

  it('looks a query up in the languages that the index holds, and forgets those it no longer does', async () => {
    await put('en', 'The houses were built.');
    await put('de', 'Die alten Häuser wurden gebaut.', 'de');
    const store = createEmbeddedStore({ database, scope: admin });
    const find = async (text: string) =>
      (await store.search({ text, mode: 'lexical', limit: 5, explain: true })).hits.map((hit) => [
        hit.documentId,
        hit.explanation?.terms.map((term) => term.term),
      ]);
    expect(await find('Häuser')).toEqual([['de', ['haus']]]);
    expect(await find('houses')).toEqual([['en', ['hous']]]);
    await remove('de');
    expect(await find('Häuser')).toEqual([]);
  });
});
