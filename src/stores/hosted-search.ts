// Stores that a model of the same provider may search by itself: where, under which filter, and what it found there.
import type { StoreQuery } from '../core/store-query.ts';

export interface HostedPlace {
  readonly storeId: string;
  /** In the provider's dialect. */
  readonly filter: Readonly<Record<string, unknown>>;
}

/** A piece of a file as the provider tells it. */
export interface HostedPiece {
  readonly fileId: string;
  readonly score: number;
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export type HostedQuery = Pick<StoreQuery, 'filter' | 'limit'>;
