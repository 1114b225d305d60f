// What becomes of one file of a source: a document, many (a collection of lines), or what is inside it. Invariant: a file is settled
// when everything that it brought is durable or has failed for good, and only then does the record say that it is complete.

import { isLikelyArchive } from '@footnote/readers/archive-kind';
import type { AttachedFile, DocumentRecord, Source } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { ContainerState, DocumentWrite, IngestionFile, ReadingFailure } from '../../db/record.ts';
import { faultOf, outcomeOf, type Progress } from '../progress.ts';
import { isReadAgain } from '../read/reading-editions.ts';
import type { ReadingStamps } from '../read/reading-stamps.ts';
import { isSameReading } from '../read/same-reading.ts';
import type { IncomingDocument, PreparePorts } from '../write/prepare.ts';
import { placeErrors, type Writer } from '../write/writer.ts';
import { takeCollection } from './collection.ts';
import { createInHand } from './in-hand.ts';
import { addWarning, type IncomingFile, isCollection, toSingle } from './incoming.ts';
import { attachedFiles, filesOfArchive, type InnerFile, type RefusedFile } from './inside.ts';
import type { Intake } from './intake.ts';
import { blamed, isParked, type Parking, readers, toKeptWarning } from './parking.ts';

export interface FileWork extends PreparePorts {
  readonly source: Source;
  readonly intake: Intake;
  readonly writer: Writer;
  readonly parking: Parking;
  readonly progress: Progress;
  readonly maxFileBytes: number;
  /** Files that were given up are tried again. */
  readonly retry: boolean;
  /** Whether unchanged files are read: all, none, or (absent) those whose reader was improved. What comes out as it is recorded stays. */
  readonly reread?: boolean | undefined;
  readonly stamps: ReadingStamps;
  /** Uris of documents that an earlier edition of their reader read, or one that is not known, and no other since. */
  readonly earlier: Set<string>;
  /** Files of the source that could not be read before. */
  readonly failures: readonly ReadingFailure[];
  /** Recorded documents of the source by uri. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  /** Files that held others when they were read last, by uri. */
  readonly containers: ReadonlyMap<string, ContainerState>;
  /** Those of them in which something is to be read again. */
  readonly again: ReadonlySet<string>;
  /** Uris that the source still has. */
  readonly seen: Set<string>;
  /** Containers that did not change: what they brought stays. */
  readonly kept: Set<string>;
  /** Paths that could not be looked at: what lies at or below them stays. */
  readonly unsure: string[];
}

export interface KnownDocument {
  readonly id: string;
  readonly contentHash: string;
  readonly reading?: string;
}

export interface Taken {
  readonly file: IngestionFile;
  /** Nothing of it is to be tried again in the next run. */
  readonly isComplete: boolean;
}

/** `outcome` resolves when all that came of a file is durable. */
export interface Begun {
  readonly outcome: Promise<Taken>;
}

/** Files out of one container that are read at the same time. */
const innerInHand = 2;

const isKnown = ({ known, seen }: FileWork, { uri, contentHash }: IncomingDocument): boolean => {
  seen.add(uri);
  return known.get(uri)?.contentHash === contentHash;
};

/** Whether what is recorded here is read although it has not changed. */
const isReadAgainAt = (run: FileWork, uri: string): boolean => isReadAgain(run.known.get(uri)?.reading, run);

/** Whether all that is in a file was taken when it had these bytes. */
function isKept(run: FileWork, uri: string, contentHash: string): boolean {
  const state = run.containers.get(uri);
  if (!state?.isComplete || state.contentHash !== contentHash || state.readers !== readers) return false;
  if (run.reread || run.again.has(uri) || isReadAgainAt(run, uri)) return false;
  run.kept.add(uri);
  return true;
}

function asKnown(run: FileWork, uri: string): IngestionFile {
  const id = run.known.get(uri)?.id;
  return { uri, state: 'unchanged', ...(id !== undefined && { documentId: id }) };
}

const unchanged = (run: FileWork, uri: string): Begun => ({
  outcome: Promise.resolve({ file: asKnown(run, uri), isComplete: true }),
});

/** Whether it came out as it is recorded: then the record notes no more than which edition read it so. */
async function isRecorded(run: FileWork, present: DocumentRecord, write: DocumentWrite): Promise<boolean> {
  if (!(await isSameReading(run.record.documents, present, write))) return false;
  await run.stamps.add(present, write.document.reading);
  run.earlier.delete(present.uri);
  return true;
}

/** Of a file that its connector cannot read: whatever it may not open, the record can still be written. */
export const whereNothingWasRead: ReadonlySet<string> = new Set(['cancelled']);

/** Reports the failure of a file; throws what ends the run. */
export async function reportFailure(
  run: Pick<FileWork, 'progress' | 'unsure'>,
  { uri, endsRun = placeErrors }: { readonly uri: string; readonly endsRun?: ReadonlySet<string> },
  thrown: unknown,
): Promise<Taken> {
  const error = toFootnoteError(thrown);
  if (endsRun.has(error.code)) throw error;
  run.unsure.push(uri);
  const state = isParked(error) ? 'parked' : 'failed';
  const file: IngestionFile = { uri, state, error: faultOf(error, uri) };
  await run.progress.report(file);
  return { file, isComplete: state === 'parked' };
}

