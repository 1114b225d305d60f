// From the outputs of all tokens to one vector of a text, as sentence-transformers pools (Reimers and Gurevych 2019, "Sentence-
// BERT", section 3). Invariant: tokens that the mask leaves out change nothing, and every vector has length 1.

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

/** Vectors of tokens in few bytes: of each the signed shares of its largest number, and by what these are multiplied to have length 1. */
export interface TokenVectors {
  readonly shares: Int8Array;
  readonly scales: Float32Array;
}

/** Vectors of the tokens of a single text, from place `from` to before place `to`. */
export function tokenVectors(
  { states, dimensions }: TokenStates,
  { from, to }: { readonly from: number; readonly to: number },
): TokenVectors {
  const count = Math.max(0, to - from);
  const shares = new Int8Array(count * dimensions);
  const scales = new Float32Array(count);
  for (let token = 0; token < count; token += 1) {
    const first = (from + token) * dimensions;
    let largest = 0;
    for (let at = 0; at < dimensions; at += 1) largest = Math.max(largest, Math.abs(states[first + at] ?? 0));
    let squares = 0;
    for (let at = 0; at < dimensions; at += 1) {
      const share = largest === 0 ? 0 : Math.round(((states[first + at] ?? 0) / largest) * mostShare);
      shares[token * dimensions + at] = share;
      squares += share * share;
    }
    scales[token] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  }
  return { shares, scales };
}

const mostShare = 127;

/**
 * For each token of a query the best cosine of a token of the text (Khattab and Zaharia 2020, "ColBERT", section 3.3), -1 to 1; none where one of
 * them has no token.
 */
export function matchesOf(query: TokenVectors, text: TokenVectors): readonly number[] {
  const [asked, held] = [query.scales.length, text.scales.length];
  if (asked === 0 || held === 0) return [];
  const dimensions = query.shares.length / asked;
  return Array.from(query.scales, (scale, one) => {
    let best = Number.NEGATIVE_INFINITY;
    for (let other = 0; other < held; other += 1) {
      let product = 0;
      for (let at = 0; at < dimensions; at += 1)
        product += (query.shares[one * dimensions + at] ?? 0) * (text.shares[other * dimensions + at] ?? 0);
      best = Math.max(best, product * (text.scales[other] ?? 0));
    }
    return best * scale;
  });
}

export const meanOf = (matches: readonly number[]): number =>
  matches.reduce((sum, one) => sum + one, 0) / Math.max(1, matches.length);

export const leastOf = (matches: readonly number[]): number => (matches.length === 0 ? 0 : Math.min(...matches));
