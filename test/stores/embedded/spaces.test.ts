// Embedding models and their vectors behind the searches: begun, written document by document, swapped in one step; a kill
// between any two steps loses nothing, what changed meanwhile is never written over, and damaged bytes are never used.
import { afterAll, describe, expect, it } from 'vitest';
import { closeEngineThreads } from '../../../src/engine/threads/engine-threads.ts';
import type { StoreDocument } from '../../../src/stores/delivered.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { openEmbeddedSpaces } from '../../../src/stores/embedded/spaces.ts';
import type { PendingRows } from '../../../src/stores/embedded/vector-keeping.ts';
import { createRandom } from '../../../testkit/history.ts';
import { deleteAll, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { turnsWhile } from '../../event-loop-turns.ts';

const admin = scopeOf();
const first = { name: 'model-1', dimensions: 8, metric: 'cosine' } as const;
const second = { name: 'model-2', dimensions: 4, metric: 'cosine' } as const;

const place = recordForEachTest();
afterAll(closeEngineThreads);

const spaces = () => openEmbeddedSpaces(place.record, admin.tenant);
const storeOf = (scope = admin) => createEmbeddedStore({ database: place.record, scope });

type Write = ReturnType<typeof createWrite> & StoreDocument;
const document = (id: string, text = `Text of ${id} with the otter.`): Write =>
  createWrite(text, { id, uri: `${id}.md`, title: id, language: 'en' });

async function put(writes: readonly Write[]): Promise<void> {
  await place.record.forScope(admin).commit(putAll(writes, storeOf()));
}

async function remove(ids: readonly string[]): Promise<void> {
  await place.record.forScope(admin).commit(deleteAll(ids, storeOf()));
}

/** One for each row, from the row's number alone. */
function vectorsOf({ firstRow, lastRow }: PendingRows, dimensions: number): Float32Array {
  const values: number[] = [];
  for (let row = firstRow; row <= lastRow; row++) {
    const random = createRandom(row);
    for (let at = 0; at < dimensions; at++) values.push(random.below(2001) / 1000 - 1);
  }
  return Float32Array.from(values);
}

/** Writes vectors of what lacks them, `pages` pages at most. */
async function embedSome(space: typeof first | typeof second, pages = Number.POSITIVE_INFINITY): Promise<number> {
  let written = 0;
  for (let page = 0; page < pages; page++) {
    const missing = await spaces().missing(space.name, { limit: 3 });
    if (missing.length === 0) break;
    const batch = missing.map((one) => ({ ...one, vectors: vectorsOf(one, space.dimensions) }));
    written += await spaces().write(space.name, batch);
  }
  return written;
}

const rowsLeft = (table: string): number =>
  place.record.read((connection) => Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']));

const model = (space: typeof first | typeof second, digest = 'x') => ({
  space,
  kind: 'corpus' as const,
  facts: { digest, chunks: 7 },
});

describe('the spaces of the embedded store', () => {
  it('build a model beside the one in use and swap in one step', async () => {
    await put(Array.from({ length: 8 }, (_, at) => document(`d${at}`)));
    await spaces().begin(model(first), new Uint8Array([1, 2, 3]));
    expect(await embedSome(first)).toBe(8);
    await spaces().activate(first.name);
    const query = vectorsOf({ documentId: '', firstRow: 3, lastRow: 3 }, 8);
    const search = (space: string, vector: Float32Array) =>
      storeOf().search({ text: '', mode: 'vector', vector, space, limit: 3 });
    const before = await search(first.name, query);
    expect(before.hits[0]?.score).toBeCloseTo(1, 5);

    await spaces().begin(model(second), new Uint8Array([4]));
    expect(await embedSome(second, 1)).toBe(3);
    // The one in use answers as before while the other is half done.
    expect(await search(first.name, query)).toEqual(before);
    expect((await spaces().models()).map(({ space, state }) => [space.name, state])).toEqual([
      ['model-1', 'active'],
      ['model-2', 'building'],
    ]);
    expect(await spaces().coverage(second.name)).toEqual({ chunks: 8, embedded: 3 });
    expect(await embedSome(second)).toBe(5);
    await spaces().activate(second.name);
    expect((await spaces().models()).map(({ space, state }) => [space, state])).toEqual([[second, 'active']]);
    const after = await search(second.name, vectorsOf({ documentId: '', firstRow: 3, lastRow: 3 }, 4));
    expect(after.hits[0]?.chunkId).toBe(before.hits[0]?.chunkId);
    await expect(search(first.name, query)).rejects.toMatchObject({ code: 'conflict' });
    // Nothing of the dropped one is left.
    expect([rowsLeft('vector_block'), rowsLeft('vector_space'), rowsLeft('embedding_model_part')]).toEqual([8, 1, 1]);
  });

  it('are counted in pieces where much came in since the last time, so that others have their turn', async () => {
    const count = 901;
    await put(Array.from({ length: count }, (_, at) => document(`d${at}`)));
    await spaces().begin(model(first), new Uint8Array([1]));
    expect(await embedSome(first, 1)).toBe(3);
    expect(await spaces().coverage(first.name)).toEqual({ chunks: count, embedded: 3 });
    const missing = await spaces().missing(first.name, { limit: count });
    const batch = missing.map((one) => ({ ...one, vectors: vectorsOf(one, first.dimensions) }));
    expect(await spaces().write(first.name, batch)).toBe(count - 3);
    const { value, turns } = await turnsWhile(() => spaces().coverage(first.name));
    expect(value).toEqual({ chunks: count, embedded: count });
    // At most 200 documents are read in one go.
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('go on after a kill between any two steps', async () => {
    await put(Array.from({ length: 7 }, (_, at) => document(`d${at}`)));
    const bytes = Uint8Array.from({ length: (1 << 20) + 10 }, (_, at) => at % 251);
    await spaces().begin(model(first), bytes);
    await place.reopen();
    await spaces().begin(model(first), bytes);
    expect(Buffer.from((await spaces().modelBytes(first.name)) ?? []).equals(bytes)).toBe(true);
    expect(await embedSome(first, 1)).toBe(3);
    await place.reopen();
    expect(await embedSome(first)).toBe(4);
    await place.reopen();
    expect(await spaces().coverage(first.name)).toEqual({ chunks: 7, embedded: 7 });
    await spaces().activate(first.name);
    await place.reopen();
    expect(await spaces().models()).toMatchObject([{ state: 'active', facts: { digest: 'x', chunks: 7 } }]);
    const vectors = await storeOf().vectorsOf?.(
      first.name,
      (await storeOf().search({ text: 'otter', mode: 'lexical', limit: 2 })).hits.map(({ chunkId }) => chunkId),
    );
    expect(vectors?.map((vector) => vector?.length)).toEqual([8, 8]);
  });

  it('never write vectors over a document that changed or went meanwhile', async () => {
    await put([document('kept'), document('changed'), document('gone')]);
    await spaces().begin(model(first), new Uint8Array([1]));
    const missing = await spaces().missing(first.name, { limit: 10 });
    expect(missing.map(({ documentId }) => documentId)).toEqual(['changed', 'gone', 'kept']);
    await put([document('changed', 'Another text.')]);
    await remove(['gone']);
    const batch = missing.map((one) => ({ ...one, vectors: vectorsOf(one, 8) }));
    expect(await spaces().write(first.name, batch)).toBe(1);
    expect(await spaces().write(first.name, batch)).toBe(0);
    expect((await spaces().missing(first.name, { limit: 10 })).map(({ documentId }) => documentId)).toEqual([
      'changed',
    ]);
    expect(await spaces().missing(first.name, { after: 'changed', limit: 10 })).toEqual([]);
  });

  it('replace what is being built by what is begun after it', async () => {
    await put([document('a'), document('b')]);
    await spaces().begin(model(first), new Uint8Array([1]));
    await embedSome(first, 1);
    await spaces().begin(model(second), new Uint8Array([2]));
    expect(await spaces().models()).toMatchObject([{ space: second, state: 'building' }]);
    expect(rowsLeft('vector_block')).toBe(0);
    await expect(spaces().activate(first.name)).rejects.toMatchObject({ code: 'conflict' });
    await expect(spaces().write(first.name, [])).rejects.toMatchObject({ code: 'conflict' });
    await spaces().drop(second.name);
    expect(await spaces().models()).toEqual([]);
    expect([rowsLeft('vector_space'), rowsLeft('embedding_model_part')]).toEqual([0, 0]);
  });

  it('do not read bytes of a model that are not as they were written', async () => {
    await put([document('a')]);
    await spaces().begin(model(first), new Uint8Array([1, 2, 3]));
    await place.record.write((connection) => {
      connection.prepare("UPDATE embedding_model_part SET bytes = x'010204'").run();
    });
    expect(await spaces().modelBytes(first.name)).toBeUndefined();
    await place.record.write((connection) => {
      connection.prepare("UPDATE embedding_model_part SET bytes = x'010203'").run();
      connection.prepare(`UPDATE embedding_model SET facts = '{"digest":"y","chunks":7}'`).run();
    });
    expect(await spaces().modelBytes(first.name)).toBeUndefined();
  });

  it('show what the index holds, and that it changed', async () => {
    await put([document('a'), document('b')]);
    const before = await spaces().indexed();
    expect(before).toMatchObject({ chunks: 2, incomplete: false });
    await remove(['a']);
    const after = await spaces().indexed();
    expect(after.chunks).toBe(1);
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(after.parts.some(({ dead }) => dead !== undefined)).toBe(true);
  });

  it('are apart by tenant', async () => {
    await put([document('a')]);
    await spaces().begin(model(first), new Uint8Array([1]));
    const other = openEmbeddedSpaces(place.record, 'other');
    expect(await other.models()).toEqual([]);
    expect(await other.missing(first.name, { limit: 5 })).toEqual([]);
    expect(await other.modelBytes(first.name)).toBeUndefined();
    expect(await other.indexed()).toMatchObject({ chunks: 0, parts: [] });
    const store = createEmbeddedStore({ database: place.record, scope: { ...admin, tenant: 'other' } });
    await expect(
      store.search({ text: '', mode: 'vector', vector: new Float32Array(8), space: first.name, limit: 1 }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});
