// One run over a source: every file that its connector names is read, what changed is written anew, what is gone is
// deleted. Whatever could not be looked at is never taken for gone. Ends in a state, not in an exception.
import type { Source } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Ingestion, IngestionFile } from '../db/record.ts';
import { takeCollection } from './collection.ts';
import type { ConnectorFile, ConnectorProblem, ConnectorReader } from './connectors/connector.ts';
import { addWarning, type IncomingFile, isCollection, isCollectionName, toSingle } from './incoming.ts';
import type { Intake } from './intake.ts';
import type { IncomingDocument, IncomingFileDocument, PreparePorts } from './prepare.ts';
import { createProgress, type Progress } from './progress.ts';
import type { Writer } from './writer.ts';

/** Files that are read or parsed at the same time: two are parsed, the next ones wait with their bytes in memory. */
const filesInHand = 4;
/** Files whose last transaction may still be under way; the writer bounds their chunks. */
const filesSettling = 256;

export interface SyncWork extends PreparePorts {
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
  if (file.sizeBytes > run.maxFileBytes)
    throw new FootnoteError(
      'too-large',
      `The file has ${file.sizeBytes} bytes; at most ${run.maxFileBytes} are read (setting MAX_FILE_BYTES).`,
    );
  const { uri, name } = file;
  const incoming = { source: run.source, uri, name, bytes: await file.read(signal), facts: {} };
  return (await isCollection(incoming)) ? takeMany(run, incoming, signal) : takeOne(run, toSingle(incoming), signal);
}

const isKnown = ({ known, seen }: RunState, { uri, contentHash }: IncomingDocument): boolean => {
  seen.add(uri);
  return known.get(uri)?.contentHash === contentHash;
};

async function takeOne(
  run: RunState,
  document: IncomingFileDocument,
  signal: AbortSignal,
): Promise<{ outcome: Promise<IngestionFile> }> {
  const { intake, writer, progress } = run;
  const { uri } = document;
  if (isKnown(run, document)) {
    const id = run.known.get(uri)?.id;
    return { outcome: Promise.resolve({ uri, state: 'unchanged', ...(id !== undefined && { documentId: id }) }) };
  }
  const { ready, done } = intake.begin([document], async (present, queued): Promise<IngestionFile> => {
    const write = await intake.prepare(document, present, signal);
    const durable = writer.put([{ write }]);
    queued();
    const [written] = await durable;
    if (written instanceof FootnoteError) throw written;
    const { id, warnings } = write.document;
    const chunks = write.chunks.length;
    progress.chunks(chunks);
    return {
      uri,
      state: 'done',
      documentId: id,
      ...(chunks > 0 && { chunks }),
      ...(warnings.length > 0 && { warnings }),
    };
  });
  await ready;
  await writer.room();
  return { outcome: done };
}

async function takeMany(
  run: RunState,
  file: IncomingFile,
  signal: AbortSignal,
): Promise<{ outcome: Promise<IngestionFile> }> {
  const { uri } = file;
  const warnings: string[] = [];
  const failures: FootnoteError[] = [];
  const tally = { written: 0, unchanged: 0, chunks: 0 };
  const { settled } = await takeCollection(
    {
      ...run,
      file,
      warnings,
      mayBeKnown: run.known.size > 0,
      stopsAt: endsRun,
      arrived: (document) => isKnown(run, document),
      // The hash of the line decides; whatever else is recorded may have been changed by hand.
      isUnchanged: () => false,
      settle(document, taken) {
        if (taken.status === 'known') tally.unchanged += 1;
        else if (taken.status === 'written') {
          tally.written += 1;
          tally.chunks += taken.write.chunks.length;
          run.progress.chunks(taken.write.chunks.length);
        } else if (taken.status === 'failed') {
          failures.push(taken.error);
          addWarning(warnings, `${document.uri}: ${taken.error.message}`);
        }
      },
    },
    signal,
  );
  const outcome = async (): Promise<IngestionFile> => {
    await settled;
    const taken = tally.written + tally.unchanged;
    const fatal = failures.find((error) => endsRun.has(error.code)) ?? failures[0];
    if (failures.length === 0 && taken === 0 && warnings[0] !== undefined)
      throw new FootnoteError('invalid-media', `No line could be read. ${warnings[0]}`);
    if (fatal && (endsRun.has(fatal.code) || taken === 0)) throw fatal;
    return {
      uri,
      state: tally.written === 0 && tally.unchanged > 0 ? 'unchanged' : 'done',
      ...(tally.chunks > 0 && { chunks: tally.chunks }),
      ...(warnings.length > 0 && { warnings }),
    };
  };
  return { outcome: outcome() };
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
