// One signal that ends with the first of several, or when its owner says so. Invariant: once it is over, or released, none of the others
// holds on to it. `AbortSignal.any` leaves that to the garbage collector, which costs more than a call's other bookkeeping; and Node 24 keeps
// for ever each signal that it made of a timer and that was joined again.

export interface JoinedAbort {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Nothing ends it any more but its owner. */
  release(): void;
}

export function joinedAbort(others: readonly AbortSignal[]): JoinedAbort {
  const own = new AbortController();
  const listeners: (() => void)[] = [];
  const release = (): void => {
    for (const stop of listeners.splice(0)) stop();
  };
  const abort = (reason: unknown): void => {
    release();
    own.abort(reason);
  };
  for (const other of others) {
    if (other.aborted) {
      abort(other.reason);
      break;
    }
    const onAbort = (): void => abort(other.reason);
    other.addEventListener('abort', onAbort, { once: true });
    listeners.push(() => other.removeEventListener('abort', onAbort));
  }
  return { signal: own.signal, abort, release };
}
