// How often others had their turn of the event loop while work went on, which work of one go leaves at none, and what the longest turn took: in
// processor time of this thread, so that a busy machine changes nothing.

/** The turns from the beginning of `work` to its end. */
export async function turnsWhile<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    const value = await work();
    return { value, turns };
  } finally {
    clearImmediate(next);
  }
}

/** Milliseconds of processor time between two turns of others, at most, while `work` runs. */
export async function longestTurnMs<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly longestMs: number }> {
  let longestMs = 0;
  let from = process.threadCpuUsage();
  const look = (): void => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user - from.user + now.system - from.system) / 1000);
    from = now;
  };
  let next = setImmediate(function count() {
    look();
    next = setImmediate(count);
  });
  try {
    const value = await work();
    look();
    return { value, longestMs };
  } finally {
    clearImmediate(next);
  }
}
