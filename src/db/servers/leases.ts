// Work that is done once at a time by all who work on a record: whoever takes its name does it. Invariant: whoever lost a name writes nothing any more,
// as its server lost the record with it.
import { setTimeout as wait } from 'node:timers/promises';

export interface Lease {
  /** Aborted while nobody knows whether this process still has it: the work ends. */
  readonly signal: AbortSignal;
  /** Never rejects. Whoever took it again meanwhile keeps it. */
  release(): Promise<void>;
}

export interface Leases {
  /** Undefined: the name is taken, by whomever. */
  take(name: string): Promise<Lease | undefined>;
  /** Called when a server ended, whose names can be taken and whose work is left. Returns how to end that. */
  onLeft(listener: () => void): () => void;
  /** Aborted when this process was declared dead: it writes nothing any more, and ends. */
  readonly lost: AbortSignal;
}

/** Where one process has the record: it knows by itself what it does. */
export function openLocalLeases(): Leases {
  const taken = new Set<string>();
  const { signal } = new AbortController();
  return {
    async take(name) {
      if (taken.has(name)) return undefined;
      taken.add(name);
      let isHeld = true;
      return {
        signal,
        async release() {
          if (isHeld) taken.delete(name);
          isHeld = false;
        },
      };
    },
    onLeft: () => () => undefined,
    lost: signal,
  };
}

const lookEveryMs = 1000;

/** Waits until the name can be taken. Throws why the signal was aborted. */
export async function untilTaken(leases: Pick<Leases, 'take'>, name: string, signal: AbortSignal): Promise<Lease> {
  for (;;) {
    signal.throwIfAborted();
    const lease = await leases.take(name);
    if (lease) return lease;
    // Why it was aborted is thrown above.
    await wait(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
