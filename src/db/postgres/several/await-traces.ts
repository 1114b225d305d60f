// Traces that wait to be written at another server (trace-groups.ts): who asks for one that is not there waits for as long as that takes.
import { setTimeout as pause } from 'node:timers/promises';
import type { TraceRepository } from '../../repositories/traces.ts';

/** Twice as long as a trace waits, and once more for a server that is busy. */
const pausesMs = [500, 1000];

export const awaitTraces = (traces: TraceRepository): TraceRepository => ({
  ...traces,
  async getLater(id) {
    for (const pauseMs of pausesMs) {
      await pause(pauseMs);
      const found = await traces.get(id);
      if (found) return found;
    }
    return undefined;
  },
});
