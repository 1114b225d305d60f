// Keeps the best of a stream of scored entries in a heap of fixed size (Williams 1964). Order is total: higher score first,
// equal scores by `before`, so that the same entries give the same list whatever order they come in.

export interface TopEntries {
  /** What a score must reach to matter: nothing below it can enter. */
  readonly threshold: () => number;
  offer(score: number, reference: number): void;
  /** References and scores, best first. Ends the collection. */
  drain(): { readonly references: readonly number[]; readonly scores: readonly number[] };
}

/** `before(a, b)` says whether reference `a` comes first of two with equal scores. */
export function createTopEntries(size: number, before: (left: number, right: number) => boolean): TopEntries {
  const scores = new Float64Array(size);
  const references = new Float64Array(size);
  let length = 0;

  /** Whether place `left` of the heap ranks after place `right`. */
  const worse = (left: number, right: number): boolean => {
    const one = scores[left] as number;
    const other = scores[right] as number;
    return one === other ? before(references[right] as number, references[left] as number) : one < other;
  };
  const swap = (left: number, right: number): void => {
    const score = scores[left] as number;
    const reference = references[left] as number;
    scores[left] = scores[right] as number;
    references[left] = references[right] as number;
    scores[right] = score;
    references[right] = reference;
  };
  const sink = (from: number, end: number): void => {
    let place = from;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= end) return;
      if (child + 1 < end && worse(child + 1, child)) child++;
      if (!worse(child, place)) return;
      swap(child, place);
      place = child;
    }
  };

  return {
    threshold: () => (length < size ? 0 : (scores[0] as number)),
    offer(score, reference) {
      if (length < size) {
        scores[length] = score;
        references[length] = reference;
        for (let place = length++; place > 0; ) {
          const parent = (place - 1) >>> 1;
          if (!worse(place, parent)) break;
          swap(place, parent);
          place = parent;
        }
        return;
      }
      const least = scores[0] as number;
      if (score < least || (score === least && !before(reference, references[0] as number))) return;
      scores[0] = score;
      references[0] = reference;
      sink(0, length);
    },
    drain() {
      for (let end = length - 1; end > 0; end--) {
        swap(0, end);
        sink(0, end);
      }
      return { references: [...references.subarray(0, length)], scores: [...scores.subarray(0, length)] };
    },
  };
}
