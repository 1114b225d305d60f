// The archive of conversations at two servers over one database: what one brings in, changes or takes away is found, or not, by the other at once, with
// the same hits in the same order; and of what was taken away no segment of the index keeps a word, whichever server wrote it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresRecord, type PostgresRecord } from '../../../src/db/postgres/postgres-record.ts';
import { sealedTurns } from '../../../src/memory/archive/index/postings.ts';
import { type ArchivePlace, archiveOver, toJsonl } from '../../../testkit/archive-fixture.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { temporaryFolder } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();
const isLong = process.env['FOOTNOTE_TEST_LONG'] === '1';
const rounds = isLong ? 2000 : 60;
const longestMs = isLong ? 7_200_000 : 300_000;

describe.skipIf(programs === undefined)('an archive at two servers (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  let files: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    files = temporaryFolder();
  });
  afterAll(() => files.remove());
  const serverOver = (record: PostgresRecord): ArchivePlace =>
    archiveOver({
      folder: files.folder,
      ports: record.archivePortsOf,
      indexOf: record.archiveIndexOf,
    });
  async function withTwo(work: (one: ArchivePlace, other: ArchivePlace) => Promise<void>): Promise<void> {
    const second = await openPostgresRecord(place.address);
    try {
      await work(serverOver(place.record), serverOver(second));
    } finally {
      await second.close();
    }
  }
  const peek = (at: ArchivePlace, query: string): Promise<object> => at.of().peek({ query });
  const said = (text: string, turn_id: string) => [{ role: 'user', text, turn_id }];
  const hitsOf = async (at: ArchivePlace, query: string) => (await at.of().peek({ query })).total.hits;

  it('is the same at both after every change of either', { timeout: longestMs }, () =>
    withTwo(async (one, other) => {
      for (let round = 0; round < rounds; round++) {
        const [here, there] = round % 2 === 0 ? [one, other] : [other, one];
        const word = `granary${round}`;
        await here.of().addTurns({ id: `c${round}` }, said(`The ${word} of Arkvik holds barley.`, `t${round}`));
        expect(await hitsOf(there, word)).toBe(1);
        await there.of().addTurns({ id: `c${round}` }, said(`The silo${round} of Arkvik holds oats.`, `t${round}`));
        expect([await hitsOf(here, word), await hitsOf(here, `silo${round}`)]).toEqual([0, 1]);
        if (round % 3 === 2) {
          await here.of().delete(`c${round - 1}`);
          expect(await hitsOf(there, `silo${round - 1}`)).toBe(0);
        }
        expect(await peek(there, 'Arkvik oats')).toEqual(await peek(here, 'Arkvik oats'));
      }
    }),
  );

  it('is the same while both write at once', () =>
    withTwo(async (one, other) => {
      const write = async (at: ArchivePlace, name: string) => {
        for (let turn = 0; turn < 20; turn++)
          await at
            .of()
            .addTurns({ id: `${name}${turn % 3}` }, said(`Barley from ${name}, load ${turn}.`, `${name}-${turn}`));
      };
      await Promise.all([write(one, 'a'), write(other, 'b')]);
      expect(await hitsOf(one, 'barley')).toBe(40);
      expect(await peek(one, 'barley load')).toEqual(await peek(other, 'barley load'));
    }));

  it('is opened anew by who did not follow for long, and what is told no longer goes', () =>
    withTwo(async (one, other) => {
      for (const name of ['a', 'b', 'c', 'd']) await one.of().addTurns({ id: name }, said(`Barley ${name}.`, name));
      expect(await hitsOf(other, 'barley')).toBe(4);
      const removed = () => place.run('SELECT row FROM archive_removed ORDER BY seq');
      await one.of().delete('a');
      await one.of().delete('b');
      await place.run("UPDATE archive_removed SET at = at - interval '61 min'");
      expect(await removed()).toHaveLength(2);
      await one.of().delete('c');
      expect(await removed()).toHaveLength(2);
      const { tenant } = place.tenant.scope;
      const late = { firstRow: 1, lastRow: 1, mark: 0 };
      expect(await place.record.archiveIndexOf(tenant).putSegment(Uint8Array.of(1), late)).toBeUndefined();
      expect([await hitsOf(other, 'barley'), await hitsOf(one, 'barley')]).toEqual([1, 1]);
      await other.of().delete('d');
      expect([await hitsOf(other, 'barley'), await hitsOf(one, 'barley')]).toEqual([0, 0]);
      for (let round = 0; round < 3; round++) {
        await one.of().addTurns({ id: 'e' }, said('Barley e.', 'e'));
        await place.run("UPDATE archive_removed SET at = at - interval '61 min'");
        await one.of().delete('e');
        expect((await removed()).length).toBeLessThanOrEqual(2);
        await other.of().addTurns({ id: 'f' }, said('Oats.', 'f'));
        expect([await hitsOf(other, 'barley'), await hitsOf(other, 'oats')]).toEqual([0, 1]);
      }
    }));

  it('keeps each turn in one segment, and none of what was taken away', () =>
    withTwo(async (one, other) => {
      expect([await hitsOf(one, 'barley'), await hitsOf(other, 'barley')]).toEqual([0, 0]);
      const lines = Array.from({ length: sealedTurns + 50 }, (_, turn) => ({
        conversation_id: `c${turn % 100}`,
        turn_id: `t${turn}`,
        role: 'user',
        text: turn % 100 === 7 ? `Xylophone ${turn}` : `Barley ${turn}`,
      }));
      await one.importText('all.jsonl', toJsonl(lines));
      const before = await hitsOf(other, 'barley');
      expect(before).toBe(lines.filter(({ text }) => text.startsWith('Barley')).length);
      const segments = () => place.run("SELECT id, position('xylophon'::bytea IN bytes) AS word FROM archive_segment");
      expect(await segments()).toMatchObject([{ word: expect.any(Number) }]);
      expect(((await segments()) as { word: number }[])[0]?.word).toBeGreaterThan(0);
      // The other one did not write it.
      await other.of().delete('c7');
      for (const { word } of (await segments()) as { word: number }[]) expect(word).toBe(0);
      expect([await hitsOf(one, 'xylophone'), await hitsOf(one, 'barley')]).toEqual([0, before]);
      other.restart();
      expect([await hitsOf(other, 'xylophone'), await hitsOf(other, 'barley')]).toEqual([0, before]);
      expect(await segments()).toMatchObject([{ word: 0 }]);
      one.restart();
      expect(await peek(one, 'barley 12')).toEqual(await peek(other, 'barley 12'));
    }));
});
