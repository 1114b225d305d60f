import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chunk } from '../../../src/core/document.ts';
import { FootnoteError } from '../../../src/core/errors.ts';
import { chunkIdOf, sha256, systemClock } from '../../../src/core/ids.ts';
import { localScope } from '../../../src/core/scope.ts';
import { createDemand } from '../../../src/core/waiting/demand.ts';
import type { DocumentWrite } from '../../../src/db/repositories/changes.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../../src/db/sqlite/sqlite.ts';
import type { TenantRecord } from '../../../src/db/tenant-record.ts';
import { createWriter } from '../../../src/ingest/write/writer.ts';
import type { WrittenStore } from '../../../src/stores/embedded/port.ts';

let folder = '';
let database: SqliteRecordDatabase;
let record: TenantRecord;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footnote-writer-'));
  database = openSqliteRecord({ folder });
  record = database.forScope(localScope());
  await record.commit([{ kind: 'put-source', source: { name: 's', type: 'docs' } }]);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function write(id: string, uri = id): DocumentWrite {
  const text = `This is the text of ${id}.`;
  const textHash = sha256(text);
  const span = { start: 0, end: text.length };
  return {
    document: {
      id,
      source: 's',
      sourceType: 'docs',
      uri,
      title: id,
      mime: 'text/plain',
      revision: 1,
      updatedAt: '2026-01-01T00:00:00.000Z',
      contentHash: textHash,
      textHash,
      textLength: text.length,
      chunkCount: 1,
      metadata: {},
      citeByLine: false,
      warnings: [],
    },
    text,
    chunks: [
      {
        id: chunkIdOf(id, textHash, span),
        documentId: id,
        ordinal: 0,
        ...span,
        text,
        hash: textHash,
        headingPath: [],
        tokens: 8,
      },
    ],
    structure: { pages: [], headings: [], words: [] },
  };
}

const many = (count: number, prefix = 'd'): DocumentWrite[] =>
  Array.from({ length: count }, (_, index) => write(`${prefix}${index}`));

/** A store within the record that says what it is told, in order. */
function listeningStore(prepare?: WrittenStore['prepare']): {
  store: WrittenStore;
  told: string[];
  upserted: (readonly Chunk[])[];
} {
  const told: string[] = [];
  const upserted: (readonly Chunk[])[] = [];
  const store: WrittenStore = {
    name: 'listening',
    capabilities: { lexical: true, vector: false, hybrid: false, vectors: 'none', counts: false, explain: false },
    upsert: async () => [],
    delete: async () => [],
    close: async () => undefined,
    search: async () => ({ hits: [], degraded: [] }),
    health: async () => ({ status: 'ok', detail: '', documents: 0, chunks: 0 }),
    ...(prepare && { prepare }),
    entries: {
      put: (documents) => ({ kind: 'put-entries', store: 'listening', documents }),
      delete: (documentIds) => ({ kind: 'delete-entries', store: 'listening', documentIds }),
    },
  };
  database.keepEntries('listening', (_connection, _tenant, change) => {
    if (change.kind !== 'put-entries') return;
    told.push(`upsert ${change.documents[0]?.document.id}`);
    upserted.push(...change.documents.map(({ chunks }) => chunks));
  });
  return { store, told, upserted };
}

/** A record in which each document takes `eachMs` of its clock, and its store; says how many came at once. */
function timedStore(eachMs: number, onWritten = (): void => undefined) {
  let now = 0;
  const sizes: number[] = [];
  const { store } = listeningStore();
  database.keepEntries('listening', (_connection, _tenant, change) => {
    if (change.kind !== 'put-entries') return;
    sizes.push(change.documents.length);
    onWritten();
    now += eachMs * change.documents.length;
  });
  const timed: TenantRecord = {
    ...record,
    async commit(changes, options) {
      const startedMs = now;
      return { ...(await record.commit(changes, options)), heldMs: now - startedMs };
    },
  };
  return { store, record: timed, clock: { now: systemClock.now, elapsedMs: () => now }, sizes };
}

