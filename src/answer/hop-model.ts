// The shape of what tells questions of two steps, by itself: its numbers and whoever uses them both know it.

/** What tells that a question takes two steps, and how often its first claim is right. */
export interface HopModel {
  readonly bias: number;
  /** Number of the feature, weight. */
  readonly weights: readonly (readonly [feature: number, weight: number])[];
  readonly right: number;
}