export async function takeFile(run: FileWork, file: IncomingFile, signal: AbortSignal): Promise<Begun> {
  if (await isCollection(file)) return takeMany(run, file, signal);
  return isLikelyArchive(file) ? takeArchive(run, file, signal) : takeOne(run, file, signal);
}

/** Takes the files out of one container; `end` resolves with what became of each. */
function createInnerTaking(run: FileWork, contentHash: string, signal: AbortSignal) {
  const inHand = createInHand({ most: innerInHand });
  const outcomes: Promise<Taken>[] = [];
  let fatal: FootnoteError | undefined;

  const settled = async (uri: string, begun: Promise<Begun>): Promise<Taken> => {
    try {
      const taken = await (await begun).outcome;
      await run.progress.report(taken.file);
      return taken;
    } catch (thrown) {
      return reportFailure(run, { uri }, signal.aborted ? signal.reason : thrown);
    }
  };
  const refuse = async (refused: RefusedFile, error: FootnoteError): Promise<Taken> => {
    const { uri } = refused;
    run.seen.add(uri);
    await run.parking.park({ source: run.source, ...refused, contentHash }, error);
    return { ...(await reportFailure(run, { uri }, error)), isComplete: true };
  };

  return {
    async add(inner: InnerFile): Promise<void> {
      if (fatal !== undefined) throw fatal;
      signal.throwIfAborted();
      await run.progress.found();
      const begun = 'file' in inner ? takeFile(run, inner.file, signal) : undefined;
      const outcome =
        'file' in inner && begun
          ? settled(inner.file.uri, begun)
          : refuse((inner as Refused).refused, (inner as Refused).error);
      outcome.catch((thrown: unknown) => {
        fatal ??= toFootnoteError(thrown);
      });
      outcomes.push(outcome);
      // How it failed is told with its outcome.
      if (begun) await inHand.take(begun.catch(() => undefined));
    },
    /** When the last one is no longer in hand, only its write may be waited for. */
    rest: inHand.rest,
    end: (): Promise<readonly Taken[]> => Promise.all(outcomes),
  };
}
type Refused = Extract<InnerFile, { refused: unknown }>;

/** Records what became of the files in a container, and sums it up for people. */
async function closeContainer(
  run: FileWork,
  { uri, contentHash }: { readonly uri: string; readonly contentHash: string },
  taken: readonly Taken[],
): Promise<{ readonly isComplete: boolean; readonly warnings: readonly string[]; readonly isSame: boolean }> {
  const isComplete = taken.every((one) => one.isComplete);
  await run.record.readings.putContainer({ source: run.source.name, uri, contentHash, readers, isComplete });
  const bad = taken.filter(({ file }) => file.state === 'failed' || file.state === 'parked');
  return {
    isComplete,
    warnings: bad.length === 0 ? [] : [`${bad.length} of ${taken.length} files in it could not be read.`],
    isSame:
      taken.every(({ file }) => file.state !== 'done') &&
      (taken.length > bad.length || run.containers.get(uri)?.contentHash === contentHash),
  };
}

async function takeArchive(run: FileWork, file: IncomingFile, signal: AbortSignal): Promise<Begun> {
  const { uri } = file;
  const contentHash = sha256(file.bytes);
  run.seen.add(uri);
  if (isKept(run, uri, contentHash)) return unchanged(run, uri);
  const inner = createInnerTaking(run, contentHash, signal);
  try {
    await run.parking.attempt({ ...file.facts, ...file, contentHash, retry: run.retry }, async () => {
      for await (const one of filesOfArchive(run, file, signal)) await inner.add(one);
    });
    await inner.rest();
  } catch (thrown) {
    await inner.end();
    if ('document' in toFootnoteError(thrown).details) return takeOne(run, file, signal);
    throw thrown;
  }
  const outcome = async (): Promise<Taken> => {
    const { isComplete, warnings, isSame } = await closeContainer(run, { uri, contentHash }, await inner.end());
    const state = isSame ? 'unchanged' : 'done';
    return { file: { uri, state, ...(warnings.length > 0 && { warnings }) }, isComplete };
  };
  return { outcome: outcome() };
}

