// One damaged row of the archive, of the memories or of the traces, in any column: every list and look goes on without it, nothing is served that
// was not written, admins are told, and the check finds it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isFootnoteError } from '../../../src/core/errors.ts';
import { type ArchivePlace, archiveIn, saidAt, toJsonl } from '../../../testkit/archive-fixture.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { damageRow, kinds, tablesOf } from '../../crash/damage-rows.ts';

const place = recordForEachTest();
const sealed = ['archive_turn', 'memory', 'trace'] as const;
/** What counts uses, has a checksum of its own, or is a copy. */
const unsealed = new Set([
  'row',
  'hash',
  'usage_count',
  'last_accessed_at',
  'is_pinned',
  'is_compact',
  'events',
  'chunks',
]);
const path = (): string => join(place.folder, 'record.sqlite');

const turns = ['A0', 'A1', 'A2'].map((id, at) =>
  saidAt(id, `2024-03-0${at + 1}T10:00:00Z`, `Lantern number ${at} was sold.`),
);

async function fill(archive: ArchivePlace): Promise<void> {
  await archive.importText('x.jsonl', toJsonl(turns.map((line) => ({ ...line, role: 'Ana' }))));
  for (const name of ['solar', 'copper', 'meadow'])
    await place.tenant.memoriesOf('me').write({
      id: `mem_${name}`,
      type: 'semantic',
      text: `I like ${name} lanterns`,
      sameKey: name,
      terms: [name, 'lantern'],
      tags: ['t'],
      origin: { at: '2026-11-23T12:00:00.000Z' },
      at: '2026-11-23T12:00:00.000Z',
    });
  for (const id of ['trc_1', 'trc_2', 'trc_3'])
    await place.tenant.traces.save(
      { id, kind: 'ask', sessionId: 's', startedAt: `2026-11-23T12:00:0${id.at(-1)}.000Z`, totalMs: 10, eventCount: 1 },
      [
        { seq: 1, atMs: 0, event: { type: 'request', kind: 'ask', body: { query: 'q' }, at: '' } },
        { seq: 2, atMs: 1, event: { type: 'routing', sources: ['notes'], reason: '' } },
      ],
    );
}

/** What each list and look gives, one thing after another; refusals of what is damaged aside. */
async function readAll(archive: ArchivePlace) {
  const archived = archive.of();
  const memories = place.tenant.memoriesOf('me');
  const one = async (read: () => Promise<unknown>): Promise<readonly unknown[]> => {
    try {
      return [await read()];
    } catch (error) {
      if (isFootnoteError(error) && ['data-corrupt', 'not-found'].includes(error.code)) return [];
      throw error;
    }
  };
  const lists = {
    archive_turn: await archived.turns('A', {}, 10_000),
    memory: await memories.list({}),
    trace: await place.tenant.traces.list({}),
  };
  const peek = await archived.peek({ query: 'lantern', by: ['conversation', 'role'] });
  const things: unknown[] = [
    ...Object.values(lists).flatMap(({ data }): readonly unknown[] => data),
    ...peek.snippets.map(({ score: _, hit: __, ...snippet }) => snippet),
    ...(await memories.recall({ k: 10, minSimilarity: 0.1, terms: ['lantern'] })).map(
      ({ similarity: _, ...memory }) => memory,
    ),
  ];
  for (const { turn_id } of turns.map(({ turn_id: id }) => ({ turn_id: id as string })))
    things.push(...(await one(() => archived.turn(turn_id, { maxTokens: 1000 }))));
  for (const id of ['mem_solar', 'mem_copper', 'mem_meadow']) things.push(...(await one(() => memories.get(id))));
  for (const id of ['trc_1', 'trc_2', 'trc_3']) things.push(...(await one(() => place.tenant.traces.get(id))));
  return { things: things.filter((thing) => thing !== undefined), lists };
}

