// An export is read in a process of its own, as every file of others is: without a network, with the right to read that one file, with
// limits on its memory and on the time from one answer to the next. Invariant: it ends with whoever asked, at once.
import { realpath, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ExportFormat } from '../../../core/archive.ts';
import { FootnoteError, toFootnoteError } from '../../../core/errors.ts';
import { limitConcurrency } from '../../../core/waiting/limit-concurrency.ts';
import { startParserProcess } from '../../../ingest/read/parser-process.ts';
import { entryFile } from '../../../threads/entry-file.ts';
import type { IncomingItem } from './incoming.ts';
import type { Warned } from './warnings.ts';

export interface ExportRequest {
  readonly path: string;
  /** As the person calls it; default: told from the file. */
  readonly format?: ExportFormat | undefined;
  /** Of the file, as it was handed over. */
  readonly name: string;
  readonly timeZone: string;
}

/** `more` goes on with the export that was opened. */
export type ExportJob = ({ readonly kind: 'open' } & ExportRequest) | { readonly kind: 'more' };

export interface ExportReply {
  readonly format: ExportFormat;
  /** Forms that nothing else has. */
  readonly isUnmistakable: boolean;
  readonly items: readonly IncomingItem[];
  /** Since the last answer. */
  readonly warned: Warned;
  readonly isLast: boolean;
}

export interface BoxedExport {
  readonly format: ExportFormat;
  readonly isUnmistakable: boolean;
  replies(): AsyncGenerator<ExportReply>;
}

/** MiB; a longer file may have a longer conversation. */
const memoryMiB = 512;
const roomyMiB = 1536;
const roomyBytes = 16 * 1024 * 1024;
/** From one answer, or one sign of progress, to the next. */
const timeoutMs = 20_000;

/** Each may take what its limits allow. */
const atOnce = limitConcurrency(2);

const entry = fileURLToPath(entryFile('./export-child', import.meta.url));

/** Throws `unsupported-media` where the file is no export that is known, `invalid-media` where it is damaged. */
export async function withExport<T>(
  request: ExportRequest,
  work: (opened: BoxedExport) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { name } = request;
  const found = await realpath(request.path)
    .then(async (path) => ({ path, bytes: (await stat(path)).size }))
    .catch((cause: unknown) => {
      throw new FootnoteError('not-found', `${name} cannot be read. Name the file of the export.`, { cause });
    });
  return atOnce(() => boxed({ ...request, path: found.path }, { bytes: found.bytes, signal }, work), signal);
}

async function boxed<T>(
  request: ExportRequest,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal | undefined },
  work: (opened: BoxedExport) => Promise<T>,
): Promise<T> {
  const { name, path } = request;
  signal?.throwIfAborted();
  const mostMiB = bytes > roomyBytes ? roomyMiB : memoryMiB;
  const worker = startParserProcess<ExportJob, ExportReply>({
    entry,
    memoryMiB: mostMiB,
    heapMiB: Math.floor(mostMiB * 0.75),
    readable: [path],
    onEnd: () => undefined,
  });
  const limits = { name, timeoutMs, maxTimeoutMs: timeoutMs + 2000 * Math.floor(bytes / 1_000_000) };
  const end = (): Promise<void> =>
    worker.end(new FootnoteError('cancelled', `Reading ${name} was cancelled.`, { cause: signal?.reason }));
  const abort = (): void => void end();
  signal?.addEventListener('abort', abort, { once: true });
  const ask = async (job: ExportJob): Promise<ExportReply> => {
    const outcome = await worker.ask(job, limits);
    if (outcome instanceof FootnoteError) throw outcome;
    return outcome.value;
  };
  try {
    const first = await ask({ kind: 'open', ...request });
    return await work({
      format: first.format,
      isUnmistakable: first.isUnmistakable,
      async *replies() {
        let reply = first;
        yield reply;
        while (!reply.isLast) {
          reply = await ask({ kind: 'more' });
          yield reply;
        }
      },
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    await end();
  }
}

/** The format of a file that is an export of conversations beyond doubt; undefined for anything else, damaged files too. */
export async function tellExport(path: string): Promise<ExportFormat | undefined> {
  if (!/\.(?:json|zip)$/iu.test(path)) return undefined;
  try {
    return await withExport({ path, name: path, timeZone: 'UTC' }, async ({ format, isUnmistakable }) =>
      isUnmistakable ? format : undefined,
    );
  } catch (thrown) {
    // Whoever reads it says what is wrong with it; a process that cannot be started is wrong with us.
    if (toFootnoteError(thrown).code === 'internal') throw thrown;
    return undefined;
  }
}
