// Keeps the best of many scored rows in a heap of fixed size (Williams 1964). The order is total: higher scores first, equal
// ones by `before`, so that the same rows give the same list whatever order they come in.

export interface BestRows {
  /** Offers `scores.length` references: those given, plus `base`, or `base` and the ones that follow it. */
  offer(scores: Float32Array, base: number, references?: Uint32Array): void;
  /** Best first. Ends the collection. */
  drain(): { readonly references: readonly number[]; readonly scores: readonly number[] };
}

/** `before(a, b)` says whether reference `a` comes first of two with equal scores. */
export function createBestRows(size: number, before: (left: number, right: number) => boolean): BestRows {
  const scores = new Float64Array(size);
  const references = new Float64Array(size);
  let length = 0;

  /** Whether one entry ranks after the other. */
  const after = (score: number, reference: number, other: number, otherReference: number): boolean =>
    score < other || (score === other && before(otherReference, reference));

  /** Lets an entry sink from the root of a heap that ends at `end`, worst at the root. */
  const sink = (score: number, reference: number, end: number): void => {
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= end) break;
      const right = child + 1;
      if (
        right < end &&
        after(
          scores[right] as number,
          references[right] as number,
          scores[child] as number,
          references[child] as number,
        )
      )
        child = right;
      if (!after(scores[child] as number, references[child] as number, score, reference)) break;
      scores[place] = scores[child] as number;
      references[place] = references[child] as number;
      place = child;
    }
    scores[place] = score;
    references[place] = reference;
  };

  const rise = (score: number, reference: number): void => {
    let place = length++;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (!after(score, reference, scores[parent] as number, references[parent] as number)) break;
      scores[place] = scores[parent] as number;
      references[place] = references[parent] as number;
      place = parent;
    }
    scores[place] = score;
    references[place] = reference;
  };

  return {
    offer(given, base, slots) {
      for (let at = 0; at < given.length; at++) {
        // Adding zero makes the negative zero a plain one.
        const score = (given[at] as number) + 0;
        if (length === size && score < (scores[0] as number)) continue;
        const reference = base + (slots === undefined ? at : (slots[at] as number));
        if (length < size) rise(score, reference);
        else if (after(scores[0] as number, references[0] as number, score, reference)) sink(score, reference, length);
      }
    },
    drain() {
      for (let end = length - 1; end > 0; end--) {
        const score = scores[end] as number;
        const reference = references[end] as number;
        scores[end] = scores[0] as number;
        references[end] = references[0] as number;
        sink(score, reference, end);
      }
      return { references: [...references.subarray(0, length)], scores: [...scores.subarray(0, length)] };
    },
  };
}
