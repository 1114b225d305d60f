// When vectors are looked after: soon after a change, seldom while changes keep coming, and not for a while after a failure.
// Invariant: no timer keeps the process alive, and never two rounds at once.

export interface EmbedTiming {
  /** From a change to the next round. Default 300 ms. */
  readonly soonMs?: number;
  /** Without a change for this long there is time to learn. Default 2 s. */
  readonly quietMs?: number;
  /** Between rounds while changes keep coming. Default 3 s. */
  readonly betweenMs?: number;
  /** Between rounds of what nobody waits for: long enough that another server has its turn. Default 1.5 s. */
  readonly turnMs?: number;
  /** After a failure; doubled with each further one, up to ten minutes. Default 30 s. */
  readonly restMs?: number;
}

export interface EmbedTimer {
  /** Something changed. */
  changed(delayMs?: number): void;
  /** Holds rounds back after a failure; `undefined` after a success. */
  failed(failure: unknown): void;
  stop(): void;
}

const longestRestMs = 600_000;

export function createEmbedTimer(
  /** True of it: there is more to do, and the next round comes soon. */
  round: (options: { readonly quiet: boolean }) => Promise<boolean>,
  elapsedMs: () => number,
  timing: EmbedTiming = {},
): EmbedTimer {
  const { soonMs = 300, quietMs = 2000, betweenMs = 3000, turnMs = 1500, restMs = 30_000 } = timing;
  let timer: NodeJS.Timeout | undefined;
  let dueMs = 0;
  let changedMs = Number.NEGATIVE_INFINITY;
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let running = false;
  /** A change that no round has seen from its start. */
  let open = false;
  let stopped = false;

  function arm(delayMs: number): void {
    if (stopped || running) return;
    const now = elapsedMs();
    const wantedMs = Math.max(now + delayMs, notBeforeMs);
    if (timer && dueMs <= wantedMs) return;
    clearTimeout(timer);
    dueMs = wantedMs;
    timer = setTimeout(() => void run(), wantedMs - now);
    timer.unref();
  }

  async function run(): Promise<void> {
    timer = undefined;
    running = true;
    open = false;
    const quiet = elapsedMs() - changedMs >= quietMs;
    const isMore = await round({ quiet }).finally(() => {
      running = false;
    });
    notBeforeMs = Math.max(notBeforeMs, elapsedMs() + (quiet ? 0 : betweenMs));
    if (open || !quiet) arm(open ? soonMs : Math.max(0, changedMs + quietMs - elapsedMs()));
    else if (failures > 0 || isMore) arm(isMore ? turnMs : 0);
  }

  return {
    changed(delayMs = soonMs) {
      changedMs = elapsedMs();
      open = true;
      arm(delayMs);
    },
    failed(failure) {
      failures = failure === undefined ? 0 : failures + 1;
      notBeforeMs =
        failures === 0 ? Number.NEGATIVE_INFINITY : elapsedMs() + Math.min(longestRestMs, restMs * 2 ** (failures - 1));
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