describe.each(sealed)('a damaged row of %s', (table) => {
  it('is left out, told and found, and everything else goes on', { timeout: 300_000 }, async () => {
    let archive = archiveIn(place);
    await fill(archive);
    const sound = await readAll(archive);
    expect(await place.record.check()).toEqual([]);
    await place.reopen();
    const columns = tablesOf(path()).find((one) => one.table === table)?.columns ?? [];
    const { restore, isAsBefore } = keepRows(table);
    let tried = 0;
    for (const [at, column] of columns.filter((name) => !unsealed.has(name)).entries())
      for (const kind of new Set(['changed' as const, kinds[at % kinds.length] as (typeof kinds)[number]])) {
        let isDone = false;
        await place.reopen(() => {
          restore();
          // Of what is not there nothing can be missing.
          isDone = damageRow(path(), { table, column, kind }, 0.5) && !isAsBefore();
        });
        if (!isDone) continue;
        tried += 1;
        archive = archiveIn(place);
        const what = `${table}.${column} ${kind}`;
        const { things, lists } = await readAll(archive);
        for (const thing of things)
          expect(
            sound.things.some((one) => isDeepStrictEqual(one, thing)),
            `${what}: ${JSON.stringify(thing)}`,
          ).toBe(true);
        expect(lists[table].data.length, what).toBe(2);
        expect(await place.record.check(), what).not.toEqual([]);
      }
    expect(tried).toBeGreaterThan(15);
  });
});

/** How to put the rows back as they are now. */
function keepRows(table: string) {
  const rowsNow = () => {
    const database = new DatabaseSync(path(), { enableForeignKeyConstraints: false, readBigInts: true });
    const found = database.prepare(`SELECT rowid AS place, * FROM ${table} ORDER BY rowid`).all();
    database.close();
    return found;
  };
  const rows = rowsNow();
  return {
    isAsBefore: () => isDeepStrictEqual(rowsNow(), rows),
    restore() {
      const writer = new DatabaseSync(path(), { enableForeignKeyConstraints: false });
      for (const { place: rowid, ...columns } of rows)
        writer
          .prepare(
            `UPDATE ${table} SET ${Object.keys(columns)
              .map((name) => `${name} = ?`)
              .join(', ')} WHERE rowid = ?`,
          )
          .run(...(Object.values(columns) as never[]), rowid as bigint);
      writer.close();
    },
  };
}

it('is told to admins alone, made whole by its import, and stays damaged whatever is changed of it', async () => {
  const archive = archiveIn(place);
  await fill(archive);
  await place.reopen(() => {
    for (const [table, column] of [
      ['archive_turn', 'messages'],
      ['memory', 'text'],
      ['trace', 'kind'],
    ] as const)
      damageRow(path(), { table, column, kind: 'changed' }, 0.5);
  });
  const read = async (role: 'admin' | 'reader') => {
    const tenant = place.record.forScope(scopeOf('default', 'local', role));
    const [memories, traces] = [await tenant.memoriesOf('me').list({}), await tenant.traces.list({})];
    return [memories, traces].map((page) => (page as { readonly damaged?: unknown }).damaged);
  };
  expect(await read('admin')).toEqual([[{ id: 'mem_copper' }], [{ id: 'trc_2' }]]);
  expect(await read('reader')).toEqual([undefined, undefined]);
  await place.tenant.traces.pin('trc_2', true);
  await expect(place.tenant.memoriesOf('me').edit('mem_copper', { tags: ['x'], at: 'now' })).rejects.toMatchObject({
    code: 'data-corrupt',
  });
  expect(await read('admin')).toEqual([[{ id: 'mem_copper' }], [{ id: 'trc_2' }]]);
  const again = archiveIn(place);
  await again.importText('x.jsonl', toJsonl(turns.map((line) => ({ ...line, role: 'Ana' }))));
  expect((await again.of().turns('A', {}, 1000)).data).toHaveLength(3);
  await place.tenant.memoriesOf('me').delete('mem_copper');
  expect(await place.record.check()).toEqual(['The entry of trace trc_2 is not what was recorded.']);
});
