// The runs that read sources, as doors may look at them, follow them and stop them.
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Ingestion } from '../../core/documents/runs.ts';
import { FootnoteError } from '../../core/errors.ts';
import { hasRole, hasSource } from '../../core/scope.ts';
import { maxTries } from '../../ingest/take/parking.ts';
import type { IngestionCalls } from '../facade/sources.ts';
import { type Add, createAddingRuns } from './adding-runs.ts';
import { found } from './found.ts';
import { askEveryMs, watchRun } from './ingestion-runs.ts';
import type { HandleOptions } from './options.ts';
import { withDuplicates } from './told-duplicates.ts';

export function createIngestionsPart(
  { record, runs, demand, clock }: Pick<HandleOptions, 'record' | 'runs' | 'demand' | 'clock'>,
  add: Add,
): IngestionCalls {
  const { tenant, principal } = record.scope;
  /** One that is under way is seen by whoever sees it once it has ended. */
  const running = (id: string) => {
    const run = runs.find(tenant, id);
    return run && hasRole(principal, 'writer') && hasSource(principal, run.latest.source) ? run : undefined;
  };
  return {
    start: createAddingRuns({ record, runs, clock }, add),
    get: async (id) => running(id)?.latest ?? found('ingestion', id, record.ingestions.get(id)),
    async files(id, request) {
      if (!running(id)) await found('ingestion', id, record.ingestions.get(id));
      const page = await record.ingestions.files(id, request);
      return { ...page, data: await withDuplicates(page.data, ({ documentId }) => documentId, { record, demand }) };
    },
    list: (request) => record.ingestions.list(request),
    async parked(request) {
      const page = await record.readings.failures({ ...request, minTries: maxTries, isShown: true });
      const data = page.data.map(({ source, uri, tries, error, failedAt }) => ({
        source,
        uri,
        tries,
        error,
        failedAt,
      }));
      return { ...page, data };
    },
    async *watch(id, signal): AsyncGenerator<Ingestion> {
      const run = running(id);
      if (run) return yield* watchRun(run, signal);
      let last = await found('ingestion', id, record.ingestions.get(id));
      yield last;
      // Its server says twice a second how far it is.
      while (runs.hasOthers && last.state === 'running' && signal?.aborted !== true) {
        await pause(askEveryMs, undefined, { signal }).catch(() => undefined);
        const next = await found('ingestion', id, record.ingestions.get(id));
        if (!isDeepStrictEqual(next, last)) yield next;
        last = next;
      }
      return undefined;
    },
    async cancel(id, { signal } = {}) {
      const run = running(id);
      if (run === undefined) {
        const { state } = await found('ingestion', id, record.ingestions.get(id));
        if (state === 'running') await runs.cancelElsewhere(tenant, id, signal);
        return;
      }
      run.controller.abort(new FootnoteError('cancelled', 'The ingestion was cancelled.'));
      // One that failed has ended, too.
      await Promise.allSettled([run.finished]);
    },
  };
}
