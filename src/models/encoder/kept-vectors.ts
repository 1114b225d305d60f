// What was encoded once is not encoded again: vectors by the hash of encoder and text, the last ones in memory, and behind them on a shelf that
// outlives the process. Invariants: what a question asks is never put on a shelf; what a shelf cannot give or take costs time and changes no vector.
import { sha256 } from '../../core/ids.ts';
import { createRecent, type Recent } from '../../core/values/recent.ts';
import type { Encoder } from './encoder.ts';

/** Vectors by key, of one tenant. */
export interface VectorShelf {
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  keep(vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}

export type RecentVectors = Recent<string, Float32Array>;

/** Of a process, whichever tenants it serves: 1.5 KB each. */
const mostInMemory = 4_096;
/** Texts that are asked for at once: when a question is given up, what it has encoded so far is kept. */
const atOnce = 4;

export const createRecentVectors = (most = mostInMemory): RecentVectors => createRecent(most);

export interface KeptVectorsOptions {
  /** Nobody learns from the time of an answer what another tenant has encoded. */
  readonly tenant: string;
  readonly recent: RecentVectors;
  readonly shelf?: VectorShelf | undefined;
}

/** The same encoder; the vectors are shared, nobody may change one. */
export function withKeptVectors(encoder: Encoder, { tenant, recent, shelf }: KeptVectorsOptions): Encoder {
  const keyOf = (text: string): string => sha256(JSON.stringify([encoder.id, text]));
  const own = (key: string): string => `${tenant} ${key}`;

  return {
    ...encoder,
    async encode(texts, signal) {
      const keys = texts.map(keyOf);
      const found = new Map<string, Float32Array>();
      const missing = new Map<string, string>();
      for (const [at, key] of keys.entries()) {
        const vector = recent.get(own(key));
        if (vector) found.set(key, vector);
        else missing.set(key, texts[at] ?? '');
      }
      const take = (key: string, vector: Float32Array): void => {
        found.set(key, vector);
        recent.set(own(key), vector);
        missing.delete(key);
      };
      if (shelf && missing.size > 0)
        for (const [key, vector] of await shelf.read([...missing.keys()]).catch(() => none)) take(key, vector);
      const made = new Map<string, Float32Array>();
      try {
        const rest = [...missing];
        for (let start = 0; start < rest.length; start += atOnce) {
          const piece = rest.slice(start, start + atOnce);
          const vectors = await encoder.encode(
            piece.map(([, text]) => text),
            signal,
          );
          for (const [at, [key]] of piece.entries()) {
            const vector = vectors[at] ?? new Float32Array();
            take(key, vector);
            made.set(key, vector);
          }
        }
      } finally {
        // Nobody waits for it.
        if (shelf && made.size > 0) shelf.keep(made).catch(() => undefined);
      }
      return keys.map((key) => found.get(key) ?? new Float32Array());
    },
    async encodeQuery(query, signal) {
      const key = own(`? ${keyOf(query)}`);
      const known = recent.get(key);
      if (known) return known;
      const vector = await encoder.encodeQuery(query, signal);
      recent.set(key, vector);
      return vector;
    },
  };
}

const none: ReadonlyMap<string, Float32Array> = new Map();
