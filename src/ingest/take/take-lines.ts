// Takes the documents of one JSONL file run by run: children read and cut the next runs while the documents of this one are
// named, looked up and queued for their transaction. Invariant: documents are named and queued in the order of their lines,
// and a bad line costs only itself.

import { type LineRun, lineRuns } from '@footnote/readers/canonical/line-runs';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { CutDocument, LinesFault, LinesReply } from '../read/parse.ts';
import { isReadAgain } from '../read/reading-editions.ts';
import { type IncomingDocument, toWrite } from '../write/prepare.ts';
import type { Writer } from '../write/writer.ts';
import { addWarning, fromLine, type IncomingFile } from './incoming.ts';
import type { Present } from './intake.ts';
import { type FailedLine, openParkedLines, type ParkedLines } from './parked-lines.ts';
import { isParked } from './parking.ts';
import { type Begun, isAsRecorded, type Taken, type Taking, takeFailure, withMoved } from './taking.ts';

/** What became of a line: its document stands already, was written or failed. */
type LineTaken = Pick<Taken, 'state' | 'document' | 'deliveries' | 'error'>;

interface Collection extends Taking {
  readonly file: IncomingFile;
  readonly writer: Writer;
  readonly parkedLines: ParkedLines;
  /** What has become of it so far. */
  readonly tally: Tally;
}

interface Tally {
  /** Lines that could not be read, repeated ids: complete once everything has settled. */
  readonly warnings: string[];
  readonly told: Taken[];
  readonly failures: FootnoteError[];
  written: number;
  unchanged: number;
  chunks: number;
  isComplete: boolean;
  isStopped: boolean;
  /** An unchanged line was read because its reader was improved. */
  isImproved: boolean;
}

interface Line {
  readonly lineNumber: number;
  readonly incoming: IncomingDocument;
  readonly cut: CutDocument | undefined;
}

/** Begun when everything is queued. Throws `invalid-media` or `too-large` for a damaged stream, `cancelled`. */
export async function takeLines(work: Taking, file: IncomingFile, signal?: AbortSignal): Promise<Begun> {
  const { uri } = file;
  work.watch?.met(uri);
  const tally: Tally = {
    ...{ warnings: [], told: [], failures: [], written: 0, unchanged: 0, chunks: 0 },
    ...{ isComplete: true, isStopped: false, isImproved: false },
  };
  const parkedLines = openParkedLines({
    readings: work.record.readings,
    clock: work.clock,
    source: file.source.name,
    fileUri: uri,
    access: file.facts.access,
    retry: file.opening.retry === true,
    failures: work.failures,
  });
  const settled = await queueLines({ ...work, file, parkedLines, tally, writer: work.writerOf(file, 'lines') }, signal);
  const outcome = async (): Promise<Taken> => {
    await Promise.all(settled);
    if (!tally.isStopped) await parkedLines.end();
    if (tally.isImproved) work.watch?.readAgain();
    return summaryOf(work, uri, tally);
  };
  return { outcome: outcome() };
}

/** What became of the file with all its lines. Throws where nothing of it could be taken, unless each line is told of. */
function summaryOf({ endsAll, tellsLines }: Taking, uri: string, tally: Tally): Taken {
  const { warnings, failures, written, unchanged, chunks, isComplete } = tally;
  const taken = written + unchanged;
  const fatal = failures.find((error) => endsAll.has(error.code)) ?? failures[0];
  if (fatal && (endsAll.has(fatal.code) || (taken === 0 && !tellsLines))) throw fatal;
  if (!fatal && taken === 0 && !tellsLines && warnings[0] !== undefined)
    throw new FootnoteError('invalid-media', `No line could be read. ${warnings[0]}`);
  const state = written === 0 && unchanged > 0 ? 'unchanged' : 'done';
  const { told } = tally;
  const facts = { uri, state, chunks, warnings } as const;
  return tellsLines
    ? { ...facts, isComplete: isComplete && told.every((line) => line.isComplete), inside: told }
    : { ...facts, isComplete };
}

async function queueLines(work: Collection, signal?: AbortSignal): Promise<readonly Promise<void>[]> {
  const { file, tally, writer } = work;
  const taken = new Set<string>();
  const settled: Promise<void>[] = [];
  for await (const { run, reply, parked } of readAhead(work, signal)) {
    if (tally.isStopped) break;
    signal?.throwIfAborted();
    for (const line of parked) {
      addWarning(tally.warnings, `Line ${line.lineNumber}: ${line.error.message}`);
      await lineFailed(work, line);
    }
    const lines: Line[] = [];
    for (const record of reply) {
      const incoming = 'fault' in record ? record.fault : fromLine(record, file, taken);
      if ('fault' in record) await noteDeadly(work, run, record);
      if (typeof incoming === 'string') addWarning(tally.warnings, incoming);
      else lines.push({ lineNumber: record.lineNumber, incoming, cut: 'fault' in record ? undefined : record.cut });
    }
    const { ready, done } = takeRun(work, { run, lines }, signal);
    settled.push(done);
    await ready;
    await writer.room();
  }
  return settled;
}

