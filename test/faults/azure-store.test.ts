// Every call that the store at Azure AI Search makes, with every fault that a service can have there: it ends correctly, disclosed, or in a
// typed error, in its time and without a word of the vendor, and doing it again afterwards ends in what was wanted. Then random
// histories of writes, lost answers, refused rows, late searches and restarts: what is there in the end is what was recorded.
import { describe, expect, it } from 'vitest';
import { errorTable, toFootnoteError } from '../../src/core/errors.ts';
import { openAzureStores } from '../../src/stores/azure/azure-store.ts';
import type { StoreDocument, StoreOutcome } from '../../src/stores/delivered.ts';
import type { Store, StorePage } from '../../src/stores/store.ts';
import { openAzureSearch } from '../../testkit/azure-search/azure-search.ts';
import { type FaultKind, faultKinds } from '../../testkit/faulty-server.ts';
import { againUntilTaken, historiesOfRun, runHistories } from '../../testkit/history.ts';
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
  const { document, chunks } = createWrite(text, {
    id: `doc_${name}`,
    uri: `${name}.md`,
    title: '',
    language: 'en',
    revision,
  });
  return { document, chunks, vectors: Float32Array.from(chunks.flatMap((_, at) => [1, at])) };
}

const held = [written('old', 'The heron waits. '.repeat(20 * seed)), written('kept', 'A crane stands.')];
const replaced = written('old', 'The egret sleeps. '.repeat(seed ** 3), 2);
const idsOf = (documents: readonly StoreDocument[]): string[] =>
  documents.flatMap(({ chunks }) => chunks.map(({ id }) => id)).sort();

interface Operation {
  readonly name: string;
  run(store: Store, signal: AbortSignal): Promise<unknown>;
  isRight(result: unknown): boolean;
  readonly after: readonly StoreDocument[];
}

const hitsOf = (result: unknown): string =>
  (result as StorePage).hits.map(({ documentId }) => documentId.replace('doc_', '')).join(' ');
const isDelivered = (result: unknown): boolean =>
  (result as readonly StoreOutcome[]).every(({ error }) => error === undefined);
const near = { vector: Float32Array.of(1, 0), space: vectors.space } as const;

const operations: readonly Operation[] = [
  {
    name: 'search by words',
    run: (store, signal) => store.search({ text: 'crane', mode: 'lexical', limit: 5, count: true }, signal),
    isRight: (result) => hitsOf(result) === 'kept',
    after: held,
  },
  {
    name: 'search by vector, filtered afterwards',
    run: (store, signal) => {
      const filter = { op: 'glob', field: 'path', value: 'k*.md' } as const;
      return store.search({ text: '', mode: 'vector', limit: 5, ...near, filter }, signal);
    },
    isRight: (result) => hitsOf(result) === 'kept',
    after: held,
  },
  {
    name: 'search by both',
    run: (store, signal) => store.search({ text: 'crane', mode: 'hybrid', limit: 1, ...near }, signal),
    isRight: (result) => hitsOf(result) === 'kept',
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
    run: (store, signal) => store.delete([{ documentId: 'doc_old', revision: 1 }], signal),
    isRight: isDelivered,
    after: held.slice(1),
  },
  {
    name: 'health',
    run: (store, signal) => store.health(signal),
    isRight: (result) => {
      const { status, documents } = result as { status: string; documents: number };
      return status === 'down' || (status === 'ok' && documents === 2);
    },
    after: held,
  },
];

async function openPlace() {
  const azure = await openAzureSearch();
  const open = () =>
    openAzureStores({ endpoint: azure.address, apiKey: azure.apiKey, vectors, pollMs: 1, callTimeoutMs: 60_000 });
  const first = open();
  await first.store(admin).upsert(held);
  first.close();
  const stores = open();
  return {
    azure,
    store: stores.store(admin),
    rowIds: () =>
      azure
        .rows('footnote')
        .filter((row) => row['ordinal'] !== -1)
        .map((row) => String(row['chunkId']))
        .sort(),
    async close() {
      stores.close();
      await azure.close();
    },
  };
}

/** How many requests the operation makes where nothing fails. */
async function requestsOf({ run }: Operation): Promise<number> {
  const place = await openPlace();
  const before = place.azure.server.requests.length;
  await run(place.store, AbortSignal.timeout(60_000));
  const made = place.azure.server.requests.length - before;
  await place.close();
  return made;
}

interface Cell {
  readonly lateMs: number;
  readonly ended: string;
}

