import { afterEach, describe, expect, it } from 'vitest';
import { defaultTenant } from '../../../src/core/scope.ts';
import type { Filter } from '../../../src/core/search.ts';
import type { Store } from '../../../src/stores/store.ts';
import { simulatorKey } from '../../../testkit/openai/openai-simulator.ts';
import { type OpenaiPlace, type OpenaiPlaceOptions, openOpenaiPlace } from '../../../testkit/openai/place.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';

const admin = scopeOf();
const write = (name: string, text: string, facts: Parameters<typeof createWrite>[1] = {}) =>
  createWrite(text, { id: `doc_${name}`, uri: `${name}.md`, title: '', ...facts });

let place: OpenaiPlace | undefined;
afterEach(async () => {
  const simulator = place?.simulator;
  await place?.close();
  place = undefined;
  expect(simulator?.violations ?? []).toEqual([]);
});
const open = async (options: OpenaiPlaceOptions = {}): Promise<OpenaiPlace> => {
  place = await openOpenaiPlace(options);
  return place;
};

const ask = (store: Store, text: string, more: { limit?: number; filter?: Filter } = {}) =>
  store.search({ text, mode: 'vector', limit: 10, ...more });
const found = async (store: Store, text: string) => (await ask(store, text)).hits.map(({ documentId }) => documentId);
const called = ({ simulator }: OpenaiPlace): string[] => simulator.calls.map(({ name }) => name);
const heldIn = ({ simulator }: OpenaiPlace) =>
  [...simulator.state.stores.values()].flatMap(({ attached }) => [...attached.values()]);

describe('the vector store of a tenant', () => {
  it('is not made by looking: search and health find none, and nothing is sent', async () => {
    const at = await open();
    expect((await ask(at.store(admin), 'heron')).hits).toEqual([]);
    expect(await at.store(admin).health()).toMatchObject({ status: 'ok', documents: 0 });
    expect(at.simulator.state.stores.size).toBe(0);
  });

  it('is made once for handles that begin at the same time, and found again by the next process', async () => {
    const at = await open();
    const batches = ['a', 'b', 'c', 'd'].map((name) => at.put(admin, [write(name, `The ${name} heron.`)]));
    await Promise.all(batches);
    expect(at.simulator.state.stores.size).toBe(1);
    const { store } = at.restarted();
    expect(await found(store(admin), 'heron')).toHaveLength(4);
    await store(admin).upsert([write('e', 'A heron again.')]);
    expect(at.simulator.state.stores.size).toBe(1);
  });

  it('is one for each tenant, and the one that the operator names is that of the default tenant', async () => {
    const at = await open({ adapter: { vectorStoreId: 'vs_000001' } });
    const named = at.simulator.state.addStore('of the operator', {});
    expect(named.id).toBe('vs_000001');
    await at.put(scopeOf(defaultTenant), [write('a', 'The heron waits.')]);
    await at.put(scopeOf('other'), [write('b', 'The heron waits.')]);
    expect([...at.simulator.state.stores.values()].map(({ attached }) => attached.size)).toEqual([1, 1]);
    expect(await found(at.store(admin), 'heron')).toEqual(['doc_a']);
    expect(await found(at.store(scopeOf('other')), 'heron')).toEqual(['doc_b']);
  });

  it('that is gone is told as gone, with what to do, and never as empty', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    at.simulator.state.stores.clear();
    await expect(ask(at.store(admin), 'heron')).rejects.toMatchObject({ code: 'upstream-unavailable' });
    // It is looked for by its name then, made anew, and filled.
    await at.store(admin).upsert([write('a', 'The heron waits.')]);
    expect(await found(at.store(admin), 'heron')).toEqual(['doc_a']);
    const named = await openOpenaiPlace({ adapter: { vectorStoreId: 'vs_gone' } });
    try {
      const gone = { code: 'config-invalid', message: expect.stringContaining('OPENAI_VECTOR_STORE_ID') as string };
      await expect(ask(named.store(admin), 'heron')).rejects.toMatchObject(gone);
      await expect(named.put(admin, [write('a', 'The heron waits.')])).rejects.toMatchObject(gone);
      expect(await named.store(admin).health()).toMatchObject({ status: 'down' });
    } finally {
      await named.close();
    }
  });

  it('that is gone leaves no file of a document that is deleted, and those of others', async () => {
    const at = await open();
    const [delivered] = await at.put(admin, [write('a', 'The heron waits.')]);
    const unrelated = at.simulator.state.addFile('unrelated.txt', 'A heron.');
    at.simulator.state.stores.clear();
    const { store } = at.restarted();
    const hint = delivered?.storeDocumentId ?? '';
    await store(admin).delete([
      { documentId: 'doc_b', storeDocumentId: hint },
      { documentId: 'doc_c', storeDocumentId: unrelated.id },
    ]);
    expect(at.simulator.state.files.size).toBe(2);
    const gone = [{ documentId: 'doc_a', storeDocumentId: hint }];
    expect(await store(admin).delete(gone)).toEqual([{ documentId: 'doc_a' }]);
    expect([...at.simulator.state.files.keys()]).toEqual([unrelated.id]);
    expect(await store(admin).delete(gone)).toEqual([{ documentId: 'doc_a' }]);
  });

  it('leaves alone what somebody else put there', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    const [store] = at.simulator.state.stores.values();
    const other = at.simulator.state.addFile('report.pdf', 'A heron of somebody else.');
    const loose = at.simulator.state.addFile('unrelated.txt', 'A heron.');
    if (store) at.simulator.state.attach(store, other.id, { color: 'red' });
    const { store: next } = at.restarted();
    await next(admin).upsert([write('a', 'The crane waits.', { revision: 2 })]);
    await next(admin).delete([{ documentId: 'doc_a', storeDocumentId: other.id }]);
    expect([...at.simulator.state.files.keys()]).toEqual([other.id, loose.id]);
    expect(await found(next(admin), 'heron')).toEqual([]);
  });
});

