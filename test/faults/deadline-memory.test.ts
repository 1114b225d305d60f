// A deadline that is over leaves nothing behind. Signals are counted on the heap, because what is never let go of cannot be seen from outside: in a
// process of its own, as counting walks the whole heap.
import { setTimeout as pause } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { createDeadline, createShare } from '../../src/core/deadline.ts';

const many = 300;

/** The count collects garbage before it counts; what registries let go of only then is gone at the next one. */
async function signalsHeld(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    queryObjects(AbortSignal, { format: 'count' });
    await pause(20);
  }
  return queryObjects(AbortSignal, { format: 'count' });
}

function work(timeoutMs: number, caller: AbortSignal): void {
  const request = createDeadline(timeoutMs, caller);
  const leg = createShare(request, timeoutMs / 2);
  const call = createShare(leg, timeoutMs / 4);
  const stop = (): void => undefined;
  call.signal.addEventListener('abort', stop, { once: true });
  call.signal.removeEventListener('abort', stop);
}

describe('the memory that deadlines take', () => {
  it('is given back when their time is up, however many shares were cut of them', async () => {
    const caller = new AbortController();
    const before = await signalsHeld();
    for (let count = 0; count < many; count++) work(40, caller.signal);
    await pause(120);
    expect((await signalsHeld()) - before).toBeLessThan(many / 10);
    expect(caller.signal.aborted).toBe(false);
  });

  it('is given back when the caller of each went away', async () => {
    const before = await signalsHeld();
    for (let count = 0; count < many; count++) {
      const caller = new AbortController();
      work(60, caller.signal);
      caller.abort();
    }
    await pause(120);
    expect((await signalsHeld()) - before).toBeLessThan(many / 10);
  });
});
