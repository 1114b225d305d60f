// One run over a source: every file that its connector names is read, what changed is written anew, what is gone is
// deleted. Whatever could not be looked at is never taken for gone. Ends in a state, not in an exception.
import type { Source } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Ingestion, IngestionFile, ReadingFailure } from '../db/record.ts';
import type { ConnectorFile, ConnectorProblem, ConnectorReader } from './connectors/connector.ts';
import { isCollectionName } from './incoming.ts';
import { isInside } from './inside.ts';
import type { Intake } from './intake.ts';
import { markTemplates } from './mark-templates.ts';
import { allFailures, createParking, maxTries, mayOpenNow, toParkedError } from './parking.ts';
import type { Passwords } from './passwords.ts';
import type { PreparePorts } from './prepare.ts';
import { createProgress } from './progress.ts';
import { type Begun, type FileWork, reportFailure, takeFile } from './sync-files.ts';
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
  /** Files that were given up are tried again. */
  readonly retry?: boolean | undefined;
  readonly passwords?: Passwords | undefined;
  /** False: a look only. What is marked at the end of a run concerns what it wrote. */
  readonly marksTemplates?: boolean;
  readonly onProgress?: ((ingestion: Ingestion, file?: IngestionFile) => void) | undefined;
}

interface RunState extends FileWork {
  readonly reader: ConnectorReader;
  readonly passwords?: Passwords | undefined;
}

const isBelow = (uri: string, path: string): boolean =>
  path === '.' || uri === path || uri.startsWith(`${path}/`) || uri.startsWith(`${path}#`);

async function readFile(run: RunState, file: ConnectorFile, signal: AbortSignal): Promise<Begun> {
  if (file.sizeBytes > run.maxFileBytes)
    throw new FootnoteError(
      'too-large',
      `The file has ${file.sizeBytes} bytes; at most ${run.maxFileBytes} are read (setting MAX_FILE_BYTES).`,
    );
  const { uri, name } = file;
  const { retry, passwords } = run;
  const facts = { ...(retry && { retry }), ...(passwords && { passwords }) };
  return takeFile(run, { source: run.source, uri, name, bytes: await file.read(signal), facts }, signal);
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

  const failed = async (uri: string, thrown: unknown): Promise<void> =>
    void (await reportFailure(run, uri, signal.aborted ? signal.reason : thrown));
  const track = (group: Set<Promise<void>>, work: Promise<void>): void => {
    const tracked: Promise<void> = work.catch(end).finally(() => group.delete(tracked));
    group.add(tracked);
  };
  const take = async (file: ConnectorFile): Promise<void> => {
    try {
      const { outcome } = await readFile(run, file, signal);
      track(
        settling,
        outcome.then(
          ({ file: done }) => run.progress.report(done),
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

/** What was given up inside of files that did not change is still not read: said in every run. */
async function reportParkedInside(run: RunState): Promise<void> {
  for (const failure of run.failures) {
    const { uri } = failure;
    if (failure.tries >= maxTries && !run.seen.has(uri) && isInside(uri, run.kept)) {
      await run.progress.found();
      const { code, message } = toParkedError(failure);
      await run.progress.report({ uri, state: 'parked', error: { code, message } });
    }
  }
}

/** What is known of files that are gone is of no more use. */
async function forgetVanished(run: RunState): Promise<void> {
  const known = new Set([...run.failures.map(({ uri }) => uri), ...run.containers.keys()]);
  const gone = [...known].filter(
    (uri) => !run.seen.has(uri) && !isInside(uri, run.kept) && !run.unsure.some((path) => isBelow(uri, path)),
  );
  if (gone.length > 0) await run.record.readings.forget(run.source.name, gone);
}

async function deleteVanished(run: RunState, signal: AbortSignal): Promise<void> {
  // A collection whose file failed may own documents with uris of any form: then only plain paths are judged.
  const gone = [...run.known].filter(
    ([uri]) =>
      !run.seen.has(uri) &&
      !isInside(uri, run.kept) &&
      !run.unsure.some((path) => isBelow(uri, path)) &&
      isJudgeable(uri, run.unsure),
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

/** What earlier runs learned of the files of the source. */
async function readingsOf({ record, clock, source, retry = false, passwords }: SyncWork) {
  const { readings } = record;
  const failures = await allFailures(readings, source.name);
  const containers = new Map((await readings.containers(source.name)).map((state) => [state.uri, state]));
  const holding = (some: readonly ReadingFailure[]): ReadonlySet<string> =>
    new Set([...containers.keys()].filter((uri) => some.some((one) => one.uri.startsWith(`${uri}/`))));
  const again = retry ? failures : failures.filter((one) => mayOpenNow(one, passwords));
  return {
    failures,
    containers,
    again: holding(again),
    retry,
    parking: createParking({ readings, clock }),
    seen: new Set<string>(),
    kept: new Set<string>(),
    unsure: [] as string[],
  };
}

export async function syncSource(work: SyncWork, signal?: AbortSignal): Promise<Ingestion> {
  const { record, clock, source, ingestion, onProgress } = work;
  /** Uris of documents that this run wrote or deleted. */
  const changed = new Set<string>();
  const progress = createProgress(ingestion, {
    ingestions: record.ingestions,
    clock,
    onProgress(present, file) {
      if (file?.state === 'done' || file?.state === 'deleted') changed.add(file.uri);
      onProgress?.(present, file);
    },
  });
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
    const run: RunState = { ...work, ...(await readingsOf(work)), progress, known };
    await readAll(run, stop);
    await reportParkedInside(run);
    await deleteVanished(run, stop.signal);
    await forgetVanished(run);
    if (work.marksTemplates !== false) await markTemplates(work, changed, stop.signal);
    return await progress.end('done');
  } catch (thrown) {
    if (signal?.aborted) return await progress.end('cancelled');
    return await progress.end('failed', toFootnoteError(thrown));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
