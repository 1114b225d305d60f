// Every request that the store in PostgreSQL makes, lost before the server heard of it, after it obeyed, or never answered: it ends correctly or in a typed error, in its
// time and without a word of the address, and doing it again ends in what was wanted, to the last posting. Then histories of two servers over a line that is
// cut, a server that restarts, and a tenant that somebody else holds.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable, toFootnoteError } from '../../src/core/errors.ts';
import type { StoreDocument, StoreOutcome } from '../../src/stores/delivered.ts';
import type { PostgresStores } from '../../src/stores/postgres/postgres-store.ts';
import type { Store, StorePage } from '../../src/stores/store.ts';
import { againUntilTaken, createRandom, historiesOfRun, runHistories } from '../../testkit/history.ts';
import { openPostgresProxy, type PostgresProxy } from '../../testkit/postgres/proxy.ts';
import { postgresPrograms } from '../../testkit/postgres/server.ts';
import { hasVectors, openStorePlace, type StorePlace } from '../../testkit/postgres/store-place.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';
import { watchStarvation } from './starvation.ts';

const programs = postgresPrograms();
const patient = { timeout: 1_800_000 };
const deadlineMs = 300;
const admin = scopeOf();
const vectors = hasVectors(programs) ? { vectors: { space: 'fixed@2', dimensions: 2 } } : {};
const near = { vector: Float32Array.of(1, 0), space: 'fixed@2' } as const;

function written(name: string, text: string, revision = 1): StoreDocument {
  const { document, chunks } = createWrite(text, {
    id: `doc_${name}`,
    uri: `${name}.md`,
    title: '',
    language: 'en',
    revision,
  });
  return { document, chunks, vectors: Float32Array.from(chunks.flatMap((_, at) => [1, at])) };
}

const held = [written('old', 'The heron waits. '.repeat(20)), written('kept', 'A crane stands.')];
const replaced = written('old', 'The egret sleeps. '.repeat(15), 2);

