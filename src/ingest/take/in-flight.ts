// Bounds the work that is in flight by its number and by the bytes that it holds: callers that bring more wait until there is room.

export interface InFlight {
  /** Counts a work as in flight; resolves when there is room for more. Throws what the first work that failed threw. */
  take(work: Promise<unknown>, bytes?: number): Promise<void>;
  /** Resolves when nothing is in flight any more. Throws what the first work that failed threw, as soon as it has. */
  rest(): Promise<void>;
}

export interface InFlightLimits {
  readonly most: number;
  /** Bytes of all works together; one alone may be of any size. */
  readonly mostBytes?: number;
}

export function createInFlight({ most, mostBytes = Number.POSITIVE_INFINITY }: InFlightLimits): InFlight {
  let count = 0;
  let held = 0;
  let failed: { readonly thrown: unknown } | undefined;
  let waiting: (() => void)[] = [];

  const until = async (isEnough: () => boolean): Promise<void> => {
    while (failed === undefined && !isEnough()) await new Promise<void>((resolve) => waiting.push(resolve));
    if (failed !== undefined) throw failed.thrown;
  };

  return {
    take(work, bytes = 0) {
      count += 1;
      held += bytes;
      const end = (): void => {
        count -= 1;
        held -= bytes;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      };
      work.then(end, (thrown: unknown) => {
        failed ??= { thrown };
        end();
      });
      return until(() => count < most && (count <= 1 || held <= mostBytes));
    },
    rest: () => until(() => count === 0),
  };
}
