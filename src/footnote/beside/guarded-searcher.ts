// A service that keeps failing, such as a store, is left alone for a while: nobody waits for it then, and one search after the pause tries it. One circuit for all
// scopes of a process. Invariant: no caller shuts a service for others by being impatient or by asking wrongly.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Circuit } from '../../models/calls/circuit.ts';
import type { Searcher } from '../../stores/store.ts';

/** Silence counts against a service from here on; whoever leaves sooner says nothing of it. */
const silentAfterMs = 1000;

const failures: ReadonlySet<string> = new Set(['upstream-unavailable', 'upstream-invalid', 'rate-limited']);

export interface GuardOptions {
  readonly circuit: Circuit;
  readonly elapsedMs: () => number;
}

/** Runs calls of one service, as people call it, unless it is left alone. */
export function createGuard(named: string, { circuit, elapsedMs }: GuardOptions) {
  return async <T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
    const waitMs = circuit.enter();
    if (waitMs > 0)
      throw new FootnoteError(
        'upstream-unavailable',
        `${named} failed several times in a row; it is tried again in ${Math.ceil(waitMs / 1000)} s.`,
        { details: { retryAfterMs: waitMs } },
      );
    const from = elapsedMs();
    try {
      const work = call();
      const result = await (signal ? untilAborted(work, signal) : work);
      circuit.succeeded();
      return result;
    } catch (thrown) {
      const error = toFootnoteError(thrown);
      const isSilent = error.code === 'deadline-exceeded' && elapsedMs() - from >= silentAfterMs;
      if (isSilent || failures.has(error.code)) circuit.failed(error);
      else circuit.undecided(error);
      throw error;
    }
  };
}

export function guardSearcher<Guarded extends Searcher>(searcher: Guarded, options: GuardOptions): Guarded {
  const guarded = createGuard(`The store ${searcher.name}`, options);
  return { ...searcher, search: (query, signal) => guarded(() => searcher.search(query, signal), signal) };
}