describe('delivering to OpenAI', () => {
  it('sends one file for each document and batches them, and only looks where everything is there already', async () => {
    const at = await open();
    const writes = Array.from({ length: 12 }, (_, index) => write(`${index}`, `Heron number ${index}.`));
    await at.put(admin, writes);
    expect(called(at).filter((name) => name === 'files.create')).toHaveLength(12);
    expect(called(at).filter((name) => name === 'batches.create')).toHaveLength(1);
    const before = at.simulator.calls.length;
    await at.store(admin).upsert(writes);
    expect(new Set(called(at).slice(before))).toEqual(new Set(['attached.get']));
    expect(at.simulator.state.files.size).toBe(12);
  });

  it('brings again what somebody took away there', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.'), write('b', 'A crane stands.')]);
    const [, { fileId = '' } = {}] = heldIn(at);
    at.simulator.state.removeFile(fileId);
    expect(await at.store(admin).health()).toMatchObject({ documents: 1 });
    expect((await at.store(admin).upsert([write('b', 'A crane stands.')]))[0]?.error).toBeUndefined();
    expect(await found(at.store(admin), 'crane')).toEqual(['doc_b']);
    expect(await at.store(admin).health()).toMatchObject({ documents: 2 });
  });

  it('changes attributes without sending the text again', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    const before = at.simulator.calls.length;
    await at.store(admin).upsert([write('a', 'The heron waits.', { revision: 2, category: 'birds' })]);
    expect(called(at).slice(before)).toEqual(['attached.update']);
    expect(heldIn(at)[0]?.attributes).toMatchObject({ revision: 2, category: 'birds' });
  });

  it('keeps the text of before until the new one can be found', async () => {
    const at = await open({ indexLooks: 1_000_000, adapter: { indexTimeoutMs: 20 } });
    const old = await at.put(admin, [write('a', 'The heron waits.')]);
    expect(old[0]?.error).toMatchObject({ code: 'deadline-exceeded' });
    for (const one of heldIn(at)) one.looks = 0;
    expect(await at.store(admin).upsert([write('a', 'The heron waits.')])).toMatchObject([{ documentId: 'doc_a' }]);
    const [late] = await at.store(admin).upsert([write('a', 'The crane waits.', { revision: 2 })]);
    expect(late?.error).toMatchObject({ code: 'deadline-exceeded', details: { documentId: 'doc_a' } });
    expect(await found(at.store(admin), 'heron')).toEqual(['doc_a']);
    for (const one of heldIn(at)) one.looks = 0;
    const uploads = called(at).filter((name) => name === 'files.create').length;
    const [done] = await at.store(admin).upsert([write('a', 'The crane waits.', { revision: 2 })]);
    expect(done?.error).toBeUndefined();
    expect(called(at).filter((name) => name === 'files.create')).toHaveLength(uploads);
    expect(await found(at.store(admin), 'heron')).toEqual([]);
    expect(await found(at.store(admin), 'crane')).toEqual(['doc_a']);
    expect(at.simulator.state.files.size).toBe(1);
  });

  it('says of each document of a batch what became of it', async () => {
    const failIndexing = (text: string) =>
      text.includes('unreadable') ? 'invalid_file' : text.includes('unlucky') ? 'server_error' : undefined;
    const at = await open({ failIndexing, indexLooks: 1 });
    const outcomes = await at.put(admin, [
      write('good', 'The heron waits.'),
      write('bad', 'An unreadable heron.'),
      write('late', 'An unlucky heron.'),
      write('blank', '   '),
    ]);
    expect(outcomes.map(({ documentId, error }) => [documentId, error?.code, error?.details['isFinal']])).toEqual([
      ['doc_good', undefined, undefined],
      ['doc_bad', 'upstream-invalid', true],
      ['doc_late', 'upstream-unavailable', undefined],
      ['doc_blank', undefined, undefined],
    ]);
    // What failed is not left there.
    expect(at.simulator.state.files.size).toBe(1);
    expect(await at.store(admin).health()).toMatchObject({ documents: 1 });
  });

  it('does not believe that a file is gone which the vendor still shows', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    at.simulator.setFault(({ name }) => (name === 'attached.delete' || name === 'files.delete' ? 404 : undefined));
    const gone = [{ documentId: 'doc_a' }];
    await expect(at.store(admin).delete(gone)).rejects.toMatchObject({ code: 'upstream-unavailable' });
    at.simulator.setFault(undefined);
    expect(await at.store(admin).delete(gone)).toEqual(gone);
    expect(at.simulator.state.files.size).toBe(0);
  });

  it('keeps one file of a document where the vendor says once, and wrongly, that there is none', async () => {
    const at = await open();
    const one = write('a', 'The heron waits.');
    await at.put(admin, [one]);
    const { store } = at.restarted();
    at.simulator.setFault(({ name, count }) => (name === 'attached.get' && count === 1 ? 404 : undefined));
    expect(await store(admin).upsert([one])).toMatchObject([{ documentId: 'doc_a' }]);
    at.simulator.setFault(undefined);
    expect(heldIn(at)).toHaveLength(1);
    expect(at.simulator.state.files.size).toBe(1);
    expect(await found(store(admin), 'heron')).toEqual(['doc_a']);
  });

  it('takes a document out that has no text any more', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    await at.store(admin).upsert([write('a', ' ', { revision: 2 })]);
    expect(at.simulator.state.files.size).toBe(0);
  });

  it('believes a hint only where the vendor says the same', async () => {
    const at = await open();
    const [one, two] = await at.put(admin, [write('a', 'The heron waits.'), write('b', 'A crane stands.')]);
    const { store } = at.restarted();
    await store(admin).delete([{ documentId: 'doc_a', storeDocumentId: two?.storeDocumentId ?? '' }]);
    expect(heldIn(at).map(({ fileId }) => fileId)).toEqual([two?.storeDocumentId]);
    expect(one?.storeDocumentId).not.toBe(two?.storeDocumentId);
  });
});

