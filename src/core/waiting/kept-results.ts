// Results that are slow or dear to get, kept for a time. Invariants: what is handed out says how old it is, counted from when it was asked for,
// so that it was true at no earlier moment; of one key nobody asks twice at the same time; what failed is not kept; and no more is held than
// was allowed, what was not wanted for longest going first.

import { createRecent } from '../values/recent.ts';
import { untilAborted } from './until-aborted.ts';

export interface KeptResult<T> {
  readonly value: T;
  /** Since it was asked for; 0: now. */
  readonly ageMs: number;
  /** It was there; otherwise it was asked for, alone or with others. */
  readonly isKept: boolean;
  /** It is older than it should be, and being asked for anew. */
  readonly isStale: boolean;
}

export interface KeptResults {
  /**
   * Throws what `load` throws, where there is nothing else to give, and what the signal was aborted with. The signal of `load` aborts when
   * everybody who waits for it has left; what is only asked for anew needs an end of its own.
   */
  get<T>(asked: KeptKey, load: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<KeptResult<T>>;
}

/** `ttlMs`: a result of this key is as good as new no longer, whatever is allowed for all. */
export type KeptKey = string | { readonly key: string; readonly ttlMs: number };

/** What is kept under keys that begin so. */
export const keptUnder = (prefix: string, { get }: KeptResults): KeptResults => ({
  get: (asked, load, signal) =>
    get(typeof asked === 'string' ? prefix + asked : { ...asked, key: prefix + asked.key }, load, signal),
});

export interface KeptResultsOptions {
  /** So long a result is as good as new. */
  readonly ttlMs: number;
  /** So much longer it is handed out while a new one is asked for. */
  readonly staleMs: number;
  /** Together, as `sizeOf` counts them. */
  readonly most: number;
  readonly sizeOf: (value: unknown) => number;
  readonly elapsedMs: () => number;
}

interface Asking {
  readonly work: Promise<Kept>;
  readonly stop: AbortController;
  waiting: number;
}

interface Kept {
  readonly value: unknown;
  readonly askedMs: number;
  readonly size: number;
}

export function createKeptResults({ ttlMs, staleMs, most, sizeOf, elapsedMs }: KeptResultsOptions): KeptResults {
  const kept = createRecent<string, Kept>(most, ({ size }) => size);
  const asking = new Map<string, Asking>();

  type Load = (signal: AbortSignal) => Promise<unknown>;

  function ask(key: string, load: Load): Asking {
    const present = asking.get(key);
    if (present) return present;
    const askedMs = elapsedMs();
    const stop = new AbortController();
    const work = load(stop.signal).then((value) => {
      const one = { value, askedMs, size: sizeOf(value) };
      if (ttlMs + staleMs > 0) kept.set(key, one);
      return one;
    });
    const asked = { work, stop, waiting: 0 };
    asking.set(key, asked);
    const end = (): void => void (asking.get(key) === asked && asking.delete(key));
    work.then(end, end);
    return asked;
  }

  async function wait(key: string, load: Load, signal: AbortSignal | undefined): Promise<Kept> {
    const asked = ask(key, load);
    asked.waiting += 1;
    try {
      return await (signal ? untilAborted(asked.work, signal) : asked.work);
    } finally {
      asked.waiting -= 1;
      if (asked.waiting === 0 && signal?.aborted && asking.get(key) === asked) {
        asking.delete(key);
        asked.stop.abort(signal.reason);
      }
    }
  }

  return {
    async get<T>(
      asked: KeptKey,
      load: (signal: AbortSignal) => Promise<T>,
      signal?: AbortSignal,
    ): Promise<KeptResult<T>> {
      const { key, ttlMs: ownMs } = typeof asked === 'string' ? { key: asked, ttlMs } : asked;
      const freshMs = Math.min(ttlMs, ownMs);
      const present = kept.get(key);
      const ageMs = present ? elapsedMs() - present.askedMs : 0;
      // The time in which a new one is asked for is as much shorter.
      if (present && ageMs < freshMs + (ttlMs === 0 ? staleMs : (staleMs * freshMs) / ttlMs)) {
        const isStale = ageMs >= freshMs;
        // What fails now is tried by the next to ask.
        if (isStale) void wait(key, load, undefined).catch(() => undefined);
        return { value: present.value as T, ageMs, isKept: true, isStale };
      }
      const { value, askedMs } = await wait(key, load, signal);
      return { value: value as T, ageMs: elapsedMs() - askedMs, isKept: false, isStale: false };
    },
  };
}
