// Waits for a statement as long as its database is there: what is slow is waited for, what nobody answers any more is taken for lost. A way that fell
// silent closes no connection, and a statement would be waited for as long as the slowest may take.

/** A statement that takes so long lets somebody look. */
const silentMs = 3000;

/** `isThere`: whether the database answers anything at all; never rejects. The error of what is lost is one that `isLost` knows. */
export function createHeard(isThere: () => Promise<boolean>): <T>(asking: Promise<T>) => Promise<T> {
  let looking: Promise<boolean> | undefined;
  const look = (): Promise<boolean> => {
    looking ??= isThere().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return async (asking) => {
    const { promise: silent, reject } = Promise.withResolvers<never>();
    const timer = setInterval(() => {
      void look().then((is) => is || reject(new Error('Connection terminated: nobody answers.')));
    }, silentMs);
    try {
      return await Promise.race([asking, silent]);
    } finally {
      clearInterval(timer);
    }
  };
}