async function takeOne(run: FileWork, file: IncomingFile, signal: AbortSignal): Promise<Begun> {
  const { intake, writer, progress, record, source } = run;
  const document = { ...toSingle(file), retry: run.retry };
  const { uri, contentHash } = document;
  const isSame = isKnown(run, document);
  const isAgain = isSame && isReadAgainAt(run, uri);
  const state = run.containers.get(uri);
  if (isKept(run, uri, contentHash) || (isSame && state === undefined && !isAgain)) return unchanged(run, uri);
  let attachments: readonly AttachedFile[] = [];
  const { ready, done } = intake.begin([document], async (present, queued): Promise<IngestionFile> => {
    const prepared = await intake.prepare(document, present, signal);
    const { write } = prepared;
    if (prepared.attachments.length > 0)
      await record.readings.putContainer({ source: source.name, uri, contentHash, readers, isComplete: false });
    else if (state) await record.readings.forget(source.name, [uri]);
    attachments = prepared.attachments;
    if (write instanceof FootnoteError) return { uri, state: 'done', warnings: [write.message] };
    const recorded = isAgain ? present.get(uri) : undefined;
    const isAsRecorded = recorded ? await isRecorded(run, recorded, write) : isSame;
    if (isAgain && !run.reread) progress.readAgain();
    if (isAsRecorded) return { uri, state: 'unchanged', documentId: write.document.id };
    const durable = writer.put([{ write }]);
    queued();
    const [written] = await durable;
    if (written instanceof FootnoteError) throw written;
    run.earlier.delete(uri);
    progress.chunks(write.chunks.length);
    return outcomeOf(write);
  });
  await ready;
  await writer.room();
  if (attachments.length > 0) return takeAttachments(run, { file, contentHash, attachments, done }, signal);
  const outcome = async (): Promise<Taken> => {
    try {
      return { file: await done, isComplete: true };
    } catch (thrown) {
      // An archive under the name of an office file.
      const error = toFootnoteError(thrown);
      if ('archive' in error.details) return (await takeArchive(run, file, signal)).outcome;
      if (!isAgain || run.reread || !blamed.has(error.code)) throw error;
      return { file: { ...asKnown(run, uri), warnings: [toKeptWarning(error)] }, isComplete: isParked(error) };
    }
  };
  return { outcome: outcome() };
}

async function takeAttachments(
  run: FileWork,
  {
    file,
    contentHash,
    attachments,
    done,
  }: {
    readonly file: IncomingFile;
    readonly contentHash: string;
    readonly attachments: readonly AttachedFile[];
    readonly done: Promise<IngestionFile>;
  },
  signal: AbortSignal,
): Promise<Begun> {
  const inner = createInnerTaking(run, contentHash, signal);
  for (const one of attachedFiles(file, attachments, run.maxFileBytes)) await inner.add(one);
  await inner.rest();
  const outcome = async (): Promise<Taken> => {
    const [own, taken] = await Promise.all([done, inner.end()]);
    const { isComplete, warnings } = await closeContainer(run, { uri: file.uri, contentHash }, taken);
    const all = [...(own.warnings ?? []), ...warnings];
    return { file: { ...own, ...(all.length > 0 && { warnings: all }) }, isComplete };
  };
  return { outcome: outcome() };
}

async function takeMany(run: FileWork, file: IncomingFile, signal: AbortSignal): Promise<Begun> {
  const { uri } = file;
  const warnings: string[] = [];
  const failures: FootnoteError[] = [];
  const tally = { written: 0, unchanged: 0, chunks: 0 };
  run.seen.add(uri);
  let isComplete = true;
  let isImproved = false;
  const { settled } = await takeCollection(
    {
      ...run,
      file,
      warnings,
      mayBeKnown: run.known.size > 0 && !run.reread,
      stopsAt: placeErrors,
      arrived(document) {
        if (!isKnown(run, document)) return false;
        if (!isReadAgainAt(run, document.uri)) return true;
        isImproved = !run.reread;
        return false;
      },
      async lineFailed(line) {
        run.seen.add(line.uri);
        await run.progress.found();
        await reportFailure(run, { uri: line.uri }, line.error);
        if (isParked(line.error)) return;
        // Which document it was is not known before it is read or given up: until then none of this file is taken for gone.
        run.unsure.push(uri);
        isComplete = false;
      },
      // The hash of the line decides; whatever else is recorded may have been changed by hand.
      isUnchanged: () => false,
      isSameReading: (present, write) => isRecorded(run, present, write),
      settle(document, taken) {
        if (taken.status === 'known' || taken.status === 'unchanged') tally.unchanged += 1;
        else if (taken.status === 'written') {
          tally.written += 1;
          run.earlier.delete(document.uri);
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
  const outcome = async (): Promise<Taken> => {
    await settled;
    const taken = tally.written + tally.unchanged;
    const fatal = failures.find((error) => placeErrors.has(error.code)) ?? failures[0];
    if (failures.length === 0 && taken === 0 && warnings[0] !== undefined)
      throw new FootnoteError('invalid-media', `No line could be read. ${warnings[0]}`);
    if (fatal && (placeErrors.has(fatal.code) || taken === 0)) throw fatal;
    if (isImproved) run.progress.readAgain();
    const state = tally.written === 0 && tally.unchanged > 0 ? 'unchanged' : 'done';
    return {
      file: {
        uri,
        state,
        ...(tally.chunks > 0 && { chunks: tally.chunks }),
        ...(warnings.length > 0 && { warnings }),
      },
      isComplete,
    };
  };
  return { outcome: outcome() };
}
