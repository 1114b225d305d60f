// One run over a source: every file that its connector names is read, what changed is written anew, what is gone is
// deleted. Whatever could not be looked at is never taken for gone. Ends in a state, not in an exception.

import { overLimit } from '@footnote/readers/file-size';
import { refusedByName } from '@footnote/readers/sniff';
import type { Source } from '../core/document.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { ContainerState, Ingestion, IngestionFile, ReadingFailure } from '../db/record.ts';
import { markTemplates } from './chunk/mark-templates.ts';
import type { ConnectorFile, ConnectorProblem, ConnectorReader } from './connectors/connector.ts';
import { createProgress, faultOf, outcomeOf, type Progress } from './progress.ts';
import type { Passwords } from './read/passwords.ts';
import { isOutdated, isReadAgain } from './read/reading-editions.ts';
import { createReadingStamps } from './read/reading-stamps.ts';
import { createInHand } from './take/in-hand.ts';
import { isCollectionName } from './take/incoming.ts';
import { containersOf, isBelow, isInside } from './take/inside.ts';
import type { Intake } from './take/intake.ts';
import { createParking, failuresOf, maxTries, mayOpenNow, readers, toParkedError } from './take/parking.ts';
import { takeFile } from './take/take-file.ts';
import { isBad, type Known, type Taken, type Taking, takeFailure, toldOfInside, type Watch } from './take/taking.ts';
import type { PreparePorts } from './write/prepare.ts';
import { placeErrors, type Writer } from './write/writer.ts';

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
  /** Whether unchanged files are read: all, none, or (absent) those whose reader was improved. What comes out as it is recorded stays. */
  readonly reread?: boolean | undefined;
  readonly passwords?: Passwords | undefined;
  /** False: a look only. What is marked at the end of a run concerns what it wrote. */
  readonly marksTemplates?: boolean;
  readonly onProgress?: ((ingestion: Ingestion, file?: IngestionFile) => void) | undefined;
}

/** Of a file that its connector cannot read: whatever it may not open, the record can still be written. */
const whereNothingWasRead: ReadonlySet<string> = new Set(['cancelled']);

interface KnownDocument {
  readonly id: string;
  readonly contentHash: string;
  readonly reading?: string;
}

interface RunState extends Taking {
  readonly reader: ConnectorReader;
  readonly writer: Writer;
  readonly progress: Progress;
  readonly watch: Watch;
  readonly opening: { readonly retry?: true; readonly passwords?: Passwords };
  readonly facts: RunFacts;
}

/** What earlier runs learned of the files of the source, and what this one finds. */
interface RunFacts {
  /** Recorded documents of the source by uri. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  /** Files of the source that could not be read before. */
  readonly failures: readonly ReadingFailure[];
  /** Files that held others when they were read last, by uri. */
  readonly containers: ReadonlyMap<string, ContainerState>;
  /** Those of them in which something is to be read again. */
  readonly again: ReadonlySet<string>;
  /** Uris of documents that an earlier edition of their reader read, or one that is not known, and no other since. */
  readonly earlier: Set<string>;
  /** Uris that the source still has. */
  readonly seen: Set<string>;
  /** Containers that did not change: what they brought stays. */
  readonly kept: Set<string>;
  /** Paths that could not be looked at: what lies at or below them stays. */
  readonly unsure: string[];
}

/** What the run knows: a file whose bytes are those that were read needs no look into the record. */
function knownOf({ known, containers, again, seen, kept }: RunFacts, work: SyncWork): Known {
  const isAgain = (uri: string): boolean => isReadAgain(known.get(uri)?.reading, work);
  const isKnown = (uri: string, contentHash: string): boolean => known.get(uri)?.contentHash === contentHash;
  /** Whether all that is in a file was taken when it had these bytes. */
  const isWhole = (uri: string, contentHash: string, state: ContainerState): boolean =>
    state.isComplete &&
    state.contentHash === contentHash &&
    state.readers === readers &&
    !work.reread &&
    !again.has(uri);
  return {
    mayHoldLines: known.size > 0,
    container: async (uri) => containers.get(uri),
    // The hash decides; whatever else is recorded may have been changed by hand.
    isSame: ({ contentHash }, recorded) => recorded.contentHash === contentHash,
    skip({ uri, contentHash }, state) {
      seen.add(uri);
      if (isAgain(uri) || !(state ? isWhole(uri, contentHash, state) : isKnown(uri, contentHash))) return undefined;
      if (state) kept.add(uri);
      const documentId = known.get(uri)?.id;
      return { uri, state: 'unchanged', ...(documentId !== undefined && { documentId }), isComplete: true };
    },
    hasLine({ uri, contentHash }) {
      seen.add(uri);
      return isKnown(uri, contentHash) && !isAgain(uri);
    },
  };
}

