// Traces that wait to be written at another server (trace-groups.ts): who asks for one that is not there waits once for as long as that takes.
import { setTimeout as pause } from 'node:timers/promises';
import type { TraceRepository } from '../../repositories/traces.ts';

/** Twice as long as a trace waits. */
const patienceMs = 500;

export const awaitTraces = (traces: TraceRepository): TraceRepository => ({
  ...traces,
  async getLater(id) {
    await pause(patienceMs);
    return traces.get(id);
  },
});