describe.skipIf(programs === undefined)('the store in PostgreSQL (skipped where no server is installed)', () => {
  let place: StorePlace;
  let proxy: PostgresProxy;
  beforeAll(async () => {
    place = await openStorePlace(programs ?? '');
    proxy = await openPostgresProxy(place.address);
  }, 120_000);
  afterAll(async () => {
    place.close();
    await proxy.close();
  });

  /** All that stands in a schema, without the numbers that rows happen to have. */
  async function standing(schema: string): Promise<unknown> {
    const run = (sql: string) => place.server.run(place.address, sql.replaceAll('IN_', `"${schema}".`));
    const spaces = await run('SELECT name FROM IN_space ORDER BY space');
    const vectorsOf = spaces.map(({ name }) =>
      run(
        `SELECT c.id, v.vector::text FROM IN_"${name}" v JOIN IN_chunk c ON c.number = v.chunk AND c.document = v.document ORDER BY 1`,
      ),
    );
    return Promise.all([
      run('SELECT documents, closed, chunks, length, languages FROM IN_tenant WHERE documents > 0'),
      run('SELECT id, stamp, chunks, access, facts FROM IN_document ORDER BY id'),
      run(`SELECT c.id, d.id AS document, length, language, has_vector, c.stamp FROM IN_chunk c
        LEFT JOIN IN_document d ON d.number = c.document ORDER BY 1`),
      run(`SELECT term, c.id, (one >> 12) & 255 AS frequency, one & 4095 AS length FROM IN_posting p CROSS JOIN unnest(packed) AS one
        LEFT JOIN IN_chunk c ON c.number = block * 4096 + ((one >> 20) & 4095) ORDER BY 1, 2`),
      ...vectorsOf,
    ]);
  }

  let made = 0;
  async function wanted(documents: readonly StoreDocument[]): Promise<unknown> {
    made += 1;
    const schema = `wanted ${made}`;
    const store = place.open({ schema, ...vectors }).store(admin);
    await store.health();
    await store.upsert(documents);
    return standing(schema);
  }

  interface Operation {
    readonly name: string;
    run(store: Store, signal: AbortSignal): Promise<unknown>;
    isRight(result: unknown): boolean;
    readonly after: readonly StoreDocument[];
  }
  const hitsOf = (result: unknown): string =>
    (result as StorePage).hits.map(({ documentId }) => documentId.replace('doc_', '')).join(' ');
  const isDelivered = (result: unknown): boolean => (result as readonly StoreOutcome[]).every(({ error }) => !error);
  const filter = { op: 'glob', field: 'path', value: 'k*.md' } as const;

  const all: readonly Operation[] = [
    {
      name: 'search by words',
      run: (store, signal) => store.search({ text: 'crane', mode: 'lexical', limit: 5, count: true, filter }, signal),
      isRight: (result) => hitsOf(result) === 'kept',
      after: held,
    },
    {
      name: 'search by both',
      run: (store, signal) => store.search({ text: 'crane', mode: 'hybrid', limit: 1, ...near, filter }, signal),
      isRight: (result) => hitsOf(result) === 'kept',
      after: held,
    },
    {
      name: 'replace a document',
      run: (store, signal) => store.upsert([replaced], signal),
      isRight: isDelivered,
      after: [replaced, held[1] as StoreDocument],
    },
    {
      name: 'delete a document',
      run: (store, signal) => store.delete([{ documentId: 'doc_old', revision: 1 }], signal),
      isRight: isDelivered,
      after: held.slice(1),
    },
    {
      name: 'health',
      run: (store, signal) => store.health(signal),
      isRight: (result) => ['ok', 'down'].includes((result as { status: string }).status),
      after: held,
    },
    {
      name: 'inventory',
      run: async (store, signal) => store.inventory?.held(signal),
      isRight: (result) => (result as readonly unknown[]).length === 2,
      after: held,
    },
  ];
  const operations = all.filter(({ name }) => hasVectors(programs) || name !== 'search by both');

  async function openHeld(schema: string): Promise<PostgresStores> {
    const first = place.open({ schema, ...vectors });
    await first.store(admin).upsert(held);
    first.close();
    return place.open({ schema, address: proxy.address, ...vectors });
  }

  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'ends well: %s',
    patient,
    async (name, operation) => {
      const right = await wanted(operation.after);
      const whole = await openHeld(`${name} whole`);
      const before = proxy.asked();
      expect(operation.isRight(await operation.run(whole.store(admin), AbortSignal.timeout(60_000)))).toBe(true);
      const requests = proxy.asked() - before;
      whole.close();
      expect(requests).toBeGreaterThan(3);
      const ends = new Map<string, number>();
      let latestMs = Number.NEGATIVE_INFINITY;
      for (const how of ['before', 'after', 'silence'] as const)
        for (let at = 1; at <= requests; at += 1) {
          const told = `${name}, ${how} request ${at}`;
          const stores = await openHeld(told);
          const store = stores.store(admin);
          proxy.cutAt(at, how);
          const stop = watchStarvation();
          const start = performance.now();
          // A line that is cut is told at once, whatever time there is.
          const withinMs = how === 'silence' ? deadlineMs : 60_000;
          let ended = 'right';
          try {
            const result = await operation.run(store, AbortSignal.timeout(withinMs));
            expect(operation.isRight(result), told).toBe(true);
            expect(JSON.stringify(result)).not.toContain(place.server.password);
          } catch (thrown) {
            const error = toFootnoteError(thrown);
            ended = error === thrown && error.code in errorTable ? error.code : `untyped: ${String(thrown)}`;
            expect(`${error.message} ${JSON.stringify(error.details)} ${String(error.cause)}`).not.toContain(
              place.server.password,
            );
          }
          latestMs = Math.max(latestMs, performance.now() - start - withinMs - stop());
          expect(['right', how === 'silence' ? 'deadline-exceeded' : 'upstream-unavailable'], told).toContain(ended);
          ends.set(ended, (ends.get(ended) ?? 0) + 1);
          proxy.mend();
          expect(operation.isRight(await operation.run(store, AbortSignal.timeout(60_000))), `${told} again`).toBe(
            true,
          );
          expect(await standing(told), told).toEqual(right);
          stores.close();
        }
      expect(latestMs).toBeLessThan(250);
      // A cut in a write is made good by itself, and silence never.
      expect(ends.get('right') ?? 0).toBeGreaterThan(0);
      expect(ends.get('deadline-exceeded') ?? 0).toBeGreaterThan(0);
      console.log(name, `${requests} requests x 3 faults`, Object.fromEntries(ends), `late ${Math.round(latestMs)} ms`);
    },
  );

  /** Somebody holds the tenant's row, until what it returns is called or the server ends. */
  async function holding(schema: string): Promise<() => Promise<unknown>> {
    const other = new pg.Client({ connectionString: place.address });
    other.on('error', () => undefined);
    await other.connect();
    await other.query(`BEGIN; SELECT 1 FROM "${schema}".tenant FOR UPDATE`);
    return () => other.end().catch(() => undefined);
  }

  async function history(seed: number): Promise<void> {
    const { next, below } = createRandom(seed);
    const schema = `history ${seed}`;
    const open = () => place.open({ schema, address: line.address, ...vectors });
    const line = await openPostgresProxy(place.address);
    const servers = [open(), open()];
    const record = new Map<string, StoreDocument | undefined>();
    const deliver = (names: readonly string[]): Promise<readonly StoreOutcome[]>[] => {
      const store = (servers[below(2)] as PostgresStores).store(admin);
      const kept = names.flatMap((name) => record.get(name) ?? []);
      const gone = names.filter((name) => !record.get(name)).map((name) => ({ documentId: `doc_${name}` }));
      return [...(kept.length > 0 ? [store.upsert(kept)] : []), ...(gone.length > 0 ? [store.delete(gone)] : [])];
    };
    for (let step = 0; step < 8; step += 1) {
      const names = [...new Set(Array.from({ length: 1 + below(3) }, () => `d${below(4)}`))];
      for (const name of names) {
        const text = `Heron ${below(3)} of ${name}. `.repeat(below(40));
        record.set(name, next() < 0.3 ? undefined : written(name, text, step + 1));
      }
      if (next() < 0.7) line.cutAt(1 + below(25), next() < 0.5 ? 'before' : 'after');
      await Promise.allSettled(deliver(names));
    }
    line.mend();
    await againUntilTaken(() => Promise.all(deliver([...record.keys()])));
    const expected = [...record.values()].flatMap((one) => one ?? []);
    expect(await standing(schema), `history ${seed}`).toEqual(await wanted(expected));
    const inventory = servers[0]?.store(admin).inventory;
    for (const { documentId, hash } of (await inventory?.held()) ?? [])
      expect(
        await inventory?.hashOf(expected.find(({ document }) => document.id === documentId) as StoreDocument),
      ).toBe(hash);
    for (const stores of servers) stores.close();
    await line.close();
  }

  it('ends in what was recorded, over a line that is cut and from two servers', patient, async () => {
    const histories = historiesOfRun(3000);
    expect(await runHistories(histories, history)).toBe(histories.count);
  });

  it(
    'goes on after the server was killed and started again, between calls and in the middle of one',
    patient,
    async () => {
      const schema = 'restart';
      const stores = place.open({ schema, ...vectors });
      const store = stores.store(admin);
      await store.upsert(held);
      place.server.stop('immediate');
      await expect(store.search({ text: 'crane', mode: 'lexical', limit: 5 })).rejects.toMatchObject({
        code: 'upstream-unavailable',
      });
      await expect(store.upsert([replaced])).rejects.toMatchObject({ code: 'upstream-unavailable' });
      expect(await store.health()).toMatchObject({ status: 'down' });
      place.server.start();
      expect(hitsOf(await store.search({ text: 'crane', mode: 'lexical', limit: 5 }))).toBe('kept');
      const release = await holding(schema);
      const delivering = store.upsert([replaced]).then(
        () => undefined,
        (thrown: unknown) => toFootnoteError(thrown).code,
      );
      const waits = () => place.server.run(place.address, 'SELECT 1 FROM pg_locks WHERE NOT granted');
      await expect.poll(waits, { timeout: 60_000, interval: 20 }).toHaveLength(1);
      place.server.stop('immediate');
      place.server.start();
      expect([undefined, 'upstream-unavailable']).toContain(await delivering);
      await release();
      await store.upsert([replaced]);
      expect(await standing(schema)).toEqual(await wanted([replaced, held[1] as StoreDocument]));
      stores.close();
    },
  );

  it('ends in its time where somebody else holds the tenant, and searches meanwhile', patient, async () => {
    const schema = 'held by others';
    const stores = place.open({ schema, ...vectors });
    const store = stores.store(admin);
    await store.upsert(held);
    const release = await holding(schema);
    await expect(store.upsert([replaced], AbortSignal.timeout(deadlineMs))).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
    await expect(store.delete([{ documentId: 'doc_old' }], AbortSignal.timeout(deadlineMs))).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
    expect(hitsOf(await store.search({ text: 'heron', mode: 'lexical', limit: 1 }))).toBe('old');
    await release();
    expect(isDelivered(await store.upsert([replaced]))).toBe(true);
    expect(await standing(schema)).toEqual(await wanted([replaced, held[1] as StoreDocument]));
    stores.close();
  });

  it('leaves no statement running on the server for a caller who gave up', patient, async () => {
    const schema = 'given up';
    const stores = place.open({ schema, ...vectors });
    const store = stores.store(admin);
    await store.upsert(held);
    const run = (sql: string) => place.server.run(place.address, sql);
    await run(`CREATE SEQUENCE "${schema}".lingered; CREATE FUNCTION "${schema}".linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); PERFORM nextval('"${schema}".lingered'); RETURN new; END $$;
      CREATE TRIGGER linger BEFORE UPDATE ON "${schema}".document FOR EACH ROW EXECUTE FUNCTION "${schema}".linger()`);
    const running = () =>
      run(
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%given up%' AND pid <> pg_backend_pid()",
      );
    const given = new AbortController();
    const delivering = store.upsert([replaced], given.signal);
    await expect.poll(running, { timeout: 60_000, interval: 20 }).toHaveLength(1);
    given.abort();
    await expect(delivering).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(running, { timeout: 60_000, interval: 100 }).toEqual([]);
    expect(await run(`SELECT is_called FROM "${schema}".lingered`)).toEqual([{ is_called: false }]);
    stores.close();
  });

  it('makes its tables again where somebody took them away, and says that it did', patient, async () => {
    const schema = 'taken away';
    const stores = place.open({ schema, ...vectors });
    const store = stores.store(admin);
    await store.upsert(held);
    await place.server.run(place.address, `DROP SCHEMA "${schema}" CASCADE`);
    const page = await store.search({ text: 'crane', mode: 'lexical', limit: 5 });
    expect([page.hits, page.degraded.map(({ code }) => code)]).toEqual([[], ['index-new']]);
    await store.upsert(held);
    await place.server.run(place.address, `DROP SCHEMA "${schema}" CASCADE`);
    expect(isDelivered(await store.upsert(held))).toBe(true);
    expect(await standing(schema)).toEqual(await wanted(held));
    stores.close();
  });
});
