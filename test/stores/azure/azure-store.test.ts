// What the conformance suite cannot ask of every store: how the index is made and grows, how scores are told, what a batch that is taken in
// part says, and what is disclosed where the service gives less than was asked.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AzureStoreOptions, type AzureStores, openAzureStores } from '../../../src/stores/azure/azure-store.ts';
import { indexNameOf, vectorFieldOf } from '../../../src/stores/azure/definition.ts';
import { identityCredential } from '../../../src/stores/azure/entra.ts';
import type { StoreDocument } from '../../../src/stores/delivered.ts';
import {
  type AzureSearch,
  type AzureSearchOptions,
  openAzureSearch,
} from '../../../testkit/azure-search/azure-search.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const admin = scopeOf();
const space = { space: 'openai:fixed@3', dimensions: 3 };

let azure: AzureSearch;
const opened: AzureStores[] = [];
let service: { -readonly [Name in keyof AzureSearchOptions]: AzureSearchOptions[Name] } = {};

function open(more: Partial<AzureStoreOptions> = {}) {
  const stores = openAzureStores({ endpoint: azure.address, apiKey: azure.apiKey, pollMs: 1, ...more });
  opened.push(stores);
  return stores;
}

beforeEach(async () => {
  service = {};
  azure = await openAzureSearch({
    lag: () => service.lag?.() ?? 0,
    refuseRow: (key) => service.refuseRow?.(key),
    score: () => service.score?.(),
    isRankerBusy: () => service.isRankerBusy?.() ?? false,
  });
});
afterEach(async () => {
  for (const stores of opened.splice(0)) stores.close();
  await azure.close();
});

function written(name: string, text: string, more: Partial<StoreDocument['document']> & { vectors?: number[] } = {}) {
  const { vectors, ...given } = more;
  const { document, chunks } = createWrite(text, {
    id: `doc_${name}`,
    uri: `${name}.md`,
    title: '',
    language: 'en',
    ...given,
  });
  return { document, chunks, ...(vectors && { vectors: Float32Array.from(vectors) }) };
}

describe('the index', () => {
  it('is made with the first use, an index for each tenant, and not touched again', async () => {
    const stores = open();
    await stores.store(admin).upsert([written('a', 'A heron.')]);
    await stores.store(scopeOf("o'ther / tenant")).upsert([written('a', 'A heron.')]);
    expect(azure.indexNames()).toEqual(['footnote', indexNameOf('footnote', "o'ther / tenant")]);
    await open().store(admin).search({ text: 'heron', mode: 'lexical', limit: 5 });
    const puts = azure.server.requests.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(2);
  });

  it('is brought up to date where it lacks something, and keeps what it holds', async () => {
    await open()
      .store(admin)
      .upsert([written('a', 'A heron.')]);
    const before = azure.definition('footnote');
    const later = open({ vectors: space, semantic: true }).store(admin);
    expect((await later.search({ text: 'heron', mode: 'lexical', limit: 5 })).hits).toHaveLength(1);
    const after = azure.definition('footnote');
    expect(after?.fields.map(({ name }) => name)).toEqual([
      ...(before?.fields ?? []).map(({ name }) => name),
      vectorFieldOf(space),
    ]);
    expect(after?.semantic?.configurations?.map(({ name }) => name)).toEqual(['footnote']);
    const other = { space: 'another@2', dimensions: 2 };
    await open({ vectors: other })
      .store(admin)
      .upsert([written('b', 'A crane.', { vectors: [0, 1] })]);
    expect(azure.definition('footnote')?.fields.at(-1)?.name).toBe(vectorFieldOf(other));
  });

  it('is written again from what is there where somebody changed it meanwhile', async () => {
    await open().store(admin).health();
    let races = 0;
    azure.server.fault = ({ method }) => {
      if (method !== 'PUT' || races > 0) return undefined;
      races += 1;
      return 'status-409';
    };
    expect(await open({ vectors: space }).store(admin).health()).toMatchObject({ status: 'ok' });
    expect(races).toBe(1);
    expect(azure.definition('footnote')?.fields.at(-1)?.name).toBe(vectorFieldOf(space));
  });

  it('of somebody else is left alone', async () => {
    const body = { name: 'footnote', fields: [{ name: 'id', type: 'Edm.String', key: true }] };
    const made = await fetch(`${azure.address}/indexes('footnote')?api-version=2026-04-01`, {
      method: 'PUT',
      headers: { 'api-key': azure.apiKey },
      body: JSON.stringify(body),
    });
    expect(made.status).toBe(201);
    const refused = open()
      .store(admin)
      .upsert([written('a', 'A heron.')]);
    await expect(refused).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('did not make') as string,
    });
    expect(azure.definition('footnote')).toEqual(body);
  });

  it('that went away is made again by a write, and a search says that it is new', async () => {
    const store = open().store(admin);
    await store.upsert([written('a', 'A heron.')]);
    azure.dropIndex('footnote');
    const query = { text: 'heron', mode: 'lexical', limit: 5 } as const;
    await expect(store.search(query)).rejects.toMatchObject({
      code: 'upstream-unavailable',
      details: { missing: 'index' },
    });
    const page = await store.search(query);
    expect(page).toMatchObject({ hits: [], degraded: [{ code: 'index-new' }] });
    expect((await store.search(query)).degraded).toEqual([]);
    azure.dropIndex('footnote');
    expect(await store.upsert([written('a', 'A heron.')])).toEqual([{ documentId: 'doc_a' }]);
    expect((await store.search(query)).hits).toHaveLength(1);
  });
});

