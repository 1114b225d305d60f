// What the child process of a local model is told and what comes of it. Plain data only: everything here crosses between processes.
import type { ModelOrder } from '../../threads/model-process.ts';
import type { Pooling } from './pooling.ts';

export interface LocalModelFiles {
  /** Folder of the model, and the ONNX file inside it with `/` between. */
  readonly folder: string;
  readonly graph: string;
  readonly windowTokens: number;
  readonly lowercase: boolean;
  /** Tokens that one run computes at most, padding counted; a longer text runs alone. */
  readonly batchTokens: number;
  /** Processor threads that one run takes. */
  readonly threads: number;
}

export interface LocalEmbedSetup extends LocalModelFiles {
  readonly task: 'embed';
  readonly dimensions: number;
  readonly pooling: Pooling;
  readonly poolsPrefix: boolean;
  readonly needsSentenceOutput: boolean;
}

export interface LocalRerankSetup extends LocalModelFiles {
  readonly task: 'rerank';
  /** Whether the model tells query and text apart by token types. */
  readonly hasTypes: boolean;
  /** Of two classes, the one that means relevant. */
  readonly relevantClass: 0 | 1;
  /** So many classes have a chance each, in the place of one score; the first text is then the longer one. */
  readonly classes?: number;
}

/** Given to the child when it starts: all that it needs to load the model. */
export type LocalSetup = LocalEmbedSetup | LocalRerankSetup;

/** What every model needs to be loaded. */
export type LocalSource = LocalModelFiles & Pick<LocalSetup, 'task'>;

export interface EmbedWork {
  readonly kind: 'embed';
  /** Goes before all that is not: a person waits. */
  readonly urgent: boolean;
  readonly prefix: string;
  readonly texts: readonly string[];
}

/** How well the tokens of each text match those of a query. */
export interface MatchWork {
  readonly kind: 'match';
  /** In the mean of these, or the one that is matched least. */
  readonly by: 'mean' | 'least';
  readonly urgent: boolean;
  readonly query: string;
  readonly texts: readonly string[];
}

export interface RerankWork {
  readonly kind: 'rerank';
  readonly urgent: boolean;
  readonly query: string;
  readonly texts: readonly string[];
}

export type LocalWork = EmbedWork | MatchWork | RerankWork;

export type LocalOrder = ModelOrder<LocalWork>;

export interface EmbeddedTexts {
  /** The vectors one after another; of a match and of a reranker one number for each text. */
  readonly vectors: Float32Array;
  /** Texts that were longer than the window. */
  readonly truncated: number;
}
