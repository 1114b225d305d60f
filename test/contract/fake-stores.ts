// The embedded store alone, of documents kept in memory.
import type { Delivery } from '../../src/core/document.ts';
import { FootnoteError } from '../../src/core/errors.ts';
import type { PageOf, PageRequest } from '../../src/db/repositories/page.ts';
import type { AddDocument, AddedDocument, Footnote } from '../../src/footnote/facade.ts';

const notHere = (store: string): FootnoteError =>
  new FootnoteError('unsupported', `The store "${store}" cannot do that here.`);

export function fakeStores(
  documents: ReadonlyMap<string, unknown>,
  {
    add,
    deliveryOf,
    pageOf,
  }: {
    readonly add: (document: AddDocument) => Promise<readonly AddedDocument[]>;
    readonly deliveryOf: (id: string) => Delivery;
    readonly pageOf: <T>(items: readonly T[], page: PageRequest) => PageOf<T>;
  },
): Footnote['stores'] {
  return {
    async list() {
      const count = documents.size;
      return [
        {
          name: 'embedded',
          status: 'ok',
          detail: '',
          documents: count,
          chunks: count,
          coverage: 1,
          modes: ['embedded'],
        },
      ];
    },
    async deliveries(store, page) {
      if (store !== 'embedded') throw notHere(store);
      return pageOf([...documents.keys()].map(deliveryOf), page);
    },
    async sync(store) {
      if (store !== 'embedded') throw notHere(store);
      return { delivered: 0, failed: 0 };
    },
    reconcile: (store) => Promise.reject(notHere(store)),
    pause: (store) => Promise.reject(notHere(store)),
    resume: (store) => Promise.reject(notHere(store)),
    async add(store, document) {
      if (store !== 'embedded') throw notHere(store);
      return add(document);
    },
  };
}
