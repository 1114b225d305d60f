// Counts the requests that are being served, so that long work on the one event loop lets them go first. Invariant: work that gives way
// waits for a bounded time only, so it goes on however many requests there are; without requests nothing waits.
import { nextTurn } from './pieces.ts';

export interface Demand {
  /** Counts somebody who waits for `work` until it has ended. */
  serve<T>(work: () => Promise<T>): Promise<T>;
  /** Whether somebody is served, or was a moment ago: then work is done in small pieces. */
  isHigh(): boolean;
  /** Resolves when nobody is served, or has been given way for long enough; at once where nobody is. */
  giveWay(): Promise<void>;
  /** For work of many pieces, to be called after each: every few milliseconds others have their turn. */
  inPieces(): () => Promise<void> | undefined;
}

/** Callers often come again: work stays in small pieces for so long after the last request. */
const remembersMs = 2000;
/** Work waits for requests at most this long. */
const longestWayMs = 20;
/** A request that takes longer than this waits for something else, such as a model, and work does not slow it. */
const briefMs = 250;
/** Work on the event loop that nobody notices. */
const pieceMs = 4;

export interface DemandPorts {
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
  readonly wait?: (ms: number, wake: () => void) => () => void;
}

const waitByTimer = (ms: number, wake: () => void): (() => void) => {
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
};

export function createDemand({ elapsedMs, wait = waitByTimer }: DemandPorts): Demand {
  /** When each of those who are served began. */
  const served = new Set<{ readonly sinceMs: number }>();
  const waiting = new Set<() => void>();
  let lastServedMs = Number.NEGATIVE_INFINITY;

  const isServing = (): boolean => {
    const fromMs = elapsedMs() - briefMs;
    for (const { sinceMs } of served) if (sinceMs >= fromMs) return true;
    return false;
  };

  const giveWay = async (): Promise<void> => {
    if (!isServing()) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        cancel();
        waiting.delete(go);
        resolve();
      };
      const cancel = wait(longestWayMs, go);
      waiting.add(go);
    });
  };

  return {
    async serve(work) {
      const one = { sinceMs: elapsedMs() };
      served.add(one);
      try {
        return await work();
      } finally {
        served.delete(one);
        lastServedMs = elapsedMs();
        if (!isServing()) for (const go of [...waiting]) go();
      }
    },
    isHigh: () => served.size > 0 || elapsedMs() - lastServedMs < remembersMs,
    giveWay,
    inPieces() {
      let fromMs = elapsedMs();
      const others = async (): Promise<void> => {
        await nextTurn();
        await giveWay();
        fromMs = elapsedMs();
      };
      return () => (elapsedMs() - fromMs < pieceMs ? undefined : others());
    },
  };
}
