// How much is delivered at once, how long it may take, and when it is tried again.

export interface DeliveryTiming {
  /** Documents of one call, where the store does not say how many. */
  readonly batch: number;
  /** Chunks after which a call takes no further document: all of them are in memory together, with their vectors. */
  readonly chunks: number;
  /** Calls to one store at the same time, where it does not say how many. */
  readonly concurrency: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** Longest time of a call. */
  readonly callMs: number;
  /** How long closing waits for calls that are under way. */
  readonly closingMs: number;
}

export const ordinaryTiming: DeliveryTiming = {
  batch: 100,
  chunks: 10_000,
  concurrency: 2,
  firstRetryMs: 1000,
  longestRetryMs: 600_000,
  callMs: 120_000,
  closingMs: 3000,
};
