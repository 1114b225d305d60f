// Synthetic vectors for bench/vectors/vectors.ts: clusters in two levels over a latent space of 32 dimensions, spread over all
// dimensions, with noise; unit length. Deterministic: vector `i` of a seed is always the same, so nothing has to be kept.

export interface VectorCorpus {
  /** Consecutive vectors in one array, in order. */
  batches(): Generator<{ readonly first: number; readonly vectors: Float32Array }>;
  /** A vector of the corpus, perturbed. */
  query(index: number): Float32Array;
}

const latent = 32;
const outerClusters = 200;
const innerClusters = 20;
const innerSpread = 0.6;
const pointSpread = 0.35;
const noiseSpread = 0.25;
const querySpread = 0.3;
const batchSize = 5000;
const tableSize = 1 << 20;

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function createGaussian(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function normalise(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * scale;
}

export function createVectorCorpus(options: { seed: number; count: number; dimensions: number }): VectorCorpus {
  const { seed, count, dimensions } = options;
  const gaussian = createGaussian(createRandom(seed));
  const fill = (length: number, spread: number): Float32Array => {
    const made = new Float32Array(length);
    for (let at = 0; at < length; at++) made[at] = gaussian() * spread;
    return made;
  };
  const outer = fill(outerClusters * latent, 1);
  const centres = fill(outerClusters * innerClusters * latent, innerSpread);
  for (let at = 0; at < centres.length; at++) {
    const cluster = Math.floor(at / latent / innerClusters);
    centres[at] = (centres[at] as number) + (outer[cluster * latent + (at % latent)] as number);
  }
  const spread = fill(latent * dimensions, 1 / Math.sqrt(latent));
  // Draws come from a table: a million vectors would take four hundred million of them.
  const table = fill(tableSize + Math.max(dimensions, latent), 1);

  function write(index: number, into: Float32Array): void {
    const random = createRandom(Math.imul(seed, 7919) + Math.imul(index + 1, 104_729));
    const pick = (below: number): number => Math.floor(random() * below);
    const centre = pick(outerClusters * innerClusters) * latent;
    const drawn = pick(tableSize);
    const noise = pick(tableSize);
    for (let at = 0; at < dimensions; at++) into[at] = (table[noise + at] as number) * noiseSpread;
    for (let axis = 0; axis < latent; axis++) {
      const value = (centres[centre + axis] as number) + (table[drawn + axis] as number) * pointSpread;
      const row = axis * dimensions;
      for (let at = 0; at < dimensions; at++) into[at] = (into[at] as number) + value * (spread[row + at] as number);
    }
    normalise(into);
  }

  return {
    *batches() {
      for (let first = 0; first < count; first += batchSize) {
        const size = Math.min(batchSize, count - first);
        const vectors = new Float32Array(size * dimensions);
        for (let at = 0; at < size; at++) write(first + at, vectors.subarray(at * dimensions, (at + 1) * dimensions));
        yield { first, vectors };
      }
    },
    query(index) {
      const random = createRandom(Math.imul(seed, 15_485_863) + index);
      const own = createGaussian(random);
      const made = new Float32Array(dimensions);
      write(Math.floor(random() * count), made);
      const scale = querySpread / Math.sqrt(dimensions);
      for (let at = 0; at < dimensions; at++) made[at] = (made[at] as number) + own() * scale;
      normalise(made);
      return made;
    },
  };
}
