// One state of a lexical index, as searches compute from it: immutable, and plain data but for the views of its segments.
import type { LiveSegment } from './live-segment.ts';

export interface SearchState {
  readonly parts: readonly LiveSegment[];
  /** Living entries. */
  readonly entries: number;
  /** k1 * (1 - b + b * length / average length), by length. */
  readonly norms: Float64Array;
  readonly k1: number;
  readonly b: number;
  /** Of a search that is weighed by a part of the index: entries of that part that hold each term. Default: counted over all. */
  readonly frequencies?: Readonly<Record<string, number>>;
}
