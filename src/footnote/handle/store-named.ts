// A store by its name, for every part of the facade that takes one.
import { FootnoteError } from '../../core/errors.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';

/** Throws `unsupported` for a store that is not configured. */
export type StoreNamed = (name: string) => WrittenStore;

export function createStoreNamed(stores: readonly WrittenStore[]): StoreNamed {
  return (name) => {
    const store = stores.find((candidate) => candidate.name === name);
    if (store === undefined)
      throw new FootnoteError(
        'unsupported',
        `The store "${name}" is not configured. Configured: ${stores.map((candidate) => candidate.name).join(', ')}.`,
      );
    return store;
  };
}
