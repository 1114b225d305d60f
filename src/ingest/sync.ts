// One run over a source: every file that its connector names is read, what changed is written anew, what is gone is
// deleted. Whatever could not be looked at is never taken for gone. Ends in a state, not in an exception.

import type { Source } from '../core/document.ts';
import type { Ingestion, IngestionFile } from '../core/documents/runs.ts';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { ItemsRequest, SourceReader } from './connectors/connector.ts';
import type { SourceItem, SourceLook, SourceProblem } from './connectors/source-item.ts';
import { type EndingRun, endRun, rememberLook } from './end-of-run.ts';
import { createHeld } from './held.ts';
import { beforeOf, keptBytes, noteItem, putItems, readItem, takeUnread, unreadOf } from './items.ts';
import { createMoves } from './moves.ts';
import { createProgress } from './progress.ts';
import type { Passwords } from './read/passwords.ts';
import { createReadingStamps } from './read/reading-stamps.ts';
import { factsOf, type KnownDocument, knownOf, watchOf } from './run-facts.ts';
import { createInFlight } from './take/in-flight.ts';
import { collectionOf, type IncomingFile, isCollectionName } from './take/incoming.ts';
import { isBelowAny, isInside } from './take/inside.ts';
import type { Intake } from './take/intake.ts';
import { createParking, maxTries, toParkedError } from './take/parking.ts';
import { takeFile } from './take/take-file.ts';
import { takeFailure } from './take/taking.ts';
import type { PreparePorts } from './write/prepare.ts';
import { placeErrors, type Writer } from './write/writer.ts';

/** Files that are read or parsed at the same time: two are parsed, the next ones wait with their bytes in memory. */
const filesInFlight = 4;
/** Files whose last transaction may still be under way; the writer bounds their chunks. */
const filesSettling = 256;

export interface SyncWork extends PreparePorts {
  readonly source: Source;
  readonly reader: SourceReader;
  readonly ingestion: Ingestion;
  readonly intake: Intake;
  readonly writer: Writer;
  readonly maxFileBytes: number;
  /** Files that were given up are tried again. */
  readonly retry?: boolean | undefined;
  /** Whether unchanged files are read: all, none, or (absent) those whose reader was improved. What comes out as it is recorded stays. */
  readonly reread?: boolean | undefined;
  /** What would be doubtful counts. */
  readonly confirm?: boolean | undefined;
  readonly passwords?: Passwords | undefined;
  readonly onProgress?: ((ingestion: Ingestion, file?: IngestionFile) => void) | undefined;
  /** Told of each item before it is read. */
  readonly onItem?: ((item: SourceItem) => void) | undefined;
}

/** Of a file that its connector cannot read: whatever it may not open, the record can still be written. */
const whereNothingWasRead: ReadonlySet<string> = new Set(['cancelled']);

interface RunState extends EndingRun, Pick<SyncWork, 'onItem'> {
  readonly reader: SourceReader;
  readonly opening: { readonly retry?: true; readonly passwords?: Passwords };
  readonly looks: SourceLook[];
  readonly named: Set<string>;
  readonly isAmbiguous: () => boolean;
}

