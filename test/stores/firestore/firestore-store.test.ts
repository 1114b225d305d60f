// What the conformance suite cannot ask of every store: who sees what by marks, however many names there are, what is refused, and what ends
// by a clock of the store's own.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mayRead, type Scope } from '../../../src/core/scope.ts';
import type { FirestoreStores } from '../../../src/stores/firestore/firestore-store.ts';
import { openFirestoreStores } from '../../../src/stores/firestore/firestore-store.ts';
import { filterArbitrary, seedArbitrary } from '../../../testkit/filter-arbitraries.ts';
import { type FirestoreRest, openFirestoreRest } from '../../../testkit/firestore-rest.ts';
import { matchesFilter } from '../../../testkit/matches-filter.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const vectors = { space: 'fixed@2', dimensions: 2 };
const query = { text: '', mode: 'vector', vector: Float32Array.of(1, 0), space: vectors.space, limit: 50 } as const;

let service: FirestoreRest;
let stores: FirestoreStores;
beforeEach(async () => {
  service = await openFirestoreRest();
  stores = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors });
});
afterEach(async () => {
  stores.close();
  await service.close();
});

function written(name: string, given: Parameters<typeof createWrite>[1] = {}) {
  const { document, chunks } = createWrite(`Text of ${name}.`, { id: `doc_${name}`, uri: `${name}.md`, ...given });
  return { document, chunks, vectors: Float32Array.of(1, 1) };
}

const seenBy = async (scope: Scope): Promise<readonly string[]> =>
  (await stores.store(scope).search(query)).hits.map(({ documentId }) => documentId.replace('doc_', '')).toSorted();

describe('Firestore', () => {
  it('shows each scope what it may read, in two worlds and with any number of names', async () => {
    const lists = { open: undefined, none: [], team: ['g44'], odd: ["o'x in:", 'open'] };
    const documents = Object.entries(lists).map(([name, access]) => written(name, access ? { access } : {}));
    await stores.store(scopeOf('one')).upsert(documents);
    await stores.store(scopeOf('two')).upsert([written('other')]);
    const groups = Array.from({ length: 70 }, (_, at) => `g${at}`);
    const scopes = [scopeOf('one'), scopeOf('one', 'ada', 'reader', groups), scopeOf('one', "o'x in:", 'reader')];
    for (const scope of [...scopes, scopeOf('one', 'open', 'writer'), scopeOf('one', 'bob', 'reader')]) {
      const expected = documents.filter(({ document }) => mayRead(scope.principal, document.access));
      expect(await seenBy(scope)).toEqual(expected.map(({ document }) => document.id.replace('doc_', '')).toSorted());
    }
    expect(await seenBy(scopeOf('two', 'bob', 'reader'))).toEqual(['other']);
    expect(await seenBy(scopeOf('three'))).toEqual([]);
  });

  it('lets no filter widen what is found', async () => {
    const store = stores.store(scopeOf());
    const seeds = fc.sample(seedArbitrary, { numRuns: 12, seed: 7 });
    const documents = seeds.map(({ category, language, publishedAt, ...facts }, at) =>
      written(`d${at}`, {
        ...facts,
        id: `doc_d${at}`,
        ...(category !== undefined && { category }),
        ...(language !== undefined && { language }),
        ...(publishedAt !== undefined && { publishedAt }),
      }),
    );
    expect((await store.upsert(documents)).filter(({ error }) => error)).toEqual([]);
    // What filters mean over the facts that are kept here is checked by the ten thousand in ../azure/odata.test.ts.
    const asked = process.env['FOOTNOTE_TEST_LONG'] === undefined ? 500 : 10_000;
    for (const filter of fc.sample(filterArbitrary, { numRuns: asked, seed: 7 })) {
      const { hits } = await store.search({ ...query, filter });
      const expected = documents.filter(({ document }) => matchesFilter(document, filter));
      expect(new Set(hits.map(({ documentId }) => documentId)), JSON.stringify(filter)).toEqual(
        new Set(expected.map(({ document }) => document.id)),
      );
    }
  });

  it('is sent neither the vectors nor the texts of what is near', async () => {
    await stores.store(scopeOf()).upsert([written('a')]);
    await stores.store(scopeOf()).search(query);
    const asked = JSON.parse(service.server.requests.at(-1)?.body.toString() ?? '') as {
      structuredQuery: { select: { fields: { fieldPath: string }[] }; findNearest: object };
    };
    expect(asked.structuredQuery.findNearest).toBeDefined();
    const fields = asked.structuredQuery.select.fields.map(({ fieldPath }) => fieldPath);
    expect(fields).toEqual(['chunkId', 'documentId', 'tenant', 'distance']);
  });

  it('refuses vectors that do not fit, document by document', async () => {
    const store = stores.store(scopeOf());
    const bad = { ...written('bad'), vectors: Float32Array.of(1) };
    const [first, second] = await store.upsert([bad, written('good')]);
    expect(first?.error).toMatchObject({ code: 'invalid-request', details: { isFinal: true } });
    expect(second).toEqual({ documentId: 'doc_good' });
    await expect(store.search({ ...query, space: 'other' })).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(store.search({ ...query, mode: 'lexical' })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('ends by a clock of its own, and at once where the caller gives up', async () => {
    const hasty = openFirestoreStores({ projectId: 'demo', emulatorHost: service.host, vectors, callTimeoutMs: 60 });
    await stores.store(scopeOf()).upsert([written('a')]);
    service.server.fault = () => 'silent';
    await expect(hasty.store(scopeOf()).search(query)).rejects.toMatchObject({ code: 'upstream-unavailable' });
    const controller = new AbortController();
    service.server.fault = () => {
      controller.abort();
      return 'silent';
    };
    const given = stores.store(scopeOf()).search(query, controller.signal);
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
    hasty.close();
  });
});
