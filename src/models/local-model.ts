// A sentence embedding model from a local folder behind the model port: BERT-like transformers as ONNX, run by transformers.js in
// a thread of its own. Nothing is downloaded. Invariant: the id carries a fingerprint of weights and settings, and a model whose
// files changed after it was opened embeds nothing more, so one id stays one vector space.
import { FootnoteError } from '../core/errors.ts';
import { fingerprintOf } from './local-fingerprint.ts';
import { type LocalFolder, readLocalFolder } from './local-folder.ts';
import { loadOf } from './local-load.ts';
import { findLocalPeer, type PeerPlaces } from './local-peer.ts';
import type { LocalEmbedSetup } from './local-protocol.ts';
import { createLocalThread, type LocalThreadOptions } from './local-thread.ts';
import type { FixedModel } from './semantics.ts';

export interface LocalModel extends FixedModel {
  readonly folder: LocalFolder;
  /** Texts embedded so far, and how many of them were longer than the window and lost their end. */
  usage(): { readonly texts: number; readonly truncated: number };
  /** Ends the thread. Embedding afterwards throws `upstream-unavailable`. */
  close(): Promise<void>;
}

export interface LocalModelOptions extends Omit<LocalThreadOptions, 'prepare'> {
  /** Folder of local models (MODELS_FOLDER), which is also searched for the package that runs them. */
  readonly folder: string;
  /** The model's folder inside it. */
  readonly name: string;
  readonly peerPlaces?: Omit<PeerPlaces, 'modelsFolder'>;
  /**
   * Tokens that one run computes at most. Default 256: on a graph of MiniLM's shape (6 layers, 384 dimensions, one core) that took
   * the least processor time, and a query waits for one run; with 2,048 texts cost 1.3 to 1.5 times as much and queries waited six times as long.
   */
  readonly batchTokens?: number;
}

function toSetup(folder: LocalFolder, peer: string, batchTokens: number): LocalEmbedSetup {
  const { path, dimensions, windowTokens, pooling, poolsPrefix, needsSentenceOutput, lowercase } = folder;
  const [graph] = folder.weights;
  return {
    task: 'embed',
    peer,
    folder: path,
    graph,
    dimensions,
    windowTokens,
    pooling,
    poolsPrefix,
    needsSentenceOutput,
    lowercase,
    ...loadOf(graph, batchTokens),
  };
}

/**
 * Reads the folder's settings and hashes its weights; the model itself is loaded when the first text comes. Throws
 * `config-invalid` with `details.fault` (see readLocalFolder), `cancelled`, `storage-denied`.
 */
export async function openLocalModel(options: LocalModelOptions, signal?: AbortSignal): Promise<LocalModel> {
  const { name, batchTokens = 256, peerPlaces, ...threadOptions } = options;
  const folder = await readLocalFolder(options.folder, name);
  const fingerprint = await fingerprintOf(folder, signal);
  // Said before the first text comes, not with it.
  await findLocalPeer({ modelsFolder: options.folder, ...peerPlaces });
  const id = `local:${name}@${fingerprint}`;
  const counts = { texts: 0, truncated: 0 };

  const thread = createLocalThread({
    ...threadOptions,
    async prepare() {
      const present = await readLocalFolder(options.folder, name);
      if ((await fingerprintOf(present)) !== fingerprint)
        throw new FootnoteError(
          'conflict',
          `The files of ${folder.path} changed while the model was in use. Start the program again: its vectors are then made anew.`,
        );
      const peer = await findLocalPeer({ modelsFolder: options.folder, ...peerPlaces });
      return toSetup(present, peer.path, batchTokens);
    },
  });

  return {
    id,
    kind: 'fixed',
    dimensions: folder.dimensions,
    metric: 'cosine',
    folder,
    usage: () => ({ ...counts }),
    close: () => thread.close(),
    async embed(texts, { kind, signal: aborted }) {
      const vectors = texts.map(() => new Float32Array(folder.dimensions));
      const spoken = texts.flatMap((text, at) => (text.trim() === '' ? [] : [{ text, at }]));
      if (spoken.length === 0) return vectors;
      const work = {
        texts: spoken.map(({ text }) => text),
        prefix: folder.prefixes[kind],
        urgent: kind === 'query',
      };
      const embedded = await thread.embed(work, aborted);
      spoken.forEach(({ at }, index) => {
        vectors[at]?.set(embedded.vectors.subarray(index * folder.dimensions, (index + 1) * folder.dimensions));
      });
      counts.texts += spoken.length;
      counts.truncated += embedded.truncated;
      return vectors;
    },
  };
}
