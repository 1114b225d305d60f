// The time of work on the record that rests between its steps, so that requests have theirs. Tests give it a time of their own.
export interface RestingTime {
  /** Monotonic milliseconds. */
  elapsedMs(): number;
  /** Resolves after so long, in a later turn of the event loop. */
  rest(ms: number): Promise<void>;
}

/** That of this process. */
export const ownTime: RestingTime = {
  elapsedMs: () => performance.now(),
  rest: (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
};
