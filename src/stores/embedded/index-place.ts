// Where the index of a tenant is kept, to the store over it: within the record's file, or in memory behind a database on a network.
import type { Filter } from '../../core/search.ts';
import type { ThreadedIndex } from '../../engine/threads/pool.ts';
import type { EngineView } from './engine.ts';
import type { HeldVectors } from './held-vectors.ts';
import type { Selected } from './selection.ts';
import type { Upkeep } from './upkeep.ts';

/** The index as of now. */
export interface Looked {
  readonly view: EngineView;
  /** Of the space that was asked for, as of the same moment. */
  readonly vectors: HeldVectors | undefined;
  /** The rows that a filter and the access lists leave; undefined where nothing is left out. Call in the turn in which it was looked at. */
  select(filter: Filter | undefined, signal: AbortSignal | undefined): Selected;
}

export interface LookOptions {
  /** By which `select` will be asked. */
  readonly filter?: Filter | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The space whose vectors are wanted, too. */
  readonly space?: string | undefined;
}

export interface IndexPlace {
  readonly threaded: ThreadedIndex;
  readonly upkeep: Pick<Upkeep, 'schedule' | 'failure'>;
  /** Brings the index up to what is committed and gives it to `work` in the same turn. Throws `conflict` for a space that there are no vectors of. */
  look<T>(work: (looked: Looked) => T, options: LookOptions): Promise<T>;
  /** Rows of chunks in the index, by id: those of a document follow each other in the order of its chunks. */
  rowsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  count(): Promise<{ readonly documents: number; readonly chunks: number }>;
}
