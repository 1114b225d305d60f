// The one way in of a file, from a source or handed over: it is a document, many (a collection of lines), or holds others, which come in the
// same way. Invariant: a file is settled when everything that it brought is durable or has failed for good, and only then does the record say
// that it is complete.
import { isLikelyArchive } from '@footnote/readers/archive-kind';
import type { AttachedFile, DocumentRecord } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { ContainerState } from '../../db/repositories/readings.ts';
import { isReadAgain } from '../read/reading-editions.ts';
import type { IncomingFileDocument, Prepared } from '../write/prepare.ts';
import { createInFlight } from './in-flight.ts';
import { type IncomingFile, isCollection, toSingle } from './incoming.ts';
import { attachedFiles, filesOfArchive, type InnerFile } from './inside.ts';
import type { Present } from './intake.ts';
import { type AttemptedFile, blamed, isParked, readers, toKeptWarning } from './parking.ts';
import { takeLines } from './take-lines.ts';
import { type Begun, isAsRecorded, isBad, type Taken, type Taking, takeFailure, withMoved } from './taking.ts';

/** Files out of one container that are read at the same time. */
const innerInFlight = 2;
/** Archives that lie in no other and are in hand at the same time: each is taken apart by a process of its own. */
const outermostInTurn = limitConcurrency(2);

export async function takeFile(work: Taking, file: IncomingFile, signal?: AbortSignal): Promise<Begun> {
  if (await isCollection(file)) return takeCollection(work, file, signal);
  return isLikelyArchive(file) ? takeArchive(work, file, signal) : takeOne(work, { file }, signal);
}

/** Its lines were not read one by one: the bytes of all of them count. */
async function takeCollection(work: Taking, file: IncomingFile, signal?: AbortSignal): Promise<Begun> {
  const takeBack = await work.countBytes?.(file.bytes.byteLength);
  try {
    const begun = await takeLines(work, file, signal);
    if (takeBack) void begun.outcome.then(({ state }) => state === 'done' || takeBack(), takeBack);
    return begun;
  } catch (error) {
    takeBack?.();
    throw error;
  }
}

const mark = (work: Taking, { uri, contentHash }: Marked, isComplete: boolean): Promise<void> =>
  work.record.readings.putContainer({ source: work.source.name, uri, contentHash, readers, isComplete });
type Marked = Pick<ContainerState, 'uri' | 'contentHash'>;

/** Takes the files out of one container; `end` resolves with what became of each. */
function openInside(work: Taking, around: Pick<AttemptedFile, 'contentHash' | 'access'>, signal?: AbortSignal) {
  const inFlight = createInFlight(innerInFlight);
  const outcomes: Promise<Taken>[] = [];
  let fatal: FootnoteError | undefined;

  const settled = async (uri: string, begun: Promise<Begun>): Promise<Taken> => {
    try {
      const taken = await (await begun).outcome;
      await work.watch?.settled(taken);
      return taken;
    } catch (thrown) {
      return takeFailure(work, uri, signal?.aborted ? signal.reason : thrown);
    }
  };
  const refuse = async ({ refused, error }: Extract<InnerFile, { refused: unknown }>): Promise<Taken> => {
    work.watch?.met(refused.uri);
    await work.parking.park({ source: work.source, ...refused, ...around }, error);
    return { ...(await takeFailure(work, refused.uri, error)), isComplete: true };
  };

  return {
    async add(inner: InnerFile): Promise<void> {
      if (fatal !== undefined) throw fatal;
      signal?.throwIfAborted();
      await work.watch?.found();
      const begun = 'file' in inner ? takeFile(work, inner.file, signal) : undefined;
      const outcome = 'refused' in inner ? refuse(inner) : settled(inner.file.uri, begun as Promise<Begun>);
      outcome.catch((thrown: unknown) => {
        fatal ??= toFootnoteError(thrown);
      });
      outcomes.push(outcome);
      // How it failed is told with its outcome.
      if (begun) await inFlight.take(begun.catch(() => undefined));
    },
    /** When the last one is no longer in hand, only its write may be waited for. */
    rest: inFlight.rest,
    end: (): Promise<readonly Taken[]> => Promise.all(outcomes),
  };
}

function takeArchive(work: Taking, file: IncomingFile, signal?: AbortSignal): Promise<Begun> {
  const opening = (): Promise<Begun> => openArchive(work, file, signal);
  if (file.inside === undefined) return outermostInTurn(opening, signal);
  const begun = file.inside.turn.last.then(opening, opening);
  file.inside.turn.last = begun;
  return begun;
}

async function openArchive(work: Taking, file: IncomingFile, signal?: AbortSignal): Promise<Begun> {
  const { uri } = file;
  const contentHash = sha256(file.bytes);
  work.watch?.met(uri);
  const before = await work.known.container(uri);
  const skipped = work.known.skip?.({ uri, contentHash }, before);
  if (skipped) return { outcome: Promise.resolve(skipped) };
  await mark(work, { uri, contentHash }, false);
  const inside = openInside(work, { contentHash, access: file.facts.access }, signal);
  let isDocument = false;
  try {
    await work.parking.attempt({ ...file.facts, ...file.opening, ...file, contentHash }, async () => {
      const { route, files } = await filesOfArchive(work, file, signal);
      isDocument = route === 'document';
      for await (const one of files) await inside.add(one);
    });
    await inside.rest();
  } catch (thrown) {
    await inside.end();
    throw thrown;
  }
  if (isDocument) {
    await work.record.readings.forget(work.source.name, [uri]);
    return takeOne(work, { file, isRouted: true }, signal);
  }
  const outcome = async (): Promise<Taken> => {
    const taken = await inside.end();
    const isComplete = taken.every((one) => one.isComplete);
    await mark(work, { uri, contentHash }, isComplete);
    const isSame =
      taken.every(({ state }) => state !== 'done') &&
      (taken.some((one) => !isBad(one)) || before?.contentHash === contentHash);
    return { uri, contentHash, state: isSame ? 'unchanged' : 'done', isComplete, inside: taken };
  };
  return { outcome: outcome() };
}

