// What can become of the store in PostgreSQL from outside: no room or no rights in the middle of a batch, a user who owns but the schema, no pgvector at first, tables that
// somebody else drops or brings, and callers who give up.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDocument } from '../../../src/stores/delivered.ts';
import type { Store, StoreQuery } from '../../../src/stores/store.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { hasVectors, openStorePlace, type StorePlace } from '../../../testkit/postgres/store-place.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const programs = postgresPrograms();
const admin = scopeOf();
const space = 'fixed@2';
const vectors = { vectors: { space, dimensions: 2 } };

function written(name: string, text: string): StoreDocument {
  const facts = { id: `doc_${name}`, uri: `${name}.md`, title: '', language: 'en' };
  const { document, chunks } = createWrite(text, facts);
  return { document, chunks, vectors: Float32Array.from(chunks.flatMap(() => [1, 0])) };
}
/** More chunks than go in or out in one transaction with another document. */
const long = (name: string): StoreDocument =>
  written(name, 'The heron waits at the river until a fish comes by. '.repeat(12_000));

describe.skipIf(programs === undefined)('the store in PostgreSQL (skipped where no server is installed)', () => {
  let place: StorePlace;
  beforeAll(async () => {
    place = await openStorePlace(programs ?? '');
  }, 120_000);
  afterAll(() => place.close());
  const run = (sql: string, address = place.address) => place.server.run(address, sql);
  /** From now on the server says this whenever a document is written or goes. */
  const spoil = (schema: string, event: string, what: string) =>
    run(`CREATE FUNCTION ${schema}.spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${what}; RETURN coalesce(new, old); END $$;
      CREATE TRIGGER spoil BEFORE ${event} ON ${schema}.document FOR EACH ROW EXECUTE FUNCTION ${schema}.spoil()`);

  it('throws for the whole batch where the store runs out of room or rights within it', {
    timeout: 120_000,
  }, async () => {
    const schema = 'no_room';
    const store = place.open({ schema }).store(admin);
    await store.upsert([written('first', 'A crane stands.')]);
    const batch = [long('long'), written('late', 'An otter dives.')];
    expect(batch[0]?.chunks.length).toBeGreaterThan(2000);
    for (const [state, code] of [
      ['53100', 'quota-exceeded'],
      ['42501', 'config-invalid'],
    ] as const) {
      await spoil(schema, 'INSERT', `IF new.id = 'doc_late' THEN RAISE 'no' USING ERRCODE = '${state}'; END IF`);
      await expect(store.upsert(batch)).rejects.toMatchObject({ code });
      await run(`DROP FUNCTION ${schema}.spoil CASCADE`);
    }
    await spoil(schema, 'INSERT', `IF new.id = 'doc_late' THEN RAISE 'no' USING ERRCODE = '22003'; END IF`);
    const outcomes = await store.upsert(batch);
    expect(outcomes.map(({ error }) => error?.code)).toEqual([undefined, 'upstream-invalid']);
  });

  it('takes documents of many chunks out one after another', { timeout: 120_000 }, async () => {
    const schema = 'out';
    const store = place.open({ schema }).store(admin);
    await store.upsert([long('long'), written('late', 'An otter dives.')]);
    await spoil(schema, 'DELETE', "IF old.id = 'doc_late' THEN RAISE 'no' USING ERRCODE = '53100'; END IF");
    const gone = ['doc_long', 'doc_late', 'doc_none'].map((documentId) => ({ documentId }));
    await expect(store.delete(gone)).rejects.toMatchObject({ code: 'quota-exceeded' });
    expect(await run(`SELECT id FROM ${schema}.document`)).toEqual([{ id: 'doc_late' }]);
    await run(`DROP FUNCTION ${schema}.spoil CASCADE`);
    expect(await store.delete(gone)).toEqual(gone);
    expect(await store.health()).toMatchObject({ documents: 0, chunks: 0 });
  });

  it('takes a schema that its user owns, though that user may make none', async () => {
    const address = await place.server.createDatabase();
    await run("CREATE ROLE tenant LOGIN PASSWORD 'of-tenant'; CREATE SCHEMA own AUTHORIZATION tenant", address);
    const url = new URL(address);
    [url.username, url.password] = ['tenant', 'of-tenant'];
    const store = place.open({ address: url.href, schema: 'own' }).store(admin);
    expect(await store.upsert([written('one', 'A crane stands.')])).toEqual([{ documentId: 'doc_one' }]);
    expect(await store.health()).toMatchObject({ status: 'ok', documents: 1 });
    const without = place.open({ address: url.href, schema: 'another' }).store(admin);
    expect((await without.health()).detail).toContain('Grant it CREATE in the database');
  });

  it('is searched by words where pgvector can be made in no schema of its search_path', async () => {
    const address = await place.server.createDatabase();
    await run(`ALTER DATABASE ${new URL(address).pathname.slice(1)} SET search_path = nowhere`, address);
    const store = place.open({ address, ...vectors }).store(admin);
    await store.upsert([written('one', 'A crane stands.')]);
    expect(await store.health()).toMatchObject({ status: 'degraded', detail: expect.stringContaining('pgvector') });
    expect((await store.search({ text: 'crane', mode: 'lexical', limit: 5 })).hits).toHaveLength(1);
  });

  it('leaves tables of somebody else alone, whatever they are called', async () => {
    const schema = 'foreign_about';
    await run(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.about (mine text)`);
    const store = place.open({ schema }).store(admin);
    const told = { code: 'config-invalid', message: expect.stringContaining('tables of somebody else') };
    await expect(store.upsert([written('one', 'A crane stands.')])).rejects.toMatchObject(told);
    expect((await store.health()).detail).toContain('tables of somebody else');
  });

  describe.skipIf(!hasVectors(programs))('with pgvector (skipped where it is not installed)', () => {
    const documents = [written('one', 'A crane stands.'), written('two', 'A crane sleeps.')];
    const query: StoreQuery = { text: 'crane', mode: 'hybrid', limit: 5, vector: Float32Array.of(1, 0), space };
    const seen = async (store: Store, mode: StoreQuery['mode']) => {
      const { hits, degraded } = await store.search({ ...query, mode });
      return [hits.length, ...degraded.map(({ code }) => code)];
    };
    /** What stands there is what was brought. */
    const isWhole = async (store: Store): Promise<boolean> => {
      const wanted: unknown[] = [];
      for (const one of documents) wanted.push(await store.inventory?.hashOf(one));
      return (await store.inventory?.held())?.every(({ hash }) => wanted.includes(hash)) === true;
    };

    async function expectBrought(store: Store): Promise<void> {
      expect(await store.health()).toMatchObject({
        status: 'degraded',
        detail: expect.stringMatching(/2 chunks .* reconcile/u),
      });
      expect(await isWhole(store)).toBe(false);
      expect(await seen(store, 'vector')).toEqual([0, 'not-delivered']);
      expect(await seen(store, 'hybrid')).toEqual([2, 'not-delivered']);
      await store.upsert(documents.slice(1));
      expect(await seen(store, 'vector')).toEqual([1, 'not-delivered']);
      await store.upsert(documents);
      expect(await store.health()).toMatchObject({ status: 'ok' });
      expect(await isWhole(store)).toBe(true);
      for (const mode of ['vector', 'hybrid'] as const) expect(await seen(store, mode)).toEqual([2]);
    }

    it('tells what came before pgvector did, until it is brought anew', async () => {
      const address = await place.server.createDatabase();
      await run("CREATE ROLE early LOGIN PASSWORD 'of-early'; CREATE SCHEMA early AUTHORIZATION early", address);
      const url = new URL(address);
      [url.username, url.password] = ['early', 'of-early'];
      const store = place.open({ address: url.href, schema: 'early', ...vectors }).store(admin);
      await store.upsert(documents);
      expect(await isWhole(store)).toBe(true);
      expect(await seen(store, 'hybrid')).toEqual([2, 'unsupported']);
      await run('CREATE EXTENSION vector', address);
      await expectBrought(store);
    });

    it('makes the index of neighbours behind a delivery, and tells where that fails', async () => {
      const address = await place.server.createDatabase();
      const stores = place.open({ address, schema: 'indexed', exactRows: 1, ...vectors });
      const store = stores.store(admin);
      await store.upsert(documents.slice(1));
      await run(
        `CREATE FUNCTION no_room() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '53100'; END $$;
          CREATE EVENT TRIGGER no_room ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION no_room()`,
        address,
      );
      expect(await store.upsert(documents)).toHaveLength(2);
      await stores.indexed();
      expect(await store.health()).toMatchObject({
        status: 'degraded',
        detail: expect.stringMatching(/index of neighbours could not be made.* no disk left/u),
      });
      expect(await seen(store, 'vector')).toEqual([2]);
      await run('DROP EVENT TRIGGER no_room', address);
      // Nobody makes an index while somebody writes.
      const other = new pg.Client({ connectionString: address });
      await other.connect();
      const [{ name } = {}] = await run('SELECT name FROM indexed.space', address);
      await other.query(`BEGIN; LOCK TABLE indexed."${name}" IN ROW EXCLUSIVE MODE`);
      const given = new AbortController();
      expect(await store.upsert(documents, given.signal)).toHaveLength(2);
      given.abort();
      const indexes = () => run("SELECT 1 FROM pg_indexes WHERE indexdef LIKE '%hnsw%'", address);
      expect(await indexes()).toEqual([]);
      await other.end();
      await stores.indexed();
      expect(await indexes()).toHaveLength(1);
      expect(await store.health()).toMatchObject({ status: 'ok' });
      // Nothing is delivered any more, and the index is gone.
      await run(`DROP INDEX indexed."${name}_near"`, address);
      expect(await seen(store, 'vector')).toEqual([2]);
      await stores.indexed();
      expect(await indexes()).toHaveLength(1);
    });

    it('goes on where somebody dropped its vectors, and tells what lacks them', async () => {
      const address = await place.server.createDatabase();
      const store = place.open({ address, schema: 'dropped', ...vectors }).store(admin);
      await store.upsert(documents);
      const [{ name } = {}] = await run('SELECT name FROM dropped.space', address);
      await run(`DROP TABLE dropped."${name}"`, address);
      await expectBrought(store);
      await run('DROP EXTENSION vector CASCADE', address);
      expect(await seen(store, 'hybrid')).toEqual([2, 'unsupported']);
      expect(await store.health()).toMatchObject({ status: 'degraded', detail: expect.stringContaining('pgvector') });
      await run('CREATE EXTENSION vector', address);
      await expectBrought(store);
      await run('DROP EXTENSION vector CASCADE', address);
      await expect(store.upsert([written('three', 'A heron waits.')])).rejects.toMatchObject({
        code: 'upstream-unavailable',
      });
      expect(await store.upsert([written('three', 'A heron waits.')])).toEqual([{ documentId: 'doc_three' }]);
    });
  });
});
