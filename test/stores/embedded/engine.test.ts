// The index on disk and the engine in memory: whatever was written, failed, merged, damaged or lost, a search finds what a
// store finds that was given the same documents afresh, or says that it does not yet.
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../../src/db/repositories/changes.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { createEngine } from '../../../src/stores/embedded/engine.ts';
import { createUpkeep } from '../../../src/stores/embedded/upkeep.ts';
import type { StoreHit } from '../../../src/stores/store.ts';
import { createRandom } from '../../../testkit/history.ts';
import { deleteAll, failing, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';
import { expectAgreement } from '../../crash/agreement.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
const admin = scopeOf();
const vocabulary = [
  'otter',
  'heron',
  'river',
  'meadow',
  'swims',
  'waits',
  'copper',
  'lantern',
  'Flüsse',
  '河流',
  'getUserName',
];
const questions = [
  'otter river',
  'heron waits in the meadow',
  '"copper lantern" river',
  'otter -heron',
  '河流',
  'user',
  'lantrn',
];

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

const document = (id: string, text: string, language = 'en'): DocumentWrite =>
  createWrite(text, { id, uri: `${id}.md`, title: `About ${id}`, language });

async function put(target: SqliteRecordDatabase, writes: readonly DocumentWrite[], scope = admin, fail = false) {
  const store = createEmbeddedStore({ database: target, scope });
  await target.forScope(scope).commit([...putAll(writes), store.entries.put(writes), ...(fail ? [failing] : [])]);
}

async function remove(target: SqliteRecordDatabase, ids: readonly string[], scope = admin) {
  await target.forScope(scope).commit(deleteAll(ids, createEmbeddedStore({ database: target, scope })));
}

async function ask(target: SqliteRecordDatabase, scope = admin): Promise<readonly (readonly StoreHit[])[]> {
  const store = createEmbeddedStore({ database: target, scope });
  const found: (readonly StoreHit[])[] = [];
  for (const text of questions) {
    const page = await store.search({ text, mode: 'lexical', limit: 50 });
    // That a dash left everything out is no lack of the index.
    expect(page.degraded.filter(({ code }) => code !== 'excluded')).toEqual([]);
    found.push(page.hits);
  }
  return found;
}

/** What a store says that never had anything but these documents. */
async function askAfresh(writes: readonly DocumentWrite[]): Promise<readonly (readonly StoreHit[])[]> {
  const fresh = temporaryFolder();
  const other = openSqliteRecord({ folder: fresh.folder });
  try {
    if (writes.length > 0) await put(other, writes);
    return await ask(other);
  } finally {
    await other.close();
    fresh.remove();
  }
}

/** The same chunks in the same order with the same scores, but for the last bits of a sum. */
function expectSameHits(found: readonly (readonly StoreHit[])[], expected: readonly (readonly StoreHit[])[]): void {
  expect(found.map((hits) => hits.map(({ chunkId, documentId, rank }) => [chunkId, documentId, rank]))).toEqual(
    expected.map((hits) => hits.map(({ chunkId, documentId, rank }) => [chunkId, documentId, rank])),
  );
  for (const [at, hits] of found.entries())
    for (const [place_, hit] of hits.entries())
      expect(hit.score).toBeCloseTo(expected[at]?.[place_]?.score ?? Number.NaN, 9);
}

/** Upkeep that seals and merges small segments too, with an engine of its own beside the store's. */
const tidy = async (target: SqliteRecordDatabase, sealFrom = 6, quietMs = 0): Promise<void> => {
  const upkeep = createUpkeep(target, createEngine('default'), { sealFrom, quietMs });
  await upkeep.run();
  expect(upkeep.failure()).toBeUndefined();
};

const segmentCount = (): number =>
  database.read((connection) => Number(connection.prepare('SELECT count(*) AS n FROM lexical_segment').get()?.['n']));

/** Flips a bit of some part of a segment, cuts or lengthens it, swaps it with another, or takes it away. */
function damagePart(connection: DatabaseSync, random: ReturnType<typeof createRandom>, round: number): void {
  const rows = connection.prepare('SELECT seal, ordinal, bytes FROM lexical_part').all();
  const row = rows[random.below(rows.length)];
  const bytes = Uint8Array.from(row?.['bytes'] as Uint8Array);
  const other = rows.find((one) => !Buffer.from(one['bytes'] as Uint8Array).equals(bytes))?.['bytes'] as Uint8Array;
  const key = [row?.['seal'] ?? '', row?.['ordinal'] ?? 0];
  const replace = (damaged: Uint8Array): unknown =>
    connection.prepare('UPDATE lexical_part SET bytes = ? WHERE seal = ? AND ordinal = ?').run(damaged, ...key);
  const bit = random.below(bytes.length * 8);
  const kind = round % 8;
  if (kind === 0) replace(bytes.subarray(0, random.below(bytes.length)));
  else if (kind === 1) connection.prepare('DELETE FROM lexical_part WHERE seal = ? AND ordinal = ?').run(...key);
  else if (kind === 2 && other) replace(other);
  else if (kind === 3) replace(Buffer.concat([bytes, Uint8Array.of(0)]));
  else if (kind === 4)
    connection.prepare('INSERT INTO lexical_part SELECT tenant, seal, ordinal + 1, bytes FROM lexical_part').run();
  else {
    bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
    replace(bytes);
  }
}

const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 60 }).map((words) => words.join(' '));
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('put' as const), id, text, language: fc.constantFrom('en', 'de') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), id, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tidy' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const) }) },
);