describe('vectors', () => {
  it('are found by their cosine, told as it is, whatever the service makes of it', async () => {
    const store = open({ vectors: space }).store(admin);
    await store.upsert([
      written('same', 'x', { vectors: [2, 0, 0] }),
      written('near', 'x', { vectors: [1, 1, 0] }),
      written('far', 'x', { vectors: [-3, 0, 0] }),
      written('none', 'x'),
    ]);
    const vector = Float32Array.of(0.5, 0, 0);
    const { hits, total } = await store.search({ text: '', mode: 'vector', vector, space: space.space, limit: 10 });
    expect(hits.map(({ documentId }) => documentId)).toEqual(['doc_same', 'doc_near', 'doc_far']);
    for (const [place, cosine] of [1, Math.SQRT1_2, -1].entries()) {
      expect(hits[place]?.score).toBeCloseTo(cosine, 6);
      expect(hits[place]?.scores).toEqual({ vector: hits[place]?.score });
    }
    expect(total).toBeUndefined();
    const next = await store.search({ text: '', mode: 'vector', vector, space: space.space, limit: 2 });
    const rest = await store.search({
      text: '',
      mode: 'vector',
      vector,
      space: space.space,
      limit: 2,
      cursor: next.nextCursor ?? '',
    });
    expect([...next.hits, ...rest.hits]).toEqual(hits);
    expect(rest.nextCursor).toBeUndefined();
  });

  it('are asked for without a text, so that no service ranks them as words', async () => {
    const store = open({ vectors: space }).store(admin);
    await store.upsert([written('same', 'x', { vectors: [1, 0, 0] }), written('far', 'x', { vectors: [0, 1, 0] })]);
    const vector = Float32Array.of(1, 0, 0);
    const filter = { op: 'glob', field: 'path', value: '*.md' } as const;
    for (const more of [{}, { filter }, { mode: 'hybrid' as const }])
      expect(
        (await store.search({ text: '', mode: 'vector', vector, space: space.space, limit: 3, ...more })).hits.map(
          ({ documentId }) => documentId,
        ),
      ).toEqual(['doc_same', 'doc_far']);
    const asked = azure.server.requests.filter(({ body }) => body.toString().includes('vectorQueries'));
    expect(asked).toHaveLength(3);
    for (const { body } of asked) expect(JSON.parse(body.toString())).not.toHaveProperty('search');
  });

  it('with a score that no vector can have, or none that can be read, are an error that says so', async () => {
    const store = open({ vectors: space }).store(admin);
    await store.upsert([written('same', 'x', { vectors: [1, 0, 0] })]);
    const query = { text: 'x', vector: Float32Array.of(1, 0, 0), space: space.space, limit: 3 } as const;
    for (const [mode, score] of [
      ['vector', 1 / 61],
      ['vector', 1.4],
      ['vector', 0],
      ['vector', 'NaN'],
      ['lexical', -1],
      ['hybrid', null],
    ] as const) {
      service.score = () => score;
      await expect(store.search({ ...query, mode })).rejects.toMatchObject({
        code: 'upstream-invalid',
        message: expect.stringContaining('score'),
      });
    }
    service = {};
    for (const cosine of [1, 0.34])
      expect(
        (await store.search({ ...query, mode: 'vector', vector: Float32Array.of(cosine, 0.5, 0) })).hits,
      ).toHaveLength(1);
  });

  it('of which a filter leaves nothing are told as such, and not as nothing found', async () => {
    const store = open({ vectors: space }).store(admin);
    await store.upsert([written('same', 'x', { vectors: [1, 0, 0] })]);
    const query = { text: 'x', vector: Float32Array.of(1, 0, 0), space: space.space, limit: 3 } as const;
    const filter = { op: 'glob', field: 'path', value: '*/*.pdf' } as const;
    for (const mode of ['vector', 'lexical', 'hybrid'] as const)
      expect(await store.search({ ...query, mode, filter })).toMatchObject({
        hits: [],
        degraded: [{ code: 'filter-dropped-all' }],
      });
  });

  it('of another model, of other length, or none are refused', async () => {
    const store = open({ vectors: space }).store(admin);
    const query = { text: 'x', mode: 'vector', limit: 5 } as const;
    for (const more of [
      {},
      { vector: Float32Array.of(1, 0, 0) },
      { vector: Float32Array.of(1, 0), space: space.space },
      { vector: Float32Array.of(1, 0, 0), space: 'other' },
    ])
      await expect(store.search({ ...query, ...more })).rejects.toMatchObject({ code: 'invalid-request' });
    const [bad, good, inf] = await store.upsert([
      written('bad', 'x', { vectors: [1, 0] }),
      written('good', 'x', { vectors: [1, 0, 0] }),
      written('inf', 'x', { vectors: [1, 0, Number.POSITIVE_INFINITY] }),
    ]);
    expect(bad?.error).toMatchObject({ code: 'invalid-request', details: { isFinal: true } });
    expect(inf?.error).toMatchObject({ code: 'invalid-request' });
    expect(good).toEqual({ documentId: 'doc_good' });
    expect(azure.rows('footnote').map((row) => row['documentId'])).toEqual(['doc_good']);
  });

  it('and words are joined by the service, and ordered by its ranker where that is configured', async () => {
    const documents = [
      written('words', 'The heron waits in the reeds.', { vectors: [0, 1, 0] }),
      written('meaning', 'A wading bird.', { vectors: [1, 0, 0] }),
      written('both', 'A heron, a wading bird of patience.', { vectors: [1, 0.1, 0] }),
    ];
    const query = {
      text: 'heron patience',
      mode: 'hybrid',
      vector: Float32Array.of(1, 0, 0),
      space: space.space,
      limit: 5,
    } as const;
    const plain = open({ vectors: space }).store(admin);
    await plain.upsert(documents);
    const joined = await plain.search(query);
    expect(joined.hits[0]).toMatchObject({ documentId: 'doc_both', scores: {} });
    expect(joined.hits[0]?.score).toBeCloseTo(1 / 61 + 1 / 62, 9);
    expect(joined.hits).toHaveLength(3);

    const ranked = open({ vectors: space, semantic: true }).store(admin);
    const best = await ranked.search(query);
    expect(best.hits[0]).toMatchObject({ documentId: 'doc_both', score: 1 });
    expect(best.degraded).toEqual([]);
    service.isRankerBusy = () => true;
    const busy = await ranked.search(query);
    expect(busy.degraded).toMatchObject([{ component: 'store.azure', code: 'semantic-ranker' }]);
    expect(busy.hits.map(({ documentId }) => documentId)).toEqual(joined.hits.map(({ documentId }) => documentId));
    service.isRankerBusy = () => false;
    const byWords = await ranked.search({ ...query, vector: undefined as never });
    expect(byWords.degraded).toMatchObject([{ code: 'no-vector' }]);
    expect(byWords.hits).toHaveLength(2);
  });

  it('with a filter that the service cannot decide are looked through, as far as the service gives neighbours', async () => {
    const store = open({ vectors: space }).store(admin);
    const text = 'x'.repeat(200 * 1100);
    await store.upsert([
      written('flood', text, {
        uri: 'flood/a.txt',
        vectors: Array.from({ length: 3300 }, (_, at) => (at % 3 === 0 ? 1 : 0)),
      }),
      written('wanted', 'y', { uri: 'b/c.md', vectors: [0.5, 0.5, 0] }),
    ]);
    const query = { text: '', mode: 'vector', vector: Float32Array.of(1, 0, 0), space: space.space, limit: 3 } as const;
    const page = await store.search({ ...query, filter: { op: 'glob', field: 'path', value: '*/*.md' } });
    expect(page).toMatchObject({ hits: [], degraded: [{ code: 'filter-cut' }] });
    const narrow = await store.search({ ...query, filter: { op: 'glob', field: 'path', value: 'b/*.md' } });
    expect(narrow.hits.map(({ documentId }) => documentId)).toEqual(['doc_wanted']);
    expect(narrow.degraded).toEqual([]);
  });
});

