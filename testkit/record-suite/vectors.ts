// Embedding models and their vectors behind the searches: begun, written document by document, swapped in one step; a kill
// between any two steps loses nothing, what changed meanwhile is never written over, and damaged bytes are never used. Run over each database by test/.
import { afterAll, expect, it } from 'vitest';
import { sha256 } from '../../src/core/ids.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { RecordChange } from '../../src/db/repositories/changes.ts';
import { closeEngineThreads } from '../../src/engine/threads/engine-threads.ts';
import { blankTerms, latentFromBytes, latentToBytes } from '../../src/models/corpus/latent-bytes.ts';
import type { StoreDocument } from '../../src/stores/delivered.ts';
import type { EmbeddedErasure } from '../../src/stores/embedded/erasure.ts';
import type { EmbeddedStore } from '../../src/stores/embedded/port.ts';
import type { PendingRows, VectorKeeping, VectorSpace } from '../../src/stores/embedded/vector-keeping.ts';
import { turnsWhile } from '../event-loop-turns.ts';
import { createRandom } from '../history.ts';
import { deleteAll, putAll } from '../record-changes.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';

export interface VectorPlace {
  spaces(tenant: string): VectorKeeping;
  store(scope: Scope, vectors?: VectorSpace): EmbeddedStore;
  commit(scope: Scope, changes: readonly RecordChange[]): Promise<unknown>;
  erasure(tenant: string): EmbeddedErasure;
  /** Lets what looks after an index have its turn. */
  settle(): Promise<void>;
  /** Closes the record and opens it again. */
  reopen(): Promise<void>;
  /** Runs a statement of SQL past the record; its rows. */
  run(sql: string): Promise<readonly object[]>;
  /** Bytes in a statement. */
  bytes(hex: string): string;
}

const admin = scopeOf();
const pause = (): undefined => undefined;
const first = { name: 'model-1', dimensions: 8, metric: 'cosine' } as const;
const second = { name: 'model-2', dimensions: 4, metric: 'cosine' } as const;

type Write = ReturnType<typeof createWrite> & StoreDocument;
const document = (id: string, text = `Text of ${id} with the otter.`): Write =>
  createWrite(text, { id, uri: `${id}.md`, title: id, language: 'en' });

/** One for each row, from the row's number alone. */
function vectorsOf({ firstRow, lastRow }: PendingRows, dimensions: number): Float32Array {
  const values: number[] = [];
  for (let row = firstRow; row <= lastRow; row++) {
    const random = createRandom(row);
    for (let at = 0; at < dimensions; at++) values.push(random.below(2001) / 1000 - 1);
  }
  return Float32Array.from(values);
}

const model = (space: typeof first | typeof second, digest = 'x') => ({
  space,
  kind: 'corpus' as const,
  facts: { digest, chunks: 7 },
});

