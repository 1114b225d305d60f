// One run over a source: every file that its connector names is read, what changed is written anew, what is gone is
// deleted. Whatever could not be looked at is never taken for gone. Ends in a state, not in an exception.
import type { Source } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Clock } from '../core/ids.ts';
import type { Ingestion, IngestionFile, TenantRecord } from '../db/record.ts';
import type { ConnectorFile, ConnectorProblem, ConnectorReader } from './connectors/connector.ts';
import { addWarning, isCollectionName, readIncoming } from './incoming.ts';
import type { Intake } from './intake.ts';
import { createProgress, type Progress } from './progress.ts';
import type { Writer } from './writer.ts';

/** Files that are read or parsed at the same time: two are parsed, the next ones wait with their bytes in memory. */
const filesInHand = 4;
/** Files whose last transaction may still be under way; the writer bounds their chunks. */
const filesSettling = 256;

export interface SyncWork {
  readonly record: TenantRecord;
  readonly clock: Clock;
  readonly source: Source;
  readonly reader: ConnectorReader;
  readonly ingestion: Ingestion;
  readonly intake: Intake;
  readonly writer: Writer;
  readonly maxFileBytes: number;
  readonly onProgress?: ((ingestion: Ingestion, file?: IngestionFile) => void) | undefined;
}

interface RunState extends SyncWork {
  readonly progress: Progress;
  /** Recorded documents of the source by uri. */
  readonly known: ReadonlyMap<string, { readonly id: string; readonly contentHash: string }>;
  /** Uris that the source still has. */
  readonly seen: Set<string>;
  /** Paths that could not be looked at: what lies at or below them stays. */
  readonly unsure: string[];
}

/** Errors that end the run: going on would fail for every other file too. */
const endsRun: ReadonlySet<string> = new Set(['storage-full', 'data-corrupt', 'cancelled']);

const isBelow = (uri: string, path: string): boolean =>
  path === '.' || uri === path || uri.startsWith(`${path}/`) || uri.startsWith(`${path}#`);

/** What became of the documents of one file; `outcome` resolves when all of them are durable. */
async function takeFile(
  run: RunState,
  file: ConnectorFile,
  signal: AbortSignal,
): Promise<{ outcome: Promise<IngestionFile> }> {
  const { known, seen, source, intake, writer, progress } = run;
  if (file.sizeBytes > run.maxFileBytes)
    throw new FootnoteError(
      'too-large',
      `The file has ${file.sizeBytes} bytes; at most ${run.maxFileBytes} are read (setting MAX_FILE_BYTES).`,
    );
  const bytes = await file.read(signal);
  const { documents, isCollection, warnings } = await readIncoming({
    source,
    uri: file.uri,
    name: file.name,
    bytes,
    facts: {},
  });
  const failures: FootnoteError[] = [];
  const tally = { written: 0, unchanged: 0, chunks: 0 };
  let documentId: string | undefined;
  const commits: Promise<void>[] = [];

  for await (const document of documents) {
    if (failures.some((error) => endsRun.has(error.code))) break;
    seen.add(document.uri);
    const present = known.get(document.uri);
    if (present !== undefined && present.contentHash === document.contentHash) {
      tally.unchanged += 1;
      documentId = present.id;
      continue;
    }
    const { ready, done } = intake.begin(document, async (recorded, queued) => {
      const write = await intake.prepare(document, recorded, signal);
      const durable = writer.put({ write });
      queued();
      await durable;
      tally.written += 1;
      tally.chunks += write.chunks.length;
      documentId = write.document.id;
      if (!isCollection) warnings.push(...write.document.warnings);
      progress.chunks(write.chunks.length);
    });
    const commit = done.catch((thrown: unknown) => {
      const error = toFootnoteError(thrown);
      failures.push(error);
      if (isCollection) addWarning(warnings, `${document.uri}: ${error.message}`);
    });
    commits.push(commit);
    await ready;
    await writer.room();
  }

  const settle = async (): Promise<IngestionFile> => {
    await Promise.all(commits);
    const fatal = failures.find((error) => endsRun.has(error.code)) ?? failures[0];
    if (isCollection && failures.length === 0 && tally.written + tally.unchanged === 0 && warnings[0] !== undefined)
      throw new FootnoteError('invalid-media', `No line could be read. ${warnings[0]}`);
    if (fatal && (!isCollection || endsRun.has(fatal.code) || tally.written + tally.unchanged === 0)) throw fatal;
    return {
      uri: file.uri,
      state: tally.written === 0 && tally.unchanged > 0 ? 'unchanged' : 'done',
      ...(documentId !== undefined && !isCollection && { documentId }),
      ...(tally.chunks > 0 && { chunks: tally.chunks }),
      ...(warnings.length > 0 && { warnings }),
    };
  };
  return { outcome: settle() };
}

