// Vectors of passages that a sentence encoder made, by the hash of encoder and text. Invariant: they are a cache, which may lose any of them at
// any time and holds no more than a bound; when something of the tenant is deleted, all of its vectors go with it.

export interface EncodedPassageRepository {
  /** Those that are there and sound. */
  read(keys: readonly string[]): Promise<KeptVectors>;
  /**
   * Keeps vectors and notes which others were used. Vectors are left out while requests may be under way that read what has been deleted since.
   */
  keep(vectors: ReadonlyMap<string, Float32Array>, used: Iterable<string>, at: string): Promise<void>;
}

export interface KeptVectors {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Those of them that were last used on another day than the one of `at`. */
  readonly usedBefore: (at: string) => readonly string[];
}