export function vectorSuite(place: VectorPlace): void {
  afterAll(closeEngineThreads);
  const spaces = () => place.spaces(admin.tenant);
  const storeOf = (scope = admin, vectors?: VectorSpace) => place.store(scope, vectors);
  const put = (writes: readonly Write[]) => place.commit(admin, putAll(writes, storeOf()));
  const remove = (ids: readonly string[]) => place.commit(admin, deleteAll(ids, storeOf()));

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

  const rowsLeft = async (table: string): Promise<number> =>
    Number(((await place.run(`SELECT count(*) AS n FROM ${table}`))[0] as { readonly n: unknown }).n);

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
    const tables = ['vector_block', 'vector_space', 'embedding_model_part'];
    expect(await Promise.all(tables.map(rowsLeft))).toEqual([8, 1, 1]);
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

  it('begin anew over what a kill left of a space that was dropped', async () => {
    await put(Array.from({ length: 7 }, (_, at) => document(`d${at}`)));
    await spaces().begin(model(first), new Uint8Array([1]));
    expect(await embedSome(first)).toBe(7);
    for (const table of ['embedding_model', 'embedding_model_part', 'vector_space'])
      await place.run(`DELETE FROM ${table}`);
    await place.reopen();
    await spaces().begin(model(first), new Uint8Array([1]));
    expect(await spaces().coverage(first.name)).toEqual({ chunks: 7, embedded: 0 });
    expect(await embedSome(first)).toBe(7);
    await remove(['d3']);
    expect(await spaces().coverage(first.name)).toEqual({ chunks: 6, embedded: 6 });
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
    expect(await rowsLeft('vector_block')).toBe(0);
    await expect(spaces().activate(first.name)).rejects.toMatchObject({ code: 'conflict' });
    await expect(spaces().write(first.name, [])).rejects.toMatchObject({ code: 'conflict' });
    await spaces().drop(second.name);
    expect(await spaces().models()).toEqual([]);
    expect(await Promise.all(['vector_space', 'embedding_model_part'].map(rowsLeft))).toEqual([0, 0]);
  });

  it('do not read bytes of a model that are not as they were written', async () => {
    await put([document('a')]);
    await spaces().begin(model(first), new Uint8Array([1, 2, 3]));
    await place.run(`UPDATE embedding_model_part SET bytes = ${place.bytes('010204')}`);
    expect(await spaces().modelBytes(first.name)).toBeUndefined();
    await place.run(`UPDATE embedding_model_part SET bytes = ${place.bytes('010203')}`);
    await place.run(`UPDATE embedding_model SET facts = '{"digest":"y","chunks":7}'`);
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

  it('take vectors that come with documents, and lose them with what they are of', async () => {
    const store = storeOf(admin, first);
    const writes = ['a', 'b'].map((id, at) => {
      const write = document(id);
      return { ...write, vectors: vectorsOf({ documentId: id, firstRow: at + 1, lastRow: at + 1 }, 8) };
    });
    await place.commit(admin, [
      ...writes.map((write): RecordChange => ({ kind: 'put-document', write })),
      store.entries.put(writes),
    ]);
    const [, wanted] = writes;
    const search = (of = storeOf(admin, first)) =>
      of.search({ text: '', mode: 'vector', vector: wanted?.vectors as Float32Array, limit: 3 });
    expect((await search()).hits.map(({ documentId }) => documentId)).toEqual(['b', 'a']);
    await remove(['b']);
    expect((await search()).hits.map(({ documentId }) => documentId)).toEqual(['a']);
    await place.reopen();
    expect(await search()).toMatchObject({ hits: [{ documentId: 'a' }], degraded: [] });
    await put([document('a', 'Another text.')]);
    expect((await search()).hits).toEqual([]);
    const short = { ...document('c'), vectors: new Float32Array(3) };
    await expect(
      place.commit(admin, [{ kind: 'put-document', write: short }, store.entries.put([short])]),
    ).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('leave out vectors that are not as they were written, and make them again', async () => {
    await put(Array.from({ length: 4 }, (_, at) => document(`d${at}`)));
    await spaces().begin(model(first), new Uint8Array([1]));
    expect(await embedSome(first)).toBe(4);
    await spaces().activate(first.name);
    await place.run(`UPDATE vector_block SET bytes = ${place.bytes('00'.repeat(32))} WHERE document_id = 'd2'`);
    await place.reopen();
    expect(await spaces().coverage(first.name)).toEqual({ chunks: 4, embedded: 3 });
    await place.settle();
    expect((await spaces().missing(first.name, { limit: 9 })).map(({ documentId }) => documentId)).toEqual(['d2']);
    expect(await embedSome(first)).toBe(1);
    expect(await spaces().coverage(first.name)).toEqual({ chunks: 4, embedded: 4 });
  });

  it('remember vectors of texts, by model and tenant, and none that is damaged', async () => {
    const [hash, other] = ['ab'.repeat(16), 'cd'.repeat(16)];
    await spaces().begin(model(first));
    await spaces().write(first.name, [], [{ hash, vector: Float32Array.of(1, 2) }]);
    expect(await spaces().unknown(first.name, [hash, other])).toEqual([other]);
    expect(await spaces().recall(first.name, [hash, other])).toEqual(new Map([[hash, Float32Array.of(1, 2)]]));
    expect(await spaces().recall(second.name, [hash])).toEqual(new Map());
    expect(await place.spaces('other').unknown(first.name, [hash])).toEqual([hash]);
    await spaces().write(first.name, [], [{ hash: other, vector: Float32Array.of(3), space: 'an encoder' }]);
    expect(await spaces().unknown(first.name, [other])).toEqual([other]);
    expect(await spaces().recall('an encoder', [other])).toEqual(new Map([[other, Float32Array.of(3)]]));
    await place.run(`UPDATE embedding_memo SET bytes = ${place.bytes('00'.repeat(8))}`);
    expect(await spaces().recall(first.name, [hash])).toEqual(new Map());
  });

  it('forget vectors of texts that no chunk has any more, of this tenant alone', async () => {
    const hash = (text: string): string => sha256(text).slice(0, 32);
    await put([document('kept', 'A heron waits.')]);
    await put([document('gone', 'An otter swims.')]);
    const texts = ['A heron waits.', 'An otter swims.'];
    for (const tenant of ['default', 'other']) {
      const kept = place.spaces(tenant);
      await kept.begin({ space: { name: 'm', dimensions: 2, metric: 'dot' }, kind: 'fixed', facts: { source: 'm' } });
      const vectors = texts.map((text) => ({ hash: hash(text), vector: Float32Array.of(1, 2) }));
      await kept.write('m', [], vectors);
    }
    await remove(['gone']);
    await place.erasure(admin.tenant).forgetTexts((_, { text }) => hash(text), pause);
    const left = async (tenant: string) => (await place.spaces(tenant).recall('m', texts.map(hash))).keys().toArray();
    expect(await left('default')).toEqual([hash('A heron waits.')]);
    expect(await left('other')).toEqual(texts.map(hash));
  });

  it('lose terms that no chunk has any more out of a model that was learned, and leaves it usable', async () => {
    const terms = ['heron', 'lantern', 'otter'];
    const weights = {
      dimensions: 2,
      chunks: 40,
      terms,
      idf: Float32Array.of(1, 2, 3),
      scales: Float32Array.of(0.5, 0.5, 0.5),
      steps: Int8Array.of(1, 2, 3, 4, 5, 6),
    };
    const space = { name: 'learned', dimensions: 2, metric: 'cosine' } as const;
    await spaces().begin({ space, kind: 'corpus', facts: {} }, latentToBytes(weights));
    await spaces().activate('learned');
    await put([document('kept', 'A heron waits by the lantern.')]);
    await put([document('gone', 'An otter swims.')]);
    const erasure = place.erasure(admin.tenant);
    expect(await erasure.forgetTerms(blankTerms, pause)).toBe(false);
    await remove(['gone']);
    const before = await spaces().active?.();
    expect(await erasure.forgetTerms(blankTerms, pause)).toBe(true);
    // Whoever serves it hears of it, though its name is the same.
    await spaces().coverage('learned');
    const after = await spaces().active?.();
    expect([after?.space, after?.seal === before?.seal]).toEqual([before?.space, before === undefined]);
    const bytes = (await spaces().modelBytes('learned')) as Uint8Array;
    expect(Buffer.from(bytes).includes('otter')).toBe(false);
    const left = latentFromBytes(bytes);
    expect(left).toEqual({ ...weights, terms: ['heron', 'lantern', '\u0000'.repeat(5)] });
    expect(await erasure.forgetTerms(blankTerms, pause)).toBe(false);
  });

  it('are apart by tenant', async () => {
    await put([document('a')]);
    await spaces().begin(model(first), new Uint8Array([1]));
    const other = place.spaces('other');
    expect(await other.models()).toEqual([]);
    expect(await other.missing(first.name, { limit: 5 })).toEqual([]);
    expect(await other.modelBytes(first.name)).toBeUndefined();
    expect(await other.indexed()).toMatchObject({ chunks: 0, parts: [] });
    const store = storeOf({ ...admin, tenant: 'other' });
    await expect(
      store.search({ text: '', mode: 'vector', vector: new Float32Array(8), space: first.name, limit: 1 }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
}
