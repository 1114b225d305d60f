// Bounds how many works are under way at once; the others wait in their order. Invariant: a caller that gives up leaves the queue, and
// every place is given back.

export type ConcurrencyLimit = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** One work at a time for each key; those of other keys are not waited for. */
export function limitByKey(): <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  const turns = new Map<string, { readonly take: ConcurrencyLimit; users: number }>();
  return async (key, work, signal) => {
    const turn = turns.get(key) ?? { take: limitConcurrency(1), users: 0 };
    turns.set(key, turn);
    turn.users += 1;
    try {
      return await turn.take(work, signal);
    } finally {
      turn.users -= 1;
      if (turn.users === 0) turns.delete(key);
    }
  };
}

/** Rejects with the signal's reason while waiting; afterwards the work looks after it. */
export function limitConcurrency(count: number): ConcurrencyLimit {
  let free = count;
  const waiting = new Set<() => void>();
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      if (waiting.delete(resolve)) reject(signal?.reason);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', onAbort, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', onAbort));
  };
  return async (work, signal) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
