// What a store promises of what is brought to it and taken away.
import { assert, holds } from './asserted.ts';
import { admin, names, type StoreCheck, search, write } from './harness.ts';

export const animals = [
  write('otter', 'An otter swims in the river and eats fish.'),
  write('fox', 'The fox runs in the forest; a fox hunts at night.'),
  write('crane', 'A crane stands in the river. The crane is a bird.'),
];

export const writeChecks: readonly StoreCheck[] = [
  {
    name: 'upsert is idempotent',
    async run({ store, put }) {
      await put(admin, animals);
      const before = await search(store(admin), 'river fish');
      await put(admin, animals);
      const outcomes = await store(admin).upsert(animals.map(({ document, chunks }) => ({ document, chunks })));
      assert.deepEqual(
        outcomes.map(({ documentId, error }) => [documentId, error]),
        animals.map(({ document }) => [document.id, undefined]),
      );
      assert.deepEqual(await search(store(admin), 'river fish'), before);
      await holds(store(admin), { documents: 3, chunks: 3 });
    },
  },
  {
    name: 'upsert replaces every chunk of the revision before',
    async run({ store, put }) {
      await put(admin, [write('bird', 'The heron waits. '.repeat(40)), ...animals]);
      const found = await search(store(admin), 'heron');
      // A store that cuts by itself may keep it in one piece.
      assert.ok(found.length > (found[0]?.passage ? 0 : 2));
      await put(admin, [write('bird', 'An egret waits.', { revision: 2 })]);
      assert.deepEqual(await names(store(admin), 'heron'), []);
      assert.deepEqual(await names(store(admin), 'egret'), ['bird']);
      await holds(store(admin), { documents: 4, chunks: 4 });
    },
  },
  {
    name: 'delete takes documents away for good, and is idempotent',
    async run({ store, put, remove }) {
      await put(admin, animals);
      await remove(admin, ['doc_otter', 'doc_unknown']);
      await remove(admin, ['doc_otter']);
      const gone = [{ documentId: 'doc_otter', revision: 1, storeDocumentId: 'unknown' }];
      assert.deepEqual(await store(admin).delete(gone), [{ documentId: 'doc_otter' }]);
      assert.deepEqual(await names(store(admin), 'otter river fish'), ['crane']);
      await holds(store(admin), { documents: 2, chunks: 2 });
    },
  },
  {
    name: 'a deleted document leaves no weight behind: scores are those of a store that never had it',
    needs: 'exact-statistics',
    async run({ store, put, remove }) {
      await put(admin, animals);
      const before = await search(store(admin), 'river crane');
      await put(admin, [write('more', 'River, river, crane and river.')]);
      assert.notDeepEqual(await search(store(admin), 'river crane'), before);
      await remove(admin, ['doc_more']);
      assert.deepEqual(await search(store(admin), 'river crane'), before);
    },
  },
  {
    name: 'a write that the record takes back never happened in the store',
    needs: 'transaction',
    async run({ store, put, putAndFail }) {
      await put(admin, animals);
      const before = await search(store(admin), 'otter badger');
      await assert.rejects(putAndFail?.(admin, write('otter', 'A badger digs.')) ?? Promise.resolve());
      assert.deepEqual(await search(store(admin), 'otter badger'), before);
    },
  },
  {
    name: 'counts what it holds',
    async run({ store, put }) {
      await holds(store(admin), { documents: 0, chunks: 0 });
      await put(admin, [...animals, write('long', 'A gull cries. '.repeat(60))]);
      await holds(store(admin), { documents: 4, chunks: 3 + 5 });
    },
  },
  {
    name: 'tells of what it holds by a hash that is that of what was brought, once',
    async run({ store, put }) {
      await put(admin, animals);
      const { inventory } = store(admin);
      if (!inventory) return;
      const held = new Map((await inventory.held()).map((one) => [one.documentId, one]));
      for (const { document, chunks } of animals) {
        const hash = await inventory.hashOf({ document, chunks });
        const { copies, ...told } = held.get(document.id) ?? { copies: 0 };
        assert.deepEqual({ ...told, copies }, { documentId: document.id, hash, copies: 1 });
      }
      assert.equal(held.size, animals.length);
    },
  },
];