async function readAll(run: RunState, stop: AbortController): Promise<void> {
  const { signal } = stop;
  const inFlight = createInFlight(filesInFlight);
  const settling = createInFlight(filesSettling);
  let failure: unknown;
  const end = (error: unknown): void => {
    failure ??= error;
    stop.abort(error);
  };

  const failed = async (uri: string, thrown: unknown, endsAll = run.endsAll): Promise<void> =>
    void (await takeFailure({ watch: run.watch, endsAll }, uri, signal.aborted ? signal.reason : thrown));
  const take = async (item: SourceItem): Promise<void> => {
    const { uri, name } = item;
    const unread = await unreadOf(run, item);
    if (unread) return run.watch.settled(unread);
    const reading = await readItem(run, item, signal).catch((thrown: unknown) =>
      failed(uri, thrown, whereNothingWasRead),
    );
    if (reading === undefined) return;
    try {
      if (reading.kind !== 'content') return await takeUnread(run, item, reading);
      const { source, opening } = run;
      const { bytes, facts = {}, version = item.version, signs } = reading;
      const waits: IncomingFile['waits'] =
        signs && ((recorded, write) => run.held.hold(recorded, { uri, version, text: write.text, write, signs }));
      const file = { source, uri, name: reading.name ?? name, bytes, facts, opening, ...(waits && { waits }) };
      const { outcome } = await takeFile(run, file, signal);
      const settled = outcome.then(
        async (taken) => {
          if (taken.isHeld) return;
          await run.watch.settled(taken);
          await noteItem(run, { uri, version }, taken);
        },
        (thrown: unknown) => failed(uri, thrown),
      );
      await settling.take(settled.catch(end));
    } catch (thrown) {
      await failed(uri, thrown);
    }
  };

  try {
    // Named first, read afterwards: so the length of the work is known, and what comes in meanwhile waits for the next run.
    const entries: (SourceItem | SourceProblem)[] = [];
    const request: ItemsRequest = {
      signal,
      before: (uri) => beforeOf(run, run.facts.containers, uri),
      // What came out of a file has an address that nobody serves.
      known: () =>
        run.facts.known.keys().filter((uri) => !isInside(uri, run.facts.containers) && collectionOf(uri) === undefined),
      kept: (uri) => keptBytes(run, uri),
    };
    const begin = async (entry: SourceItem | SourceProblem): Promise<void> => {
      signal.throwIfAborted();
      if (entry.kind === 'problem') await failed(entry.uri, entry.error, whereNothingWasRead);
      else await inFlight.take(take(entry).catch(end));
    };
    for await (const entry of run.reader.items(request)) {
      if (entry.kind === 'look') {
        run.looks.push(entry);
        continue;
      }
      run.named.add(entry.uri);
      if (entry.kind === 'item') run.onItem?.(entry);
      await run.progress.found();
      if (run.reader.readsToName) await begin(entry);
      else entries.push(entry);
    }
    const isAmbiguous = entries.length > 0 && run.isAmbiguous();
    for (const entry of entries) {
      await begin(entry);
      if (isAmbiguous) await inFlight.rest();
    }
  } catch (thrown) {
    end(thrown);
  }
  await inFlight.rest();
  await run.writer.flush();
  await settling.rest();
  if (failure !== undefined) throw toFootnoteError(failure);
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
  const { failures, containers, items } = run.facts;
  const known = new Set([...failures.map(({ uri }) => uri), ...containers.keys(), ...items.keys()]);
  const gone = [...known].filter(
    (uri) => !run.facts.seen.has(uri) && !isInside(uri, run.facts.kept) && !isBelowAny(uri, run.facts.unsure),
  );
  if (gone.length > 0) await run.record.readings.forget(run.source.name, gone);
}

/** Documents that the source no longer has. */
function vanishedOf({ facts }: RunState): readonly string[] {
  // A collection whose file failed may own documents with uris of any form: then only plain paths are judged.
  const areOthersUnsure = facts.unsure.values().some(isCollectionName);
  const gone = facts.known
    .keys()
    .filter(
      (uri) =>
        !facts.seen.has(uri) &&
        !facts.moved.has(uri) &&
        !isInside(uri, facts.kept) &&
        !isBelowAny(uri, facts.unsure) &&
        !(areOthersUnsure && /^[a-z][a-z0-9+.-]*:|#/i.test(uri)),
    );
  return [...gone];
}

async function deleteDocuments(run: RunState, uris: readonly string[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < uris.length; at += 200) {
    const batch: string[] = [];
    const ids: string[] = [];
    for (const uri of uris.slice(at, at + 200)) {
      const known = run.facts.known.get(uri);
      if (known === undefined || !(await isGone(run, uri, known))) continue;
      batch.push(uri);
      ids.push(known.id);
    }
    await run.writer.delete(ids, signal);
    for (const uri of batch) run.facts.earlier.delete(uri);
    await run.progress.deleted(batch);
  }
}

/** A damaged entry may have told another uri than that of its document, which this run has written anew under the same id. */
async function isGone(run: RunState, uri: string, { id, contentHash }: KnownDocument): Promise<boolean> {
  if (contentHash !== 'damaged') return true;
  const now = await run.record.documents.get(id).catch(() => undefined);
  return now === undefined || now.uri === uri;
}

/** Whether an earlier run read this source: otherwise its documents came in by hand. */
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
    const named = new Set<string>();
    const moves = createMoves({ facts, documents: record.documents, reader: work.reader, named });
    const run: RunState = {
      ...work,
      facts,
      progress,
      failures: facts.failures,
      stamps: createReadingStamps(record),
      parking: createParking({ readings: record.readings, clock }),
      endsAll: placeErrors,
      known: { ...knownOf(facts, work), moved: moves.from },
      watch: watchOf(facts, progress),
      opening: { ...(retry && { retry }), ...(passwords && { passwords }) },
      writerOf: () => writer,
      held: createHeld(record.documents),
      looks: [],
      named,
      isAmbiguous: moves.isAmbiguous,
    };
    try {
      await readAll(run, stop);
    } finally {
      await work.reader.close?.();
      await run.stamps.flush();
      await putItems(run);
    }
    await reportKeptInside(run);
    await reportParkedInside(run);
    const { gone, isVanishingDoubtful, doubt } = await endRun(run, vanishedOf(run));
    await deleteDocuments(run, gone, stop.signal);
    await putItems(run);
    if (!isVanishingDoubtful) {
      await forgetVanished(run);
      await rememberLook(run);
    }
    progress.readBefore(facts.earlier.size);
    return await progress.end(doubt ? 'doubtful' : 'done', doubt);
  } catch (thrown) {
    if (signal?.aborted) return await progress.end('cancelled');
    return await progress.end('failed', toFootnoteError(thrown));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