describe('words', () => {
  it('of documents in a language are found by a program that did not write them', async () => {
    await open()
      .store(admin)
      .upsert([written('de', 'Die alten Häuser der Städte.', { language: 'de' })]);
    const { hits } = await open().store(admin).search({ text: 'the Haus', mode: 'lexical', limit: 5 });
    expect(hits).toHaveLength(1);
  });

  it('searched along count by their weight, and none are operators', async () => {
    const store = open().store(admin);
    await store.upsert([
      written('a', 'A heron.'),
      written('b', 'A crane.'),
      written('c', 'NOT a crane AND no heron OR more.'),
    ]);
    const ids = async (text: string, also: { text: string; weight: number }[]) =>
      (await store.search({ text, also, mode: 'lexical', limit: 5 })).hits.map(({ documentId }) => documentId);
    expect((await ids('heron', [{ text: 'crane', weight: 1 }]))[0]).toBe('doc_c');
    expect((await ids('heron', [{ text: 'crane', weight: 9 }])).indexOf('doc_b')).toBeLessThan(
      (await ids('heron', [{ text: 'crane', weight: 9 }])).indexOf('doc_a'),
    );
    expect(await ids('heron', [{ text: 'crane', weight: 0 }])).not.toContain('doc_b');
    expect(await ids('-heron +(crane) "heron"~2 [a TO b] x:y', [])).toHaveLength(3);
  });

  it('beyond what the service takes are left out, and that is said', async () => {
    const store = open().store(admin);
    await store.upsert([written('a', 'A heron.')]);
    const text = `heron heron ${Array.from({ length: 1500 }, (_, at) => `word${at}`).join(' ')}`;
    const page = await store.search({ text, mode: 'lexical', limit: 5 });
    expect(page.hits).toHaveLength(1);
    expect(page.degraded).toMatchObject([{ code: 'query-cut' }]);
  });
});

