// Bringing a document to the store within the record while somebody else writes it.
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/ids.ts';
import { bringDocument } from '../../../src/ingest/write/bring-within.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { deleteAll, putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const revisionOf = (text: string, revision: number) =>
  createWrite(text, { id: 'd', uri: 'd.md', revision, stores: [] } as object);

/** The store, with work of somebody else between what is read of a document and what is written of it. */
function openStore(meanwhile: (time: number) => Promise<unknown>) {
  const store = createEmbeddedStore({ database: place.record, scope: scopeOf() });
  let times = 0;
  return {
    store,
    times: () => times,
    within: {
      name: store.name,
      entries: store.entries,
      prepare: async () => {
        times += 1;
        await meanwhile(times);
      },
    },
  };
}

const bring = (within: ReturnType<typeof openStore>['within']) =>
  bringDocument({ record: place.tenant, clock: systemClock }, { store: within, documentId: 'd' });

it('indexes the revision that is there when it is written, not the one that was read', async () => {
  await place.tenant.commit(putAll([revisionOf('the heron waits', 1)]));
  const { store, within, times } = openStore(async (time) => {
    if (time === 1) await place.tenant.commit(putAll([revisionOf('the otter swims', 2)]));
  });
  expect(await bring(within)).toBeUndefined();
  expect(times()).toBe(2);
  const found = async (text: string) => (await store.search({ text, mode: 'lexical', limit: 3 })).hits.length;
  expect([await found('heron'), await found('otter')]).toEqual([0, 1]);
  expect(await place.tenant.documents.deliveries('d')).toMatchObject([{ status: 'delivered', revision: 2 }]);
});

it('indexes nothing of a document that goes meanwhile, and counts it as brought', async () => {
  await place.tenant.commit(putAll([revisionOf('the heron waits', 1)]));
  const { store, within } = openStore(() => place.tenant.commit(deleteAll(['d'])));
  expect(await bring(within)).toBeUndefined();
  expect((await store.search({ text: 'heron', mode: 'lexical', limit: 3 })).hits).toEqual([]);
});

it('gives up on a document that is written each time', async () => {
  await place.tenant.commit(putAll([revisionOf('the heron waits', 1)]));
  const { within, times } = openStore((time) =>
    place.tenant.commit(putAll([revisionOf(`the heron waits ${time}`, time + 1)])),
  );
  expect(await bring(within)).toMatchObject({ code: 'conflict' });
  expect(times()).toBe(5);
});
