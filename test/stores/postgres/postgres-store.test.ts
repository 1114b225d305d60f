// What the store in PostgreSQL does beyond the promises of every store: pages of joined lists, its index of neighbours, documents of many blocks, texts with
// every character, and what it leaves as it stands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/core/scope.ts';
import type { StoreDocument } from '../../../src/stores/delivered.ts';
import type { Store, StoreHit, StoreQuery } from '../../../src/stores/store.ts';
import { createRandom } from '../../../testkit/history.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { hasVectors, openStorePlace, type StorePlace } from '../../../testkit/postgres/store-place.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const programs = postgresPrograms();
const admin = scopeOf();
const space = 'fixed@8';
const vectors = { vectors: { space, dimensions: 8 } };

type Facts = Parameters<typeof createWrite>[1];
function written(name: string, text: string, facts: Facts = {}): StoreDocument {
  const { document, chunks } = createWrite(text, {
    id: `doc_${name}`,
    uri: `${name}.md`,
    title: '',
    language: 'en',
    ...facts,
  });
  return { document, chunks };
}
const vectorOf = ({ next }: ReturnType<typeof createRandom>, dimensions = 8): Float32Array =>
  Float32Array.from({ length: dimensions }, () => next() - 0.5);
const near = (one: StoreDocument, vector: Float32Array): StoreDocument => ({
  ...one,
  vectors: Float32Array.from(one.chunks.flatMap(() => [...vector])),
});

