// What failed and must be done all the same is tried again in the background, as long as its process is there.

const [firstPauseMs, mostPauseMs] = [250, 30_000];

/** Holds no process up. */
const pause = (ms: number, closing: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      closing.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    closing.addEventListener('abort', end);
    if (closing.aborted) end();
  });

/** Pauses, tries, and so on, each pause twice the one before, until `work` succeeds or `closing` is aborted. Never rejects. */
export async function tryAgain(work: () => Promise<unknown>, closing: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
    await pause(pauseMs, closing);
    if (closing.aborted) return;
    try {
      await work();
      return;
    } catch {
      // Its first failure was told.
    }
  }
}
