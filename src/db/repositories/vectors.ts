// Vectors of chunks as the record keeps them: the models that they are of, a log of blocks (one for each document) and removals in every space, and
// vectors of texts that were paid for. Invariant: whatever can bring a hit carries a seal, and what is not as it was written is not used.
import { sha256 } from '../../core/ids.ts';

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

/** The model that searches use, as it is told by its row. */
export interface ActiveModel {
  /** Its name. */
  readonly space: string;
  /** Another where its bytes are: words that were deleted are taken out of a model that keeps its name. */
  readonly seal: string;
}

/** The models of a tenant. Of those that were trained here the record has the bytes. */
export interface EmbeddingModels {
  /** The one in use first. */
  all(): Promise<readonly KeptModel[]>;
  /** Undefined where there are none or they are not as they were written. */
  bytes(space: string): Promise<Uint8Array | undefined>;
  /** Begins a model, in place of one that is being built under another name; the same again goes on with it. Returns the spaces that made room for it. */
  begin(model: Omit<KeptModel, 'state'>, bytes: Uint8Array | undefined): Promise<readonly string[]>;
  /** Makes it the one that searches use; returns the spaces of those that were dropped for it. Throws `conflict` for one that is not there. */
  activate(space: string): Promise<readonly string[]>;
  /** Takes a model and its space away; the vectors of a space that is gone are left to be dropped in pieces. */
  drop(space: string): Promise<void>;
  /** Writes other bytes of the same length under a model, only the parts that differ. False where the model is another by now. */
  rewrite(space: string, given: { readonly from: Uint8Array; readonly to: Uint8Array }): Promise<boolean>;
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

/** A text's vector in a space, which a provider was paid for or which took its time. */
export interface RememberedText {
  /** Under which it is remembered. Default: the space that is written to. */
  readonly space?: string;
  /** 32 hexadecimal digits: half of the SHA-256 of the text as the model was given it. */
  readonly hash: string;
  readonly vector: Float32Array;
}

/** The vectors of a document, or without bytes the removal of those of its rows. */
export interface VectorBlock {
  /** Grows with each block of a space. */
  readonly sequence: number;
  readonly document_id: string;
  readonly first_row: number;
  readonly last_row: number;
  readonly seal: string;
  readonly bytes: Uint8Array | null;
}

export function sealBlock(tenant: string, space: string, block: Omit<VectorBlock, 'sequence' | 'seal'>): string {
  const { document_id, first_row, last_row, bytes } = block;
  const content = bytes === null ? 'removed' : sha256(bytes);
  return sha256(JSON.stringify(['vectors', tenant, space, document_id, first_row, last_row, content]));
}

/** Half of a SHA-256: among a billion texts two share one by chance with a probability below 10^-20. */
const hashDigits = 32;

export interface TextPlace {
  readonly tenant: string;
  readonly space: string;
}

/** Of the vector of a text. */
export function sealText({ tenant, space }: TextPlace, hash: string, bytes: Uint8Array): Buffer {
  return Buffer.from(sha256(JSON.stringify(['memo', tenant, space, hash, sha256(bytes)])).slice(0, hashDigits), 'hex');
}

export const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** The vector of a text; undefined where its bytes are not as they were written. */
export function toTextVector(
  place: TextPlace,
  hash: string,
  { seal, bytes }: { readonly seal: Uint8Array; readonly bytes: Uint8Array },
): Float32Array | undefined {
  if (!sealText(place, hash, bytes).equals(seal)) return undefined;
  const vector = new Float32Array(bytes.byteLength / 4);
  new Uint8Array(vector.buffer).set(bytes);
  return vector;
}

/** Texts of a tenant and the vectors that are remembered of texts, in pages of any order: after a place, so many at most. */
export interface ErasableTexts<ChunkPlace, Place> {
  hasRemembered(): Promise<boolean>;
  chunks(
    after: ChunkPlace | undefined,
    limit: number,
  ): Promise<
    readonly {
      readonly place: ChunkPlace;
      /** Titles above the chunk, as JSON. */
      readonly headings: string;
      readonly text: string;
      /** Of its document. */
      readonly title: string;
    }[]
  >;
  /** By hash; null: of another tenant. */
  remembered(
    after: Place | undefined,
    limit: number,
  ): Promise<readonly { readonly place: Place; readonly hash: string | null }[]>;
  forget(places: readonly Place[]): Promise<unknown>;
}

/** What a memory holds of a space in a database on a network. */
export interface VectorMark {
  readonly space: string;
  /** Which space of this name it was; undefined: nothing is held. */
  readonly born: string | undefined;
  /** Of the last block that was seen. */
  readonly sequence: number;
  /** Where the space stood when its blocks were first read: removals up to here are of blocks that were never seen. */
  readonly upTo: number;
}

export interface VectorDelta {
  readonly born: string;
  readonly space: VectorSpace;
  /** The last block there is. */
  readonly revision: number;
  /** All from the beginning where the space is another one than that of the mark. */
  readonly blocks: readonly VectorBlock[];
  /** There are more than these. */
  readonly isMore: boolean;
}
