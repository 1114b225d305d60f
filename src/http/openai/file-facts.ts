// What OpenAI's clients are told of a document as a file, wherever it is told.
import type { Metadata } from '../../core/document.ts';
import type { StoreFileObject } from '../../operations/vector-stores.ts';

export const fileNameOf = ({ uri, title }: { readonly uri: string; readonly title: string }): string =>
  uri.split(/[/\\#]/u).findLast((part) => part !== '') ?? title;

/** Pairs of the metadata as OpenAI's attributes can be: they are those that filters look at. */
export const attributesOf = (metadata: Metadata): StoreFileObject['attributes'] =>
  Object.fromEntries(
    Object.entries(metadata)
      .flatMap(([key, value]): [string, string | number | boolean][] => {
        const isLong = key.length > 64 || (typeof value === 'string' && value.length > 512);
        return isLong || value === null || typeof value === 'object' ? [] : [[key, value]];
      })
      .slice(0, 16),
  );
