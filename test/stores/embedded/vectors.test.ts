// Vectors in the embedded store: found as soon as their transaction has ended and gone with their document, whatever was
// written, failed, restarted or rebuilt; restricted by filters, access and tenant; damage is told of and never found.
import { afterAll, describe, expect, it } from 'vitest';
import { closeEngineThreads, createEngineThreads } from '../../../src/engine/threads/engine-threads.ts';
import { createEnginePool } from '../../../src/engine/threads/pool.ts';
import type { StoreDocument } from '../../../src/stores/delivered.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { settleEmbeddedStore } from '../../../src/stores/embedded/shared.ts';
import type { StoreHit, StoreQuery } from '../../../src/stores/store.ts';
import { createRandom } from '../../../testkit/history.ts';
import { deleteAll, failing, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const admin = scopeOf();
const space = { name: 'test-model', dimensions: 12, metric: 'cosine' } as const;
const pool = createEnginePool({ size: 1 });
const threads = createEngineThreads(() => pool, { inPlaceComponents: -1, patient: true });
afterAll(async () => {
  await pool.close();
  await closeEngineThreads();
});

const place = recordForEachTest();

const random = createRandom(7);
const vectorOf = (): Float32Array =>
  Float32Array.from({ length: space.dimensions }, () => random.below(2001) / 1000 - 1);

type Write = ReturnType<typeof createWrite> & StoreDocument;
const document = (id: string, fields: Parameters<typeof createWrite>[1] = {}, vector = vectorOf()): Write => {
  const write = createWrite(`Text of ${id} with the otter.`, {
    id,
    uri: `${id}.md`,
    title: id,
    language: 'en',
    ...fields,
  });
  const parts = write.chunks.map((_, at) => (at === 0 ? vector : vectorOf()));
  return { ...write, vectors: Float32Array.from(parts.flatMap((part) => [...part])) };
};

const storeOf = (scope = admin) => createEmbeddedStore({ database: place.record, scope, vectors: space });

async function put(writes: readonly Write[], scope = admin, fail = false): Promise<void> {
  await place.record
    .forScope(scope)
    .commit([...putAll(writes), storeOf(scope).entries.put(writes), ...(fail ? [failing] : [])]);
}

async function remove(ids: readonly string[]): Promise<void> {
  await place.record.forScope(admin).commit(deleteAll(ids, storeOf()));
}

const nearest = async (vector: Float32Array, query: Partial<StoreQuery> = {}, scope = admin) =>
  storeOf(scope).search({ text: '', mode: 'vector', vector, limit: 20, ...query });

const cosine = (left: Float32Array, right: Float32Array): number => {
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
};

function expectNearest(hits: readonly StoreHit[], living: ReadonlyMap<string, Write>, query: Float32Array): void {
  const expected = [...living.values()]
    .flatMap(({ document: { id }, chunks, vectors = new Float32Array() }) =>
      chunks.map((chunk, at) => {
        const own = vectors.subarray(at * space.dimensions, (at + 1) * space.dimensions);
        return { documentId: id, chunkId: chunk.id, score: cosine(own, query) };
      }),
    )
    .sort((left, right) => right.score - left.score);
  expect(hits.length).toBe(Math.min(20, expected.length));
  for (const [at, hit] of hits.entries()) {
    expect(hit.rank).toBe(at + 1);
    expect(hit.score).toBeCloseTo(expected[at]?.score ?? Number.NaN, 5);
    expect(hit.scores).toEqual({ vector: hit.score });
    const own = expected.find(({ chunkId }) => chunkId === hit.chunkId);
    expect(own?.documentId).toBe(hit.documentId);
    expect(own?.score).toBeCloseTo(hit.score, 5);
  }
}

describe('vectors of the embedded store', () => {
  it('follow the record through writes, failures, deletions, restarts and upkeep', async () => {
    const living = new Map<string, Write>();
    const names = Array.from({ length: 12 }, (_, at) => `d${at}`);
    const pick = (): string => names[random.below(names.length)] ?? 'd0';
    for (let step = 0; step < 120; step++) {
      const kind = random.below(10);
      if (kind < 5) {
        const write = document(pick());
        await put([write]);
        living.set(write.document.id, write);
      } else if (kind === 5) {
        await expect(put([document(pick())], admin, true)).rejects.toThrow();
      } else if (kind < 8) {
        const id = pick();
        await remove([id]);
        living.delete(id);
      } else if (kind === 8) {
        await place.reopen();
      } else await settleEmbeddedStore(place.record, 'default');
      const query = vectorOf();
      const page = await nearest(query);
      expect(page.degraded).toEqual([]);
      expectNearest(page.hits, living, query);
    }
  });

  it('give the same on a thread as in place, and the same page by page', async () => {
    const same = vectorOf();
    const writes = Array.from({ length: 40 }, (_, at) => document(`d${at}`, {}, at % 3 === 0 ? same : vectorOf()));
    await put(writes);
    const query = vectorOf();
    const whole = await nearest(query, { limit: 40 });
    const ties = whole.hits.filter(({ score }) => Math.abs(score - cosine(same, query)) < 1e-5);
    expect(ties.length).toBe(14);
    expect(ties.map(({ chunkId }) => chunkId)).toEqual(ties.map(({ chunkId }) => chunkId).sort());
    const threaded = createEmbeddedStore({ database: place.record, scope: admin, vectors: space, threads });
    expect(await threaded.search({ text: '', mode: 'vector', vector: query, limit: 40 })).toEqual(whole);
    const pages: StoreHit[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await nearest(query, { limit: 7, ...(cursor !== undefined && { cursor }) });
      pages.push(...page.hits);
      cursor = page.nextCursor;
      more = cursor !== undefined;
    }
    expect(pages).toEqual(whole.hits);
    await expect(
      nearest(vectorOf(), { limit: 7, cursor: (await nearest(query, { limit: 7 })).nextCursor ?? '' }),
    ).rejects.toThrow(/cursor/);
  });

  it('restrict the scan by filter, access and tenant', async () => {
    const query = vectorOf();
    const writes = Array.from({ length: 30 }, (_, at) =>
      document(
        `d${at}`,
        { source: at % 10 === 0 ? 'few' : 'many', ...(at === 20 && { access: ['group:board'] }) },
        at % 10 === 0 ? vectorOf() : query,
      ),
    );
    await place.record
      .forScope(admin)
      .commit(['few', 'many'].map((name) => ({ kind: 'put-source', source: { name, type: 'docs' } })));
    await put(writes);
    const filter = { op: 'eq', field: 'source', value: 'few' } as const;
    const found = await nearest(query, { filter, limit: 3 });
    expect(found.hits.map(({ documentId }) => documentId).sort()).toEqual(['d0', 'd10', 'd20']);
    const reader = scopeOf('default', 'someone', 'reader');
    const readable = await nearest(query, { filter, limit: 3 }, reader);
    expect(readable.hits.map(({ documentId }) => documentId).sort()).toEqual(['d0', 'd10']);
    expect((await nearest(query, {}, scopeOf('other'))).hits).toEqual([]);
  });

  it('survive a rebuild of the index, which gives their chunks new rows', async () => {
    const writes = Array.from({ length: 9 }, (_, at) => document(`d${at}`));
    await put(writes);
    await place.record.write((connection) =>
      connection.exec('UPDATE lexical_state SET version = 0, revision = revision + 1'),
    );
    await settleEmbeddedStore(place.record, 'default');
    const query = vectorOf();
    for (let turn = 0; turn < 2; turn++) {
      const page = await nearest(query);
      expect(page.degraded).toEqual([]);
      expectNearest(page.hits, new Map(writes.map((write) => [write.document.id, write])), query);
      await place.reopen();
    }
  });

  it('that are damaged are told of, dropped, and never found', async () => {
    await put([document('d0'), document('d1'), document('d2')]);
    await place.record.write((connection) =>
      connection.exec("UPDATE vector_block SET bytes = randomblob(length(bytes)) WHERE document_id = 'd1'"),
    );
    await place.reopen();
    for (let turn = 0; turn < 2; turn++) {
      const { hits, degraded } = await nearest(vectorOf());
      expect(hits.map(({ documentId }) => documentId).sort()).toEqual(['d0', 'd2']);
      expect(degraded).toMatchObject([{ code: 'vectors-missing', detail: expect.stringContaining('1 of 3 chunks') }]);
      await settleEmbeddedStore(place.record, 'default');
    }
    const blocks = place.record.read((connection) => connection.prepare('SELECT document_id FROM vector_block').all());
    expect(blocks.map((row) => row['document_id'])).toEqual(['d0', 'd2']);
  });

  it('refuse what cannot be compared, and say what is missing', async () => {
    await put([document('d0')]);
    await expect(storeOf().search({ text: 'otter', mode: 'vector', limit: 5 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await expect(nearest(new Float32Array(5))).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(nearest(Float32Array.from({ length: 12 }, () => Number.NaN))).rejects.toMatchObject({
      code: 'invalid-request',
    });
    await expect(put([{ ...document('d1'), vectors: new Float32Array(3) }])).rejects.toMatchObject({
      code: 'invalid-request',
    });
    const broken = document('d1');
    broken.vectors?.fill(Number.NaN, 3, 4);
    await expect(put([broken])).rejects.toMatchObject({ code: 'invalid-request' });
    const without = createEmbeddedStore({ database: place.record, scope: admin });
    await expect(without.search({ text: '', mode: 'vector', vector: vectorOf(), limit: 5 })).rejects.toMatchObject({
      code: 'invalid-request',
    });
    const wider = createEmbeddedStore({ database: place.record, scope: admin, vectors: { ...space, dimensions: 13 } });
    await expect(
      wider.search({ text: '', mode: 'vector', vector: new Float32Array(13), limit: 5 }),
    ).rejects.toMatchObject({ code: 'conflict' });
    const { document: plain, chunks, text, structure } = document('d2');
    await put([{ document: plain, chunks, text, structure }]);
    const page = await nearest(vectorOf(), { explain: true });
    expect(page.degraded).toMatchObject([{ code: 'vectors-missing' }]);
    expect(page.hits[0]?.explanation?.notes[0]).toMatch(/^cosine similarity .* in test-model, of 1 vectors/);
  });
});
