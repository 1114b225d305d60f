// The embedded store and its worker threads: what is prepared, merged, read ahead or searched on a thread gives what the
// same work in place gives, and nothing half written is ever read or left behind.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Filter } from '../../../src/core/search.ts';
import type { DocumentWrite } from '../../../src/db/repositories/changes.ts';
import { createIndexLog } from '../../../src/db/sqlite/index-log.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import { closeEngineThreads, createEngineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { createEnginePool } from '../../../src/engine/threads/pool.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { createEngine } from '../../../src/stores/embedded/engine.ts';
import { dropLeftParts, holdParts, readParts, writeParts } from '../../../src/stores/embedded/parts.ts';
import type { EmbeddedStore } from '../../../src/stores/embedded/port.ts';
import { createUpkeep } from '../../../src/stores/embedded/upkeep.ts';
import { turnsWhile } from '../../../testkit/event-loop-turns.ts';
import { createRandom } from '../../../testkit/history.ts';
import { deleteAll, failing, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';
import { expectAgreement } from '../../crash/agreement.ts';

const admin = scopeOf();
const pool = createEnginePool({ size: 2 });
const threads = createEngineThreads(() => pool, { inPlacePostings: -1, inPlaceTerms: -1, patient: true });
afterAll(async () => {
  await pool.close();
  await closeEngineThreads();
});

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

function documentsOf(count: number, words: number, word = plainWord): DocumentWrite[] {
  const random = createRandom(11);
  return Array.from({ length: count }, (_, at) => {
    const text = Array.from({ length: words }, () => word(random.below(words * 40))).join(' ');
    return createWrite(`${text} otter ${at % 3 === 0 ? 'heron' : 'river'}.`, {
      id: `d${at}`,
      uri: `d${at}.md`,
      title: `About ${at}`,
      language: 'en',
    });
  });
}

const plainWord = (number: number): string => `w${number.toString(36)}q`;
/** Many terms for few characters: each Han character and each pair is one. */
const hanWord = (number: number): string =>
  Array.from({ length: 20 }, (_, at) => String.fromCodePoint(0x4e00 + ((number * 7919 + at * 104_729) % 20_000))).join(
    '',
  );

async function put(store: EmbeddedStore, writes: readonly DocumentWrite[], fail = false): Promise<void> {
  await database.forScope(admin).commit([...putAll(writes), store.entries.put(writes), ...(fail ? [failing] : [])]);
}

const ask = async (store: EmbeddedStore) => {
  const pages = [];
  for (const text of ['otter river', '"otter heron"', 'otter -heron', 'about', 'ottr'])
    pages.push(await store.search({ text, mode: 'lexical', limit: 30, explain: true }));
  return pages;
};

const logRows = () =>
  database.read((connection) => connection.prepare('SELECT row, chunk_id, terms, seal FROM lexical_log').all());

const tidy = async (): Promise<void> => {
  const upkeep = createUpkeep(database, createEngine('default'), { sealFrom: 2, quietMs: 0, threads });
  await upkeep.run();
  expect(upkeep.failure()).toBeUndefined();
};

const partCount = (): number =>
  database.read((connection) => Number(connection.prepare('SELECT count(*) AS n FROM lexical_part').get()?.['n']));

describe('embedded store on threads', () => {
  it('finds, guesses and explains what it does in place', async () => {
    const here = createEmbeddedStore({ database, scope: admin });
    const there = createEmbeddedStore({ database, scope: admin, threads });
    const writes = documentsOf(30, 40);
    await put(here, writes);
    expect(await ask(there)).toEqual(await ask(here));
    await here.delete([{ documentId: 'd3' }, { documentId: 'd4' }]);
    const filter = { op: 'in', field: 'uri', values: ['d3.md', 'd5.md', 'd7.md'] } as const;
    for (const store of [here, there])
      expect(
        (await store.search({ text: 'otter', mode: 'lexical', limit: 5, filter })).hits
          .map((hit) => hit.documentId)
          .sort(),
      ).toEqual(['d5', 'd7']);
    expect(await ask(there)).toEqual(await ask(here));
    await tidy();
    expect(await ask(there)).toEqual(await ask(here));
  });

  it('gives a search up when its signal aborts', async () => {
    const store = createEmbeddedStore({ database, scope: admin, threads });
    await put(store, documentsOf(5, 10));
    const controller = new AbortController();
    const asked = store.search({ text: 'otter', mode: 'lexical', limit: 5 }, controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect((await store.search({ text: 'otter', mode: 'lexical', limit: 5 })).hits).toHaveLength(5);
  });

  it('writes the same whether documents were prepared or not, in the batch they were prepared in or another', async () => {
    const writes = documentsOf(60, 200);
    const plain = createEmbeddedStore({ database, scope: admin });
    await put(plain, writes);
    const expected = { rows: logRows(), pages: await ask(plain) };
    for (const batches of [[writes], [writes.slice(0, 7), writes.slice(7)], writes.map((write) => [write])]) {
      await database.close();
      place.remove();
      place = temporaryFolder();
      database = openSqliteRecord({ folder: place.folder });
      const store = createEmbeddedStore({ database, scope: admin, threads });
      const copies = new Map(writes.map((write) => [write, { ...write, chunks: [...write.chunks] }]));
      const copyOf = (write: DocumentWrite): DocumentWrite => copies.get(write) ?? write;
      await store.prepare?.([...copies.values()]);
      await expect(put(store, writes.slice(0, 9).map(copyOf), true)).rejects.toThrow();
      for (const batch of batches) {
        await put(store, batch.map(copyOf));
        await store.health();
      }
      expect(logRows()).toEqual(expected.rows);
      const pages = await ask(store);
      expect(pages.map(({ hits }) => hits.map(({ chunkId, rank }) => [chunkId, rank]))).toEqual(
        expected.pages.map(({ hits }) => hits.map(({ chunkId, rank }) => [chunkId, rank])),
      );
      await expectAgreement(database);
    }
  });

  it('does not use what was prepared of a document that is another by now', async () => {
    const writes = documentsOf(60, 200);
    const store = createEmbeddedStore({ database, scope: admin, threads });
    await store.prepare?.(writes);
    const renamed = writes.map((write) => ({ ...write, document: { ...write.document, title: 'Zanzibar' } }));
    await put(store, renamed);
    expect((await store.search({ text: 'zanzibar', mode: 'lexical', limit: 1000 })).hits).toHaveLength(
      writes.reduce((sum, { chunks }) => sum + chunks.length, 0),
    );
    expect((await store.search({ text: 'about', mode: 'lexical', limit: 5 })).hits).toEqual([]);
  });

  it('reads a long log ahead, once for all who wait, and finds in it what was written', async () => {
    const store = createEmbeddedStore({ database, scope: admin });
    await put(store, documentsOf(300, 20));
    await database.forScope(admin).commit(deleteAll(['d7', 'd150'], store));
    const expected = await ask(store);
    await database.close();
    database = openSqliteRecord({ folder: place.folder });
    const again = createEmbeddedStore({ database, scope: admin, threads });
    const [first, second] = await Promise.all([ask(again), ask(again)]);
    expect(first).toEqual(second);
    expect(first.map(({ hits }) => hits.map((hit) => hit.chunkId))).toEqual(
      expected.map(({ hits }) => hits.map((hit) => hit.chunkId)),
    );
    await expectAgreement(database);
  });
});

describe('filters over a large collection', () => {
  it('leave what they leave in a small one, at the moment of the search', { timeout: 60_000 }, async () => {
    const store = createEmbeddedStore({ database, scope: admin, threads });
    const writes = Array.from({ length: 5300 }, (_, at) =>
      createWrite(`otter ${at}`, {
        id: `d${at}`,
        uri: `${at % 7 === 0 ? 'seven' : 'other'}/d${at}.md`,
        title: '',
        language: 'en',
      }),
    );
    for (let at = 0; at < writes.length; at += 500) await put(store, writes.slice(at, at + 500));
    const few = { op: 'prefix', field: 'uri', value: 'seven/' } as const;
    const all = { op: 'eq', field: 'source', value: writes[0]?.document.source ?? '' } as const;
    const idsOf = async (filter: Filter): Promise<string[]> => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.search({
          text: 'otter',
          mode: 'lexical',
          limit: 1000,
          filter,
          ...(cursor && { cursor }),
        });
        found.push(...page.hits.map((hit) => hit.documentId));
        cursor = page.nextCursor;
      } while (cursor);
      return found.sort();
    };
    const sevens = writes
      .filter(({ document }) => document.uri.startsWith('seven/'))
      .map(({ document }) => document.id);
    const [first, again, everything] = await Promise.all([idsOf(few), idsOf(few), idsOf(all)]);
    expect(first).toEqual([...sevens].sort());
    expect(again).toEqual(first);
    expect(everything).toHaveLength(writes.length);
    const asked = store.search({ text: 'otter', mode: 'lexical', limit: 1000, filter: few });
    await database.forScope(admin).commit(deleteAll(sevens.slice(1), store));
    expect((await asked).hits).toHaveLength(sevens.length);
    expect(await idsOf(few)).toEqual(sevens.slice(0, 1));
    const reader = createEmbeddedStore({ database, scope: scopeOf('default', 'ada', 'reader'), threads });
    expect((await reader.search({ text: 'otter', mode: 'lexical', limit: 10, filter: few })).hits).toHaveLength(1);
  });
});