describe('createWriter', () => {
  it('makes documents durable in order and says for each what became of it', async () => {
    const writer = createWriter({ record, stores: [], clock: systemClock, lingerMs: 0 });
    await writer.put([{ write: write('taken', 'uri') }]);
    const outcomes = await writer.put([
      { write: write('a') },
      { write: write('other', 'uri') },
      { write: { ...write('b'), chunks: [] } },
      { write: write('c') },
    ]);
    expect(outcomes.map((one) => (one instanceof FootnoteError ? one.code : 'durable'))).toEqual([
      'durable',
      'conflict',
      'internal',
      'durable',
    ]);
    expect((await record.documents.count()).documents).toBe(3);
    expect(await writer.put([])).toEqual([]);
  });

  it('lets stores prepare the very chunks that they are given later, the next batch while one is written', async () => {
    const prepared: (readonly Chunk[])[] = [];
    const listening = listeningStore(async (batch) => {
      listening.told.push(`prepare ${batch[0]?.document.id}`);
      prepared.push(...batch.map(({ chunks }) => chunks));
    });
    const writer = createWriter({ record, stores: [listening.store], clock: systemClock, lingerMs: 50 });
    await writer.put(many(700).map((one) => ({ write: one })));
    expect(listening.upserted).toHaveLength(700);
    expect(prepared.every((chunks, index) => chunks === listening.upserted[index])).toBe(true);
    const places = (what: string): number[] => listening.told.flatMap((one, at) => (one.startsWith(what) ? [at] : []));
    const [, second = 0, third = 0] = places('prepare');
    const [first = 0, next = 0] = places('upsert');
    expect(second).toBeLessThan(first);
    expect(third).toBeLessThan(next);
  });

  it.each([
    ['long', 2, 144],
    ['short', 0.05, 400],
  ])(
    'writes few documents at once where each takes %s, for meanwhile nobody else is served',
    async (_, eachMs, most) => {
      const { store, record, clock, sizes } = timedStore(eachMs);
      const writer = createWriter({ record, stores: [store], clock, lingerMs: 50 });
      await writer.put(many(4000).map((one) => ({ write: one })));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(4000);
      expect(Math.max(...sizes)).toBe(most);
    },
  );

  it.each([
    ['short', 0.05, 40],
    ['long', 2, 16],
  ])(
    'gives way before each transaction, and makes it small, while somebody is served: %s documents',
    async (_, eachMs, most) => {
      const events: string[] = [];
      const { store, record, clock, sizes } = timedStore(eachMs, () => void events.push('written'));
      const demand = {
        ...createDemand(clock),
        isHigh: () => true,
        async giveWay() {
          events.push('gave way');
          await Promise.resolve();
        },
      };
      const writer = createWriter({ record, stores: [store], clock, demand, lingerMs: 50 });
      await writer.put(many(300).map((one) => ({ write: one })));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(300);
      expect(Math.max(...sizes)).toBe(most);
      expect(events).toEqual(sizes.flatMap(() => ['gave way', 'written']));
      const ids = (await record.documents.list({ limit: 60 })).data.map(({ id }) => id);
      events.length = 0;
      expect(await writer.delete(ids)).toBe(60);
      expect(events).toEqual(['gave way', 'gave way', 'gave way']);
    },
  );

  it('writes what a store could not prepare', async () => {
    const { store, upserted } = listeningStore(() => {
      throw new FootnoteError('internal', 'The thread is gone.');
    });
    const writer = createWriter({ record, stores: [store], clock: systemClock, lingerMs: 0 });
    const [outcome] = await writer.put([{ write: write('a') }]);
    expect(outcome).toEqual([{ store: 'listening', status: 'delivered' }]);
    expect(upserted).toHaveLength(1);
  });

  it('has room again as soon as the queue is short, and takes what is put from within an outcome', async () => {
    const writer = createWriter({ record, stores: [], clock: systemClock, lingerMs: 1000 });
    const first = writer.put(many(900).map((one) => ({ write: one })));
    let isDone = false;
    void first.then(() => {
      isDone = true;
    });
    await writer.room();
    expect(isDone).toBe(false);
    const later = first.then(() => writer.put(many(200, 'later').map((one) => ({ write: one }))));
    await first;
    await later;
    await writer.flush();
    expect((await record.documents.count()).documents).toBe(1100);
  });
});
