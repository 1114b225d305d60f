// Every request that the store at Firestore makes, with every fault that a service can have there: it ends correctly or in a typed error, in its
// time and without a word of the vendor, and doing it again afterwards ends in what was wanted. Then random histories of writes, lost
// answers and restarts: what is there in the end is what was recorded.
import { describe, expect, it } from 'vitest';
import { errorTable, toFootnoteError } from '../../src/core/errors.ts';
import type { StoreDocument, StoreOutcome } from '../../src/stores/delivered.ts';
import { openFirestoreStores } from '../../src/stores/firestore/firestore-store.ts';
import type { Store, StorePage } from '../../src/stores/store.ts';
import { type FaultKind, faultKinds } from '../../testkit/faulty-server.ts';
import { openFirestoreRest } from '../../testkit/firestore-rest.ts';
import { againUntilTaken, createRandom, historiesOfRun, runHistories } from '../../testkit/history.ts';
import { createWrite, scopeOf } from '../../testkit/record-fixture.ts';
import { watchStarvation } from './starvation.ts';

const long = process.env['FOOTNOTE_TEST_LONG'] !== undefined;
/** On a machine that does nothing else a long run takes minutes, any other one or two. */
const timeout = long ? 10_800_000 : 1_800_000;
const deadlineMs = 300;
/** How long the documents are (other numbers of chunks, other sizes of what is cut, garbled and dripped), and which histories are run. */
const seed = Number(process.env['FOOTNOTE_TEST_SEED'] ?? 1);
const vectors = { space: 'fixed@2', dimensions: 2 };
const admin = scopeOf();

function written(name: string, text: string, revision = 1): StoreDocument {
  const { document, chunks } = createWrite(text, { id: `doc_${name}`, uri: `${name}.md`, title: '', revision });
  return { document, chunks, vectors: Float32Array.from(chunks.flatMap((_, at) => [name === 'kept' ? 1 : -1, at])) };
}

const held = [written('old', 'The heron waits. '.repeat(20 * seed)), written('kept', 'A crane stands.')];
const replaced = written('old', 'The egret sleeps. '.repeat(seed ** 3), 2);
const idsOf = (documents: readonly StoreDocument[]): string[] =>
  documents.flatMap(({ chunks }) => chunks.map(({ id }) => id)).toSorted();

interface Operation {
  readonly name: string;
  run(store: Store, signal: AbortSignal): Promise<unknown>;
  isRight(result: unknown): boolean;
  readonly after: readonly StoreDocument[];
}

const isFound = (result: unknown): boolean => (result as StorePage).hits[0]?.documentId === 'doc_kept';
const isDelivered = (result: unknown): boolean =>
  (result as readonly StoreOutcome[]).every(({ error }) => error === undefined);
const near = { text: '', mode: 'vector', vector: Float32Array.of(1, 0), space: vectors.space, limit: 1 } as const;

const operations: readonly Operation[] = [
  { name: 'search', run: (store, signal) => store.search(near, signal), isRight: isFound, after: held },
  {
    name: 'search with a filter',
    run: (store, signal) => store.search({ ...near, filter: { op: 'prefix', field: 'path', value: 'k' } }, signal),
    isRight: isFound,
    after: held,
  },
  {
    name: 'replace a document',
    run: (store, signal) => store.upsert([replaced], signal),
    isRight: isDelivered,
    after: [replaced, held[1] as StoreDocument],
  },
  {
    name: 'delete a document',
    run: (store, signal) => store.delete([{ documentId: 'doc_old' }], signal),
    isRight: isDelivered,
    after: held.slice(1),
  },
  {
    name: 'health',
    run: (store, signal) => store.health(signal),
    isRight: (result) => ['ok', 'down'].includes((result as { status: string }).status),
    after: held,
  },
];

async function openPlace() {
  const service = await openFirestoreRest();
  const stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors, callTimeoutMs: 60_000 });
  await stores.store(admin).upsert(held);
  return {
    server: service.server,
    store: stores.store(admin),
    rowIds: () => [...service.documents('footnote').values()].map((row) => String(row['chunkId'])).toSorted(),
    async close() {
      stores.close();
      await service.close();
    },
  };
}

async function requestsOf({ run }: Operation): Promise<number> {
  const place = await openPlace();
  const before = place.server.requests.length;
  await run(place.store, AbortSignal.timeout(60_000));
  const made = place.server.requests.length - before;
  await place.close();
  return made;
}

