// From the outputs of all tokens to one vector of a text, as sentence-transformers pools (Reimers and Gurevych 2019, "Sentence-
// BERT", section 3). Invariant: tokens that the mask leaves out change nothing, and every vector has length 1.

import { dot } from '../../core/values/dot.ts';

export type Pooling = 'cls' | 'mean' | 'max' | 'weighted-mean' | 'last';

export interface TokenStates {
  /** Outputs of the tokens, text by text, token by token. */
  readonly states: Float32Array;
  /** Padded length of each text. */
  readonly length: number;
  readonly dimensions: number;
}

/** Brings a vector to length 1 in place; all zeros stay. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares > 0) {
    const scale = 1 / Math.sqrt(squares);
    for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) * scale;
  }
  return vector;
}

/**
 * The vector of text number `text`, of length 1. `mask` has a 1 for each of its tokens that counts, by place. All zeros where none
 * does.
 */
export function poolTokens(
  { states, length, dimensions }: TokenStates,
  { text, mask, pooling }: { readonly text: number; readonly mask: ArrayLike<number>; readonly pooling: Pooling },
): Float32Array {
  const places: number[] = [];
  for (let place = 0; place < length; place++) if (mask[place] === 1) places.push(place);
  const vector = new Float32Array(dimensions);
  const row = (place: number): number => (text * length + place) * dimensions;
  const first = places[0];
  const last = places.at(-1);
  if (first === undefined || last === undefined) return vector;
  if (pooling === 'cls' || pooling === 'last') {
    const start = row(pooling === 'cls' ? first : last);
    return toUnitLength(states.slice(start, start + dimensions));
  }
  if (pooling === 'max') vector.fill(Number.NEGATIVE_INFINITY);
  places.forEach((place, index) => {
    const start = row(place);
    // Later tokens of a left-to-right model have read more (Muennighoff 2022, SGPT).
    const weight = pooling === 'weighted-mean' ? index + 1 : 1;
    for (let at = 0; at < dimensions; at++) {
      const value = states[start + at] ?? 0;
      const before = vector[at] ?? 0;
      vector[at] = pooling === 'max' ? Math.max(before, value) : before + weight * value;
    }
  });
  // Dividing by the number or the weights of the tokens would go away with the length.
  return toUnitLength(vector);
}

/** Vectors of length 1 of the tokens of a single text, from place `from` to before place `to`. */
export const tokenVectors = (
  { states, dimensions }: TokenStates,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Float32Array[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) =>
    toUnitLength(states.slice((from + at) * dimensions, (from + at + 1) * dimensions)),
  );

/**
 * The mean, over the tokens of a query, of the best cosine of a token of the text (Khattab and Zaharia 2020, "ColBERT", section 3.3): -1 to 1, 0 where one
 * of them has no token.
 */
export function matchTokens(query: readonly Float32Array[], text: readonly Float32Array[]): number {
  if (query.length === 0 || text.length === 0) return 0;
  return query.reduce((sum, one) => sum + Math.max(...text.map((other) => dot(one, other))), 0) / query.length;
}
