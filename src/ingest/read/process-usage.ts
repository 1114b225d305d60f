// What a process uses, as the system counts it: Linux tells it in /proc. Elsewhere nothing is known, and nothing is guessed.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUsage {
  readonly residentMiB: number;
  /** Processor time since its start, of all its threads. */
  readonly cpuMs: number;
}

/** Ticks of /proc/PID/stat: 100 a second on every Linux that Node runs on (USER_HZ). */
const tickMs = 10;

/** Undefined where the system does not tell, or the process has ended. */
export function usageOf(pid: number | undefined): ProcessUsage | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  try {
    const resident = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    // The name of the program, in brackets, may hold anything: what counts stands after it (fields 14 and 15, proc(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    if (resident === undefined || Number.isNaN(ticks)) return undefined;
    return { residentMiB: Number(resident) / 1024, cpuMs: ticks * tickMs };
  } catch {
    return undefined;
  }
}

/**
 * Milliseconds in which threads of the process could have gone on, had a processor been free: what reads may wait for a thread that recognises
 * text, or for one that collects garbage. 0 where the system does not tell.
 */
export function waitedOf(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return 0;
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + queuedOf(`/proc/${pid}/task/${thread}`), 0);
  } catch {
    return 0;
  }
}

/** The second number of schedstat: nanoseconds in the queue of a processor. Not every kernel counts them. */
function queuedOf(folder: string): number {
  try {
    const waited = Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[1]);
    return Number.isNaN(waited) ? 0 : waited / 1e6;
  } catch {
    return 0;
  }
}
