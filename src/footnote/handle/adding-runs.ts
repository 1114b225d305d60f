// Runs that add the files of an upload: whoever sent them need not wait, and sees of each what became of it, now and later. Invariant: files that wait
// hold so much memory together and no more.
import type { RequestCall } from '../../agent/run.ts';
import { addressWithoutSecrets } from '../../core/addresses.ts';
import { type AddDocument, withFile } from '../../core/documents/add-document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { madeBefore } from '../../core/keyed/effects.ts';
import { assertEverySource, hasSource } from '../../core/scope.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import { asCanonical } from '../../ingest/connectors/web/address.ts';
import { createProgress, faultOf, type Progress } from '../../ingest/progress.ts';
import type { AddedDocument } from '../facade/documents.ts';
import type { IngestionCalls } from '../facade/sources.ts';
import { sourceOf } from '../sources/web.ts';
import { assertSourceName, found } from './found.ts';
import type { SyncWork } from './ingestion-runs.ts';
import type { HandleOptions } from './options.ts';

/** Files of all runs that are read at once. */
const inTurn = limitConcurrency(2);

const mostHeldBytes = 256 * 1024 * 1024;
let heldBytes = 0;
const sizeOf = ({ bytes, text = '' }: AddDocument): number => bytes?.byteLength ?? text.length;

/** Counts what waits. Throws `rate-limited` where others take all that there is; the first of all may be of any size. */
function hold(documents: readonly AddDocument[]): void {
  const bytes = documents.reduce((sum, document) => sum + sizeOf(document), 0);
  if (heldBytes > 0 && heldBytes + bytes > mostHeldBytes)
    throw new FootnoteError(
      'rate-limited',
      `Files of ${Math.ceil(heldBytes / 1e6)} MB wait to be read, the most at once. Try again shortly.`,
    );
  heldBytes += bytes;
}

const toFile = ({ uri, status, id, chunks, warnings }: AddedDocument) => ({
  uri,
  documentId: id,
  chunks,
  ...(status === 'unchanged'
    ? ({ state: 'unchanged' } as const)
    : ({ state: 'done', change: status === 'updated' ? 'changed' : 'added' } as const)),
  ...(warnings.length > 0 && { warnings }),
});

/** By which a document is told that was not read. An address may hold the secret that it is refused for. */
const uriOf = ({ uri, name, url = '' }: AddDocument): string =>
  addressWithoutSecrets(uri ?? name ?? asCanonical(url) ?? url) || 'text';

export type Add = (document: AddDocument, call: RequestCall) => Promise<readonly AddedDocument[]>;

export function createAddingRuns(
  { record, runs, clock }: Pick<HandleOptions, 'record' | 'runs' | 'clock'>,
  add: Add,
): IngestionCalls['start'] {
  async function addAll(waiting: AddDocument[], progress: Progress, signal: AbortSignal): Promise<void> {
    for (const _ of waiting) await progress.found();
    for (let [document] = waiting; document && !signal.aborted; [document] = waiting) {
      const { access } = document;
      const uri = uriOf(document);
      const name = document.name ?? uri;
      try {
        const one = document;
        for (const added of await inTurn(() => add(one, { signal }), signal)) {
          progress.chunks(added.chunks);
          await progress.report(toFile(added));
        }
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (signal.aborted) break;
        if (error.code === 'internal' || error.code.startsWith('storage-')) throw error;
        await progress.report({
          uri,
          state: 'failed',
          error: faultOf(error, name),
          ...(access && { access }),
        });
      }
      heldBytes -= sizeOf(document);
      waiting.shift();
    }
  }

  const work =
    (waiting: AddDocument[], begin: () => void): SyncWork =>
    async ({ ingestion, signal, report }) => {
      begin();
      const progress = createProgress(ingestion, { ingestions: record.ingestions, clock, onProgress: report });
      try {
        await addAll(waiting, progress, signal);
        return await progress.end(signal.aborted ? 'cancelled' : 'done');
      } catch (thrown) {
        return progress.end('failed', toFootnoteError(thrown));
      }
    };

  return async (document, files) => {
    const made = madeBefore('run');
    if (made !== undefined) return found('ingestion', made, record.ingestions.get(made));
    const source = sourceOf(document);
    assertSourceName(source);
    if (!hasSource(record.scope.principal, source)) assertEverySource(record.scope.principal);
    const waiting = files.length === 0 ? [document] : files.map((file) => withFile(document, file));
    hold(waiting);
    const begun = Promise.withResolvers<void>();
    const reading = { record, work: work(waiting, begun.resolve), isBeside: true };
    const run = await runs.start(record.scope, source, reading);
    const giveBack = (): void => {
      for (const one of waiting) heldBytes -= sizeOf(one);
    };
    run.finished.finally(giveBack).catch(begun.reject);
    // The run is durable: whoever knows it finds it, whatever happens to its files.
    await begun.promise;
    return run.latest;
  };
}
