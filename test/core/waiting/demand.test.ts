// Who is given way, and for how long: with a clock and timers of the test.
import { describe, expect, it } from 'vitest';
import { createDemand } from '../../../src/core/waiting/demand.ts';

/** Timers go off as the clock passes them. */
function place() {
  let nowMs = 0;
  const timers = new Set<{ readonly dueMs: number; readonly wake: () => void }>();
  const demand = createDemand({
    elapsedMs: () => nowMs,
    wait(ms, wake) {
      const timer = { dueMs: nowMs + ms, wake };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    for (const timer of [...timers]) if (timer.dueMs <= nowMs) timer.wake();
    await Promise.resolve();
  };
  /** Somebody who is served until `end` is called. */
  const serve = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = demand.serve(() => promise);
    return {
      async end() {
        resolve();
        await done;
      },
    };
  };
  const watch = (waiting: Promise<void>) => {
    const state = { isOver: false };
    void waiting.then(() => {
      state.isOver = true;
    });
    return state;
  };
  return { demand, pass, serve, watch, timers };
}

describe('createDemand', () => {
  it('makes nobody wait where nobody is served', async () => {
    const { demand, timers } = place();
    expect(demand.isHigh()).toBe(false);
    await demand.giveWay();
    expect(timers.size).toBe(0);
  });

  it('gives way until everybody has been served, and leaves no timer', async () => {
    const { demand, serve, watch, timers } = place();
    const [first, second] = [serve(), serve()];
    const work = watch(demand.giveWay());
    await first.end();
    expect(work.isOver).toBe(false);
    await second.end();
    await Promise.resolve();
    expect(work.isOver).toBe(true);
    expect(timers.size).toBe(0);
  });

  it('goes on after a while however many are served', async () => {
    const { demand, serve, watch, pass } = place();
    serve();
    const work = watch(demand.giveWay());
    await pass(19);
    expect(work.isOver).toBe(false);
    await pass(1);
    expect(work.isOver).toBe(true);
  });

  it('is not kept waiting by somebody who waits for something else, such as a model', async () => {
    const { demand, serve, pass, timers } = place();
    serve();
    await pass(251);
    await demand.giveWay();
    expect(timers.size).toBe(0);
    expect(demand.isHigh()).toBe(true);
  });

  it('stays high for a moment after the last one, also one that failed', async () => {
    const { demand, pass } = place();
    await expect(demand.serve(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await pass(1999);
    expect(demand.isHigh()).toBe(true);
    await pass(1);
    expect(demand.isHigh()).toBe(false);
  });

  it('cuts long work into pieces of a few milliseconds and lets whoever came meanwhile go first', async () => {
    const { demand, pass, serve } = place();
    const others = demand.inPieces();
    await pass(3);
    expect(others()).toBeUndefined();
    await pass(1);
    const turn = others();
    expect(turn).toBeInstanceOf(Promise);
    await turn;
    expect(others()).toBeUndefined();
    const search = serve();
    await pass(4);
    let went = false;
    const piece = Promise.resolve(others()).then(() => {
      went = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(went).toBe(false);
    await search.end();
    await piece;
    expect(went).toBe(true);
  });
});
