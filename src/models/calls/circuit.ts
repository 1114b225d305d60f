// Keeps calls away from a model that keeps failing (Nygard, "Release It!", circuit breaker). Invariant: while it is open nobody
// waits on the model; after the pause exactly one call tries it.
import type { FootnoteError } from '../../core/errors.ts';

/** `open`: calls are kept away; `half-open`: the next one, or the one under way, tries it. */
export type CircuitState = 'closed' | 'open' | 'half-open';

export interface Circuit {
  /** Milliseconds until the next try is allowed; 0 takes the permission (the one probe, when half open). */
  enter(): number;
  succeeded(): void;
  /** A failure of the service, not of the request. */
  failed(error?: FootnoteError): void;
  /**
   * The call ended without a word about whether the service is up (cancelled, refused as invalid, a key that is not taken): gives a
   * probe's permission back.
   */
  undecided(error?: FootnoteError): void;
  /** How it stands; takes no permission. */
  state(): CircuitState;
  /** It said nothing in all of the time that it had. */
  silent(): void;
  /** How often it was silent since it last served. */
  silences(): number;
}

export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures?: number;
  readonly pauseMs?: number;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
  /** Of before this process. */
  readonly silences?: number | undefined;
}

export function createCircuit({
  failures = 5,
  pauseMs = 15_000,
  elapsedMs,
  silences: before = 0,
}: CircuitOptions): Circuit {
  let inRow = 0;
  let silences = before;
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
      silences = 0;
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
    silent() {
      silences += 1;
    },
    silences: () => silences,
    state() {
      if (inRow < failures) return 'closed';
      return isProbing || openUntilMs <= elapsedMs() ? 'half-open' : 'open';
    },
  };
}