/** What reading one file as a document led to. */
type Read = Taken | 'archive';

/** Read under the identity of the document that it was, where only its text tells. */
async function prepareMoved(
  { intake, known, countBytes }: Taking,
  document: IncomingFileDocument,
  { present, signal }: { readonly present: Present; readonly signal: AbortSignal | undefined },
): Promise<Prepared> {
  const prepared = await intake.prepare(document, present, { signal, countBytes });
  if (present.has(document.uri) || prepared.route === 'archive' || prepared.write instanceof FootnoteError)
    return prepared;
  const before = await known.moved?.(document.uri, { textHash: prepared.write.document.textHash });
  return before ? intake.prepare(document, new Map([[document.uri, before]]), { signal, isCounted: true }) : prepared;
}

/** What stands for a page whose new text waits for the end of the run. */
async function heldOf(
  { uri, waits }: IncomingFile,
  found: DocumentRecord | undefined,
  write: DocumentWrite | FootnoteError,
): Promise<Taken | undefined> {
  if (!waits || !found || write instanceof FootnoteError || !(await waits(found, write))) return undefined;
  return { uri, state: 'unchanged', document: found, isComplete: false, isHeld: true };
}

/** `isRouted`: whoever takes archives apart says that it is a document, so it changes its route no more. */
async function takeOne(
  work: Taking,
  { file, isRouted = false }: { readonly file: IncomingFile; readonly isRouted?: boolean },
  signal?: AbortSignal,
): Promise<Begun> {
  const { intake, known, record, source } = work;
  const document = toSingle(file);
  const { uri, contentHash } = document;
  const state = await known.container(uri);
  const skipped = known.skip?.(document, state);
  if (skipped) return { outcome: Promise.resolve(skipped) };
  const writer = work.writerOf(file, 'file');
  let attachments: readonly AttachedFile[] = [];
  /** What an earlier edition made of the same file. */
  let earlier: DocumentRecord | undefined;
  const { ready, done } = intake.begin([document], async (recordedAs, queued): Promise<Read> => {
    const present = await withMoved(work, [document], recordedAs);
    const found = present.get(uri);
    const recorded = found && known.isSame(document, found) ? found : undefined;
    const stays = recorded && (await known.stays?.(document, recorded, state));
    if (stays) return stays;
    const isAgain = recorded !== undefined && isReadAgain(recorded.reading, work);
    if (isAgain && !work.reread) earlier = recorded;
    const prepared = await prepareMoved(work, document, { present, signal });
    if (prepared.route === 'archive') return 'archive';
    const { write } = prepared;
    const held = recorded ? undefined : await heldOf(file, found, write);
    if (held) return held;
    attachments = prepared.attachments;
    if (attachments.length > 0) await mark(work, document, false);
    else if (state) await record.readings.forget(source.name, [uri]);
    if (earlier) work.watch?.readAgain();
    const unchanged = recorded && ({ uri, state: 'unchanged', document: recorded, isComplete: true } as const);
    if (write instanceof FootnoteError) return unchanged ?? { uri, state: 'done', error: write, isComplete: true };
    if (unchanged && (!isAgain || (await isAsRecorded(work, recorded, write)))) return unchanged;
    const durable = writer.put([{ ...work.along, write }]);
    queued();
    const [deliveries = []] = await durable;
    if (deliveries instanceof FootnoteError) throw deliveries;
    work.watch?.written(write.document);
    return { uri, state: 'done', document: write.document, deliveries, isComplete: true };
  });
  await ready;
  await writer.room();
  if (attachments.length > 0) return takeAttachments(work, { file, contentHash, attachments, done }, signal);
  const outcome = async (): Promise<Taken> => {
    const read = await done.catch((thrown: unknown): Taken => {
      const error = toFootnoteError(thrown);
      if (earlier === undefined || !blamed.has(error.code)) throw error;
      const warnings = [toKeptWarning(error)];
      return { uri, state: 'unchanged', document: earlier, warnings, isComplete: isParked(error) };
    });
    if (read !== 'archive') return { ...read, contentHash };
    // An archive under the name of an office file.
    if (!isRouted) return (await takeArchive(work, file, signal)).outcome;
    const error = new FootnoteError(
      'invalid-media',
      `${file.name} is a plain archive that was encrypted as an office document. Take the archive out of it.`,
    );
    await work.parking.park({ ...document, ...file.opening }, error);
    throw error;
  };
  return { outcome: outcome() };
}

interface WithAttachments {
  readonly file: IncomingFile;
  readonly contentHash: string;
  readonly attachments: readonly AttachedFile[];
  readonly done: Promise<Read>;
}

async function takeAttachments(
  work: Taking,
  { file, contentHash, attachments, done }: WithAttachments,
  signal?: AbortSignal,
): Promise<Begun> {
  const inside = openInside(work, { contentHash, access: file.facts.access }, signal);
  for (const one of attachedFiles(file, attachments, work.maxFileBytes)) await inside.add(one);
  await inside.rest();
  const outcome = async (): Promise<Taken> => {
    const [own, taken] = await Promise.all([done as Promise<Taken>, inside.end()]);
    const isComplete = taken.every((one) => one.isComplete);
    await mark(work, { uri: file.uri, contentHash }, isComplete);
    return { ...own, contentHash, isComplete, inside: taken };
  };
  return { outcome: outcome() };
}
