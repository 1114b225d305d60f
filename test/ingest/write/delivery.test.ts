// Delivery to a store that fails in every way, over a real record: what is there at the end is what the record says, whatever happened.
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { createDelivery, type Delivery } from '../../../src/ingest/write/delivery.ts';
import { createWriter } from '../../../src/ingest/write/writer.ts';
import type { Store } from '../../../src/stores/store.ts';
import { createRandom, historiesOfRun } from '../../../testkit/history.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { createFaultyStore, type FaultyStore, faults } from './faulty-store.ts';

const place = recordForEachTest();
const { first, count: schedules } = historiesOfRun();

interface Bench {
  readonly far: FaultyStore;
  readonly record: TenantRecord;
  readonly delivery: () => Delivery;
  put(id: string, revision: number, text: string, stores?: readonly string[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  advance(ms: number): void;
  /** What is under way ends without being recorded, as when the process is killed; another worker begins. */
  kill(): Promise<void>;
  counts(): ReturnType<Delivery['status']>;
}

interface BenchOptions {
  readonly batch?: number;
  readonly chunks?: number;
  readonly names?: readonly string[];
  readonly batches?: Store['batches'];
}

function openBench(tenant: string, { batch = 3, chunks = 10_000, names = ['far'], batches }: BenchOptions = {}): Bench {
  const far = createFaultyStore();
  const scope = scopeOf(tenant);
  const record = place.record.forScope(scope);
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => new Date(nowMs).toISOString(), elapsedMs: () => nowMs };
  let generation = 0;
  function begin(): Delivery {
    generation += 1;
    const own = generation;
    const queue = place.record.deliveriesOf(tenant);
    return createDelivery({
      names,
      storeOf: (_, name): Store => ({ ...far.store, name, ...(batches && { batches }) }),
      queueOf: () => ({
        ...queue,
        settle: (attempts, at) =>
          own === generation ? queue.settle(attempts, at) : Promise.reject(new Error('The process is gone.')),
      }),
      documentsOf: () => record.documents,
      tenants: [tenant],
      clock,
      random: () => 0.5,
      timing: { batch, chunks, closingMs: 1000 },
    });
  }
  let delivery = begin();
  const writer = createWriter({
    record,
    stores: names.map((name) => ({ ...far.store, name })),
    clock,
    lingerMs: 0,
  });
  return {
    far,
    record,
    delivery: () => delivery,
    async put(id, revision, text, stores) {
      const write = createWrite(text, { id, uri: `${id}.md`, revision });
      const [outcome] = await writer.put([
        { write, newSource: { name: 'notes', type: 'docs' }, ...(stores && { stores }) },
      ]);
      if (outcome instanceof FootnoteError) throw outcome;
      delivery.wake(tenant);
    },
    async remove(ids) {
      await writer.delete(ids);
      delivery.wake(tenant);
    },
    advance(ms) {
      nowMs += ms;
    },
    async kill() {
      const killed = delivery;
      generation += 1;
      await killed.close();
      delivery = begin();
    },
    counts: () => delivery.status(tenant, 'far'),
  };
}

type Row = readonly [id: string, revision: number, text: string];

const sorted = (rows: readonly Row[]): readonly Row[] => rows.toSorted(([left], [right]) => (left < right ? -1 : 1));
const heldBy = ({ files }: FaultyStore): readonly Row[] =>
  sorted(files.map(({ documentId, revision, text }) => [documentId, revision, text]));

describe('createDelivery', () => {
  it('brings what is written and takes away what is deleted, in batches, without anybody asking', async () => {
    const { far, put, remove, delivery, record } = openBench('default', { batch: 10 });
    far.nextFault = () => undefined;
    await Promise.all(Array.from({ length: 25 }, (_, at) => put(`d${at}`, 1, `Text ${at}.`)));
    await delivery().settle('default');
    expect(far.files).toHaveLength(25);
    expect(far.calls.length).toBeLessThan(25);
    expect(await record.documents.deliveries('d3')).toMatchObject([{ store: 'far', status: 'delivered', attempts: 1 }]);
    await remove(['d1', 'd2']);
    await delivery().settle('default');
    expect(far.files).toHaveLength(23);
    expect(await delivery().status('default', 'far')).toEqual({ pending: 0, failed: 0, deletions: 0, isPaused: false });
  });

  it('gives a store as many documents as it says are best, one call after the other where it says so', async () => {
    const { far, put, delivery } = openBench('default', { batches: { documents: 10, atOnce: 1 } });
    await delivery().pause('default', 'far');
    for (let at = 0; at < 25; at += 1) await put(`d${at}`, 1, `Text ${at}.`);
    let [open, mostOpen] = [0, 0];
    far.nextFault = () => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      // Others have many turns to begin meanwhile.
      const wait = (turns: number): void => {
        setImmediate(() => {
          if (turns > 0) return wait(turns - 1);
          open = 0;
          far.release();
        });
      };
      wait(20);
      return 'late';
    };
    await delivery().resume('default', 'far');
    await delivery().settle('default');
    expect(far.calls.map(({ documentIds }) => documentIds.length)).toEqual([10, 10, 5]);
    expect(mostOpen).toBe(1);
  });

  it('takes no more documents into a call than its chunks allow, and the others with the next', async () => {
    const { far, put, delivery } = openBench('default', { batch: 10, chunks: 3 });
    await delivery().pause('default', 'far');
    for (let at = 0; at < 7; at += 1) await put(`d${at}`, 1, `Text ${at}.`);
    await delivery().resume('default', 'far');
    await delivery().settle('default');
    expect(far.calls.map(({ documentIds }) => documentIds.length).toSorted((left, right) => left - right)).toEqual([
      1, 3, 3,
    ]);
    expect(await delivery().status('default', 'far')).toMatchObject({ pending: 0, failed: 0 });
  });

  it('deletes here at once where the store is down, and there as soon as it is back, also after a restart', async () => {
    const { far, put, remove, delivery, record, advance, kill, counts } = openBench('default');
    await put('a', 1, 'A.');
    await delivery().settle('default');
    far.nextFault = () => 'before';
    await remove(['a']);
    await delivery().settle('default');
    expect(await record.documents.get('a')).toBeUndefined();
    expect(far.files).toHaveLength(1);
    expect(await counts()).toMatchObject({ deletions: 1, held: { reason: 'Down.' } });
    far.nextFault = () => undefined;
    await kill();
    advance(60_000);
    await delivery().settle('default');
    expect(far.files).toEqual([]);
    expect(await counts()).toEqual({ pending: 0, failed: 0, deletions: 0, isPaused: false });
  });

  it('leaves a store that is down alone, longer each time, and not before the time that it named', async () => {
    const { far, put, delivery, advance, counts } = openBench('default');
    far.nextFault = () => 'before';
    await put('a', 1, 'A.');
    await delivery().settle('default');
    const untilMs = async (): Promise<number> => (await counts()).held?.untilMs ?? 0;
    const start = Date.parse('2026-01-01T00:00:00Z');
    expect(await untilMs()).toBe(start + 750);
    await delivery().settle('default');
    expect(far.calls).toHaveLength(1);
    advance(750);
    await delivery().settle('default');
    expect(far.calls).toHaveLength(2);
    expect(await untilMs()).toBe(start + 750 + 1500);
    advance(1500);
    far.nextFault = () => 'limited';
    await delivery().settle('default');
    expect(await untilMs()).toBe(start + 750 + 1500 + 5000);
  });

  it('tries a store that takes no key as a whole, and goes on by itself when the key is mended', async () => {
    const { far, put, delivery, advance, counts } = openBench('default');
    far.nextFault = () => 'locked';
    await Promise.all(['a', 'b', 'c'].map((id) => put(id, 1, `Text of ${id}.`)));
    await delivery().settle('default');
    expect(far.calls).toHaveLength(1);
    const { pending, failed, held } = await counts();
    expect([pending + failed, held?.reason]).toEqual([3, 'The key is not taken.']);
    far.nextFault = () => undefined;
    advance(60_000);
    await delivery().settle('default');
    expect(far.files).toHaveLength(3);
  });

  it('delays no other store', async () => {
    const { far, put, delivery, record } = openBench('default', { names: ['far', 'near'] });
    let asked = 0;
    // Both are the same place; the calls of one of them fail.
    far.nextFault = () => {
      asked += 1;
      return asked === 1 ? 'before' : undefined;
    };
    await put('a', 1, 'A.');
    await delivery().settle('default');
    const states = (await record.documents.deliveries('a')).map(({ status }) => status).sort();
    expect(states).toEqual(['delivered', 'failed']);
  });

  it('costs a document that the store refuses no other, and tries it again only when it changes or is asked for', async () => {
    const { far, put, delivery, record, advance } = openBench('default');
    far.refuses = 'bad';
    await Promise.all(['a', 'bad', 'b'].map((id) => put(id, 1, `Text of ${id}.`)));
    await delivery().settle('default');
    advance(3_600_000);
    await delivery().settle('default');
    expect(await record.documents.deliveries('a')).toMatchObject([{ status: 'delivered' }]);
    expect(await record.documents.deliveries('b')).toMatchObject([{ status: 'delivered' }]);
    expect(await record.documents.deliveries('bad')).toMatchObject([{ status: 'failed', lastError: 'Too odd.' }]);
    expect(await delivery().sync('default', 'far')).toEqual({ delivered: 0, failed: 1 });
    far.refuses = undefined;
    expect(await delivery().sync('default', 'far')).toEqual({ delivered: 1, failed: 0 });
  });

  it('rests while it is paused, also after a restart, and goes on when it is resumed', async () => {
    const { far, put, delivery, kill, counts } = openBench('default');
    await delivery().pause('default', 'far');
    await put('a', 1, 'A.');
    await kill();
    await delivery().settle('default');
    expect(far.calls).toEqual([]);
    expect(await counts()).toMatchObject({ pending: 1, isPaused: true });
    await delivery().resume('default', 'far');
    await delivery().settle('default');
    expect(far.files).toHaveLength(1);
  });

  it('sends nothing to a store that a document is not meant for, takes it away when that changes, and brings it back', async () => {
    const { far, put, delivery, record } = openBench('default');
    await put('a', 1, 'A.', ['elsewhere']);
    await put('b', 1, 'B.');
    expect(await delivery().sync('default', 'far')).toMatchObject({ failed: 0 });
    expect(far.files.map(({ documentId }) => documentId)).toEqual(['b']);
    await put('b', 2, 'B again.', ['elsewhere']);
    await delivery().settle('default');
    expect(far.files).toEqual([]);
    await record.commit([{ kind: 'add-target', documentId: 'a', store: 'far' }]);
    await delivery().sync('default', 'far');
    expect(far.files.map(({ documentId }) => documentId)).toEqual(['a']);
  });

  it(`ends with the record's documents, whatever failed and whenever it was killed: ${schedules} random schedules`, async () => {
    const run = async (seed: number): Promise<void> => {
      const { next: random } = createRandom(seed);
      const chance = (share: number): boolean => random() < share;
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const bench = openBench(`tenant-${seed}`, { batch: 1 + Math.floor(random() * 4) });
      const { far } = bench;
      const faulty = random();
      far.nextFault = () => (chance(faulty) ? pick(faults) : undefined);
      const revisions = new Map<string, number>();
      /** What the store shall hold at the end. */
      const wanted = new Map<string, readonly [string, number, string]>();
      for (let step = 0; step < 12; step += 1) {
        const id = `d${Math.floor(random() * 4)}`;
        const revision = revisions.get(id);
        const kind = random();
        if (kind < 0.45) {
          const [next, text] = [(revision ?? 0) + 1, `Text ${seed}.${step} of ${id}.`];
          revisions.set(id, next);
          const isElsewhere = chance(0.15);
          if (isElsewhere) wanted.delete(id);
          else wanted.set(id, [id, next, text]);
          await bench.put(id, next, text, isElsewhere ? ['elsewhere'] : undefined);
        } else if (kind < 0.65) {
          await bench.remove([id]);
          revisions.delete(id);
          wanted.delete(id);
        } else if (kind < 0.8) {
          bench.advance(random() * 20_000);
          far.release();
          bench.delivery().wake(`tenant-${seed}`);
        } else if (kind < 0.9) await bench.kill();
        else await new Promise((resolve) => setImmediate(resolve));
      }
      far.nextFault = () => undefined;
      far.release();
      await bench.kill();
      bench.advance(3_600_000);
      // A document that the store was given twice and one that it should not have any more are gone after one try of each.
      await bench.delivery().sync(`tenant-${seed}`, 'far');
      expect(heldBy(far), `seed ${seed}`).toEqual(sorted([...wanted.values()]));
      expect(await bench.counts(), `seed ${seed}`).toMatchObject({ pending: 0, failed: 0, deletions: 0 });
      await bench.delivery().close();
    };
    // Some at the same time share commits.
    const together = 20;
    for (let seed = first; seed < first + schedules; seed += together)
      await Promise.all(Array.from({ length: together }, (_, at) => run(seed + at)));
  });
});
