// Takes the documents of one JSONL file run by run: children read and cut the next runs while the documents of this one are
// named, looked up and queued for their transaction. Invariant: documents are named and queued in the order of their lines,
// and a bad line costs only itself.

import { type LineRun, lineRuns } from '@footnote/readers/canonical/line-runs';
import type { Delivery, DocumentRecord, Source } from '../../core/document.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { DocumentWrite, ReadingFailure } from '../../db/record.ts';
import type { CutDocument, LinesFault, LinesReply } from '../read/parse.ts';
import { type IncomingDocument, type PreparePorts, toWrite } from '../write/prepare.ts';
import type { Writer } from '../write/writer.ts';
import { addWarning, fromLine, type IncomingFile } from './incoming.ts';
import type { Intake, Present } from './intake.ts';
import { type FailedLine, openParkedLines, type ParkedLines } from './parked-lines.ts';

export type Taken =
  | { readonly status: 'known' }
  | { readonly status: 'unchanged'; readonly present: DocumentRecord }
  | {
      readonly status: 'written';
      readonly write: DocumentWrite;
      readonly deliveries: readonly Pick<Delivery, 'store' | 'status'>[];
    }
  | { readonly status: 'failed'; readonly error: FootnoteError };

export interface CollectionWork<T> extends PreparePorts {
  readonly file: IncomingFile;
  /** Lines that could not be read, repeated ids: complete once everything has settled. */
  readonly warnings: string[];
  readonly intake: Intake;
  readonly writer: Writer;
  /** Written along with each document: see the writer. */
  readonly along?: { readonly stores?: readonly string[]; readonly newSource?: Source };
  /** True where the source holds documents, so that lines are looked at before the changed ones are cut. */
  readonly mayBeKnown: boolean;
  /** Codes of errors after which nothing more is read. */
  readonly stopsAt: ReadonlySet<string>;
  /** Told of each document as it comes; true if nothing has to be done for it. */
  arrived(incoming: IncomingDocument): boolean;
  /** What is known of the source's files that could not be read. */
  readonly failures: readonly ReadingFailure[];
  /** Told of each line that costs its parser its life, or did so before and is not read again. */
  lineFailed?(line: FailedLine): Promise<void>;
  isUnchanged(incoming: IncomingDocument, present: DocumentRecord): boolean;
  /** Where lines are read again that are known: whether the same came out. Absent: whatever is read is written. */
  readonly isSameReading?: ((present: DocumentRecord, write: DocumentWrite) => Promise<boolean>) | undefined;
  /** Told of what became of each document. */
  settle(incoming: IncomingDocument, taken: Taken): T | Promise<T>;
}

interface OpenWork<T> extends CollectionWork<T> {
  readonly parkedLines: ParkedLines;
}

interface Line {
  readonly lineNumber: number;
  readonly incoming: IncomingDocument;
  readonly cut: CutDocument | undefined;
}

/**
 * Resolves when everything is queued; `settled` with what `settle` made of each document once all are durable. Throws
 * `invalid-media` or `too-large` for a damaged stream, `cancelled`.
 */
export async function takeCollection<T>(
  work: CollectionWork<T>,
  signal?: AbortSignal,
): Promise<{ readonly settled: Promise<readonly T[]> }> {
  const { file, warnings, writer } = work;
  const taken = new Set<string>();
  const settled: Promise<readonly T[]>[] = [];
  let stopped = false;
  const parkedLines = openParkedLines({
    readings: work.record.readings,
    clock: work.clock,
    source: file.source.name,
    fileUri: file.uri,
    retry: file.facts.retry === true,
    failures: work.failures,
  });
  const watched: OpenWork<T> = {
    ...work,
    parkedLines,
    settle(incoming, outcome) {
      if (outcome.status === 'failed' && work.stopsAt.has(outcome.error.code)) stopped = true;
      return work.settle(incoming, outcome);
    },
  };
  for await (const { run, reply, parked } of readAhead(watched, signal)) {
    if (stopped) break;
    signal?.throwIfAborted();
    for (const line of parked) {
      addWarning(warnings, `Line ${line.lineNumber}: ${line.error.message}`);
      await work.lineFailed?.(line);
    }
    const lines: Line[] = [];
    for (const record of reply) {
      const incoming = 'fault' in record ? record.fault : fromLine(record, file, taken);
      if ('fault' in record) await noteDeadly(watched, run, record);
      if (typeof incoming === 'string') addWarning(warnings, incoming);
      else lines.push({ lineNumber: record.lineNumber, incoming, cut: 'fault' in record ? undefined : record.cut });
    }
    const { ready, done } = takeLines(watched, { run, lines }, signal);
    settled.push(done);
    await ready;
    await writer.room();
  }
  const all = async (): Promise<readonly T[]> => {
    const results = await Promise.all(settled);
    if (!stopped) await parkedLines.end();
    return results.flat();
  };
  return { settled: all() };
}

/** A line that by itself costs a process its life is remembered. */
async function noteDeadly<T>({ parkedLines, lineFailed }: OpenWork<T>, run: LineRun, fault: LinesFault): Promise<void> {
  if (fault.code === undefined) return;
  const failed = await parkedLines.failed(run, fault);
  await lineFailed?.(failed);
}

