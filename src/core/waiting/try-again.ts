// What failed and must be done all the same is tried again in the background, as long as its process is there.
import { setTimeout as wait } from 'node:timers/promises';

const [firstPauseMs, mostPauseMs] = [250, 30_000];

/** Pauses, tries, and so on, each pause twice the one before, until `work` succeeds or `closing` is aborted. Never rejects. */
export async function tryAgain(work: () => Promise<unknown>, closing: AbortSignal): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
    await wait(pauseMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
    if (closing.aborted) return;
    try {
      await work();
      return;
    } catch {
      // Its first failure was told.
    }
  }
}