/** Counts and tells of what becomes of each file. */
function watchOf({ earlier, seen, unsure }: RunFacts, progress: Progress): Watch {
  return {
    met: (uri) => void seen.add(uri),
    found: progress.found,
    async settled(taken) {
      if (isBad(taken)) unsure.push(taken.uri);
      await progress.report(toIngestionFile(taken));
    },
    written({ uri, chunkCount }) {
      earlier.delete(uri);
      progress.chunks(chunkCount);
    },
    cameOutTheSame: (uri) => void earlier.delete(uri),
    readAgain: progress.readAgain,
    unsure: (uri) => void unsure.push(uri),
  };
}

function toIngestionFile(taken: Taken): IngestionFile {
  const { uri, state, document, error, chunks = 0 } = taken;
  if (error && state !== 'done') return { uri, state, error: faultOf(error, uri) };
  const documentId = document?.id ?? taken.documentId;
  const file: IngestionFile =
    state === 'done' && document
      ? outcomeOf(document)
      : { uri, state, ...(documentId !== undefined && { documentId }), ...(chunks > 0 && { chunks }) };
  const warnings = [
    ...(file.warnings ?? []),
    ...(error ? [error.message] : []),
    ...(taken.warnings ?? []),
    ...toldOfInside(taken),
  ];
  return { ...file, ...(warnings.length > 0 && { warnings }) };
}

async function readFile(run: RunState, file: ConnectorFile, signal: AbortSignal): Promise<Uint8Array> {
  if (file.sizeBytes > run.maxFileBytes) {
    // Whoever raised the limit for a film would only be told then that nothing reads films.
    throw toFootnoteError(
      refusedByName(file.name) ??
        new FootnoteError(
          'too-large',
          `The file has ${overLimit(file.sizeBytes, run.maxFileBytes)} (setting MAX_FILE_BYTES).`,
        ),
    );
  }
  return file.read(signal);
}

async function readAll(run: RunState, stop: AbortController): Promise<void> {
  const { signal } = stop;
  const inHand = createInHand({ most: filesInHand });
  const settling = createInHand({ most: filesSettling });
  let failure: unknown;
  const end = (error: unknown): void => {
    failure ??= error;
    stop.abort(error);
  };

  const failed = async (uri: string, thrown: unknown, endsAll = run.endsAll): Promise<void> =>
    void (await takeFailure({ watch: run.watch, endsAll }, uri, signal.aborted ? signal.reason : thrown));
  const take = async (file: ConnectorFile): Promise<void> => {
    const bytes = await readFile(run, file, signal).catch((thrown: unknown) =>
      failed(file.uri, thrown, whereNothingWasRead),
    );
    if (bytes === undefined) return;
    try {
      const { uri, name } = file;
      const { source, opening } = run;
      const { outcome } = await takeFile(run, { source, uri, name, bytes, facts: {}, opening }, signal);
      const settled = outcome.then(run.watch.settled, (thrown: unknown) => failed(uri, thrown));
      await settling.take(settled.catch(end));
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
      if (entry.kind === 'problem') await failed(entry.uri, entry.error, whereNothingWasRead);
      else await inHand.take(take(entry).catch(end));
    }
  } catch (thrown) {
    end(thrown);
  }
  await inHand.rest();
  await run.writer.flush();
  await settling.rest();
  if (failure !== undefined) throw toFootnoteError(failure);
}

/** The file that brought a line; undefined for what is none. Its path may hold the mark that parts them, too. */
function collectionOf(uri: string): string | undefined {
  for (let mark = uri.indexOf('#'); mark >= 0; mark = uri.indexOf('#', mark + 1)) {
    const file = uri.slice(0, mark);
    if (isCollectionName(file)) return file;
  }
  return undefined;
}

/** What is inside of files that did not change counts as they do: two runs over the same files tell the same numbers. */
async function reportKeptInside(run: RunState): Promise<void> {
  if (run.facts.kept.size === 0) return;
  const parked = new Set(run.facts.failures.flatMap(({ uri, tries }) => (tries >= maxTries ? [uri] : [])));
  const inside = new Map<string, string | undefined>();
  const add = (uri: string, documentId?: string): void => {
    if (run.facts.seen.has(uri) || parked.has(uri) || !isInside(uri, run.facts.kept)) return;
    inside.set(uri, documentId ?? inside.get(uri));
  };
  for (const uri of run.facts.containers.keys()) add(uri);
  for (const [uri, { id }] of run.facts.known) {
    // A collection is one file, whatever it holds.
    const collection = collectionOf(uri);
    if (collection === undefined) add(uri, id);
    else add(collection);
  }
  for (const [uri, documentId] of inside) {
    await run.progress.found();
    await run.progress.report({ uri, state: 'unchanged', ...(documentId !== undefined && { documentId }) });
  }
}

