// Work that is in hand at once, bounded by its number and by the bytes that it holds: whoever brings more waits until there is room.

export interface InHand {
  /** Takes work in hand; resolves when there is room for more. Throws what the first work that failed threw. */
  take(work: Promise<unknown>, bytes?: number): Promise<void>;
  /** Resolves when nothing is in hand any more. Throws what the first work that failed threw, as soon as it has. */
  rest(): Promise<void>;
}

export interface InHandLimits {
  readonly most: number;
  /** Held by works that are more than one: a single one may be of any size. */
  readonly mostBytes?: number;
}

export function createInHand({ most, mostBytes = Number.POSITIVE_INFINITY }: InHandLimits): InHand {
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
