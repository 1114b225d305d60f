// The store in PostgreSQL within the whole program: documents are delivered to it, searched in it, taken out of it and put right in it, with vectors of a
// provider that counts words; and it exists only where somebody asked for it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import { examineLive } from '../../../src/footnote/live/examine-live.ts';
import { openStores } from '../../../src/footnote/stores.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../../testkit/postgres/server.ts';
import { hasVectors } from '../../../testkit/postgres/store-place.ts';
import { openWordEmbeddings, type WordEmbeddings } from '../../../testkit/word-embeddings.ts';

const programs = postgresPrograms();
const schema = 'footnote_store';

describe.skipIf(programs === undefined)('the store in PostgreSQL (skipped where no server is installed)', () => {
  let server: PostgresServer;
  let provider: WordEmbeddings;
  let folder: string;
  let address: string;
  let opened: OpenedFootnote | undefined;
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    provider = await openWordEmbeddings();
  }, 120_000);
  afterAll(async () => {
    await provider.close();
    server.remove();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-postgres-store-'));
    address = await server.createDatabase();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const configOf = (more: Readonly<Record<string, string>> = {}) =>
    loadConfig({
      folder,
      environment: {
        HOME: folder,
        FOOTNOTE_DATA: join(folder, 'data'),
        DATABASE_URL: address,
        VECTOR_STORE: 'postgres',
        OPENAI_BASE_URL: provider.address,
        MODEL_EMBED: 'compatible:words',
        ...more,
      },
    });
  async function open(more: Readonly<Record<string, string>> = {}): Promise<void> {
    await opened?.close();
    opened = await openFootnote(configOf(more));
  }
  const footnote = () => (opened as OpenedFootnote).forScope(localScope());
  const add = async (uri: string, text: string): Promise<string> =>
    (await footnote().documents.add({ uri, title: uri, text }))[0]?.id ?? '';
  const settle = () => (opened as OpenedFootnote).settle('default');
  const search = (query: string, mode: 'embedded' | 'vector' | 'hybrid') => footnote().search({ query, mode });
  const status = async () => (await footnote().stores.list()).find(({ name }) => name === 'postgres');
  const sql = (text: string) => server.run(address, text);
  const tablesOf = async (name: string): Promise<readonly unknown[]> =>
    (await sql(`SELECT tablename FROM pg_tables WHERE schemaname = '${name}' ORDER BY 1`)).map(
      (row) => row['tablename'],
    );
  const heronText = 'The heron waits at the river for fish.';

  it('exists where its address does, and says what is missing where it is asked for without one', async () => {
    const documents = () => ({ list: () => Promise.reject(new Error('The record is not asked.')) });
    expect(await openStores(loadConfig({ folder, environment: { HOME: folder } }), documents)).toEqual([]);
    for (const named of [{}, { VECTOR_STORE: 'postgres' }, { DATABASE_SCHEMA: 'mine' }]) {
      const asked = loadConfig({ folder, environment: { HOME: folder, DATABASE_URL: address, ...named } });
      const [store, ...more] = await openStores(asked, documents);
      expect([store?.name, more]).toEqual(['postgres', []]);
      store?.close();
      if (Object.keys(named).length === 0) continue;
      const without = loadConfig({ folder, environment: { HOME: folder, ...named } });
      await expect(openStores(without, documents)).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining('DATABASE_URL is not'),
      });
    }
    for (const name of ['1a', 'a b', 'a"b', 'x'.repeat(64)])
      expect(() => loadConfig({ folder, environment: { HOME: folder, DATABASE_SCHEMA: name } })).toThrow(
        /DATABASE_SCHEMA/u,
      );
    expect(await tablesOf(schema)).toEqual([]);
  });

  describe.skipIf(!hasVectors(programs))('with pgvector (skipped where it is not installed)', () => {
    it('is delivered to and searched by words and meaning, beside the one inside the record', async () => {
      await open();
      const heron = await add('heron.md', heronText);
      await add('tram.md', 'The tram leaves every ten minutes.');
      await settle();
      expect(await status()).toMatchObject({
        status: 'ok',
        coverage: 1,
        documents: 2,
        chunks: 2,
        modes: ['embedded', 'vector', 'hybrid'],
      });
      const near = await search('heron river', 'vector');
      expect(near.results[0]).toMatchObject({ documentId: heron, stores: ['postgres'] });
      const joined = await search('heron at the river', 'hybrid');
      expect(joined.results[0]).toMatchObject({ documentId: heron, stores: ['embedded', 'postgres'] });
      expect([near.degraded, joined.degraded]).toEqual([[], []]);
      const answer = await footnote().ask({ question: 'Where does the heron wait?', mode: 'vector' });
      expect(answer.citations[0]?.quote).toBe(heronText);
    });

    it('keeps nothing of a document that was deleted, words and vectors included', async () => {
      await open();
      const heron = await add('heron.md', 'The heron Quillfeather waits at the river.');
      await add('tram.md', 'The tram leaves every ten minutes at the river.');
      await settle();
      const held = () => sql(`SELECT term FROM ${schema}.posting WHERE term LIKE 'quillf%'`);
      expect(await held()).toHaveLength(1);
      await footnote().documents.delete(heron);
      await settle();
      expect(await held()).toEqual([]);
      const [space] = await sql(`SELECT name FROM ${schema}.space`);
      expect(await sql(`SELECT 1 FROM ${schema}.${space?.['name']}`)).toHaveLength(1);
      expect(await status()).toMatchObject({ documents: 1, chunks: 1, coverage: 1 });
      expect(
        (await search('heron Quillfeather', 'vector')).results.every(({ documentId }) => documentId !== heron),
      ).toBe(true);
    });

    it('gets everything anew with another model, whose vectors take the place of the first', async () => {
      await open();
      const heron = await add('heron.md', heronText);
      await settle();
      const spaces = async () => (await tablesOf(schema)).filter((name) => String(name).startsWith('vector_'));
      const before = await spaces();
      await open({ MODEL_EMBED: 'compatible:others' });
      await settle();
      const after = await spaces();
      expect([before.length, after.length]).toEqual([1, 1]);
      expect(after).not.toEqual(before);
      expect((await search('heron river', 'vector')).results[0]).toMatchObject({
        documentId: heron,
        stores: ['postgres'],
      });
    });

    it('is put right where somebody changed what it holds', async () => {
      await open();
      for (const name of ['heron', 'tram', 'otter']) await add(`${name}.md`, `The ${name} is here, and waits.`);
      await settle();
      const [space] = await sql(`SELECT name FROM ${schema}.space`);
      await sql(`DELETE FROM ${schema}.${space?.['name']} WHERE chunk = 0`);
      await sql(`UPDATE ${schema}.chunk SET stamp = 'another' WHERE number = 1`);
      await sql(`UPDATE ${schema}.document SET id = 'doc_orphan' WHERE number = 3`);
      const looked = await footnote().stores.reconcile('postgres', { dryRun: true });
      expect(looked).toMatchObject({ stale: 2, missing: 1, orphans: 1 });
      const mended = await footnote().stores.reconcile('postgres', {});
      expect(mended).toMatchObject({ delivered: 4, failed: 0 });
      expect(await footnote().stores.reconcile('postgres', { dryRun: true })).toMatchObject({
        stale: 0,
        missing: 0,
        orphans: 0,
      });
      expect(await status()).toMatchObject({ documents: 3, chunks: 3 });
    });

    it('keeps its promises in a scratch schema, which is gone afterwards', async () => {
      const found = await examineLive(configOf(), { signal: new AbortController().signal });
      expect(found).toEqual([
        { area: 'live postgres', state: 'ok', detail: expect.stringMatching(/^23 of 23 promises are kept; 3 are not/) },
      ]);
      expect(await sql("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'footnote%'")).toEqual([]);
    });
  });

  it('is searched by words where its user may not make pgvector, and says what is missing', async () => {
    await sql("CREATE ROLE plain LOGIN PASSWORD 'plain-secret'");
    await sql(`GRANT CREATE ON DATABASE ${new URL(address).pathname.slice(1)} TO plain`);
    const plain = new URL(address);
    [plain.username, plain.password] = ['plain', 'plain-secret'];
    await open({ DATABASE_URL: plain.href });
    const heron = await add('heron.md', heronText);
    await settle();
    expect(await status()).toMatchObject({
      status: 'degraded',
      coverage: 1,
      detail: expect.stringContaining('pgvector'),
    });
    const joined = await search('heron river', 'hybrid');
    expect(joined.results[0]).toMatchObject({ documentId: heron, stores: ['embedded', 'postgres'] });
    const near = await search('heron river', 'vector');
    expect(near.results[0]).toMatchObject({ documentId: heron, stores: ['embedded'] });
    for (const { degraded } of [joined, near])
      expect(degraded).toContainEqual(expect.objectContaining({ component: 'postgres', code: 'unsupported' }));
  });

  it('tells what is wrong with an address without telling it, and leaves a schema of somebody else alone', async () => {
    const wrong = (change: (url: URL) => void): string => {
      const url = new URL(address);
      change(url);
      return url.href;
    };
    const refused = [
      wrong((url) => (url.password = 'swordfish-secret')),
      wrong((url) => (url.password = '')),
      wrong((url) => url.searchParams.set('sslmode', 'verify-full')),
      wrong((url) => (url.pathname = '/none')),
    ];
    for (const [at, one] of refused.entries()) {
      await open({ DATABASE_URL: one });
      await add(`heron${at}.md`, heronText);
      await settle();
      const told = JSON.stringify([await status(), await search('heron', 'vector')]);
      expect(told, String(at)).toMatch(/Check user, password, database and sslmode in DATABASE_URL/u);
      expect(told).not.toMatch(/swordfish|granary/u);
    }
    await sql('CREATE SCHEMA theirs; CREATE TABLE theirs.document (mine text)');
    await open({ DATABASE_SCHEMA: 'theirs' });
    await settle();
    expect((await status())?.detail).toMatch(/tables of somebody else/u);
    expect(await tablesOf('theirs')).toEqual(['document']);
    await expect(open({ DATABASE_URL: 'swordfish-secret' })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.not.stringContaining('swordfish'),
    });
  });
});