/** What was given up inside of files that did not change is still not read: said in every run. */
async function reportParkedInside(run: RunState): Promise<void> {
  for (const failure of run.facts.failures) {
    const { uri } = failure;
    if (failure.tries >= maxTries && !run.facts.seen.has(uri) && isInside(uri, run.facts.kept)) {
      await run.progress.found();
      const { code, message } = toParkedError(failure);
      await run.progress.report({ uri, state: 'parked', error: { code, message } });
    }
  }
}

/** What is known of files that are gone is of no more use. */
async function forgetVanished(run: RunState): Promise<void> {
  const known = new Set([...run.facts.failures.map(({ uri }) => uri), ...run.facts.containers.keys()]);
  const gone = [...known].filter(
    (uri) =>
      !run.facts.seen.has(uri) &&
      !isInside(uri, run.facts.kept) &&
      !run.facts.unsure.some((path) => isBelow(uri, path)),
  );
  if (gone.length > 0) await run.record.readings.forget(run.source.name, gone);
}

async function deleteVanished(run: RunState, signal: AbortSignal): Promise<void> {
  // A collection whose file failed may own documents with uris of any form: then only plain paths are judged.
  const gone = [...run.facts.known].filter(
    ([uri]) =>
      !run.facts.seen.has(uri) &&
      !isInside(uri, run.facts.kept) &&
      !run.facts.unsure.some((path) => isBelow(uri, path)) &&
      isJudgeable(uri, run.facts.unsure),
  );
  for (let at = 0; at < gone.length; at += 200) {
    const batch: typeof gone = [];
    for (const one of gone.slice(at, at + 200)) if (await isGone(run, one)) batch.push(one);
    await run.writer.delete(
      batch.map(([, { id }]) => id),
      signal,
    );
    for (const [uri] of batch) run.facts.earlier.delete(uri);
    await run.progress.deleted(batch.map(([uri]) => uri));
  }
}

/** A damaged entry may have told another uri than that of its document, which this run has written anew under the same id. */
async function isGone(run: RunState, [uri, { id, contentHash }]: readonly [string, KnownDocument]): Promise<boolean> {
  if (contentHash !== 'damaged') return true;
  const now = await run.record.documents.get(id).catch(() => undefined);
  return now === undefined || now.uri === uri;
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
async function factsOf(work: SyncWork, known: RunFacts['known'], retry: boolean): Promise<RunFacts> {
  const { source, passwords } = work;
  const { readings } = work.record;
  const failures = await failuresOf(readings, source.name);
  const containers = new Map((await readings.containers(source.name)).map((state) => [state.uri, state]));
  const again = new Set<string>();
  const openAround = (uri: string): void => {
    for (const container of containersOf(uri, containers)) again.add(container);
  };
  for (const failure of failures) if (retry || mayOpenNow(failure, passwords)) openAround(failure.uri);
  const earlier = new Set<string>();
  for (const [uri, { contentHash, reading }] of known) {
    if (contentHash === 'damaged') openAround(uri);
    if (reading === undefined || isOutdated(reading, work.editionOf)) earlier.add(uri);
    if (isReadAgain(reading, work)) openAround(uri);
  }
  return { known, failures, containers, again, earlier, seen: new Set(), kept: new Set(), unsure: [] };
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
    const known = new Map<string, KnownDocument>();
    for await (const { uri, ...document } of record.documents.listUris(source.name)) {
      const isSound = document.contentHash !== 'damaged' && (await record.documents.isSound(document.id));
      known.set(uri, isSound ? document : { ...document, contentHash: 'damaged' });
    }
    if (known.size > 0 && !(await wasReadBefore(work)))
      throw new FootnoteError(
        'conflict',
        `Source "${source.name}" holds ${known.size} documents that were added by hand; reading a folder into it would remove them. Use another name for the folder.`,
      );
    const retry = work.retry === true || work.reread === true;
    const facts = await factsOf(work, known, retry);
    const { passwords, writer } = work;
    const run: RunState = {
      ...work,
      facts,
      progress,
      failures: facts.failures,
      stamps: createReadingStamps(record),
      parking: createParking({ readings: record.readings, clock }),
      endsAll: placeErrors,
      known: knownOf(facts, work),
      watch: watchOf(facts, progress),
      opening: { ...(retry && { retry }), ...(passwords && { passwords }) },
      writerOf: () => writer,
    };
    try {
      await readAll(run, stop);
    } finally {
      await run.stamps.flush();
    }
    await reportKeptInside(run);
    await reportParkedInside(run);
    await deleteVanished(run, stop.signal);
    await forgetVanished(run);
    if (work.marksTemplates !== false) await markTemplates(work, changed, stop.signal);
    progress.readBefore(facts.earlier.size);
    return await progress.end('done');
  } catch (thrown) {
    if (signal?.aborted) return await progress.end('cancelled');
    return await progress.end('failed', toFootnoteError(thrown));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
