// Runs that add the files of an upload: whoever sent them need not wait, and sees of each what became of it, now and later. Invariant: files that wait
// hold so much memory together and no more.
import type { RequestCall } from '../../agent/run.ts';
import { type AddDocument, withFile } from '../../core/documents/add-document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { assertEverySource, hasSource } from '../../core/scope.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import { createProgress, faultOf } from '../../ingest/progress.ts';
import { usualSource } from '../../ingest/take/direct.ts';
import type { AddedDocument } from '../facade/documents.ts';
import type { IngestionCalls } from '../facade/sources.ts';
import { assertSourceName } from './found.ts';
import type { SyncWork } from './ingestion-runs.ts';
import type { HandleOptions } from './options.ts';

/** Files of all runs that are read at once. */
const inTurn = limitConcurrency(2);

const mostHeldBytes = 256 * 1024 * 1024;
let heldBytes = 0;

/** Counts bytes until they are given back. Throws `rate-limited` where others take all that there is; the first of all may be of any size. */
function hold(bytes: number): void {
  if (heldBytes > 0 && heldBytes + bytes > mostHeldBytes)
    throw new FootnoteError(
      'rate-limited',
      `Files of ${Math.ceil(heldBytes / 1e6)} MB wait to be read, the most at once. Try again shortly.`,
    );
  heldBytes += bytes;
}

const sizeOf = ({ bytes, text = '' }: AddDocument): number => bytes?.byteLength ?? text.length;

const toFile = ({ uri, status, id, chunks, warnings }: AddedDocument) => ({
  uri,
  documentId: id,
  chunks,
  ...(status === 'unchanged'
    ? ({ state: 'unchanged' } as const)
    : ({ state: 'done', change: status === 'updated' ? 'changed' : 'added' } as const)),
  ...(warnings.length > 0 && { warnings }),
});

export type Add = (document: AddDocument, call: RequestCall) => Promise<readonly AddedDocument[]>;

export function createAddingRuns(
  { record, runs, clock }: Pick<HandleOptions, 'record' | 'runs' | 'clock'>,
  add: Add,
): IngestionCalls['start'] {
  const work =
    (documents: readonly AddDocument[]): SyncWork =>
    async ({ ingestion, signal, report }) => {
      const progress = createProgress(ingestion, { ingestions: record.ingestions, clock, onProgress: report });
      const waiting = [...documents];
      try {
        for (const _ of documents) await progress.found();
        for (let document = waiting[0]; document && !signal.aborted; document = waiting[0]) {
          const { uri = '', name = uri } = document;
          try {
            const one = document;
            for (const added of await inTurn(() => add(one, { signal }), signal)) {
              progress.chunks(added.chunks);
              await progress.report(toFile(added));
            }
          } catch (thrown) {
            const error = toFootnoteError(thrown);
            if (signal.aborted) break;
            if (error.code === 'internal' || error.code.startsWith('storage-'))
              return await progress.end('failed', error);
            await progress.report({ uri: uri || name, state: 'failed', error: faultOf(error, name) });
          }
          heldBytes -= sizeOf(document);
          waiting.shift();
        }
        return await progress.end(signal.aborted ? 'cancelled' : 'done');
      } finally {
        for (const document of waiting) heldBytes -= sizeOf(document);
      }
    };

  return async (document, files) => {
    const { source = usualSource } = document;
    assertSourceName(source);
    if (!hasSource(record.scope.principal, source)) assertEverySource(record.scope.principal);
    const given = files.length === 0 ? [document] : files.map((file) => withFile(document, file));
    hold(given.reduce((sum, one) => sum + sizeOf(one), 0));
    return (await runs.start(record.scope, source, { record, work: work(given), isBeside: true })).latest;
  };
}