describe('parts of a segment', () => {
  it('are several for a large one, come back whole, and are missed when one is gone', async () => {
    const store = createEmbeddedStore({ database, scope: admin });
    await put(store, documentsOf(60, 60, hanWord));
    const expected = await ask(store);
    await tidy();
    expect(partCount()).toBeGreaterThan(1);
    const [segment] = database.read((connection) => createIndexLog(connection, 'default').segments());
    if (!segment) throw new Error('no segment');
    const bytes = await readParts(database, 'default', segment);
    expect(bytes).toEqual(
      new Uint8Array(database.read((connection) => createIndexLog(connection, 'default').bytesOf(segment)) ?? []),
    );
    await database.close();
    database = openSqliteRecord({ folder: place.folder });
    await database.write((connection) => connection.exec('DELETE FROM lexical_part WHERE ordinal = 1'));
    const again = createEmbeddedStore({ database, scope: admin });
    expect((await again.search({ text: 'otter', mode: 'lexical', limit: 5 })).degraded).toHaveLength(1);
    expect(await readParts(database, 'default', segment)).toBeUndefined();
    await tidy();
    expect((await ask(again)).map(({ hits }) => hits.map((hit) => hit.chunkId))).toEqual(
      expected.map(({ hits }) => hits.map((hit) => hit.chunkId)),
    );
    await expectAgreement(database);
  });

  it('without a segment are removed, unless they are being written', async () => {
    await put(createEmbeddedStore({ database, scope: admin }), documentsOf(5, 10));
    // Opened anew, so that no upkeep of the store's own is under way.
    await database.close();
    database = openSqliteRecord({ folder: place.folder });
    await tidy();
    const kept = partCount();
    const bytes = new Uint8Array(3_000_000);
    await writeParts(database, 'default', { seal: 'left', bytes });
    const release = holdParts(database, 'default', 'written');
    await writeParts(database, 'default', { seal: 'written', bytes });
    expect(partCount()).toBe(kept + 6);
    await tidy();
    expect(partCount()).toBe(kept + 3);
    release();
    await dropLeftParts(database, 'default');
    expect(partCount()).toBe(kept);
    await expectAgreement(database);
  });
});

