// What the embedder needs of others: a place for models and their vectors, somebody who learns from the index, and models that
// come from elsewhere. The shapes of stores/embedded-spaces.ts and models/corpus-trainer.ts, which composition hands in.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { CorpusModel } from '../models/model.ts';
import type { FixedModel } from '../models/semantics.ts';
import type { VectorSpace } from '../stores/store.ts';

export interface KeptModel {
  readonly space: VectorSpace;
  readonly kind: 'fixed' | 'corpus';
  readonly state: 'building' | 'active';
  readonly facts: Readonly<Record<string, string | number>>;
}

/** A document without vectors, and the rows of its chunks in the index, both ends included. */
export interface PendingRows {
  readonly documentId: string;
  readonly firstRow: number;
  readonly lastRow: number;
}

export interface IndexPart {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly dead: Uint32Array | undefined;
}

export interface IndexContent {
  readonly parts: readonly IndexPart[];
  /** Living chunks. */
  readonly chunks: number;
  readonly revision: number;
  /** Set while something that the record holds is missing from it. */
  readonly incomplete: boolean;
}

/** A text that a provider was paid for. */
export interface RememberedText {
  /** Names the text as the model was given it. */
  readonly hash: string;
  readonly vector: Float32Array;
}

export interface VectorKeeping {
  models(): Promise<readonly KeptModel[]>;
  modelBytes(space: string): Promise<Uint8Array | undefined>;
  begin(model: Omit<KeptModel, 'state'>, bytes?: Uint8Array): Promise<void>;
  missing(space: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly PendingRows[]>;
  /** One transaction; texts of remote models are remembered with it. Returns how many documents were written. */
  write(
    space: string,
    batch: readonly (PendingRows & { readonly vectors: Float32Array })[],
    texts?: readonly RememberedText[],
  ): Promise<number>;
  /** Vectors of texts that were remembered. */
  recall(space: string, hashes: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Which of them are not remembered. */
  unknown(space: string, hashes: readonly string[]): Promise<readonly string[]>;
  coverage(space: string): Promise<{ readonly chunks: number; readonly embedded: number }>;
  activate(space: string): Promise<void>;
  drop(space: string): Promise<void>;
  indexed(): Promise<IndexContent>;
}

export interface CorpusSurvey {
  readonly chunks: number;
  readonly sketch: string;
}

export interface LearnedModel {
  readonly space: string;
  readonly dimensions: number;
  readonly bytes: Uint8Array;
}

export interface CorpusLearning {
  /** Chunks that it takes to learn anything. */
  readonly leastChunks: number;
  /** Names how chunks are analysed: a model of another version is learned anew. */
  readonly version: string;
  survey(parts: readonly IndexPart[], signal?: AbortSignal): Promise<CorpusSurvey>;
  digest(parts: readonly IndexPart[], signal?: AbortSignal): Promise<CorpusSurvey & { readonly digest: string }>;
  train(
    parts: readonly IndexPart[],
    signal?: AbortSignal,
  ): Promise<CorpusSurvey & { readonly digest: string; readonly model: LearnedModel | undefined }>;
  embed(
    parts: readonly IndexPart[],
    given: {
      readonly model: { readonly space: string; readonly bytes: Uint8Array };
      readonly documents: readonly PendingRows[];
    },
    signal?: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]>;
  /** What part of the larger corpus two surveys share, 0..1. */
  sharedPart(left: CorpusSurvey, right: CorpusSurvey): number;
  /** A trained model ready for queries. Throws `data-corrupt` for bytes that are none. */
  open(bytes: Uint8Array): { readonly model: CorpusModel; readonly learnedFrom: number };
}

/** Models that are not learned here, by the name that the settings know them by. Throws where one cannot be had. */
export type OpenFixedModel = (name: string) => Promise<FixedModel>;

/** A chunk with the titles above it, as a model is to read it. */
export const textForModel = (
  { title }: Pick<DocumentRecord, 'title'>,
  { headingPath, text }: Pick<Chunk, 'headingPath' | 'text'>,
): string => [...new Set([title, ...headingPath]), text].join('\n');

/** Texts of a document's chunks as a model is to read them, in their order. Undefined where it is gone. */
export type ReadChunkTexts = (documentId: string) => Promise<readonly string[] | undefined>;
