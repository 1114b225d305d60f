// A cross-encoder from a local folder behind the reranker port: an ONNX graph, run by onnxruntime in a process of its own. Nothing is
// downloaded and nothing leaves the machine. Invariant: the id names weights and settings by their fingerprint, and a model whose
// files changed after it was opened reranks nothing more.
import { FootnoteError } from '../../core/errors.ts';
import type { CallOptions } from '../language/call-options.ts';
import type { ModelAttempt } from '../language/generation.ts';
import { toRanking } from '../rerank/ranking.ts';
import type { RerankModel } from '../rerank/rerank-model.ts';
import { type LocalKind, type LocalPlace, openLocal } from './open-local.ts';
import { type LocalRerankerFolder, readLocalRerankerFolder } from './reranker-folder.ts';

export interface LocalReranker extends RerankModel {
  readonly provider: 'local';
  readonly folder: LocalRerankerFolder;
  /** Texts reranked so far, and how many of them were longer than the window and lost their end. */
  usage(): { readonly texts: number; readonly truncated: number };
  /** Loads the model before the first query comes. Throws like `rerank`. */
  warm(): Promise<void>;
  /** Ends the process. Reranking afterwards throws `upstream-unavailable`. */
  close(): Promise<void>;
}

export interface LocalRerankerOptions extends LocalPlace {
  /** Tokens that one run computes at most; between two runs a call can be cancelled. Default 512: one long pair, or a few short ones. */
  readonly batchTokens?: number;
}

/** Loading takes longer than a query may wait, so that the process outlives the pauses of a conversation. */
const idleMs = 600_000;

/**
 * Reads the folder's settings and hashes its weights; the model itself is loaded by `warm` or with the first query. Throws
 * `config-invalid` with `details.fault` (see readLocalRerankerFolder), `cancelled`, `storage-denied`.
 */
export async function openLocalReranker(options: LocalRerankerOptions, signal?: AbortSignal): Promise<LocalReranker> {
  const { batchTokens = 512, ...place } = options;
  const { folder, fingerprint, process } = await openLocal({ idleMs, ...place }, kindOf(batchTokens), signal);
  const id = `${place.name}@${fingerprint}`;
  const model = `local:${id}`;
  const counts = { texts: 0, truncated: 0 };

  async function score(query: string, texts: readonly string[], { deadline, signal: left }: CallOptions) {
    const ending = left ? AbortSignal.any([deadline.signal, left]) : deadline.signal;
    try {
      return await process.run({ kind: 'rerank', query, texts, urgent: true }, ending);
    } catch (error) {
      if (left?.aborted) throw new FootnoteError('cancelled', 'Reranking was cancelled.', { cause: left.reason });
      if (ending.aborted) deadline.check();
      throw error;
    }
  }

  return {
    id,
    provider: 'local',
    method: 'cross-encoder',
    folder,
    usage: () => ({ ...counts }),
    warm: () => process.warm(),
    close: () => process.close(),
    async rerank({ query, texts }, options) {
      if (texts.length === 0) return { ranking: [], model, attempts: [] };
      const startedAt = performance.now();
      const { vectors, truncated } = await score(query, texts, options);
      counts.texts += texts.length;
      counts.truncated += truncated;
      const attempt: ModelAttempt = { model, latencyMs: performance.now() - startedAt };
      return { ranking: toRanking(new Map(vectors.entries()), texts.length), model, costUsd: 0, attempts: [attempt] };
    },
  };
}

function kindOf(batchTokens: number): LocalKind<LocalRerankerFolder> {
  return {
    read: readLocalRerankerFolder,
    toSetup: ({ hasTypes, relevantClass }) => ({ task: 'rerank', hasTypes, relevantClass }),
    batchTokens,
    changed: 'changed while the reranker was in use. Start the program again.',
  };
}
