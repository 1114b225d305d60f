// What was acknowledged is found by every search that begins afterwards, whatever else goes on in the process: commits that were taken back,
// other writers, an index that is begun, rebuilt, sealed and merged meanwhile, and a machine that has other things to do.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextTurn } from '../../../src/core/waiting/pieces.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import type { StoreDocument } from '../../../src/stores/delivered.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { engineOf } from '../../../src/stores/embedded/shared.ts';
import { createUpkeep } from '../../../src/stores/embedded/upkeep.ts';
import { archiveIn } from '../../../testkit/archive-fixture.ts';
import { createRandom } from '../../../testkit/history.ts';
import { failing, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf, temporaryFolder } from '../../../testkit/record-fixture.ts';

const space = { name: 'test-model', dimensions: 8, metric: 'cosine' } as const;
const random = createRandom(38);
const vectorOf = (): Float32Array => Float32Array.from({ length: space.dimensions }, () => random.below(2001) - 1000.5);
const storeOf = (record: SqliteRecordDatabase) =>
  createEmbeddedStore({ database: record, scope: scopeOf(), vectors: space });

type Write = ReturnType<typeof createWrite> & StoreDocument;
function document(id: string, word: string): Write {
  const write = createWrite(`The ${word} waits by the river.`, { id, uri: `${id}.md`, title: 'Notes', language: 'en' });
  return { ...write, vectors: Float32Array.from(write.chunks.flatMap(() => [...vectorOf()])) };
}

/** A word that nobody else writes, of letters alone. */
const wordOf = (stem: string, name: string, round: number): string =>
  `${stem}${name}${String.fromCodePoint(97 + round)}`;

/** Of both kinds of search that begin now: whether they find the document, and what they say is missing. */
async function look(record: SqliteRecordDatabase, write: Write, word: string) {
  const store = storeOf(record);
  const vector = write.vectors?.slice(0, space.dimensions) ?? new Float32Array();
  const pages = await Promise.all([
    store.search({ text: word, mode: 'lexical', limit: 3 }),
    store.search({ text: '', mode: 'vector', vector, limit: 3 }),
  ]);
  return pages.map(({ hits }) => hits.some(({ documentId }) => documentId === write.document.id));
}

describe('what was acknowledged', () => {
  /** Turns of the event loop between the begin of an index and a commit: every step of the one falls into the other once. */
  const turns = Array.from({ length: 14 }, (_, at) => at);

  it.each(turns)('is found while the index of a record with documents is begun, %i turns later', async (after) => {
    const { folder, remove } = temporaryFolder();
    const record = openSqliteRecord({ folder });
    try {
      const tenant = record.forScope(scopeOf());
      const write = document('b', 'heron');
      // A document without entries: another store has it, or the index was lost.
      await tenant.commit(putAll([document('a', 'otter')]));
      await expect(tenant.commit([...putAll([write], storeOf(record)), failing])).rejects.toThrow('doc_of_nobody');
      const begun = engineOf(record, 'default').upkeep.run();
      for (let turn = 0; turn < after; turn++) await nextTurn();
      await tenant.commit(putAll([write], storeOf(record)));
      expect(await look(record, write, 'heron')).toEqual([true, true]);
      await begun;
      expect(await look(record, write, 'heron')).toEqual([true, true]);
      const { hits, degraded } = await storeOf(record).search({ text: 'otter', mode: 'lexical', limit: 3 });
      expect(hits).toHaveLength(1);
      expect(degraded).toEqual([]);
    } finally {
      await record.close();
      remove();
    }
  });

  const place = recordForEachTest();

  it('keeps what is written after the state of an index was lost, and takes no vector for that of another', async () => {
    const { record, tenant } = place;
    const before = document('a', 'otter');
    await tenant.commit(putAll([before], storeOf(record)));
    await record.write((connection) => connection.exec('DELETE FROM lexical_state'));
    const write = document('b', 'heron');
    await tenant.commit(putAll([write], storeOf(record)));
    await engineOf(record, 'default').upkeep.settle();
    expect(await look(record, write, 'heron')).toEqual([true, true]);
    expect(await look(record, before, 'otter')).toEqual([true, true]);
  });
});

describe('what was acknowledged on a machine that has other things to do', () => {
  const place = recordForEachTest();

  /** Timers come late, and threads are taken off the processor. */
  const busy: Worker[] = [];
  beforeAll(() => {
    for (let at = 0; at < 2; at++) busy.push(new Worker('for (;;) Math.sqrt(2);', { eval: true }));
  });
  afterAll(async () => {
    await Promise.all(busy.map((worker) => worker.terminate()));
  });

  it('is found by whoever wrote it, among writers whose commits are taken back and an index that is tidied', async () => {
    const { record, tenant } = place;
    const upkeep = createUpkeep(record, engineOf(record, 'default').engine, { sealFrom: 20, quietMs: 0 });
    const missed: string[] = [];
    let isOver = false;
    const tidying = (async () => {
      while (!isOver) {
        await upkeep.run();
        await nextTurn();
      }
    })();
    const writer = async (name: string): Promise<void> => {
      for (let round = 0; round < 25; round++) {
        const id = `${name}${random.below(8)}`;
        const word = wordOf('heron', name, round);
        const write = document(id, word);
        const broken = tenant.commit([...putAll([document(id, `never${name}`)], storeOf(record)), failing]);
        const [, outcome] = await Promise.allSettled([broken, tenant.commit(putAll([write], storeOf(record)))]);
        expect(outcome.status).toBe('fulfilled');
        const found = await look(record, write, word);
        if (found.includes(false)) missed.push(`${word}: words ${String(found[0])}, meaning ${String(found[1])}`);
        const gone = await storeOf(record).search({ text: `never${name}`, mode: 'lexical', limit: 3 });
        if (gone.hits.length > 0) missed.push(`never${name} was taken back and is found`);
        for (let turn = random.below(4); turn > 0; turn--) await nextTurn();
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(writer));
    isOver = true;
    await tidying;
    expect(upkeep.failure()).toBeUndefined();
    expect(missed).toEqual([]);
  }, 60_000);

  it('is found in the archive while others write to it, remove from it, fail, and its index is opened', async () => {
    const archive = archiveIn(place);
    const missed: string[] = [];
    const writer = async (name: string): Promise<void> => {
      for (let round = 0; round < 12; round++) {
        const id = `${name}${round % 3}`;
        const word = wordOf('lantern', name, round);
        const text = `The ${word} was lit.`;
        const failed = archive
          .of()
          .delete('nobody')
          .then(
            () => 'done',
            () => 'failed',
          );
        await archive.of().addTurns({ id }, [{ role: 'user', text, turn_id: `${id}-${round}` }]);
        const peek = async () => (await archive.of().peek({ query: word })).total.hits;
        if ((await peek()) !== 1) missed.push(text);
        expect(await failed).toBe('failed');
        if (round % 3 === 2) await archive.of().delete(id);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(writer));
    expect(missed).toEqual([]);
  }, 60_000);
});
