// The sources of one scope, as doors may call them, and the runs that read them.
import { type Connector, folderOf, shownConnector } from '../../core/connector.ts';
import type { Source } from '../../core/document.ts';
import { withTypeFacts } from '../../core/documents/source-types.ts';
import { FootnoteError } from '../../core/errors.ts';
import { madeBefore } from '../../core/keyed/effects.ts';
import { assertEverySource, hasSource, isOwner } from '../../core/scope.ts';
import { damagedSource } from '../../ingest/take/direct.ts';
import type { SourceCalls, SyncOptions } from '../facade/sources.ts';
import { assertSourceName, found } from './found.ts';
import type { HandleOptions } from './options.ts';

const shown = <Given extends Source>(source: Given) =>
  withTypeFacts({ ...source, ...(source.connector && { connector: shownConnector(source.connector) }) });

export function createSourcesPart({
  record,
  connectors,
  pipeline,
  previews,
  runs,
  onDeclared,
}: Pick<HandleOptions, 'record' | 'connectors' | 'pipeline' | 'previews' | 'runs' | 'onDeclared'>): SourceCalls {
  async function startRun(name: string, sync?: SyncOptions) {
    const source = await found('source', name, record.sources.get(name));
    if (source.damaged) throw damagedSource(name);
    const connector: Connector | undefined = source.connector;
    if (connector === undefined)
      throw new FootnoteError(
        'unsupported',
        `Source "${name}" has nothing to read: its documents were added one by one.`,
      );
    await connectors.check(connector);
    return runs.start(record.scope, name, {
      record,
      ...(sync && { sync }),
      work: ({ ingestion, signal, report }) =>
        pipeline.syncSource({
          source,
          connector,
          ingestion,
          signal,
          onProgress: report,
          ...(sync?.retry && { retry: true }),
          ...(sync?.reread !== undefined && { reread: sync.reread }),
          ...(sync?.confirm && { confirm: true }),
        }),
    });
  }

  return {
    async put(source: Source) {
      assertSourceName(source.name);
      // Said at once: a run would say it, too.
      if (source.connector) await connectors.check(source.connector);
      const { asOwner: _, ...given } = source;
      if (given.watch && folderOf(given.connector) === undefined)
        throw new FootnoteError(
          'invalid-request',
          `Source "${source.name}" reads no folder of this machine, so there is nothing to watch. Give it a schedule.`,
        );
      const declared: Source = { ...given, ...(isOwner(record.scope.principal) && { asOwner: true }) };
      await record.commit([{ kind: 'put-source', source: declared }]);
      onDeclared?.();
      return shown((await record.sources.get(source.name)) ?? declared);
    },
    list: async () => (await record.sources.list()).map(shown),
    get: async (name) => shown(await found('source', name, record.sources.get(name))),
    async remove(name, { signal } = {}) {
      const { connector } = await found('source', name, record.sources.get(name));
      await runs.stop(record.scope.tenant, name, signal);
      const removed = await pipeline.removeSource(name);
      if (connector)
        await connectors.forget(
          connector,
          (await record.sources.list()).flatMap((one) => one.connector ?? []),
        );
      onDeclared?.();
      return removed;
    },
    async sync(name, sync) {
      const run = await startRun(name, sync);
      return run.finished;
    },
    async startSync(name, sync) {
      const made = madeBefore('run');
      if (made !== undefined) return found('ingestion', made, record.ingestions.get(made));
      return (await startRun(name, sync)).latest;
    },
    async preview(source, sync = {}) {
      assertSourceName(source.name);
      if (!hasSource(record.scope.principal, source.name)) assertEverySource(record.scope.principal);
      if (source.connector) await connectors.check(source.connector);
      return previews.folder(source, sync);
    },
  };
}
