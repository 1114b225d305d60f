// Vectors that were computed before, in memory and bounded: of queries for a time, of document texts until the room is needed.
// Invariant: a vector is given only for the very same model id, kind and text, and what callers do to it changes no other.
import { type Clock, sha256 } from '../../core/ids.ts';
import { createRecent } from '../../core/values/recent.ts';
import type { FixedModel } from './semantics.ts';

export interface EmbeddingCacheOptions {
  readonly clock: Clock;
  /** Life of a query's vector (EMBEDDING_CACHE_TTL_SECONDS); 0: queries are not kept. */
  readonly queryTtlSeconds: number;
  /** Room for queries and for documents, each. Default 32 MB: 20,000 vectors of 384 dimensions. */
  readonly maxBytes?: number;
}

interface Entry {
  readonly vector: Float32Array;
  readonly expiresAtMs: number;
}

export interface EmbeddingCache {
  get(key: EmbeddingKey): Float32Array | undefined;
  set(key: EmbeddingKey, vector: Float32Array): void;
}

export interface EmbeddingKey {
  readonly model: string;
  readonly kind: 'query' | 'document';
  readonly text: string;
}

/** Bytes that an entry takes beside its numbers: key, objects, links. */
const entryBytes = 200;

export function createEmbeddingCache(options: EmbeddingCacheOptions): EmbeddingCache {
  const { clock, queryTtlSeconds, maxBytes = 32_000_000 } = options;
  const sizeOf = ({ vector }: Entry): number => vector.byteLength + entryBytes;
  const shelves = {
    query: { entries: createRecent<string, Entry>(maxBytes, sizeOf), ttlMs: queryTtlSeconds * 1000 },
    document: { entries: createRecent<string, Entry>(maxBytes, sizeOf), ttlMs: Number.POSITIVE_INFINITY },
  };
  const nameOf = ({ model, text }: EmbeddingKey): string => `${model}\u0000${sha256(text)}`;

  return {
    get(key) {
      const { entries } = shelves[key.kind];
      const name = nameOf(key);
      const entry = entries.get(name);
      if (entry && entry.expiresAtMs > clock.elapsedMs()) return entry.vector.slice();
      entries.delete(name);
      return undefined;
    },
    set(key, vector) {
      const { entries, ttlMs } = shelves[key.kind];
      if (ttlMs > 0) entries.set(nameOf(key), { vector: vector.slice(), expiresAtMs: clock.elapsedMs() + ttlMs });
    },
  };
}

/**
 * The model with the cache before it: each text that is not there is embedded once, however often it was asked for. Documents of
 * remote models pass: they are remembered on disk (stores/embedded/memo.ts).
 */
export function withEmbeddingCache<Model extends FixedModel>(model: Model, cache: EmbeddingCache): Model {
  return {
    ...model,
    async embed(texts, options) {
      if (model.remote && options.kind === 'document') return model.embed(texts, options);
      const keyOf = (text: string): EmbeddingKey => ({ model: model.id, kind: options.kind, text });
      const known = new Map<string, Float32Array>();
      for (const text of texts) {
        const vector = known.has(text) ? undefined : cache.get(keyOf(text));
        if (vector) known.set(text, vector);
      }
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      if (missing.length > 0) {
        const vectors = await model.embed(missing, options);
        missing.forEach((text, at) => {
          const vector = vectors[at];
          if (vector === undefined) return;
          known.set(text, vector);
          cache.set(keyOf(text), vector);
        });
      }
      const given = new Set<string>();
      return texts.map((text) => {
        const vector = known.get(text) ?? new Float32Array(model.dimensions);
        if (given.has(text)) return vector.slice();
        given.add(text);
        return vector;
      });
    },
  };
}