describe('a batch', () => {
  it('that is taken in part says of each document what became of it', async () => {
    const store = open().store(admin);
    const long = written('long', 'A heron waits. '.repeat(40));
    await store.upsert([long]);
    const other = written('long', 'A crane stands. '.repeat(40), { revision: 2 });
    service.refuseRow = (key) => (key === other.chunks[1]?.id ? 503 : undefined);
    const outcomes = await store.upsert([other, written('ok', 'A crane.')]);
    expect(outcomes).toMatchObject([
      { documentId: 'doc_long', error: { code: 'upstream-unavailable' } },
      { documentId: 'doc_ok' },
    ]);
    expect(outcomes[1]?.error).toBeUndefined();
    expect(JSON.stringify(outcomes)).not.toContain('SECRET');
    service.refuseRow = () => undefined;
    expect(await store.upsert([other])).toEqual([{ documentId: 'doc_long' }]);
    expect(
      azure
        .rows('footnote')
        .map((row) => String(row['key']))
        .toSorted(),
    ).toEqual([...other.chunks, ...written('ok', 'A crane.').chunks].map(({ id }) => id).sort());
  });

  it('is sent in requests of at most 1,000 rows', async () => {
    const store = open().store(admin);
    const documents = Array.from({ length: 30 }, (_, at) =>
      written(`d${at}`, 'A heron waits. '.repeat(at === 0 ? 15_000 : 100)),
    );
    await store.upsert(documents);
    const chunks = documents.reduce((sum, one) => sum + one.chunks.length, 0);
    expect(chunks).toBeGreaterThan(1200);
    expect(await store.health()).toMatchObject({ documents: 30, chunks });
  });

  it('that searches do not show in time is told as failed, and is not when they do', async () => {
    const store = open({ settleMs: 20 }).store(admin);
    service.lag = () => 1_000_000;
    const [outcome] = await store.upsert([written('a', 'A heron.')]);
    expect(outcome?.error).toMatchObject({ code: 'upstream-unavailable', details: { retryAfterMs: 5000 } });
    const [deleted] = await store.delete([{ documentId: 'doc_a' }]);
    expect(deleted?.error).toMatchObject({ code: 'upstream-unavailable' });
  });

  it('deletes what a lost answer left, also while searches do not show it yet', async () => {
    const store = open().store(admin);
    service.lag = () => 6;
    azure.server.fault = ({ path }) => (path.includes('search.index') ? 'lost-reply' : undefined);
    await expect(store.upsert([written('a', 'A heron.')])).rejects.toMatchObject({ code: 'upstream-unavailable' });
    azure.server.fault = () => undefined;
    expect(await store.delete([{ documentId: 'doc_a' }])).toEqual([{ documentId: 'doc_a' }]);
    expect(azure.rows('footnote')).toEqual([]);
  });
});

