// A store that keeps failing is left alone for a while: nobody waits for it then, and one search after the pause tries it. One circuit for all
// scopes of a process. Invariant: no caller shuts a store for others by being impatient or by asking wrongly.
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Circuit } from '../../models/calls/circuit.ts';
import type { Searcher } from '../../stores/store.ts';

/** Silence counts against a store from here on; whoever leaves sooner says nothing of it. */
const silentAfterMs = 1000;

const failures: ReadonlySet<string> = new Set(['upstream-unavailable', 'upstream-invalid', 'rate-limited']);

export function guardSearcher<Guarded extends Searcher>(
  searcher: Guarded,
  { circuit, elapsedMs }: { readonly circuit: Circuit; readonly elapsedMs: () => number },
): Guarded {
  return {
    ...searcher,
    async search(query, signal) {
      const waitMs = circuit.enter();
      if (waitMs > 0)
        throw new FootnoteError(
          'upstream-unavailable',
          `The store ${searcher.name} failed several times in a row; it is tried again in ${Math.ceil(waitMs / 1000)} s.`,
          { details: { retryAfterMs: waitMs } },
        );
      const from = elapsedMs();
      try {
        const work = searcher.search(query, signal);
        const page = await (signal ? untilAborted(work, signal) : work);
        circuit.succeeded();
        return page;
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        const isSilent = error.code === 'deadline-exceeded' && elapsedMs() - from >= silentAfterMs;
        if (isSilent || failures.has(error.code)) circuit.failed(error);
        else circuit.undecided(error);
        throw error;
      }
    },
  };
}
