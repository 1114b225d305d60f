// Segments as files of a server: a start reads them from there, unless they are not what was sealed; what was deleted stands in none of them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openPostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { closeEngineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { openShadowErasure } from '../../../src/stores/embedded/shadow/shadow-erasure.ts';
import { createShadowStore } from '../../../src/stores/embedded/shadow/shadow-store.ts';
import { keepShadows, shadowOf, sweepSegments } from '../../../src/stores/embedded/shadow/shadows.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { deleteAll, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

afterAll(closeEngineThreads);

describe.skipIf(programs === undefined)('segments as files (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const open: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  function newFolder(): string {
    const { folder, remove } = temporaryFolder();
    open.push(remove);
    return join(folder, 'segments');
  }

  /** A server that has just started over a folder. It counts how often it reads bytes from the database. */
  async function started(folder: string) {
    const record = await openPostgresRecord(place.address);
    await record.join({ version: 'test' });
    let reads = 0;
    const counted: typeof record = {
      ...record,
      indexLogOf(tenant) {
        const log = record.indexLogOf(tenant);
        return {
          ...log,
          bytesOf(segment) {
            reads += 1;
            return log.bytesOf(segment);
          },
        };
      },
    };
    const closeShadows = keepShadows(counted, { sealFrom: 1, quietMs: 1e9, folder });
    const store = createShadowStore({ record: counted, scope: scopeOf() });
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await closeShadows();
      await record.close();
    };
    open.push(close);
    return {
      record: counted,
      store,
      reads: () => reads,
      close,
      commit: (changes: Parameters<ReturnType<typeof record.forScope>['commit']>[0]) =>
        record.forScope(scopeOf()).commit(changes),
      seal: () => shadowOf(counted, 'default').upkeep.settle(),
      found: async () => (await store.search({ text: 'otter granary', mode: 'lexical', limit: 50 })).hits,
    };
  }

  const writes = Array.from({ length: 40 }, (_, n) =>
    createWrite(`otter number ${n} in the granary ${'river '.repeat(n)}`, { id: `d${n}`, uri: `${n}.md` }),
  );
  const planted = createWrite('The zweimaster lies at the pier, and an otter looks.', { id: 'p', uri: 'p.md' });
  const holding = (folder: string): number =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('zweimast')).length;

  it('are read by who sealed and who read them before, and from the database where they are not whole', async () => {
    const [one, two] = [newFolder(), newFolder()];
    const first = await started(one);
    await first.commit(putAll(writes, first.store));
    await first.seal();
    expect(readdirSync(one)).toHaveLength(1);
    const expected = await first.found();
    expect(expected.length).toBeGreaterThan(30);
    const second = await started(two);
    expect(await second.found()).toEqual(expected);
    expect([first.reads(), second.reads()]).toEqual([0, 1]);
    for (const folder of [one, two]) {
      const again = await started(folder);
      expect(await again.found()).toEqual(expected);
      expect(again.reads()).toBe(0);
    }
    const [name = ''] = readdirSync(two);
    const sound = readFileSync(join(two, name));
    for (const bytes of [sound.subarray(1), Buffer.from(sound).fill(7, 200, 201), Buffer.alloc(0)]) {
      writeFileSync(join(two, name), bytes);
      const again = await started(two);
      expect(await again.found()).toEqual(expected);
      expect([again.reads(), readFileSync(join(two, name)).equals(sound)]).toEqual([1, true]);
    }
    // Where no file can be written there is the database.
    mkdirSync(join(two, '..', 'none'));
    writeFileSync(join(two, '..', 'none', 'segments'), '');
    const without = await started(join(two, '..', 'none', 'segments'));
    expect(await without.found()).toEqual(expected);
    expect(without.reads()).toBe(1);
  });

  it('hold nothing that was deleted, though their server was down or nobody asked it', async () => {
    const [one, two, three] = [newFolder(), newFolder(), newFolder()];
    const [first, second, third] = [await started(one), await started(two), await started(three)];
    await first.commit(putAll([...writes, planted], first.store));
    await first.seal();
    for (const { found } of [first, second, third]) expect(await found()).toHaveLength(41);
    expect([one, two, three].map(holding)).toEqual([1, 1, 1]);
    await second.close();
    await first.commit(deleteAll(['p'], first.store));
    expect(await openShadowErasure(first.record, 'default').purgeIndex()).toBe(true);
    expect([one, two, three].map(holding)).toEqual([0, 1, 1]);
    await sweepSegments(third.record);
    const again = await started(two);
    expect(await again.found()).toHaveLength(40);
    expect([one, two, three].map(holding)).toEqual([0, 0, 0]);
    // What it has of other segments it keeps, and whatever else stands there goes.
    writeFileSync(join(two, 'draft'), 'zweimaster');
    // A folder, as a disk of its own has one, is in nobody's way.
    mkdirSync(join(two, '..found'));
    writeFileSync(join(two, 'z-draft'), 'zweimaster');
    await sweepSegments(again.record);
    expect(readdirSync(two)).toHaveLength(2);
    expect(await openShadowErasure(again.record, 'default').purgeIndex()).toBe(true);
  });
});
