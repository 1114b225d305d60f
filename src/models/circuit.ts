// Keeps calls away from a model that keeps failing (Nygard, "Release It!", circuit breaker). Invariant: while it is open nobody
// waits on the model; after the pause exactly one call tries it.

export interface Circuit {
  /** Milliseconds until the next try is allowed; 0 takes the permission (the one probe, when half open). */
  enter(): number;
  succeeded(): void;
  /** A failure of the service, not of the request. */
  failed(): void;
  /** The call ended without a word about the service (cancelled, refused as invalid): gives a probe's permission back. */
  undecided(): void;
}

export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures?: number;
  readonly pauseMs?: number;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
}

export function createCircuit({ failures = 5, pauseMs = 15_000, elapsedMs }: CircuitOptions): Circuit {
  let inRow = 0;
  let openUntilMs = 0;
  let isProbing = false;
  return {
    enter() {
      if (inRow < failures) return 0;
      const leftMs = openUntilMs - elapsedMs();
      if (leftMs > 0) return leftMs;
      if (isProbing) return pauseMs;
      isProbing = true;
      return 0;
    },
    succeeded() {
      inRow = 0;
      isProbing = false;
    },
    failed() {
      inRow += 1;
      isProbing = false;
      if (inRow >= failures) openUntilMs = elapsedMs() + pauseMs;
    },
    undecided() {
      isProbing = false;
    },
  };
}