describe('searching OpenAI', () => {
  it('shows nothing of a document whose access was taken away in the record, before the vendor knows', async () => {
    const at = await open();
    const reader = scopeOf('default', 'key:bob', 'reader');
    await at.put(admin, [write('a', 'The heron waits.')]);
    expect(await found(at.store(reader), 'heron')).toEqual(['doc_a']);
    await at.database
      .forScope(admin)
      .commit([{ kind: 'put-document', write: write('a', 'The heron waits.', { revision: 2, access: ['key:ada'] }) }]);
    expect(await found(at.store(reader), 'heron')).toEqual([]);
    expect(await found(at.store(admin), 'heron')).toEqual(['doc_a']);
  });

  it('asks the vendor for what tenant and access let through, whatever the record says', async () => {
    const at = await open();
    await at.put(admin, [
      write('open', 'The heron waits.'),
      write('team', 'The heron of the team.', { access: ['team', 'key:ada'] }),
    ]);
    const [store] = at.simulator.state.stores.values();
    const [held] = heldIn(at);
    const foreign = at.simulator.state.addFile('x', 'The heron of others.');
    if (store && held) at.simulator.state.attach(store, foreign.id, { ...held.attributes, tenant: 'other' });
    const everything = await at.database.forScope(admin).documents.list({});
    const credulous = { list: async () => everything };
    const seenBy = async (id: string, groups: string[] = []) => {
      const { hits } = await ask(at.stores.store(scopeOf('default', id, 'reader', groups), credulous), 'heron');
      return hits.map(({ documentId }) => documentId).sort();
    };
    expect(await seenBy('key:bob')).toEqual(['doc_open']);
    expect(await seenBy('key:bob', ['team'])).toEqual(['doc_open', 'doc_team']);
    expect(await seenBy('key:ada')).toEqual(['doc_open', 'doc_team']);
    const asked = at.simulator.calls.filter(({ name }) => name === 'search').map(({ body }) => JSON.stringify(body));
    for (const one of asked) expect(one).toContain('{"type":"eq","key":"tenant","value":"default"}');
  });

  it('asks again without documents that the record refuses, so that one far behind them is found', async () => {
    const at = await open();
    const strong = Array.from({ length: 120 }, (_, index) =>
      write(`strong${index}`, 'Pelican pelican pelican.', { metadata: { year: 1999 } }),
    );
    const weak = Array.from({ length: 110 }, (_, index) =>
      write(`weak${index}`, 'A pelican among many other words that are told here.', { metadata: { year: 2020 } }),
    );
    await at.put(admin, strong);
    await at.put(admin, weak);
    const filter: Filter = { op: 'gt', field: 'metadata.year', value: 2000 };
    const page = await ask(at.store(admin), 'pelican', { limit: 3, filter });
    expect(page.hits.map(({ documentId }) => documentId.startsWith('doc_weak'))).toEqual([true, true, true]);
    expect(called(at).filter((name) => name === 'search')).toHaveLength(3);
    expect(page.degraded).toEqual([]);
  });

  it('finds documents with much metadata too, of which a page of the record holds few', async () => {
    const at = await open();
    const metadata = { note: ','.repeat(10_000) };
    const names = Array.from({ length: 8 }, (_, index) => `${index}`);
    await at.put(
      admin,
      names.map((name) => write(name, `Heron number ${name}.`, { metadata })),
    );
    expect((await at.database.forScope(admin).documents.list({ limit: 8 })).data.length).toBeLessThan(8);
    expect(await found(at.store(admin), 'heron')).toHaveLength(8);
  });

  it('says where the vendor returns less than there may be', async () => {
    const at = await open();
    await at.put(
      admin,
      Array.from({ length: 60 }, (_, index) => write(`${index}`, `Heron number ${index}.`)),
    );
    const page = await ask(at.store(admin), 'heron', { limit: 100 });
    expect(page.hits).toHaveLength(50);
    expect(page.nextCursor).toBeUndefined();
    expect(page.degraded).toMatchObject([{ component: 'openai', code: 'truncated' }]);
    expect((await ask(at.store(admin), 'heron', { limit: 20 })).degraded).toEqual([]);
  });

  it('cuts a query that is too long for the vendor, and says so', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    const page = await ask(at.store(admin), `heron ${'x'.repeat(9000)}`);
    expect(page.hits.map(({ documentId }) => documentId)).toEqual(['doc_a']);
    expect(page.degraded).toMatchObject([{ component: 'openai', code: 'cut' }]);
  });

  it('shows of a document that is being replaced the newer text alone', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    const [store] = at.simulator.state.stores.values();
    const [held] = heldIn(at);
    const newer = at.simulator.state.addFile('x', 'The heron sleeps.');
    if (store && held) at.simulator.state.attach(store, newer.id, { ...held.attributes, revision: 2 });
    const { hits } = await ask(at.store(admin), 'heron');
    expect(hits.map(({ passage }) => passage?.text)).toEqual(['The heron sleeps.']);
  });

  it('ends a search at once when nobody wants it any more, and lets its connection go', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    at.simulator.setFault(({ name }) => (name === 'search' ? 'silent' : undefined));
    const gone = new AbortController();
    const asked = at.store(admin).search({ text: 'heron', mode: 'vector', limit: 5 }, gone.signal);
    const refused = expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    while (!called(at).includes('search')) await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    await refused;
  });
});