describe('embedded engine', () => {
  it('finds the same as a fresh store, through random writes, failures, upkeep and restarts', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const own = temporaryFolder();
        let target = openSqliteRecord({ folder: own.folder });
        try {
          const held = new Map<string, DocumentWrite>();
          for (const one of steps) {
            if (one.kind === 'put') {
              const write = document(one.id, one.text, one.language);
              await put(target, [write]);
              held.set(one.id, write);
            } else if (one.kind === 'remove') {
              await remove(target, [one.id]);
              held.delete(one.id);
            } else if (one.kind === 'fail') {
              await expect(put(target, [document(one.id, one.text)], admin, true)).rejects.toThrow();
            } else if (one.kind === 'tidy') await tidy(target, 2);
            else if (one.kind === 'ask') await ask(target);
            else {
              await target.close();
              target = openSqliteRecord({ folder: own.folder });
            }
          }
          expectSameHits(await ask(target), await askAfresh([...held.values()]));
          await expectAgreement(target);
        } finally {
          await target.close();
          own.remove();
        }
      }),
      { numRuns: long ? 500 : 12 },
    );
  });

  const library = Array.from({ length: 24 }, (_, at) =>
    document(
      `d${at}`,
      Array.from({ length: 60 }, (_, word) => vocabulary[(at * 7 + word * (1 + (at % 5))) % vocabulary.length]).join(
        ' ',
      ),
    ),
  );

  it('detects every flipped bit of a segment, finds nothing wrong meanwhile, and builds it again', {
    timeout: 600_000,
  }, async () => {
    for (let at = 0; at < library.length; at += 6) {
      await put(database, library.slice(at, at + 6));
      await tidy(database, 10);
    }
    await remove(database, ['d3']);
    const expected = await ask(database);
    const sound = new Map(expected.flat().map((hit) => [hit.chunkId, hit.documentId]));
    const random = createRandom(7);
    const rounds = long ? 500 : 25;
    for (let round = 0; round < rounds; round++) {
      expect(segmentCount()).toBeGreaterThan(0);
      await database.write((connection) => damagePart(connection, random, round));
      await database.close();
      database = openSqliteRecord({ folder: place.folder });
      const store = createEmbeddedStore({ database, scope: admin });
      const first = await store.search({ text: 'otter heron river', mode: 'lexical', limit: 50 });
      expect(first.degraded).toMatchObject([{ component: 'embedded', code: 'index-incomplete' }]);
      for (const hit of first.hits) expect(sound.get(hit.chunkId)).toBe(hit.documentId);
      expect(await store.health()).toMatchObject({ status: 'degraded' });
      await tidy(database, 10);
      expectSameHits(await ask(database), expected);
      await expectAgreement(database);
    }
  });

  it.each([
    ['a row of the log changed', "UPDATE lexical_log SET terms = replace(terms, 'otter', 'stork') WHERE row % 3 = 0"],
    ['a removal changed', 'UPDATE lexical_removed SET first_row = first_row + 1, last_row = last_row + 1'],
    [
      'segments were swapped',
      'UPDATE lexical_part SET bytes = (SELECT bytes FROM lexical_part ORDER BY seal DESC LIMIT 1)',
    ],
    [
      'segments vanished with their documents',
      'DELETE FROM lexical_segment; DELETE FROM lexical_part; DELETE FROM lexical_document; DELETE FROM lexical_state; DELETE FROM lexical_language; DELETE FROM lexical_removed; DELETE FROM lexical_log',
    ],
    ['it is of another version', 'UPDATE lexical_state SET version = version - 1'],
  ])('is built again from the record when %s', async (_what, damage) => {
    // Without quiet: two segments that stay two.
    await put(database, library.slice(0, 12));
    await tidy(database, 10, 60_000);
    await put(database, library.slice(12, 22));
    await tidy(database, 10, 60_000);
    await put(database, library.slice(22));
    await remove(database, ['d3', 'd15']);
    const expected = await ask(database);
    await database.close();
    database = openSqliteRecord({ folder: place.folder });
    await database.write((connection) => connection.exec(damage));
    const store = createEmbeddedStore({ database, scope: admin });
    const first = await store.search({ text: 'otter', mode: 'lexical', limit: 50 });
    expect(first.degraded).toHaveLength(1);
    await tidy(database, 10);
    expectSameHits(await ask(database), expected);
    await expectAgreement(database);
    expect(await store.health()).toMatchObject({ status: 'ok', documents: 22 });
  });

  it('indexes by itself what the record of an older version holds', async () => {
    await database.forScope(admin).commit(putAll(library));
    const store = createEmbeddedStore({ database, scope: admin });
    expect((await store.search({ text: 'otter', mode: 'lexical', limit: 50 })).degraded).toHaveLength(1);
    await tidy(database);
    expectSameHits(await ask(database), await askAfresh(library));
  });

  it('leaves nothing of a deleted document in the segments once it is quiet', async () => {
    await put(database, [...library, document('secret', 'The zanzibarquux is here.')]);
    await tidy(database);
    const onDisk = (): boolean =>
      database.read((connection) =>
        connection
          .prepare('SELECT bytes FROM lexical_part')
          .all()
          .some((row) => Buffer.from(row['bytes'] as Uint8Array).includes('zanzibarquux')),
      );
    expect(onDisk()).toBe(true);
    await remove(database, ['secret']);
    await tidy(database);
    expect(onDisk()).toBe(false);
    expectSameHits(await ask(database), await askAfresh(library));
  });

  it('answers a tenant the same, to the last bit, whether or not another one is there', async () => {
    await put(database, library.slice(0, 12));
    const alone = await ask(database);
    const other = scopeOf('other', 'local', 'admin');
    await put(database, library, other);
    await put(database, library.slice(3, 9));
    const fresh = temporaryFolder();
    const world = openSqliteRecord({ folder: fresh.folder });
    await put(world, library.slice(0, 12));
    await put(world, library.slice(3, 9));
    expect(await ask(database)).toEqual(await ask(world));
    expectSameHits(await ask(database), alone);
    await world.close();
    fresh.remove();
  });

  it('shows what a transaction wrote when its promise resolves, and keeps the number of segments low', async () => {
    const store = createEmbeddedStore({ database, scope: admin });
    for (let at = 0; at < 60; at++) {
      await put(database, [document(`n${at}`, `Note ${at} on otters number${at}x.`)]);
      const page = await store.search({ text: `number${at}x`, mode: 'lexical', limit: 1 });
      expect(page.hits[0]?.documentId).toBe(`n${at}`);
    }
    expect(Number(/(\d+) segments/u.exec((await store.health()).detail)?.[1])).toBeLessThan(12);
  });
});