async function paged(store: Store, query: StoreQuery): Promise<readonly StoreHit[]> {
  const hits: StoreHit[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.search({ ...query, ...(cursor !== undefined && { cursor }) });
    hits.push(...page.hits);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return hits;
}

describe.skipIf(programs === undefined)('the store in PostgreSQL (skipped where no server is installed)', () => {
  let place: StorePlace;
  beforeAll(async () => {
    place = await openStorePlace(programs ?? '');
  }, 120_000);
  afterAll(() => place.close());
  const run = (sql: string) => place.server.run(place.address, sql);

  it('keeps texts with every character, and takes the last of two documents of one id', async () => {
    const store = place.open({ schema: 'characters' }).store(admin);
    const odd = 'a\u0000b\u0001 \ud800 {}",\\ \u{1F600}';
    const facts: Facts = {
      title: odd,
      metadata: { [`k${odd}`]: [odd, 1e21, -0] },
      access: [odd],
      language: odd,
      category: odd,
    };
    const [first, last] = [written('odd', 'A heron waits.'), written('odd', `A crane stands ${odd}.`, facts)];
    expect(await store.upsert([first, last])).toEqual([{ documentId: 'doc_odd' }, { documentId: 'doc_odd' }]);
    const seenBy = (scope: Scope, filter?: StoreQuery['filter']) =>
      place
        .open({ schema: 'characters' })
        .store(scope)
        .search({ text: 'crane heron', mode: 'lexical', limit: 5, ...(filter && { filter }) });
    const [hit, ...more] = (await seenBy(scopeOf('default', odd, 'reader'))).hits;
    expect([hit?.chunkId, more]).toEqual([last.chunks[0]?.id, []]);
    expect((await seenBy(scopeOf('default', 'a', 'reader'))).hits).toEqual([]);
    expect((await seenBy(admin, { op: 'eq', field: 'category', value: odd })).hits).toHaveLength(1);
    expect((await seenBy(admin, { op: 'eq', field: 'category', value: 'a' })).hits).toEqual([]);
    const [held] = (await store.inventory?.held()) ?? [];
    expect(held).toEqual({ documentId: 'doc_odd', hash: await store.inventory?.hashOf(last), copies: 1 });
    expect(await store.health()).toMatchObject({ documents: 1, chunks: last.chunks.length });
  });

  it('keeps documents of more chunks than a block has, and takes every word of them away', {
    timeout: 300_000,
  }, async () => {
    const store = place.open({ schema: 'blocks' }).store(admin);
    const many = written('many', 'The heron waits at the river until a fish comes by. '.repeat(18_000));
    expect(many.chunks.length).toBeGreaterThan(4096);
    await store.upsert([written('few', 'A crane stands.'), many]);
    expect(await store.health()).toMatchObject({ documents: 2, chunks: many.chunks.length + 1 });
    const query: StoreQuery = { text: 'heron', mode: 'lexical', limit: 1000, count: true };
    const page = await store.search(query);
    expect([page.hits.length, page.total]).toEqual([1000, many.chunks.length]);
    await store.delete([{ documentId: 'doc_many' }]);
    expect((await store.search(query)).total).toBe(0);
    expect(await run('SELECT DISTINCT block FROM blocks.posting')).toEqual([{ block: 0 }]);
    expect((await store.search({ ...query, text: 'crane' })).hits).toHaveLength(1);
  });

  it('leaves words as they stand where only facts or the access list of a document change', async () => {
    const schema = 'facts';
    const store = place.open({ schema }).store(admin);
    await store.upsert([written('one', 'A heron waits.')]);
    const rows = () =>
      run(
        `SELECT xmin::text, ctid::text FROM ${schema}.posting UNION ALL SELECT xmin::text, ctid::text FROM ${schema}.chunk`,
      );
    const before = await rows();
    await store.upsert([written('one', 'A heron waits.', { access: ['team'], category: 'birds' })]);
    expect(await rows()).toEqual(before);
    const found = async (id: string) =>
      (
        await place
          .open({ schema })
          .store(scopeOf('default', id, 'reader'))
          .search({ text: 'heron', mode: 'lexical', limit: 5 })
      ).hits.length;
    expect([await found('team'), await found('others')]).toEqual([1, 0]);
    await store.upsert([written('one', 'A heron waits.')]);
    expect(await found('others')).toBe(1);
  });

  it('says what of a query it does not heed', async () => {
    const store = place.open().store(admin);
    await store.upsert([written('one', 'A heron waits.')]);
    const told = async (text: string) =>
      (await store.search({ text, mode: 'lexical', limit: 5 })).degraded.map(({ code }) => code);
    expect(await told('heron waits')).toEqual([]);
    expect(await told('"heron waits"')).toEqual(['operators-ignored']);
    expect(await told('heron -waits')).toEqual(['operators-ignored']);
    expect(await told(Array.from({ length: 300 }, (_, at) => `word${at}`).join(' '))).toEqual(['query-cut']);
  });

  describe.skipIf(!hasVectors(programs))('with pgvector (skipped where it is not installed)', () => {
    async function filled(options: object = {}): Promise<Store> {
      const random = createRandom(5);
      const stores = place.open({ ...vectors, ...options });
      const store = stores.store(admin);
      const words = ['heron', 'crane', 'river', 'otter', 'night'];
      await store.upsert(
        Array.from({ length: 120 }, (_, at) => {
          const text = Array.from({ length: 3 + random.below(5) }, () => words[random.below(words.length)]).join(' ');
          return near(
            written(`n${at}`, `${text}.`, random.below(3) === 0 ? { access: ['team'] } : {}),
            vectorOf(random),
          );
        }),
      );
      await stores.indexed();
      return store;
    }

    it('pages through joined lists and neighbours as through one list', async () => {
      const store = await filled();
      const vector = vectorOf(createRandom(9));
      for (const mode of ['hybrid', 'vector'] as const) {
        const query: StoreQuery = { text: 'heron river', mode, limit: 1000, vector, space };
        const whole = (await store.search(query)).hits;
        expect(whole.length).toBeGreaterThan(100);
        expect(await paged(store, { ...query, limit: 7 })).toEqual(whole);
      }
      const [best] = (await store.search({ text: 'heron river', mode: 'hybrid', limit: 1, vector, space })).hits;
      expect(best?.score).toBeLessThanOrEqual(2 / 61);
      expect(Object.keys(best?.scores ?? {}).length).toBeGreaterThan(0);
    });

    it('finds by the index of neighbours what it finds by comparing each, under filters too', async () => {
      const [compared, indexed] = [
        await filled({ schema: 'compared' }),
        await filled({ schema: 'indexed', exactRows: 0 }),
      ];
      const indexes = (schema: string) =>
        run(`SELECT 1 FROM pg_indexes WHERE schemaname = '${schema}' AND indexdef LIKE '%hnsw%'`);
      expect([(await indexes('compared')).length, (await indexes('indexed')).length]).toEqual([0, 1]);
      const random = createRandom(11);
      for (const filter of [undefined, { op: 'glob', field: 'path', value: '*7.md' }] as const)
        for (let at = 0; at < 20; at += 1) {
          const query: StoreQuery = {
            text: '',
            mode: 'vector',
            limit: 5,
            vector: vectorOf(random),
            space,
            ...(filter && { filter }),
          };
          const [right, found] = [await compared.search(query), await indexed.search(query)];
          expect(found.hits).toEqual(right.hits);
          expect(found.degraded).toEqual([]);
        }
    });

    it('looks up the vectors of the documents that may be seen, and reads no others', async () => {
      const schema = 'few';
      const opened = [place.open({ ...vectors, schema }), place.open({ ...vectors, schema })] as const;
      const store = opened[0].store(admin);
      const random = createRandom(7);
      const few = (at: number): Facts => ({ access: [at < 3 ? 'few' : 'many'], category: at < 3 ? 'rare' : 'usual' });
      for (let at = 0; at < 3000; at += 500)
        await store.upsert(
          Array.from({ length: 500 }, (_, one) =>
            near(written(`n${at + one}`, 'Heron.', few(at + one)), vectorOf(random)),
          ),
        );
      await run(`ANALYZE ${schema}.document`);
      const [{ name } = {}] = await run(`SELECT name FROM ${schema}.space`);
      await run(`ANALYZE ${schema}."${name}"`);
      const reader = opened[1].store(scopeOf('default', 'few', 'reader'));
      const query: StoreQuery = { text: '', mode: 'vector', limit: 9, vector: vectorOf(random), space };
      const looked = async () =>
        (
          await run(`SELECT relname, seq_tup_read::int AS whole, (SELECT sum(idx_tup_read)::int FROM pg_stat_user_indexes i
            WHERE i.relid = t.relid AND indexrelname LIKE '%document%') AS some FROM pg_stat_user_tables t
            WHERE schemaname = '${schema}' AND relname = '${name}'`)
        )[0];
      const filter = { op: 'eq', field: 'category', value: 'rare' } as const;
      expect((await reader.search(query)).hits).toHaveLength(3);
      expect((await store.search({ ...query, filter })).hits).toHaveLength(3);
      // A session tells what it read when it ends.
      for (const one of opened) one.close();
      await expect.poll(looked, { timeout: 60_000 }).toMatchObject({ whole: 0, some: 6 });
    });

    it('goes on behind a page, whatever better hits were written meanwhile', async () => {
      for (const options of [{ schema: 'behind' }, { schema: 'behind_index', exactRows: 0 }]) {
        const stores = place.open({ ...vectors, ...options });
        const store = stores.store(admin);
        const at = (x: number) => Float32Array.from([1, x, 0, 0, 0, 0, 0, 0]);
        // Words and vectors rank them alike, and some are equals; others keep the word as rare as it was.
        const one = (name: string, rank: number) =>
          near(written(name, `${'heron '.repeat(20 - rank)}${'night '.repeat(rank)}.`), at(rank / 10));
        const others = (name: string, many: number) =>
          Array.from({ length: many }, (_, each) => written(`${name}${each}`, `${'otter '.repeat(20)}.`));
        const first30 = Array.from({ length: 30 }, (_, rank) => one(`n${rank}`, 10 + Math.floor(rank / 3)));
        await store.upsert([...first30, ...others('few', 60)]);
        await stores.indexed();
        for (const mode of ['lexical', 'vector'] as const) {
          const query: StoreQuery = {
            text: 'heron',
            mode,
            limit: 7,
            ...(mode === 'vector' && { vector: at(0), space }),
          };
          const whole = (await store.search({ ...query, limit: 100 })).hits.map(({ chunkId }) => chunkId);
          expect(whole).toHaveLength(30);
          const first = await store.search(query);
          const better = Array.from({ length: 20 }, (_, rank) => one(`better${rank}`, Math.floor(rank / 4)));
          await store.upsert([...better, ...others('more', 40)]);
          const second = await store.search({ ...query, cursor: first.nextCursor ?? '' });
          if (mode === 'vector') expect(second.hits.map(({ chunkId }) => chunkId)).toEqual(whole.slice(7, 14));
          expect([second.hits.length, second.nextCursor === undefined]).toEqual([7, false]);
          await store.delete([...better, ...others('more', 40)].map(({ document }) => ({ documentId: document.id })));
        }
      }
    });

    it('compares vectors that are too long for an index one by one, and leaves out those without a direction', async () => {
      const dimensions = 4001;
      const stores = place.open({ vectors: { space: 'long', dimensions }, exactRows: 0, schema: 'long' });
      const store = stores.store(admin);
      const random = createRandom(3);
      const [one, other] = [vectorOf(random, dimensions), vectorOf(random, dimensions)];
      await store.upsert([
        near(written('one', 'Heron.'), one),
        near(written('other', 'Crane.'), other),
        near(written('none', 'Otter.'), new Float32Array(dimensions)),
      ]);
      const { hits } = await store.search({ text: '', mode: 'vector', limit: 5, vector: one, space: 'long' });
      expect(hits.map(({ documentId }) => documentId)).toEqual(['doc_one', 'doc_other']);
      expect(hits[0]?.score).toBeCloseTo(1, 3);
      const spoilt = near(
        written('spoilt', 'Tern.'),
        one.map((number, at) => (at === 7 ? Number.NaN : number)),
      );
      const [bad, good] = await store.upsert([spoilt, near(written('good', 'Tern.'), other)]);
      expect([bad?.error?.code, good?.error]).toEqual(['invalid-request', undefined]);
      await stores.indexed();
      expect(await run("SELECT 1 FROM pg_indexes WHERE schemaname = 'long' AND indexdef LIKE '%hnsw%'")).toEqual([]);
    });
  });
});
