// The port behind which the vectors of a tenant's chunks are kept in the record, for models that other stores know nothing of: whoever looks after
// vectors (src/ingest) writes them through it, and searches use the model that is active.
import type {
  ActiveModel,
  EmbeddedRows,
  KeptModel,
  PendingRows,
  RememberedText,
} from '../../db/repositories/vectors.ts';
import type { SharedSegment } from '../../engine/live-segment.ts';

export type {
  EmbeddedRows,
  KeptModel,
  PendingRows,
  RememberedText,
  VectorSpace,
} from '../../db/repositories/vectors.ts';

export interface IndexContent {
  /** Segments of the lexical index. */
  readonly parts: readonly SharedSegment[];
  /** Living chunks. */
  readonly chunks: number;
  /** Changes with every change of the index's content, not with its segments. */
  readonly revision: number;
  /** Set while something that the record holds is missing from it. */
  readonly incomplete: boolean;
}

/** Where the vectors of a tenant's chunks are kept: a model is begun, its vectors come in behind the searches, and it is activated. */
export interface VectorKeeping {
  models(): Promise<readonly KeptModel[]>;
  /** The model that is active now; absent where nobody but this process activates or changes one. */
  readonly active?: () => Promise<ActiveModel | undefined>;
  /** The bytes that a model was begun with. Undefined where there are none or they are not as they were written. */
  modelBytes(space: string): Promise<Uint8Array | undefined>;
  /** Begins a model, in place of one that is being built under another name; the same again goes on with it. */
  begin(model: Omit<KeptModel, 'state'>, bytes?: Uint8Array): Promise<void>;
  /** In the order of their ids, after one. Only documents that the index has rows for. */
  missing(space: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly PendingRows[]>;
  /**
   * One transaction. Documents whose rows are no longer those, or that have vectors by now, are left out: returns how many were written.
   * Texts are remembered in any case.
   */
  write(space: string, batch: readonly EmbeddedRows[], texts?: readonly RememberedText[]): Promise<number>;
  /** Vectors of texts that were remembered, by hash; also of models that are begun no more. */
  recall(space: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Which of these `recall` would look for in vain. */
  unknown(space: string, hashes: readonly string[]): Promise<readonly string[]>;
  /** How many chunks of the index have a vector in the space. */
  coverage(space: string): Promise<{ readonly chunks: number; readonly embedded: number }>;
  /** Makes a model the one that searches use, in one transaction; the one before is dropped, its vectors in pieces afterwards. */
  activate(space: string): Promise<void>;
  drop(space: string): Promise<void>;
  /** What the index holds now. */
  indexed(): Promise<IndexContent>;
}
