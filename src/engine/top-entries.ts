// Keeps the best of a stream of scored entries: they gather in a buffer, and whenever it is full all but the best are thrown
// out by selection (Hoare 1961). Plain data with functions beside it, because the loop that fills it is the hottest of the
// engine. Order is total: higher score first, equal scores by `before`, so the same entries give the same list in any order.

export interface TopEntries {
  readonly size: number;
  /** Whether reference `left` comes first of two with equal scores. */
  readonly before: (left: number, right: number) => boolean;
  /** What has gathered: `length` of `scores` and `references`, in no order. Who adds calls `makeRoom` when they are full. */
  readonly scores: Float64Array;
  readonly references: Float64Array;
  length: number;
  /** What a score must reach to matter: nothing below it can enter. */
  threshold: number;
}

export function createTopEntries(size: number, before: TopEntries['before']): TopEntries {
  const capacity = Math.max(256, size * 4);
  const scores = new Float64Array(capacity);
  return { size, before, scores, references: new Float64Array(capacity), length: 0, threshold: 0 };
}

let scratch = new Float64Array(1024);

/** Throws out what cannot be among the best any more: at most `size` entries stay. */
export function makeRoom(top: TopEntries): void {
  const { scores, references, size, length } = top;
  if (length <= size) return;
  if (scratch.length < length) scratch = new Float64Array(length);
  scratch.set(scores.subarray(0, length));
  const least = largest(scratch, length, size);
  const ties: number[] = [];
  let kept = 0;
  for (let at = 0; at < length; at++) {
    const score = scores[at] as number;
    if (score < least) continue;
    if (score === least) {
      ties.push(references[at] as number);
      continue;
    }
    scores[kept] = score;
    references[kept++] = references[at] as number;
  }
  if (ties.length > size - kept) ties.sort((left, right) => (top.before(left, right) ? -1 : 1)).length = size - kept;
  for (const reference of ties) {
    scores[kept] = least;
    references[kept++] = reference;
  }
  top.length = kept;
  top.threshold = least;
}

/** The value at place `rank` (from 1) in descending order of the first `length` values, which it moves about. */
function largest(values: Float64Array, length: number, rank: number): number {
  let low = 0;
  let high = length - 1;
  const wanted = rank - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] as number) > pivot) left++;
      while ((values[right] as number) < pivot) right--;
      if (left > right) break;
      const moved = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = moved;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted] as number;
}

/** The best, in order. Ends the collection. */
export function drainEntries(top: TopEntries): { readonly references: Float64Array; readonly scores: Float64Array } {
  makeRoom(top);
  const { scores, references, length, before } = top;
  const sorted = scores.slice(0, length).sort().reverse();
  const places = new Float64Array(length);
  // Few scores are equal: each entry is put at the first free place of its score, and runs of equals are ordered after.
  const taken = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    let place = firstPlace(sorted, scores[at] as number);
    while (taken[place] === 1) place++;
    taken[place] = 1;
    places[place] = references[at] as number;
  }
  for (let start = 0; start < length; ) {
    let end = start + 1;
    while (end < length && sorted[end] === sorted[start]) end++;
    if (end - start > 1) places.subarray(start, end).sort((left, right) => (before(left, right) ? -1 : 1));
    start = end;
  }
  return { references: places, scores: sorted };
}

/** Of descending values, the first place that holds `value`. */
function firstPlace(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) > value) low = middle + 1;
    else high = middle;
  }
  return low;
}