async function readAll(run: RunState, stop: AbortController): Promise<void> {
  const { signal } = stop;
  const inHand = new Set<Promise<void>>();
  const settling = new Set<Promise<void>>();
  let failure: unknown;
  const end = (error: unknown): void => {
    failure ??= error;
    stop.abort(error);
  };

  const failed = async (uri: string, thrown: unknown): Promise<void> => {
    const error = signal.aborted ? toFootnoteError(signal.reason) : toFootnoteError(thrown);
    if (endsRun.has(error.code)) throw error;
    run.unsure.push(uri);
    await run.progress.report({ uri, state: 'failed', error: { code: error.code, message: error.message } });
  };
  const track = (group: Set<Promise<void>>, work: Promise<void>): void => {
    const tracked: Promise<void> = work.catch(end).finally(() => group.delete(tracked));
    group.add(tracked);
  };
  const take = async (file: ConnectorFile): Promise<void> => {
    try {
      const { outcome } = await takeFile(run, file, signal);
      track(
        settling,
        outcome.then(
          (done) => run.progress.report(done),
          (thrown: unknown) => failed(file.uri, thrown),
        ),
      );
    } catch (thrown) {
      await failed(file.uri, thrown);
    }
  };

  try {
    // Named first, read afterwards: so the length of the work is known, and what comes in meanwhile waits for the next run.
    const entries: (ConnectorFile | ConnectorProblem)[] = [];
    for await (const entry of run.reader.files(signal)) {
      entries.push(entry);
      await run.progress.found();
    }
    for (const entry of entries) {
      signal.throwIfAborted();
      if (entry.kind === 'problem') await failed(entry.uri, entry.error);
      else track(inHand, take(entry));
      while (inHand.size >= filesInHand) await Promise.race(inHand);
      while (settling.size >= filesSettling) await Promise.race(settling);
    }
  } catch (thrown) {
    end(thrown);
  }
  await Promise.all(inHand);
  await run.writer.flush();
  await Promise.all(settling);
  if (failure !== undefined) throw toFootnoteError(failure);
}

async function deleteVanished(run: RunState, signal: AbortSignal): Promise<void> {
  // A collection whose file failed may own documents with uris of any form: then only plain paths are judged.
  const gone = [...run.known].filter(
    ([uri]) => !run.seen.has(uri) && !run.unsure.some((path) => isBelow(uri, path)) && isJudgeable(uri, run.unsure),
  );
  for (let at = 0; at < gone.length; at += 200) {
    const batch = gone.slice(at, at + 200);
    await run.writer.delete(
      batch.map(([, { id }]) => id),
      signal,
    );
    await run.progress.deleted(batch.map(([uri]) => uri));
  }
}

const isJudgeable = (uri: string, unsure: readonly string[]): boolean =>
  !unsure.some(isCollectionName) || !/^[a-z][a-z0-9+.-]*:|#/i.test(uri);

/** Whether an earlier run read this source: otherwise its documents came in by hand. Newest runs come first. */
async function wasReadBefore({ record, source, ingestion }: SyncWork): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await record.ingestions.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
    if (page.data.some((one) => one.source === source.name && one.id !== ingestion.id)) return true;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return false;
}

export async function syncSource(work: SyncWork, signal?: AbortSignal): Promise<Ingestion> {
  const { record, clock, source, ingestion, onProgress } = work;
  const progress = createProgress(ingestion, { ingestions: record.ingestions, clock, onProgress });
  const stop = new AbortController();
  const cancel = (): void => stop.abort(signal?.reason);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const known = new Map<string, { id: string; contentHash: string }>();
    for await (const { id, uri, contentHash } of record.documents.listUris(source.name))
      known.set(uri, { id, contentHash });
    if (known.size > 0 && !(await wasReadBefore(work)))
      throw new FootnoteError(
        'conflict',
        `Source "${source.name}" holds ${known.size} documents that were added by hand; reading a folder into it would remove them. Use another name for the folder.`,
      );
    const run: RunState = { ...work, progress, known, seen: new Set(), unsure: [] };
    await readAll(run, stop);
    await deleteVanished(run, stop.signal);
    return await progress.end('done');
  } catch (thrown) {
    if (signal?.aborted) return await progress.end('cancelled');
    return await progress.end('failed', toFootnoteError(thrown));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
