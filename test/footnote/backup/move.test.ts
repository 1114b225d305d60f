// A record with something in every table goes from the data folder into PostgreSQL and back: nothing is lost on the way, and what it finds, replays and opens
// is what it was, to the last bit.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { localScope } from '../../../src/core/scope.ts';
import type { Moved } from '../../../src/db/move/move-record.ts';
import { moveToFolder, moveToPostgres } from '../../../src/footnote/backup/move.ts';
import { foundBy, makeWholeRecord, type WholeRecord } from '../../../testkit/move/whole-record.ts';
import { type OpenedFootnote, openFootnote } from '../../../testkit/open-footnote.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../../testkit/postgres/server.ts';

const programs = postgresPrograms();
const { signal } = new AbortController();

describe.skipIf(programs === undefined)('a record that moves (skipped where no PostgreSQL is installed)', () => {
  let server: PostgresServer;
  let folder: string;
  let whole: WholeRecord;
  let address: string;
  let there: Moved;

  const opened = async <T>(data: string, settings: object, work: (one: OpenedFootnote) => Promise<T>): Promise<T> => {
    const one = await openFootnote(loadConfig({ folder, environment: { FOOTNOTE_DATA: data, ...settings } }));
    try {
      return await work(one);
    } finally {
      await one.close();
    }
  };
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    folder = await mkdtemp(join(tmpdir(), 'footnote-move-'));
    whole = await makeWholeRecord(folder);
    const leaning = "SELECT count(*) AS traces FROM trace WHERE chunks <> '[]'";
    const database = new DatabaseSync(join(folder, 'data', 'record.sqlite'));
    expect(Number(database.prepare(leaning).get()?.['traces'])).toBeGreaterThan(0);
    database.close();
    address = await server.createDatabase();
    const before = await readFile(join(folder, 'data', 'record.sqlite'));
    there = await moveToPostgres(join(folder, 'data'), { address, isResumed: false, signal });
    expect(before.equals(await readFile(join(folder, 'data', 'record.sqlite')))).toBe(true);
  }, 300_000);
  afterAll(async () => {
    server?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('has something in every table, and comes back equal', async () => {
    expect(Object.entries(there.tables).flatMap(([name, { rows }]) => (rows === 0 ? name : []))).toEqual([]);
    const back = await moveToFolder(join(folder, 'back'), { address, isResumed: false, signal });
    expect(back).toEqual(there);
    const counted = (data: string) => {
      const database = new DatabaseSync(join(folder, data, 'record.sqlite'), { readOnly: true });
      const numbers = database.prepare('SELECT name, seq FROM sqlite_sequence WHERE name LIKE ? ORDER BY name');
      const rows = numbers.all('archive_%');
      const log = database
        .prepare('SELECT tenant, row, chunk_id, terms, seal FROM lexical_log ORDER BY tenant, row')
        .all();
      database.close();
      return { rows, log };
    };
    expect(counted('back')).toEqual(counted('data'));
    expect(counted('back').log.length).toBeGreaterThan(100);
  });

  it.each(['postgres', 'back'])('finds, replays and opens what it did: %s', async (name) => {
    const settings = name === 'postgres' ? { FOOTNOTE_DATABASE_URL: address } : {};
    await opened(join(folder, name), settings, async (one) => {
      const footnote = one.forScope(localScope());
      expect(await foundBy(footnote)).toEqual(whole.found);
      expect(whole.found.length).toBe(30);
      for (const answer of whole.answers) {
        expect(await footnote.answers.get(answer.id)).toEqual(answer);
        expect(await footnote.traces.replay(answer.traceId)).toMatchObject({ same: true, sameCalls: true });
      }
      expect(await footnote.audit.verify()).toMatchObject({ ok: true });
      expect(await one.keys.authenticate(whole.secret)).toMatchObject({ principal: { role: 'reader' } });
      expect(await one.check()).toEqual([]);
      // It goes on: nothing is numbered twice, and what is new is found beside what was there.
      const text = 'The beacon of Arkvik burns whale oil.';
      await footnote.documents.add({ text, mime: 'text/plain', source: 'new', uri: 'beacon.txt' });
      await footnote.conversations.addTurns('later', { messages: [{ role: 'user', text: 'A buoy.', turn_id: 't' }] });
      await footnote.memories.add({ text: 'My boat has a red sail.' });
      await one.settle('default', { exact: true });
      const { results } = await footnote.search({ query: 'beacon whale oil', mode: 'hybrid' });
      expect(results[0]?.uri).toBe('beacon.txt');
      const copies = await footnote.documents.add({
        text: 'The harbour of Arkvik has forty berths, one crane and a granary of oak, and the pier stays dry in spring.',
        mime: 'text/plain',
        source: 'copies',
        uri: 'copy.txt',
      });
      expect(copies[0]?.duplicates?.length).toBeGreaterThan(0);
    });
  });
});
