// The port behind which the vectors of a tenant's chunks are kept in the record, for models that other stores know nothing of: whoever looks after
// vectors (src/ingest) writes them through it, and searches use the model that is active.
import type { SharedSegment } from '../../engine/live-segment.ts';

/** One model's vectors: they compare among themselves only. */
export interface VectorSpace {
  /** Names the model and whatever else makes vectors comparable. */
  readonly name: string;
  /** 1 to 3,072. */
  readonly dimensions: number;
  readonly metric: 'cosine' | 'dot';
}

/** An embedding model whose vectors a store holds. */
export interface KeptModel {
  readonly space: VectorSpace;
  /** `corpus`: trained on the tenant's own chunks and kept here; `fixed`: comes from elsewhere by the name of the space. */
  readonly kind: 'fixed' | 'corpus';
  /** Searches use the active one; at most one is active and one is building. */
  readonly state: 'building' | 'active';
  /** What whoever trained or chose it wants to know of it later, such as the digest of the sample. */
  readonly facts: Readonly<Record<string, string | number>>;
}

/** A document of which no chunk has a vector in a space. */
export interface PendingRows {
  readonly documentId: string;
  /** Rows of its chunks in the index, both ends included. */
  readonly firstRow: number;
  readonly lastRow: number;
}

export interface EmbeddedRows extends PendingRows {
  /** Of its chunks, end to end. */
  readonly vectors: Float32Array;
}

/** A text's vector in a space, which a provider was paid for. */
export interface RememberedText {
  /** 32 hexadecimal digits: half of the SHA-256 of the text as the model was given it. */
  readonly hash: string;
  readonly vector: Float32Array;
}

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
