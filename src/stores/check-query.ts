// What every store refuses of a query, in the same words.
import { FootnoteError } from '../core/errors.ts';
import type { StoreQuery } from '../core/store-query.ts';

/** The fixed embedding model whose vectors come with documents and queries, for a store that is given them. */
export interface GivenVectors {
  /** As queries name it. */
  readonly space: string;
  readonly dimensions: number;
}

/** Of a model whose vectors nobody knows the length of before it is opened, they are asked for when they are needed. */
export type VectorsSetting = GivenVectors | (() => Promise<GivenVectors>);

/** Which vectors a store is given; undefined: none. */
export function givenBy(setting: VectorsSetting | undefined): (() => Promise<GivenVectors>) | undefined {
  if (setting === undefined || typeof setting === 'function') return setting;
  return async () => setting;
}

/** Throws `invalid-request` for a limit that is none. */
export function checkLimit({ limit }: Pick<StoreQuery, 'limit'>): void {
  if (!Number.isInteger(limit) || limit < 0 || limit > 1000)
    throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 0 to 1000.`);
}

/** Throws `invalid-request` for a query without a vector of the model whose vectors the store is given. */
export function checkVector(
  store: string,
  { vector, space }: Pick<StoreQuery, 'vector' | 'space'>,
  given: GivenVectors,
): void {
  if (vector === undefined || space !== given.space || vector.length !== given.dimensions)
    throw new FootnoteError(
      'invalid-request',
      `The store ${store} is searched by vectors of ${given.dimensions} numbers of the model ${given.space}.`,
    );
}
