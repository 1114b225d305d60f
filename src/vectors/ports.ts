// What the embedder needs of others: a place for models and their vectors, somebody who learns from the index, and models that
// come from elsewhere. The first is the port of the store; the shape of models/corpus/trainer.ts is here, and composition hands it in.
import type { Chunk, DocumentRecord } from '../core/document.ts';
import type { CorpusModel } from '../models/embedding/model.ts';
import type { FixedModel } from '../models/embedding/semantics.ts';
import type { IndexContent, PendingRows } from '../stores/embedded/vector-keeping.ts';

export type {
  IndexContent,
  KeptModel,
  PendingRows,
  RememberedText,
  VectorKeeping,
} from '../stores/embedded/vector-keeping.ts';

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
  survey(parts: IndexContent['parts'], signal?: AbortSignal): Promise<CorpusSurvey>;
  digest(parts: IndexContent['parts'], signal?: AbortSignal): Promise<CorpusSurvey & { readonly digest: string }>;
  train(
    parts: IndexContent['parts'],
    signal?: AbortSignal,
  ): Promise<CorpusSurvey & { readonly digest: string; readonly model: LearnedModel | undefined }>;
  embed(
    parts: IndexContent['parts'],
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