describe('access', () => {
  it('with a wrong key is an error of the configuration, without a word of the service', async () => {
    const store = open({ apiKey: 'wrong' }).store(admin);
    const refused = store.search({ text: 'heron', mode: 'lexical', limit: 5 });
    await expect(refused).rejects.toMatchObject({ code: 'config-invalid', details: { status: 403, isFinal: true } });
  });

  it('without a key and without the package of Entra ID says how to get either', async () => {
    const missing = identityCredential(
      { sendRequest: () => Promise.reject(new Error()) },
      { places: [import.meta.url] },
    );
    await expect(missing).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('npm install @azure/identity@') as string,
    });
    const down = openAzureStores({ endpoint: 'https://mine.search.windows.net' });
    opened.push(down);
    expect(await down.store(admin).health()).toMatchObject({
      status: 'down',
      detail: expect.stringContaining('Entra ID') as string,
    });
  });

  it('sends no token of Entra ID to an address that is not of Azure', () => {
    for (const endpoint of [
      azure.address,
      'http://mine.search.windows.net',
      'https://mine.search.windows.net.example.org',
    ])
      expect(() => openAzureStores({ endpoint })).toThrow(/no address of Azure AI Search/u);
  });

  it('to a service that says nothing ends by a clock of its own', async () => {
    await open()
      .store(admin)
      .upsert([written('a', 'A heron.')]);
    const store = open({ callTimeoutMs: 50 }).store(admin);
    azure.server.fault = () => 'silent';
    const given = store.search({ text: 'heron', mode: 'lexical', limit: 5 });
    await expect(given).rejects.toMatchObject({
      code: 'upstream-unavailable',
      message: expect.stringContaining('within 50 ms') as string,
    });
  });

  it('ends at once where the caller gives up on a silent service', async () => {
    const store = open().store(admin);
    await store.upsert([written('a', 'A heron.')]);
    const controller = new AbortController();
    azure.server.fault = () => {
      controller.abort();
      return 'silent';
    };
    const given = store.search({ text: 'heron', mode: 'lexical', limit: 5 }, controller.signal);
    await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  });
});
