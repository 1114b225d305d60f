// The expander over a real store and record: what it adds is found, what it reads is bounded and the caller's own, and nothing
// chosen is nothing done.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Scope } from '../../../src/core/scope.ts';
import type { Filter } from '../../../src/core/search.ts';
import type { DocumentRepository } from '../../../src/db/repositories/documents.ts';
import { createExpander, type ExpansionName } from '../../../src/retrieval/expand/expand.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import type { Store, StoreQuery } from '../../../src/stores/store.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { putText } from '../../stores/put-text.ts';

const admin = scopeOf();
const place = recordForEachTest();

const put = (id: string, text: string, access?: readonly string[]): Promise<void> =>
  putText(place.record, { id, text, ...(access && { access }) });

/** Store and documents of a scope, and what was asked of them. */
function watch(scope: Scope = admin) {
  const store = createEmbeddedStore({ database: place.record, scope });
  const { documents } = place.record.forScope(scope);
  const queries: StoreQuery[] = [];
  const read: string[] = [];
  return {
    queries,
    read,
    store: {
      search: (...given: Parameters<Store['search']>) => {
        queries.push(given[0]);
        return store.search(...given);
      },
    },
    documents: {
      chunksById: (ids: readonly string[]): ReturnType<DocumentRepository['chunksById']> => {
        read.push(...ids);
        return documents.chunksById(ids);
      },
    },
    async find(text: string, expansion: readonly ExpansionName[], filter?: Filter) {
      const { also, notes } = await createExpander({ store: this.store, documents: this.documents, expansion }).expand(
        text,
        { filter },
      );
      const page = await store.search({ text, mode: 'lexical', limit: 10, also });
      return { also, notes, found: page.hits.map(({ documentId }) => documentId) };
    },
  };
}

const shop = async (): Promise<void> => {
  await put('defines', 'The application programming interface (API) of the shop is stable.');
  await put('short', 'The API limits callers to ten a second.');
  await put('long', 'An application programming interface needs keys.');
};

describe('createExpander', () => {
  it('finds under one name what is written under the other, and says why', async () => {
    await shop();
    expect((await watch().find('API', [])).found).toEqual(expect.not.arrayContaining(['long']));
    const short = await watch().find('API', ['acronyms']);
    expect(short.found).toContain('long');
    expect(short.notes).toEqual(['“API” is “application programming interface” too, says a document']);
    // All words of a name together weigh what the name does.
    expect(short.also).toEqual([{ text: 'application programming interface', weight: 0.4 / 3 }]);
    const long = await watch().find('application programming interface', ['acronyms']);
    expect(long.found).toContain('short');
    expect(long.also).toEqual([{ text: 'API', weight: 0.4 }]);
  });

  it('searches at most twice and reads at most twenty passages', async () => {
    for (let number = 0; number < 40; number++)
      await put(`d${number}`, `Number ${number}: the central processing unit (CPU) and the API.`);
    const watched = watch();
    await watched.find('Does the CPU limit the API; and the central processing unit?', ['acronyms']);
    expect(watched.queries).toHaveLength(2);
    expect(watched.read.length).toBeLessThanOrEqual(20);
    const again = watch();
    const text = 'Does the CPU limit the API?';
    const { hits } = await again.store.search({ text, mode: 'lexical', limit: 100 });
    const { store, documents } = again;
    const whole = await createExpander({ store, documents, expansion: ['acronyms'] }).expand(text, {});
    const given = await createExpander({ store, documents, expansion: ['acronyms'] }).expand(text, { found: hits });
    expect(given).toEqual(whole);
    expect(again.queries.map((query) => query.text)).toEqual([text, text, 'CPU API', 'CPU API']);
    const none = watch();
    await none.find('Please tell me about the CPU', []);
    expect([...none.queries, ...none.read]).toEqual([]);
  });

  it('learns nothing from what the caller may not read, or filters out', async () => {
    await put('open', 'The API limits callers.');
    await put('hidden', 'The application programming interface (API) is secret.', ['owners']);
    const reader = watch(scopeOf('default', 'ada', 'reader'));
    expect((await reader.find('API', ['acronyms'])).also.map(({ text }) => text)).not.toContain('secret');
    expect((await reader.find('API', ['acronyms'])).also).toEqual([]);
    const filter: Filter = { op: 'eq', field: 'id', value: 'open' };
    expect((await watch().find('API', ['acronyms'], filter)).also).toEqual([]);
    expect((await watch().find('API', ['acronyms'])).also).toHaveLength(1);
  });

  it('changes nothing where nothing is chosen, or nothing is found', async () => {
    await shop();
    const store = createEmbeddedStore({ database: place.record, scope: admin });
    const words = fc.constantFrom('API', 'shop', '"shop"', '-keys', 'needs', 'limits?', 'application', 'zebra');
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 6 }), async (chosen) => {
        const text = chosen.join(' ');
        const query: StoreQuery = { text, mode: 'lexical', limit: 2, explain: true };
        const { also, notes } = await createExpander({ ...watch(), expansion: [] }).expand(text, {});
        expect({ also, notes }).toEqual({ also: [], notes: [] });
        expect(await store.search({ ...query, also })).toEqual(await store.search(query));
      }),
      { seed: 1, numRuns: 60 },
    );
    expect((await watch().find('zebra', ['acronyms'])).also).toEqual([]);
  });

  it('leaves a damaged passage out, and passes on what else fails', async () => {
    await shop();
    const { store, documents } = watch();
    const chunksById: DocumentRepository['chunksById'] = async (ids) => {
      const rows = await documents.chunksById(ids);
      if (rows.some(({ document }) => document.id === 'short'))
        throw new FootnoteError('data-corrupt', 'It is damaged.');
      return rows;
    };
    const options = {};
    const some = createExpander({ store, documents: { chunksById }, expansion: ['acronyms'] });
    expect((await some.expand('API', options)).also).toHaveLength(1);
    const refusing = { chunksById: () => Promise.reject(new FootnoteError('storage-full', 'The disk is full.')) };
    const none = createExpander({ store, documents: refusing, expansion: ['acronyms'] });
    await expect(none.expand('API', options)).rejects.toMatchObject({ code: 'storage-full' });
    const aborted = createExpander({ ...watch(), expansion: ['acronyms'] });
    await expect(aborted.expand('API', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
