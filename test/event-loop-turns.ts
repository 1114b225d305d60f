// How often others had their turn of the event loop while work went on: what work of one go leaves at none.

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