/**
 * Replies in the order of the runs; a damaged stream throws after what came before the damage. One child is at work on a
 * file at any time, the next run begun before the last one is handled: it cuts faster than documents are written, and what
 * it has learnt of the words of the file would have to be learnt by a second one too.
 */
async function* readAhead<T>(
  work: OpenWork<T>,
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
      const reply = readRun(work, { run, cut: !work.mayBeKnown, ...(only && { only }) }, signal);
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

async function readRun<T>(
  { parsers, chunking, file }: CollectionWork<T>,
  { run, cut, only }: { readonly run: LineRun; readonly cut: boolean; readonly only?: readonly number[] },
  signal?: AbortSignal,
): Promise<LinesReply> {
  if (only?.length === 0) return [];
  const job = { ...run, source: file.source.name, fileUri: file.uri };
  return parsers.readLines({ ...job, ...(only && { only }), ...(cut && { chunking }) }, signal);
}

/** `ready` resolves when the documents only wait for their write, `done` with what became of each. Neither rejects. */
function takeLines<T>(
  work: OpenWork<T>,
  { run, lines }: { readonly run: LineRun; readonly lines: readonly Line[] },
  signal?: AbortSignal,
): { readonly ready: Promise<void>; readonly done: Promise<readonly T[]> } {
  const results: (T | Promise<T>)[] = [];
  const open = lines.filter(({ incoming }) => {
    if (!work.arrived(incoming)) return true;
    results.push(work.settle(incoming, { status: 'known' }));
    return false;
  });
  if (open.length === 0) return { ready: Promise.resolve(), done: Promise.all(results) };
  const { ready, done } = work.intake.begin(
    open.map(({ incoming }) => incoming),
    (present, queued) => writeLines(work, { run, lines: open, present, queued }, signal),
  );
  const settled = done.catch((thrown: unknown) => {
    const error = toFootnoteError(thrown);
    // A damaged entry of one document is met when many are looked up, before anything is written: it must not fail the others.
    if (error.code === 'data-corrupt' && open.length > 1) return inHalves(work, { run, lines: open }, signal);
    return Promise.all(open.map(({ incoming }) => work.settle(incoming, { status: 'failed', error })));
  });
  return { ready, done: settled.then(async (others) => [...(await Promise.all(results)), ...others]) };
}

async function inHalves<T>(
  work: OpenWork<T>,
  { run, lines }: { readonly run: LineRun; readonly lines: readonly Line[] },
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const middle = lines.length >> 1;
  const before = await takeLines(work, { run, lines: lines.slice(0, middle) }, signal).done;
  return [...before, ...(await takeLines(work, { run, lines: lines.slice(middle) }, signal).done)];
}

interface LinesToWrite {
  readonly run: LineRun;
  readonly lines: readonly Line[];
  readonly present: Present;
  readonly queued: () => void;
}

async function writeLines<T>(
  work: OpenWork<T>,
  { run, lines, present, queued }: LinesToWrite,
  signal?: AbortSignal,
): Promise<readonly T[]> {
  const { intake, writer, clock } = work;
  const taken = new Map<Line, Taken>();
  for (const line of lines) {
    const recorded = present.get(line.incoming.uri);
    if (recorded && work.isUnchanged(line.incoming, recorded))
      taken.set(line, { status: 'unchanged', present: recorded });
  }
  const changed = lines.filter((line) => !taken.has(line));
  const cuts = await cutsOf(work, { run, lines: changed }, signal);
  const read = changed.filter((line) => cuts.has(line.lineNumber));
  const identities = await intake.identify(
    read.map(({ incoming }) => incoming),
    present,
  );
  const at = clock.now();
  const written: Line[] = [];
  const writes: DocumentWrite[] = [];
  for (const [index, line] of read.entries()) {
    const [cut, identity] = [cuts.get(line.lineNumber), identities[index]];
    if (cut === undefined || identity === undefined) continue;
    const write = toWrite(line.incoming, cut, { ...identity, at });
    const recorded = present.get(line.incoming.uri);
    if (recorded && (await work.isSameReading?.(recorded, write))) {
      taken.set(line, { status: 'unchanged', present: recorded });
      continue;
    }
    written.push(line);
    writes.push(write);
  }
  const durable = writer.put(writes.map((write) => ({ ...work.along, write })));
  queued();
  for (const [index, outcome] of (await durable).entries()) {
    const [line, write] = [written[index], writes[index]];
    if (line === undefined || write === undefined) continue;
    taken.set(
      line,
      outcome instanceof FootnoteError
        ? { status: 'failed', error: outcome }
        : { status: 'written', write, deliveries: outcome },
    );
  }
  return Promise.all(
    lines.map((line) => {
      const fault = `Line ${line.lineNumber} could not be cut into chunks. Shorten it, or leave it out.`;
      return work.settle(
        line.incoming,
        taken.get(line) ?? { status: 'failed', error: new FootnoteError('invalid-media', fault) },
      );
    }),
  );
}

/** What lines were cut into, by line number; those that were only looked at are cut now. */
async function cutsOf<T>(
  work: OpenWork<T>,
  { run, lines }: { readonly run: LineRun; readonly lines: readonly Line[] },
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
