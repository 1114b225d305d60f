// What only the store inside the record can do: writes that join the record's transaction, work done ahead of them, how rare words are,
// and the vectors of chunks. Whoever needs this is bound to the record; everybody else asks for a `Store`.
import type { EntryChange } from '../../db/repositories/changes.ts';
import type { StoreDocument } from '../delivered.ts';
import type { Store } from '../store.ts';

/** As deliveries and answers name it. */
export const embeddedName = 'embedded';

/** How rare the words of a text are among the chunks that the scope may read. */
export interface StoreStatistics {
  readonly chunks: number;
  /** Chunks that hold each search term of the text. */
  readonly frequencies: Readonly<Record<string, number>>;
  /**
   * Chunks by language of their document (ISO 639-1), most frequent first. Empty where it is not known, and where the scope may
   * not read everything: whatever else there is must not show.
   */
  readonly languages: readonly { readonly language: string; readonly chunks: number }[];
}

/** What a store inside the record is to hold or to drop, as changes that are committed with those of the documents. */
export interface StoreEntries {
  put(batch: readonly StoreDocument[]): EntryChange;
  delete(documentIds: readonly string[]): EntryChange;
}

/** A store inside the record. */
export interface JoinsRecord {
  /**
   * Does what writing the entries of the same batch would do and needs no transaction for: it is remembered by the identity of
   * each `chunks` array. Optional for callers: what was not prepared is done in the transaction.
   */
  prepare(batch: readonly StoreDocument[], signal?: AbortSignal): Promise<void>;
  readonly entries: StoreEntries;
}

/** A store as whoever writes documents knows it: those outside the record are delivered to. */
export type WrittenStore = Store & Partial<JoinsRecord>;

export interface EmbeddedStore extends Store, JoinsRecord {
  /** Scores are judged by it, not only compared. */
  statistics(text: string, signal?: AbortSignal): Promise<StoreStatistics>;
  /** Vectors of chunks in a space; undefined where a chunk has none there. */
  vectorsOf(
    space: string,
    chunkIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]>;
}