describe('heavy filters', () => {
  const metadata: Filter = {
    op: 'or',
    filters: Array.from({ length: 90 }, (_, at): Filter => ({ op: 'eq', field: 'metadata.at', value: -1 - at })),
  };
  const globs: Filter = {
    op: 'or',
    filters: Array.from({ length: 30 }, (_, at): Filter => ({ op: 'glob', field: 'path', value: `**/*d*/${at}/**` })),
  };
  const heavy: Filter = { op: 'or', filters: [metadata, globs, { op: 'eq', field: 'uri', value: 'd7.md' }] };

  it('let others have their turn in a small collection too, and end with the last who waits', async () => {
    const store = createEmbeddedStore({ database, scope: admin, threads });
    const writes = Array.from({ length: 2000 }, (_, at) =>
      createWrite(`otter ${at}`, { id: `d${at}`, uri: `d${at}.md`, title: '', language: 'en', metadata: { at } }),
    );
    for (let at = 0; at < writes.length; at += 500) await put(store, writes.slice(at, at + 500));
    const ask = (signal?: AbortSignal) =>
      store.search({ text: 'otter', mode: 'lexical', limit: 10, filter: heavy }, signal);
    // The first search opens the index.
    await store.search({ text: 'otter', mode: 'lexical', limit: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const [gone, stays] = [ask(first.signal), ask(second.signal)];
    first.abort(new Error('gone'));
    await expect(gone).rejects.toThrow();
    const { value, turns } = await turnsWhile(() => stays);
    expect(value.hits.map(({ documentId }) => documentId)).toEqual(['d7']);
    expect(turns).toBeGreaterThan(5);
    // Who comes after all have left is served all the same.
    await database.forScope(admin).commit([{ kind: 'delete-document', id: 'd9' }]);
    const third = new AbortController();
    const left = ask(third.signal);
    third.abort(new Error('gone'));
    await expect(left).rejects.toThrow();
    expect((await ask()).hits).toHaveLength(1);
  });
});
