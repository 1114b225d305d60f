// Bounds the work that is in flight by its number: callers that bring more wait until there is room.

export interface InFlight {
  /** Counts a work as in flight; resolves when there is room for more. Throws what the first work that failed threw. */
  take(work: Promise<unknown>): Promise<void>;
  /** Resolves when nothing is in flight any more. Throws what the first work that failed threw, as soon as it has. */
  rest(): Promise<void>;
}

export function createInFlight(most: number): InFlight {
  let count = 0;
  let failed: { readonly thrown: unknown } | undefined;
  let waiting: (() => void)[] = [];

  const until = async (isEnough: () => boolean): Promise<void> => {
    while (failed === undefined && !isEnough()) await new Promise<void>((resolve) => waiting.push(resolve));
    if (failed !== undefined) throw failed.thrown;
  };

  return {
    take(work) {
      count += 1;
      const end = (): void => {
        count -= 1;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      };
      work.then(end, (thrown: unknown) => {
        failed ??= { thrown };
        end();
      });
      return until(() => count < most);
    },
    rest: () => until(() => count === 0),
  };
}
