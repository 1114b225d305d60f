// Two Footnotes on one PostgreSQL: what one at a time does is done by one, whichever is asked.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { randomIds, systemClock } from '../../src/core/ids.ts';
import { localScope } from '../../src/core/scope.ts';
import type { Footnote } from '../../src/footnote/facade.ts';
import { type OpenedFootnote, type OpenOptions, openFootnote } from '../../testkit/open-footnote.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../testkit/postgres/server.ts';

const programs = postgresPrograms();
const connectorOf = (folder: string) => ({ kind: 'folder', path: join(folder, 'notes') }) as const;

describe.skipIf(programs === undefined)('two Footnotes on one record (skipped where no server is installed)', () => {
  let server: PostgresServer;
  let address: string;
  let folder: string;
  let [one, other] = [0, 0] as unknown as [OpenedFootnote, OpenedFootnote];
  const opened: OpenedFootnote[] = [];
  const of = (footnote: OpenedFootnote): Footnote => footnote.forScope(localScope());

  async function open(data: string, options?: OpenOptions): Promise<OpenedFootnote> {
    const environment = { FOOTNOTE_DATA: join(folder, data), FOOTNOTE_DATABASE_URL: address };
    const made = await openFootnote(loadConfig({ folder, environment }), options);
    opened.push(made);
    return made;
  }
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
  });
  afterAll(() => server?.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'footnote-servers-'));
    address = await server.createDatabase();
    await mkdir(join(folder, 'notes'));
    for (let n = 0; n < 40; n++)
      await writeFile(
        join(folder, 'notes', `${n}.md`),
        `# Berth ${n}\n\nThe ship of berth ${n} is called ${'abcdefgh'.repeat(n)}.\n`,
      );
    [one, other] = [await open('one'), await open('other')];
  });
  afterEach(async () => {
    for (const made of opened.splice(0)) await made.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('read a source once at a time, and say of a run of the other what they say of their own', async () => {
    await of(one).sources.put({ name: 'notes', type: 'docs', connector: connectorOf(folder) });
    const { id } = await of(one).sources.startSync('notes');
    for (const footnote of [one, other])
      await expect(of(footnote).sources.sync('notes')).rejects.toMatchObject({
        code: 'conflict',
        details: { ingestionId: id },
      });
    expect(await of(other).ingestions.get(id)).toMatchObject({ state: 'running' });
    await expect.poll(async () => (await of(other).ingestions.get(id)).state, { timeout: 60_000 }).toBe('done');
    expect(await of(other).sources.sync('notes')).toMatchObject({ state: 'done', counts: { unchanged: 40 } });
  });

  it('know each other', async () => {
    other.setAddress('http://127.0.0.1:4181');
    await expect
      .poll(() => of(one).servers.list())
      .toMatchObject([{ isThis: true }, { isThis: false, address: 'http://127.0.0.1:4181' }]);
    await opened.shift()?.close();
    expect(await of(other).servers.list()).toMatchObject([{ isThis: true }]);
  });

  it('keep sources fresh one at a time, and another where that ends', async () => {
    const source = {
      name: 'notes',
      type: 'docs',
      connector: connectorOf(folder),
      schedule: { everyMinutes: 30 },
    } as const;
    await of(one).sources.put(source);
    const later = { ...systemClock, now: () => new Date(Date.now() + 3_600_000).toISOString() };
    const third = await open('third', { clock: later, ids: randomIds });
    expect(await one.upkeep.look()).toEqual(['notes']);
    expect(await other.upkeep.look()).toEqual([]);
    // By its clock it is due again.
    expect(await third.upkeep.look()).toEqual([]);
    await opened.shift()?.close();
    await expect.poll(() => third.upkeep.look()).toEqual(['notes']);
  });

  it('learn one model of what both took in, and keep one log of who called', async () => {
    const add = (footnote: OpenedFootnote, from: number) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          of(footnote).documents.add({
            text: `Berth ${from + n} holds a ship with ${n} masts, a crane of oak and ${from} ropes.`,
            mime: 'text/plain',
            source: 'berths',
            uri: `${from + n}.txt`,
          }),
        ),
      );
    await Promise.all([add(one, 0), add(other, 100)]);
    await Promise.all([one, other].map((footnote) => footnote.settle('default', { exact: true })));
    const models = await server.run(address, 'SELECT state, count(*)::int AS n FROM embedding_model GROUP BY state');
    expect(models).toEqual([{ state: 'active', n: 1 }]);
    const found = await Promise.all(
      [one, other].map((footnote) => of(footnote).search({ query: 'ship with masts', mode: 'vector', topK: 40 })),
    );
    const [mine, theirs] = found.map(({ results, degraded }) => [
      results.map(({ uri, score }) => ({ uri, score })),
      degraded,
    ]);
    expect(mine).toEqual(theirs);
    expect(found[0]?.results).toHaveLength(40);
    for (let n = 0; n < 5; n++)
      await Promise.all([one, other].map((footnote) => footnote.keys.create({ name: `key ${n}`, role: 'reader' })));
    for (const footnote of opened.splice(0)) await footnote.close();
    const left = await open('left');
    expect(await of(left).audit.verify({})).toMatchObject({ ok: true, faults: [] });
  });
});