async function runCell(operation: Operation, kind: FaultKind, place: number) {
  const { server, store, rowIds, close } = await openPlace();
  let seen = 0;
  server.fault = () => {
    seen += 1;
    return seen === place ? kind : undefined;
  };
  const stop = watchStarvation();
  const start = performance.now();
  let ended = 'right';
  try {
    const result = await operation.run(store, AbortSignal.timeout(deadlineMs));
    if (!operation.isRight(result)) ended = `wrong: ${JSON.stringify(result)}`;
    expect(JSON.stringify(result)).not.toContain('SECRET');
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    ended = thrown === error && error.code !== 'internal' ? error.code : `untyped: ${String(thrown)}`;
    expect(`${error.message} ${JSON.stringify(error.details)} ${String(error.cause)}`).not.toContain('SECRET');
    if (kind.endsWith('-told') && error.code !== 'deadline-exceeded') expect(error.details['retryAfterMs']).toBe(7000);
  }
  const lateMs = performance.now() - start - deadlineMs - stop();
  server.fault = () => undefined;
  const again = await operation.run(store, AbortSignal.timeout(60_000));
  expect(operation.isRight(again), `${operation.name} ${kind} ${place} again`).toBe(true);
  expect(rowIds(), `${operation.name} ${kind} ${place}`).toEqual(idsOf(operation.after));
  await close();
  return { ended, lateMs, seen };
}

describe('faults of Firestore', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))('end well: %s', async (_, operation) => {
    const requests = await requestsOf(operation);
    let latestMs = Number.NEGATIVE_INFINITY;
    const ends = new Map<string, number>();
    for (let place = 1; place <= requests; place += 1)
      for (const kind of faultKinds) {
        const { ended, lateMs, seen } = await runCell(operation, kind, place);
        expect(ended === 'right' || ended in errorTable, `${kind} at ${place}: ${ended}`).toBe(true);
        // The client's own tries would make an outage worse.
        // A batch that was too large goes in two.
        const halves = kind === 'status-413' ? 2 : 0;
        // A refused search by neighbours may lack its index: what the caller may read is compared instead.
        const instead = operation.name === 'search' && kind === 'status-400' ? 1 : 0;
        expect(seen, `${kind} at ${place}`).toBeLessThanOrEqual(requests + halves + instead);
        ends.set(ended, (ends.get(ended) ?? 0) + 1);
        latestMs = Math.max(latestMs, lateMs);
      }
    expect(latestMs).toBeLessThan(250);
    console.log(operation.name, `${requests} x ${faultKinds.length}`, Object.fromEntries(ends), Math.round(latestMs));
  });
});

const planted: readonly FaultKind[] = ['lost-reply', 'lost-reply', 'reset', 'status-503-told', 'truncated', 'garbage'];

async function runHistory(seed: number): Promise<void> {
  const { next, below: upTo } = createRandom(seed);
  let stormy = true;
  const service = await openFirestoreRest();
  service.server.fault = () => (stormy && next() < 0.3 ? planted[upTo(planted.length)] : undefined);
  const stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors });
  const store = stores.store(admin);
  const record = new Map<string, StoreDocument | undefined>();
  const deliver = (names: readonly string[]): Promise<readonly StoreOutcome[]>[] => [
    store.upsert(names.flatMap((name) => record.get(name) ?? [])),
    store.delete(names.filter((name) => !record.get(name)).map((name) => ({ documentId: `doc_${name}` }))),
  ];
  for (let step = 0; step < 8; step += 1) {
    const names = [...new Set(Array.from({ length: 1 + upTo(3) }, () => `d${upTo(4)}`))];
    for (const name of names)
      record.set(name, next() < 0.3 ? undefined : written(name, `Heron ${upTo(3)}. `.repeat(upTo(60)), step + 1));
    await Promise.allSettled(deliver(names));
  }
  stormy = false;
  await againUntilTaken(() => Promise.all(deliver([...record.keys()])));
  const rows = [...service.documents('footnote').values()];
  const expected = [...record.values()].flatMap((one) => one ?? []);
  expect(rows.map((row) => String(row['chunkId'])).toSorted(), `history ${seed}`).toEqual(idsOf(expected));
  for (const row of rows)
    expect(row['revision']).toBe(expected.find(({ document }) => document.id === row['documentId'])?.document.revision);
  stores.close();
  await service.close();
}

describe('histories with Firestore', () => {
  it('end in what was recorded: no orphan, no duplicate, nothing deleted that is back', { timeout }, async () => {
    const histories = historiesOfRun();
    expect(await runHistories(histories, runHistory)).toBe(histories.count);
  });
});
