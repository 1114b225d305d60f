// Indexes of tenants beyond what a server may hold in memory: what was not asked for longest goes, and every search finds what it found before.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { closeEngineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { type Budgeted, createMemoryBudget } from '../../../src/stores/embedded/shadow/memory-budget.ts';
import { createShadowStore } from '../../../src/stores/embedded/shadow/shadow-store.ts';
import { keepShadows, shadowOf } from '../../../src/stores/embedded/shadow/shadows.ts';
import { createRandom } from '../../../testkit/history.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { putAll } from '../../../testkit/record-changes.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

afterAll(closeEngineThreads);

describe('a budget of memory', () => {
  it('is kept by what was not asked for longest, and never by what is asked for', async () => {
    const budget = createMemoryBudget(100);
    const dropped: string[] = [];
    const one = (name: string, bytes: number): Budgeted => {
      let held = bytes;
      return {
        bytes: () => held,
        async drop() {
          dropped.push(name);
          held = 0;
        },
      };
    };
    const [a, b, c, large] = [one('a', 40), one('b', 40), one('c', 40), one('large', 500)] as const;
    for (const used of [a, b, a]) budget.used(used);
    expect(dropped).toEqual([]);
    budget.used(c);
    expect(dropped).toEqual(['b']);
    budget.used(large);
    expect(dropped).toEqual(['b', 'a', 'c']);
    budget.used(large);
    expect(dropped).toHaveLength(3);
    await Promise.resolve();
    budget.used(one('d', 100));
    expect(dropped).toEqual(['b', 'a', 'c', 'large']);
  });
});

describe.skipIf(programs === undefined)('tenants of a server (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  const tenants = Array.from({ length: 24 }, (_, n) => `t${n}`);
  const filter = { op: 'ne', field: 'uri', value: '1.md' } as const;

  async function server(memoryBytes?: number): Promise<PostgresRecord> {
    const record = await openPostgresRecord(place.address);
    open.push(() => record.close());
    await record.join({ version: 'test' });
    open.push(keepShadows(record, { sealFrom: 50, quietMs: 1e9, memoryBytes }));
    return record;
  }
  const vectors = { name: 'given@4', dimensions: 4, metric: 'cosine' } as const;
  const storeOf = (record: PostgresRecord, tenant: string) =>
    createShadowStore({ record, scope: scopeOf(tenant), vectors });
  /** By words, under a filter, and by a vector. */
  async function found(record: PostgresRecord, tenant: string) {
    const store = storeOf(record, tenant);
    const text = 'otter granary';
    const pages = [
      await store.search({ text, mode: 'lexical', limit: 50 }),
      await store.search({ text, mode: 'lexical', limit: 50, filter }),
      await store.search({ text, vector: Float32Array.of(1, 2, 3, 4), mode: 'vector', limit: 50 }),
    ];
    return pages.map(({ hits }) => hits.map(({ chunkId, score }) => [chunkId, score]));
  }
  const inMemory = (record: PostgresRecord): readonly string[] =>
    tenants.filter((tenant) => shadowOf(record, tenant).engine.revision() !== -1);

  it('are read again when they are asked for, and as many as fit are held', async () => {
    const whole = await server();
    const random = createRandom(3);
    for (const [n, tenant] of tenants.entries()) {
      const writes = Array.from({ length: 12 }, (_, at) =>
        createWrite(`otter ${at} of ${tenant} ${'granary '.repeat(1 + ((at * 7 + n) % 9))} ${'river '.repeat(60)}`, {
          id: `${tenant}-${at}`,
          uri: `${at}.md`,
        }),
      ).map((write) => ({
        ...write,
        vectors: Float32Array.from({ length: write.chunks.length * 4 }, () => random.next() - 0.5),
      }));
      await whole.forScope(scopeOf(tenant)).commit(putAll(writes, storeOf(whole, tenant)));
    }
    const expected = new Map<string, Awaited<ReturnType<typeof found>>>();
    for (const tenant of tenants) expected.set(tenant, await found(whole, tenant));
    for (const pages of expected.values()) expect(Math.min(...pages.map((page) => page.length))).toBeGreaterThan(10);
    expect(inMemory(whole)).toHaveLength(tenants.length);
    for (const memoryBytes of [1, 200_000]) {
      const bounded = await server(memoryBytes);
      for (const tenant of [...tenants, ...tenants]) expect(await found(bounded, tenant)).toEqual(expected.get(tenant));
      const held = inMemory(bounded);
      expect(held.at(-1)).toBe(tenants.at(-1));
      if (memoryBytes === 1) expect(held).toHaveLength(1);
      else expect(held.length).toBeLessThan(tenants.length / 2);
      // Many at once, each of which drops what others are about to look at.
      for (let round = 0; round < 4; round++) {
        const asked = Array.from({ length: 40 }, () => tenants[random.below(tenants.length)] ?? '');
        const all = await Promise.all(asked.map((tenant) => found(bounded, tenant)));
        expect(all).toEqual(asked.map((tenant) => expected.get(tenant)));
      }
    }
  });

  it('are put in order where nobody searches, read only for that, and not in the place of those that people search', async () => {
    const record = await openPostgresRecord(place.address);
    open.push(() => record.close());
    await record.join({ version: 'test' });
    const asked: string[] = [];
    const watched: PostgresRecord = {
      ...record,
      indexLogOf(tenant) {
        const log = record.indexLogOf(tenant);
        return {
          ...log,
          async unsealed(most) {
            const counted = await log.unsealed(most);
            asked.push(`${tenant} counted`);
            return counted;
          },
          changes(...given) {
            asked.push(`${tenant} read`);
            return log.changes(...given);
          },
        };
      },
    };
    open.push(keepShadows(watched, { sealFrom: 20, quietMs: 20, memoryBytes: 1 }));
    const store = (tenant: string) => createShadowStore({ record: watched, scope: scopeOf(tenant) });
    const write = async (tenant: string, name: string, count: number): Promise<void> => {
      const writes = Array.from({ length: count }, (_, at) =>
        createWrite(`otter ${at} ${name}`, { id: `${tenant}-${name}-${at}`, uri: `${name}/${at}.md` }),
      );
      await record.forScope(scopeOf(tenant)).commit(putAll(writes, store(tenant)));
    };
    const search = (tenant: string) => store(tenant).search({ text: 'otter', mode: 'lexical', limit: 50 });
    const patient = { timeout: 60_000 };
    await write('t0', 'a', 5);
    await write('t1', 'a', 5);
    await search('t1');
    await write('t1', 'b', 30);
    // It goes while it is to be put in order.
    await search('t2');
    await write('t2', 'a', 5);
    await search('t2');
    await vi.waitFor(() => expect(asked).toContain('t0 counted'), patient);
    const segments = () => place.run('SELECT tenant, first_row::int, last_row::int FROM ix_segment');
    await vi.waitFor(
      async () => expect(await segments()).toEqual([{ tenant: 't1', first_row: 1, last_row: 35 }]),
      patient,
    );
    await vi.waitFor(() => expect(inMemory(watched)).toEqual(['t2']), patient);
    expect(asked).not.toContain('t0 read');
    expect((await search('t1')).hits).toHaveLength(35);
  });
});
