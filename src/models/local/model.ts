// A sentence embedding model from a local folder behind the model port: BERT-like transformers as ONNX, run by onnxruntime in
// a process of its own. Nothing is downloaded. Invariant: the id carries a fingerprint of weights and settings, and a model whose
// files changed after it was opened embeds nothing more, so one id stays one vector space.

import type { FixedModel } from '../embedding/semantics.ts';
import { embedTexts } from './embed-texts.ts';
import { type LocalFolder, readLocalFolder } from './folder.ts';
import { type LocalKind, type LocalPlace, openLocal } from './open-local.ts';

export interface LocalModel extends FixedModel {
  readonly folder: LocalFolder;
  /** Texts embedded so far, and how many of them were longer than the window and lost their end. */
  usage(): { readonly texts: number; readonly truncated: number };
  /** Ends the process. Embedding afterwards throws `upstream-unavailable`. */
  close(): Promise<void>;
}

export interface LocalModelOptions extends LocalPlace {
  /**
   * Tokens that one run computes at most. Default 256: on a graph of MiniLM's shape (6 layers, 384 dimensions, one core) that took
   * the least processor time, and a query waits for one run; with 2,048 texts cost 1.3 to 1.5 times as much and queries waited six
   * times as long.
   */
  readonly batchTokens?: number;
}

/** Models that make vectors of texts. */
export const embeddingKind = (
  load: Pick<LocalKind<LocalFolder>, 'batchTokens' | 'threads'>,
): LocalKind<LocalFolder> => ({
  read: readLocalFolder,
  toSetup: ({ dimensions, pooling, poolsPrefix, needsSentenceOutput }) => ({
    task: 'embed',
    dimensions,
    pooling,
    poolsPrefix,
    needsSentenceOutput,
  }),
  ...load,
  changed: 'changed while the model was in use. Start the program again: its vectors are then made anew.',
});

/**
 * Reads the folder's settings and hashes its weights; the model itself is loaded when the first text comes. Throws
 * `config-invalid` with `details.fault` (see readLocalFolder), `cancelled`, `storage-denied`.
 */
export async function openLocalModel(options: LocalModelOptions, signal?: AbortSignal): Promise<LocalModel> {
  const { batchTokens = 256, ...place } = options;
  const { folder, fingerprint, process } = await openLocal(place, embeddingKind({ batchTokens }), signal);
  const id = `local:${place.name}@${fingerprint}`;
  const counts = { texts: 0, truncated: 0 };

  return {
    id,
    kind: 'fixed',
    dimensions: folder.dimensions,
    metric: 'cosine',
    folder,
    usage: () => ({ ...counts }),
    close: () => process.close(),
    async embed(texts, { kind, signal: aborted }) {
      const { prefixes, dimensions } = folder;
      const work = { texts, dimensions, prefix: prefixes[kind], urgent: kind === 'query' };
      const { vectors, asked, truncated } = await embedTexts(process, work, aborted);
      counts.texts += asked;
      counts.truncated += truncated;
      return vectors;
    },
  };
}
