// An index in memory that follows PostgreSQL finds what the store inside SQLite finds, with the same scores to the last bit, however it came to
// know of it: row by row, from segments, or at once.
import { afterAll, describe, expect, it } from 'vitest';
import { openPostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import type { RecordChange } from '../../../src/db/repositories/changes.ts';
import { closeEngineThreads, engineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { createEngine, type Engine } from '../../../src/stores/embedded/engine.ts';
import { indexWithin } from '../../../src/stores/embedded/index-within.ts';
import { readQuery, withGuesses } from '../../../src/stores/embedded/query.ts';
import { createUpkeep } from '../../../src/stores/embedded/upkeep.ts';
import { createRandom } from '../../../testkit/history.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { deleteAll, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();
const words =
  'otter river granary lantern copper meadow solar harbour invoice ledger willow thunder cobalt saffron'.split(' ');
const store = 'embedded';

afterAll(closeEngineThreads);

describe.skipIf(programs === undefined)(
  'an index that follows PostgreSQL (skipped where no server is installed)',
  () => {
    const sqlite = recordForEachTest();
    const place = postgresForEachTest(programs ?? '');
    const random = createRandom(7);
    const pick = (): string => words[Math.floor(random.next() ** 2 * words.length)] as string;
    const textOf = (length: number): string => Array.from({ length }, pick).join(' ');
    const written = (id: string, revision = 1) =>
      createWrite(textOf(20 + random.below(200)), { id, uri: `${id}.md`, title: textOf(3), revision });
    const questions = [
      ...words,
      ...Array.from({ length: 20 }, () => textOf(3)),
      '"copper meadow"',
      'ottre',
      'otter -river',
    ];

    /** The same commit in both. */
    async function commit(changes: readonly RecordChange[]): Promise<void> {
      await sqlite.tenant.commit(changes);
      await place.tenant.commit(changes);
    }

    const entriesOf = (writes: readonly ReturnType<typeof written>[]): RecordChange[] =>
      putAll(writes, createEmbeddedStore({ database: sqlite.record, scope: scopeOf() }));

    async function found(engine: Engine, text: string) {
      const view = await engine.follow(place.record.indexLogOf('default'));
      expect(view.incomplete).toBeUndefined();
      const on = { index: engine.threaded, state: view.index.state() };
      const read = readQuery(text, view.index, view.languages);
      const parsed =
        read.unknown.length === 0 ? read.parsed : withGuesses(read, await engineThreads.expand(on, read.unknown));
      const { terms, pairs, required, excluded } = parsed;
      const { hits } = await engineThreads.find(on, { terms, pairs, required, excluded, limit: 10 }, { explained: 0 });
      return hits.map(({ key, group, score }) => ({ chunkId: key, documentId: group, score }));
    }

    async function expectSame(engine: Engine): Promise<void> {
      const embedded = createEmbeddedStore({ database: sqlite.record, scope: scopeOf() });
      let hits = 0;
      for (const text of questions) {
        const page = await embedded.search({ text, mode: 'lexical', limit: 10 });
        const expected = page.hits.map(({ chunkId, documentId, score }) => ({ chunkId, documentId, score }));
        expect(await found(engine, text), text).toEqual(expected);
        hits += expected.length;
      }
      expect(hits).toBeGreaterThan(questions.length);
    }

    it('finds the same at once, after changes, and from the beginning', async () => {
      place.record.keepEntries(store, indexWithin);
      const follower = createEngine('default');
      await commit(entriesOf(Array.from({ length: 40 }, (_, n) => written(`d${n}`))));
      await expectSame(follower);
      await commit(entriesOf([written('d3', 2), written('new')]));
      await commit(deleteAll(['d7', 'd8'], createEmbeddedStore({ database: sqlite.record, scope: scopeOf() })));
      await expectSame(follower);
      await expectSame(createEngine('default'));
      // Another server on the same database.
      const other = await openPostgresRecord(place.address);
      const view = await createEngine('default').follow(other.indexLogOf('default'));
      expect(view.index.count()).toBe((await place.tenant.documents.count()).chunks);
      await other.close();
    });

    it('sees every acknowledged commit, and nothing of one that failed', async () => {
      place.record.keepEntries(store, indexWithin);
      const follower = createEngine('default');
      const log = place.record.indexLogOf('default');
      for (let n = 0; n < 30; n++) {
        const write = written(`d${n}`);
        const wrong: RecordChange = { kind: 'delete-source', name: 'notes' };
        const all = entriesOf([write]);
        if (n % 5 === 4) await expect(place.tenant.commit([...all, wrong])).rejects.toMatchObject({ code: 'conflict' });
        else await place.tenant.commit(all);
        const view = await follower.follow(log);
        const { documents, chunks } = await place.tenant.documents.count();
        expect([documents, view.index.count()]).toEqual([n + 1 - Math.floor((n + 1) / 5), chunks]);
      }
    });

    it('takes segments in place of rows, and misses none that is damaged', async () => {
      place.record.keepEntries(store, indexWithin);
      await commit(entriesOf(Array.from({ length: 60 }, (_, n) => written(`d${n}`))));
      const before = createEngine('default');
      await expectSame(before);
      // Rows have the same numbers in both, so that what SQLite sealed is a segment of the other, too.
      await createUpkeep(sqlite.record, createEngine('default'), { sealFrom: 2, quietMs: 0 }).settle();
      const segments = sqlite.record.read((database) =>
        database
          .prepare(
            'SELECT s.*, p.ordinal, p.bytes FROM lexical_segment AS s JOIN lexical_part AS p USING (tenant, seal)',
          )
          .all(),
      );
      expect(segments).toHaveLength(1);
      const [segment] = segments;
      const bytes = Buffer.from(segment?.['bytes'] as Uint8Array).toString('hex');
      const named = `'default', ${Number(segment?.['first_row'])}, ${Number(segment?.['last_row'])}, '${String(segment?.['seal'])}', 1`;
      await place.run(
        `INSERT INTO ix_part VALUES ('default', '${String(segment?.['seal'])}', 0, '\\x${bytes}', 'test');
       INSERT INTO ix_segment VALUES (${named}); DELETE FROM ix_log; UPDATE tenant_state SET revision = revision + 1`,
      );
      await expectSame(before);
      await commit(entriesOf([written('d5', 2)]));
      await expectSame(before);
      await expectSame(createEngine('default'));
      await place.run('UPDATE ix_part SET bytes = set_byte(bytes, 100, 255 - get_byte(bytes, 100))');
      const damaged = await createEngine('default').follow(place.record.indexLogOf('default'));
      expect(damaged.incomplete).toContain('damaged');
    });

    it('takes a segment that was replaced while it was read for no damage', async () => {
      place.record.keepEntries(store, indexWithin);
      await place.tenant.commit(entriesOf(Array.from({ length: 6 }, (_, n) => written(`d${n}`))));
      await place.run(
        `INSERT INTO ix_segment SELECT tenant, min(row), max(row), 'replaced', 1 FROM ix_log GROUP BY tenant;
         CREATE TABLE kept AS SELECT * FROM ix_log; DELETE FROM ix_log; UPDATE tenant_state SET revision = revision + 1`,
      );
      const log = place.record.indexLogOf('default');
      const asked: string[] = [];
      const view = await createEngine('default').follow({
        changes: log.changes,
        async bytesOf(segment) {
          asked.push(segment.seal);
          await place.run(
            'INSERT INTO ix_log SELECT * FROM kept; DELETE FROM ix_segment; UPDATE tenant_state SET revision = revision + 1',
          );
          return log.bytesOf(segment);
        },
      });
      expect(asked).toEqual(['replaced']);
      expect(view.incomplete).toBeUndefined();
      expect(view.index.count()).toBe((await place.tenant.documents.count()).chunks);
    });

    it('has segments in the place of what they were made of alone', async () => {
      place.record.keepEntries(store, indexWithin);
      await place.tenant.commit(entriesOf(Array.from({ length: 6 }, (_, n) => written(`d${n}`))));
      const log = place.record.indexLogOf('default');
      const engine = createEngine('default');
      const count = async (table: string): Promise<number> =>
        (await place.run(`SELECT 1 FROM ${table} WHERE tenant = 'default'`)).length;
      const rows = (await engine.follow(log)).index.segments().flatMap(({ segment }) => [...segment.rows]);
      const [first = 0, last = 0] = [rows[0], rows.at(-1)];
      const revision = engine.revision();
      const run = { first, last, made: { seal: 'none', bytes: new Uint8Array(10) }, revision };
      const refused = async (given: Parameters<typeof log.turnOver>[0]): Promise<void> =>
        expect(log.turnOver(given)).rejects.toMatchObject({ code: 'conflict' });
      await refused({ ...run, replaced: ['gone'] });
      expect([await count('ix_log'), await count('ix_segment')]).toEqual([rows.length, 0]);
      await log.turnOver({ ...run, replaced: [] });
      // The same rows again, and such of which some are taken.
      const later = { ...run, revision: revision + 1 };
      await refused({ ...later, replaced: [] });
      await refused({ ...later, first: last, last: last + 5, replaced: [] });
      expect(await log.tidy()).toBe(1);
      expect(await count('ix_log')).toBe(0);
      // A repair that begins anew leaves nothing that would be in its way.
      await place.record.repairs.begin('default', 999, true);
      await refused({ ...later, first: last + 1, last: last + 9, replaced: [] });
      expect([await count('ix_segment'), await log.tidy(), await count('ix_part')]).toEqual([0, 0, 0]);
    });

    it('asks once where nothing changed', async () => {
      place.record.keepEntries(store, indexWithin);
      await commit(entriesOf([written('d')]));
      const follower = createEngine('default');
      const log = place.record.indexLogOf('default');
      await follower.follow(log);
      const before = place.record.roundTrips();
      await follower.follow(log);
      expect(place.record.roundTrips() - before).toBe(1);
    });
  },
);
