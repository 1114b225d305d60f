// The exact answer that recall is measured against: every vector compared with every query in double precision, in a plain
// loop that shares nothing with the index under measurement.

interface Nearest {
  offer(number: number, score: number): void;
  /** Best first; equal scores by number. */
  numbers(): number[];
}

/** Keeps the best of what is offered in the order of their numbers: a heap with the worst on top. */
export function createNearest(limit: number): Nearest {
  const numbers = new Int32Array(limit);
  const scores = new Float64Array(limit);
  let size = 0;
  const worse = (left: number, right: number): boolean => {
    const difference = (scores[left] as number) - (scores[right] as number);
    return difference < 0 || (difference === 0 && (numbers[left] as number) > (numbers[right] as number));
  };
  const swap = (left: number, right: number): void => {
    const number = numbers[left] as number;
    const score = scores[left] as number;
    numbers[left] = numbers[right] as number;
    scores[left] = scores[right] as number;
    numbers[right] = number;
    scores[right] = score;
  };
  return {
    offer(number, score) {
      if (size < limit) {
        numbers[size] = number;
        scores[size] = score;
        for (let at = size++; at > 0 && worse(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
        return;
      }
      if (score <= (scores[0] as number)) return;
      numbers[0] = number;
      scores[0] = score;
      for (let at = 0; ; ) {
        let child = 2 * at + 1;
        if (child >= size) return;
        if (child + 1 < size && worse(child + 1, child)) child++;
        if (!worse(child, at)) return;
        swap(at, child);
        at = child;
      }
    },
    numbers: () =>
      Array.from({ length: size }, (_, at) => at)
        .sort((left, right) => (worse(left, right) ? 1 : -1))
        .map((at) => numbers[at] as number),
  };
}

export interface ExactOptions {
  readonly batches: Iterable<{ readonly first: number; readonly vectors: Float32Array }>;
  readonly queries: readonly Float32Array[];
  readonly limit: number;
  /** Only vectors whose number divides by this. */
  readonly step?: number;
}

/** Numbers of the vectors with the greatest dot products, by query. */
export function findExact({ batches, queries, limit, step = 1 }: ExactOptions): number[][] {
  const nearest = queries.map(() => createNearest(limit));
  const dimensions = queries[0]?.length ?? 1;
  for (const { first, vectors } of batches)
    for (let row = 0; row < vectors.length / dimensions; row++) {
      if ((first + row) % step !== 0) continue;
      const from = row * dimensions;
      for (const [at, query] of queries.entries()) {
        let sum = 0;
        for (let axis = 0; axis < dimensions; axis++) sum += (vectors[from + axis] as number) * (query[axis] as number);
        nearest[at]?.offer(first + row, sum);
      }
    }
  return nearest.map((one) => one.numbers());
}

/** Mean part of the exact answers that were found. */
export function recallOf(found: readonly (readonly number[])[], exact: readonly (readonly number[])[]): number {
  const parts = exact.map((wanted, query) => {
    const got = new Set(found[query]?.slice(0, wanted.length));
    return wanted.filter((number) => got.has(number)).length / wanted.length;
  });
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}