/** A line that costs its parser its life, or did so before and is not read again. */
async function lineFailed(work: Collection, { uri, error }: FailedLine): Promise<void> {
  const { watch, file, tally } = work;
  watch?.met(uri);
  await watch?.found();
  await takeFailure(work, uri, error);
  if (isParked(error)) return;
  // Which document it was is not known before it is read or given up: until then none of this file is taken for gone.
  watch?.unsure(file.uri);
  tally.isComplete = false;
}

/** A line that by itself costs a process its life is remembered. */
async function noteDeadly(work: Collection, run: LineRun, fault: LinesFault): Promise<void> {
  if (fault.code !== undefined) await lineFailed(work, await work.parkedLines.failed(run, fault));
}

function settle({ watch, tally, endsAll, tellsLines }: Collection, uri: string, line: LineTaken): void {
  const { state, document, error } = line;
  if (error) {
    if (endsAll.has(error.code)) tally.isStopped = true;
    tally.failures.push(error);
    if (!tellsLines) addWarning(tally.warnings, `${uri}: ${error.message}`);
  } else if (state === 'done' && document) {
    tally.written += 1;
    tally.chunks += document.chunkCount;
    watch?.written(document);
  } else tally.unchanged += 1;
  if (tellsLines) tally.told.push({ uri, isLine: true, isComplete: error === undefined, ...line });
}

/**
 * Replies in the order of the runs; a damaged stream throws after what came before the damage. One child is at work on a
 * file at any time, the next run begun before the last one is handled: it cuts faster than documents are written, and what
 * it has learnt of the words of the file would have to be learnt by a second one too.
 */
async function* readAhead(
  work: Collection,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly run: LineRun; readonly reply: LinesReply; readonly parked: readonly FailedLine[] }> {
  const runs = lineRuns(work.file.bytes);
  let damage: unknown;
  const begin = async () => {
    try {
      const next = await runs.next();
      if (next.done) return undefined;
      const run = next.value;
      const parked = await work.parkedLines.parkedIn(run);
      const only = parked.length > 0 ? linesBeside(run, parked) : undefined;
      const reply = readRun(
        work,
        { run, cut: !work.known.mayHoldLines || work.reread === true, ...(only && { only }) },
        signal,
      );
      reply.catch(() => undefined);
      return { run, reply, parked };
    } catch (error) {
      damage = error;
      return undefined;
    }
  };
  for (let reading = await begin(); reading !== undefined; ) {
    const { run, parked } = reading;
    const reply = await reading.reply;
    reading = await begin();
    yield { run, reply, parked };
  }
  if (damage !== undefined) throw toFootnoteError(damage);
}

function linesBeside({ firstLine, lineCount }: LineRun, parked: readonly FailedLine[]): readonly number[] {
  const left = new Set(parked.map(({ lineNumber }) => lineNumber));
  return Array.from({ length: lineCount }, (_, at) => firstLine + at).filter((line) => !left.has(line));
}

async function readRun(
  { parsers, chunking, file }: Collection,
  { run, cut, only }: { readonly run: LineRun; readonly cut: boolean; readonly only?: readonly number[] },
  signal?: AbortSignal,
): Promise<LinesReply> {
  if (only?.length === 0) return [];
  const job = { ...run, source: file.source.name, fileUri: file.uri };
  return parsers.readLines({ ...job, ...(only && { only }), ...(cut && { chunking }) }, signal);
}

interface Lines {
  readonly run: LineRun;
  readonly lines: readonly Line[];
}