async function runCell(operation: Operation, kind: FaultKind, place: number): Promise<Cell> {
  const { azure, store, rowIds, close } = await openPlace();
  let seen = 0;
  azure.server.fault = () => {
    seen += 1;
    return seen === place ? kind : undefined;
  };
  const stop = watchStarvation();
  const start = performance.now();
  let ended = 'right';
  try {
    const result = await operation.run(store, AbortSignal.timeout(deadlineMs));
    const failed = Array.isArray(result) ? (result as StoreOutcome[]).find(({ error }) => error)?.error : undefined;
    const isDisclosed = ((result as StorePage).degraded ?? []).length > 0;
    if (failed) ended = failed.code;
    else if (!operation.isRight(result)) ended = isDisclosed ? 'disclosed' : `wrong: ${JSON.stringify(result)}`;
    expect(JSON.stringify(result), `${operation.name} ${kind}`).not.toContain('SECRET');
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    ended = thrown === error && error.code !== 'internal' ? error.code : `untyped: ${String(thrown)}`;
    const told = `${error.message} ${JSON.stringify(error.details)} ${String(error.cause)}`;
    expect(told, `${operation.name} ${kind}`).not.toMatch(/SECRET|azure-key/u);
    if (kind.endsWith('-told') && error.code !== 'deadline-exceeded')
      expect(error.details['retryAfterMs'], operation.name).toBe(7000);
  }
  const lateMs = performance.now() - start - deadlineMs - stop();
  azure.server.fault = () => undefined;
  const again = await operation.run(store, AbortSignal.timeout(60_000));
  // A search after an index that was said to be gone tells that it looks at a new one.
  expect(operation.isRight(again), `${operation.name} ${kind} ${place} again`).toBe(true);
  expect(rowIds(), `${operation.name} ${kind} ${place}`).toEqual(idsOf(operation.after));
  await close();
  return { lateMs, ended };
}

describe('faults of Azure AI Search', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))('end well: %s', async (_, operation) => {
    const requests = await requestsOf(operation);
    expect(requests).toBeGreaterThan(1);
    const ends = new Map<string, number>();
    let latestMs = Number.NEGATIVE_INFINITY;
    for (let place = 1; place <= requests; place += 1)
      for (const kind of faultKinds) {
        const { lateMs, ended } = await runCell(operation, kind, place);
        expect(ended === 'right' || ended === 'disclosed' || ended in errorTable, `${kind} at ${place}: ${ended}`).toBe(
          true,
        );
        ends.set(ended, (ends.get(ended) ?? 0) + 1);
        latestMs = Math.max(latestMs, lateMs);
      }
    expect(latestMs).toBeLessThan(250);
    console.log(
      operation.name,
      `${requests} requests x ${faultKinds.length} faults`,
      Object.fromEntries(ends),
      `late ${Math.round(latestMs)} ms`,
    );
  });
});

/** Numbers of a seed, the same in every run. */
function drawn(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const planted: readonly FaultKind[] = [
  'lost-reply',
  'lost-reply',
  'reset',
  'status-503-told',
  'status-429',
  'truncated',
  'garbage',
  'status-500',
];

async function runHistory(seed: number): Promise<void> {
  const next = drawn(seed);
  const upTo = (count: number): number => Math.floor(next() * count);
  let stormy = true;
  const azure = await openAzureSearch({
    lag: () => upTo(9),
    refuseRow: () => (stormy && next() < 0.03 ? 503 : undefined),
  });
  azure.server.fault = () => (stormy && next() < 0.2 ? planted[upTo(planted.length)] : undefined);
  const open = () => openAzureStores({ endpoint: azure.address, apiKey: azure.apiKey, pollMs: 0, vectors });
  let stores = open();
  const record = new Map<string, StoreDocument | undefined>();
  const deliver = (names: readonly string[]): Promise<readonly StoreOutcome[]>[] => {
    const store = stores.store(admin);
    const [kept, gone] = [names.filter((name) => record.get(name)), names.filter((name) => !record.get(name))];
    return [
      ...(kept.length > 0 ? [store.upsert(kept.flatMap((name) => record.get(name) ?? []))] : []),
      ...(gone.length > 0 ? [store.delete(gone.map((name) => ({ documentId: `doc_${name}` })))] : []),
    ];
  };
  for (let step = 0; step < 8; step += 1) {
    const names = [...new Set(Array.from({ length: 1 + upTo(3) }, () => `d${upTo(4)}`))];
    for (const name of names) {
      const text = `Heron ${upTo(3)} of ${name}. `.repeat(upTo(40));
      record.set(name, next() < 0.3 ? undefined : written(name, text, step + 1));
    }
    await Promise.allSettled(deliver(names));
    if (next() < 0.2) {
      stores.close();
      stores = open();
    }
  }
  stormy = false;
  await againUntilTaken(() => Promise.all(deliver([...record.keys()])));
  const rows = azure.rows('footnote').filter((row) => row['ordinal'] !== -1);
  const expected = [...record.values()].flatMap((one) => one ?? []);
  expect(rows.map((row) => String(row['chunkId'])).toSorted(), `history ${seed}`).toEqual(idsOf(expected));
  for (const row of rows) {
    const { document, chunks } = expected.find((one) => one.document.id === row['documentId']) as StoreDocument;
    expect(row['revision']).toBe(document.revision);
    expect(row['text']).toBe(chunks.find(({ id }) => id === row['chunkId'])?.text);
  }
  stores.close();
  await azure.close();
}

describe('histories with Azure AI Search', () => {
  it('end in what was recorded: no orphan, no duplicate, nothing deleted that is back', { timeout }, async () => {
    const histories = historiesOfRun();
    expect(await runHistories(histories, runHistory)).toBe(histories.count);
  });
});