describe('what OpenAI says of failures', () => {
  it.each([
    [401, 'config-invalid'],
    [403, 'config-invalid'],
    [429, 'rate-limited'],
    [500, 'upstream-unavailable'],
    [413, 'too-large'],
    [400, 'upstream-invalid'],
  ] as const)('becomes ours: HTTP %i is %s, without a word of the vendor and without the key', async (status, code) => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    at.simulator.setFault(() => status);
    const error: unknown = await ask(at.store(admin), 'heron').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'FootnoteError', code, details: { status } });
    const { message, details, cause, stack } = error as Error & { details: unknown };
    expect(JSON.stringify([message, details, cause, stack])).not.toMatch(/VENDOR-TEXT|sk-/u);
    expect(JSON.stringify([message, details, cause, stack])).not.toContain(simulatorKey);
  });

  it('keeps how long to wait, in seconds or as a date', async () => {
    const at = await open();
    await at.put(admin, [write('a', 'The heron waits.')]);
    at.simulator.setFault(() => ({ status: 429, retryAfter: '7' }));
    await expect(ask(at.store(admin), 'heron')).rejects.toMatchObject({ details: { retryAfterMs: 7000 } });
    at.simulator.setFault(() => ({ status: 503, retryAfter: new Date(Date.now() + 3_000_000).toUTCString() }));
    const error = (await ask(at.store(admin), 'heron').catch((thrown: unknown) => thrown)) as { details: object };
    expect(error.details).toMatchObject({ retryAfterMs: expect.any(Number) as number });
  });

  it('ends a call that the vendor never answers, without a deadline of the caller', async () => {
    const at = await open({ adapter: { callTimeoutMs: 50 } });
    at.simulator.setFault(() => 'silent');
    await expect(ask(at.store(admin), 'heron')).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });
});