/** `ready` resolves when the documents only wait for their write, `done` when each has settled. Neither rejects. */
function takeRun(
  work: Collection,
  { run, lines }: Lines,
  signal?: AbortSignal,
): { readonly ready: Promise<void>; readonly done: Promise<void> } {
  const open = lines.filter(({ incoming }) => !work.known.hasLine?.(incoming));
  work.tally.unchanged += lines.length - open.length;
  if (open.length === 0) return { ready: Promise.resolve(), done: Promise.resolve() };
  const { ready, done } = work.intake.begin(
    open.map(({ incoming }) => incoming),
    async (recorded, queued) => {
      const present = await withMoved(
        work,
        open.map(({ incoming }) => incoming),
        recorded,
      );
      return writeRun(work, { run, lines: open, present, queued }, signal);
    },
  );
  const settled = done.catch((thrown: unknown) => {
    const error = toFootnoteError(thrown);
    // A damaged entry of one document is met when many are looked up, before anything is written: it must not fail the others.
    if (error.code === 'data-corrupt' && open.length > 1) return inHalves(work, { run, lines: open }, signal);
    for (const { incoming } of open) settle(work, incoming.uri, { state: 'failed', error });
  });
  return { ready, done: settled };
}

async function inHalves(work: Collection, { run, lines }: Lines, signal?: AbortSignal): Promise<void> {
  const middle = lines.length >> 1;
  await takeRun(work, { run, lines: lines.slice(0, middle) }, signal).done;
  await takeRun(work, { run, lines: lines.slice(middle) }, signal).done;
}

interface LinesToWrite extends Lines {
  readonly present: Present;
  readonly queued: () => void;
}

async function writeRun(
  work: Collection,
  { run, lines, present, queued }: LinesToWrite,
  signal?: AbortSignal,
): Promise<void> {
  const taken = new Map<Line, LineTaken>();
  for (const line of lines) {
    const document = present.get(line.incoming.uri);
    if (document === undefined || !work.known.isSame(line.incoming, document)) continue;
    if (!isReadAgain(document.reading, work)) taken.set(line, { state: 'unchanged', document });
    else if (!work.reread) work.tally.isImproved = true;
  }
  const cuts = await cutsOf(work, { run, lines: lines.filter((line) => !taken.has(line)) }, signal);
  const written = await writesOf(work, { lines, present, taken, cuts });
  const durable = work.writer.put(written.map(({ write }) => ({ ...work.along, write })));
  queued();
  for (const [index, outcome] of (await durable).entries()) {
    const { line, write } = written[index] as (typeof written)[number];
    const isBad = outcome instanceof FootnoteError;
    const { document } = write;
    taken.set(line, isBad ? { state: 'failed', error: outcome } : { state: 'done', document, deliveries: outcome });
  }
  for (const line of lines) settle(work, line.incoming.uri, taken.get(line) ?? lostLine(line));
}

/** Made for lines that are lost alone: an error takes longer to make than a line to settle. */
function lostLine({ lineNumber }: Line): LineTaken {
  const fault = `Line ${lineNumber} could not be cut into chunks. Shorten it, or leave it out.`;
  return { state: 'failed', error: new FootnoteError('invalid-media', fault) };
}

/** What is to be written of the lines that were cut; those that came out as they are recorded are taken. */
async function writesOf(
  work: Collection,
  {
    lines,
    present,
    taken,
    cuts,
  }: {
    readonly lines: readonly Line[];
    readonly present: Present;
    readonly taken: Map<Line, LineTaken>;
    readonly cuts: ReadonlyMap<number, CutDocument>;
  },
): Promise<readonly { readonly line: Line; readonly write: DocumentWrite }[]> {
  const read = lines.filter((line) => !taken.has(line) && cuts.has(line.lineNumber));
  const identities = await work.intake.identify(
    read.map(({ incoming }) => incoming),
    present,
  );
  const at = work.clock.now();
  const written: { readonly line: Line; readonly write: DocumentWrite }[] = [];
  for (const [index, line] of read.entries()) {
    const [cut, identity] = [cuts.get(line.lineNumber), identities[index]];
    if (cut === undefined || identity === undefined) continue;
    const write = toWrite(line.incoming, cut, { ...identity, at });
    const document = present.get(line.incoming.uri);
    if (document && (await isAsRecorded(work, document, write))) taken.set(line, { state: 'unchanged', document });
    else written.push({ line, write });
  }
  return written;
}

/** What lines were cut into, by line number; those that were only looked at are cut now. */
async function cutsOf(
  work: Collection,
  { run, lines }: Lines,
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, CutDocument>> {
  const cuts = new Map(lines.flatMap(({ lineNumber, cut }) => (cut ? [[lineNumber, cut] as const] : [])));
  const only = lines.filter(({ cut }) => cut === undefined).map(({ lineNumber }) => lineNumber);
  if (only.length === 0) return cuts;
  for (const record of await readRun(work, { run, cut: true, only }, signal)) {
    if ('cut' in record && record.cut) cuts.set(record.lineNumber, record.cut);
    if ('fault' in record) await noteDeadly(work, run, record);
  }
  return cuts;
}
