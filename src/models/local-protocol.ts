// What the thread of a local model is told and what it answers. Plain data only: everything here crosses between threads.
import type { ErrorCode } from '../core/errors.ts';
import type { Pooling } from './local-pooling.ts';

/** Given to the thread when it starts: all that it needs to load the model. */
export interface LocalSetup {
  /** Folder of the package that runs models. */
  readonly peer: string;
  /** Folder of the model, and the ONNX file inside it with `/` between. */
  readonly folder: string;
  readonly graph: string;
  readonly dimensions: number;
  readonly windowTokens: number;
  readonly pooling: Pooling;
  readonly poolsPrefix: boolean;
  readonly needsSentenceOutput: boolean;
  readonly lowercase: boolean;
  /** Tokens that one run computes at most, padding counted; a longer text runs alone. */
  readonly batchTokens: number;
  /** Processor threads that one run takes. */
  readonly threads: number;
}

export type LocalOrder =
  | {
      readonly kind: 'embed';
      readonly job: number;
      /** Goes before all that is not: a person waits. */
      readonly urgent: boolean;
      readonly prefix: string;
      readonly texts: readonly string[];
    }
  | { readonly kind: 'cancel'; readonly job: number }
  | { readonly kind: 'close' };

export type LocalReply =
  | { readonly kind: 'loaded' }
  /** One run is done: a sign of life. */
  | { readonly kind: 'step' }
  | {
      readonly kind: 'done';
      readonly job: number;
      /** The vectors one after another. */
      readonly vectors: Float32Array;
      /** Texts that were longer than the window. */
      readonly truncated: number;
    }
  | {
      readonly kind: 'failed';
      /** Absent: the model could not be loaded. */
      readonly job?: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };
