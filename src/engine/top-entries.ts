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

  /** Whether one entry ranks after the other. */
  const after = (score: number, reference: number, other: number, otherReference: number): boolean =>
    score < other || (score === other && before(otherReference, reference));

  /** Puts an entry where the worst one was, at the root, and lets it sink. */
  const sink = (score: number, reference: number, end: number): void => {
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= end) break;
      let childScore = scores[child] as number;
      const right = child + 1;
      if (
        right < end &&
        after(scores[right] as number, references[right] as number, childScore, references[child] as number)
      ) {
        child = right;
        childScore = scores[right] as number;
      }
      if (!after(childScore, references[child] as number, score, reference)) break;
      scores[place] = childScore;
      references[place] = references[child] as number;
      place = child;
    }
    scores[place] = score;
    references[place] = reference;
  };

  return {
    threshold: () => (length < size ? 0 : (scores[0] as number)),
    offer(score, reference) {
      if (length < size) {
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
        return;
      }
      const least = scores[0] as number;
      if (score < least || (score === least && !before(reference, references[0] as number))) return;
      sink(score, reference, length);
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
