// What the child process of a writer is told and what comes of it. Plain data only: everything here crosses between processes.
import type { ModelOrder } from '../../threads/model-process.ts';

/** Given to the child when it starts. */
export interface WriterSetup {
  /** Address of the module `node-llama-cpp`. */
  readonly runtime: string;
  readonly path: string;
  /** Of the file when it was looked at: one that is shorter than its header says was cut off. */
  readonly sizeBytes: number;
  /** Most tokens of a prompt and its answer together; the model itself may take fewer. */
  readonly contextTokens: number;
  /** Processor threads: threads that wait for each other are slower by far where others take their processors. */
  readonly threads: number;
}

export interface WriteWork {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  readonly maxTokens: number;
  readonly temperature: number;
  /** A JSON Schema that the text is made to meet, as far as the runtime can. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Words of which the chances to come next are written, in the place of a text. */
  readonly choices?: readonly string[];
}

export type WriteOrder = ModelOrder<WriteWork>;

export interface Written {
  readonly text: string;
  /** Cut at `maxTokens`. */
  readonly isCut: boolean;
  readonly inputTokens: number;
  /** Of the prompt, those that were read for an earlier one. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}
