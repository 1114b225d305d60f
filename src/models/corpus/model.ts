// The embedding model of a corpus that has none: latent semantic analysis of its own chunks behind the model port. Its id
// carries a fingerprint of what was learned, so vectors of two trainings are never compared.

import { toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { latentToBytes } from './latent-bytes.ts';
import { createLatentSemantics, type LatentWeights } from './latent-semantics.ts';
import type { CorpusModel } from '../embedding/model.ts';

export interface CorpusModelOptions {
  readonly weights: LatentWeights;
  /** The analysis of the index: of a query or of a chunk's text. */
  readonly analyze: (text: string, kind: 'query' | 'document') => readonly string[] | Promise<readonly string[]>;
}

export function createCorpusModel({ weights, analyze }: CorpusModelOptions): CorpusModel {
  const semantics = createLatentSemantics(weights);
  return {
    id: `corpus-lsa-1-${sha256(latentToBytes(weights)).slice(0, 16)}`,
    kind: 'corpus',
    dimensions: semantics.dimensions,
    metric: 'cosine',
    embedTerms: semantics.embed,
    coverage: semantics.coverage,
    async embed(texts, { kind, signal }) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (signal?.aborted) throw toFootnoteError(signal.reason);
        vectors.push(semantics.embed(await analyze(text, kind)));
      }
      return vectors;
    },
  };
}
