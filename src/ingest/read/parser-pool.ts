// Parses and cuts files in child processes: a file that hangs, exhausts memory or crashes its parser costs only itself, a
// line of JSONL likewise. Who misses a limit is killed and replaced (parser-process.ts), and Markdown that took too long is then
// read line by line. Children get no environment and no network, and idle ones do not keep this process alive.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { overLimit } from '@footnote/readers/file-size';
import type { ParseInput, RecognitionChoice, UnpackedFile, UnpackLimits } from '@footnote/readers/reader';
import { hasQuickParser } from '@footnote/readers/registry/registry';
import { FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { entryFile } from '../../threads/entry-file.ts';
import type { CuttingPool, LinesJob, LinesReply, LinkReader } from './parse.ts';
import {
  type ChildJob,
  type Outcome,
  type ParserProcess,
  startParserProcess,
  type UnpackReply,
  type Yield,
} from './parser-process.ts';

export interface ParserPoolOptions {
  /** Children at most that parse (one more takes archives apart); one is started when it is first needed. */
  readonly size?: number;
  /** Milliseconds for one file, the start of the child included. Default: 20 s, and 2 s more for each further MB. */
  readonly timeoutMs?: number;
  /** Files longer than this are refused with `too-large`. */
  readonly maxBytes?: number;
  /** Memory of a child in MiB, for files of up to 16 MiB; longer ones may take three times as much. Default 512. */
  readonly memoryMiB?: number;
  /** Heap of a child in MiB. Default: three quarters of its memory. */
  readonly heapMiB?: number;
  /** How text in pictures is recognised. */
  readonly recognition?: RecognitionChoice;
  /** The module that the children run. Default: the parsers. */
  readonly entry?: string;
}

interface Task {
  readonly job: ChildJob;
  readonly limits: Limits;
  readonly settle: (outcome: Outcome) => void;
  process: ParserProcess | undefined;
  /** It cost a process its life that had worked before: only one that has not can say whether the file is to blame. */
  needsFresh: boolean;
}

interface Limits {
  readonly name: string;
  readonly timeoutMs: number;
  readonly memoryMiB: number;
  readonly signal: AbortSignal | undefined;
}

/** Jobs after which a child is replaced, so that what a parser leaks does not add up. */
const jobsPerChild = 4000;
/** A child that holds more than this share of its memory after a job is replaced, or the next file would pay for the last one. */
const keptShare = 0.8;
/** Longer files get a child with more memory: their text alone takes several times their size. */
const roomyBytes = 16 * 1024 * 1024;
const roomyFactor = 3;
/** Lines of one run on which a child may die before the lines not yet tried are no longer tried one by one. */
const deadlyLines = 8;
/** What the full parser may take of a file's time where a quick one can follow. */
const fullShare = 0.5;
/** A scan of many pages reports each; this ends it whatever it reports: half an hour, about 600 pages. It knows, and stops before. */
const progressFactor = 90;

const parsersEntry = fileURLToPath(entryFile('./parser-child', import.meta.url));

export function createParserPool(options: ParserPoolOptions = {}): CuttingPool & LinkReader {
  const size = Math.max(1, options.size ?? 2);
  const maxBytes = options.maxBytes ?? 200 * 1024 * 1024;
  const waiting: Task[] = [];
  const workers = new Set<ParserProcess>();
  /** Those that take archives apart: one while another waits inside it for the next file, so they are no part of `size`. */
  const unpackers = new Set<ParserProcess>();
  const stopped = (): FootnoteError =>
    new FootnoteError('cancelled', 'The parsers are closed: the process is stopping.');
  let closed = false;

  const start = (group: Set<ParserProcess>, memoryMiB: number): ParserProcess => {
    const worker = startParserProcess({
      entry: options.entry ?? parsersEntry,
      memoryMiB,
      heapMiB: options.heapMiB ?? Math.floor(memoryMiB * 0.75),
      ...(options.recognition?.folder !== undefined && { readable: [join(options.recognition.folder, '/')] }),
      onEnd() {
        group.delete(worker);
        dispatch();
      },
    });
    group.add(worker);
    return worker;
  };

  const retire = (group: Set<ParserProcess>, worker: ParserProcess): void => {
    group.delete(worker);
    void worker.end(stopped());
  };

  const isSpent = (worker: ParserProcess): boolean =>
    worker.jobs() >= jobsPerChild || (worker.residentMiB() ?? 0) > worker.memoryMiB * keptShare;

  const give = async (worker: ParserProcess, task: Task): Promise<void> => {
    const { name, timeoutMs } = task.limits;
    task.process = worker;
    const isFresh = worker.jobs() === 0;
    const outcome = await worker.ask(task.job, { name, timeoutMs, maxTimeoutMs: timeoutMs * progressFactor });
    task.process = undefined;
    if (!worker.isAlive() || isSpent(worker)) retire(workers, worker);
    if (!isFresh && !closed && isDeath(outcome)) {
      task.needsFresh = true;
      waiting.unshift(task);
    } else task.settle(outcome);
    dispatch();
  };

  /** A child that is free and has the memory; else room is made for one, where there may be another. */
  const freeWorker = ({ limits: { memoryMiB }, needsFresh }: Task): ParserProcess | undefined => {
    const free = [...workers].filter((worker) => !worker.isBusy() && worker.isAlive());
    const fitting = free.find((worker) => worker.memoryMiB === memoryMiB && !(needsFresh && worker.jobs() > 0));
    if (fitting !== undefined) return fitting;
    const [other] = free;
    if (workers.size >= size) {
      if (other === undefined) return undefined;
      retire(workers, other);
    }
    return start(workers, memoryMiB);
  };

  const dispatch = (): void => {
    for (let next = waiting[0]; !closed && next !== undefined; next = waiting[0]) {
      const worker = freeWorker(next);
      if (worker === undefined) return;
      waiting.shift();
      void give(worker, next);
    }
  };

  const run = <Job extends ChildJob>(job: Job, limits: Limits): Promise<Yield<Job>> =>
    new Promise((resolve, reject) => {
      const { name, signal } = limits;
      if (closed) return reject(stopped());
      if (signal?.aborted) return reject(cancelled(name, signal.reason));
      const task: Task = {
        job,
        limits,
        process: undefined,
        needsFresh: false,
        settle: (outcome) => {
          signal?.removeEventListener('abort', abort);
          if (outcome instanceof FootnoteError) reject(outcome);
          else resolve(outcome.value as Yield<Job>);
        },
      };
      const abort = (): void => {
        const outcome = cancelled(name, signal?.reason);
        const place = waiting.indexOf(task);
        if (place >= 0) {
          waiting.splice(place, 1);
          task.settle(outcome);
        } else void task.process?.end(outcome);
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.push(task);
      dispatch();
    });

  const limitsFor = ({ name, bytes }: Pick<ParseInput, 'name' | 'bytes'>, signal?: AbortSignal): Limits => ({
    name,
    timeoutMs: options.timeoutMs ?? deadlineFor(bytes),
    memoryMiB: (options.memoryMiB ?? 512) * (bytes.length > roomyBytes ? roomyFactor : 1),
    signal,
  });

  const assertSize = ({ name, bytes }: ParseInput): void => {
    if (closed || bytes.length <= maxBytes) return;
    const message = `${name} has ${overLimit(bytes.length, maxBytes)}. Split it.`;
    throw new FootnoteError('too-large', message, { details: { bytes: bytes.length, maxBytes } });
  };

  /** A file that misses its deadline is tried once more with the quick parser of its type, where there is one. */
  const runFile = async <Job extends ChildJob & { readonly input: ParseInput }>(
    asked: Job,
    more: Partial<Limits>,
  ): Promise<Yield<Job>> => {
    assertSize(asked.input);
    const limits: Limits = {
      ...limitsFor(asked.input, more.signal),
      ...(more.timeoutMs && { timeoutMs: more.timeoutMs }),
    };
    const { recognition } = options;
    const budgetMs = limits.timeoutMs * progressFactor;
    const job = { ...asked, input: { ...asked.input, budgetMs, ...(recognition && { recognition }) } };
    if (!hasQuickParser(job.input)) return run(job, limits);
    const fullMs = Math.ceil(limits.timeoutMs * fullShare);
    try {
      return await run(job, { ...limits, timeoutMs: fullMs });
    } catch (error) {
      if (!isFootnoteError(error) || error.code !== 'deadline-exceeded') throw error;
      return run({ ...job, quick: true }, { ...limits, timeoutMs: limits.timeoutMs - fullMs });
    }
  };

  /** Lines that cost a child its life are tried in halves until they are found; a run with many of them is given up. */
  const runLines = async (lines: LinesJob, numbers: readonly number[], signal?: AbortSignal): Promise<LinesReply> => {
    let deadly = 0;
    const read = async (some: readonly number[]): Promise<LinesReply> => {
      const name = some.length === 1 ? `Line ${some[0]}` : `Lines ${some[0]} to ${some.at(-1)}`;
      try {
        const limits = limitsFor({ name, bytes: lines.bytes }, signal);
        return await run({ kind: 'lines', lines: { ...lines, only: some } }, limits);
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (!['invalid-media', 'deadline-exceeded', 'too-large'].includes(error.code)) throw error;
        if (some.length === 1) deadly++;
        if (some.length === 1 || deadly >= deadlyLines)
          return some.map((lineNumber) => ({
            lineNumber,
            fault: error.message,
            ...(some.length === 1 && { code: error.code }),
          }));
        const middle = some.length >> 1;
        return [...(await read(some.slice(0, middle))), ...(await read(some.slice(middle)))];
      }
    };
    return read(numbers);
  };

  async function* unpack(
    input: ParseInput,
    limits: UnpackLimits,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly UnpackedFile[]> {
    assertSize(input);
    if (closed) throw stopped();
    if (signal?.aborted) throw cancelled(input.name, signal.reason);
    const { name, timeoutMs, memoryMiB } = limitsFor(input);
    const idle = [...unpackers].find((one) => !taken.has(one) && one.isAlive() && one.memoryMiB === memoryMiB);
    const worker = idle ?? start(unpackers, memoryMiB);
    taken.add(worker);
    const abort = (): void => void worker.end(cancelled(name, signal?.reason));
    signal?.addEventListener('abort', abort, { once: true });
    let isWhole = false;
    try {
      for (let job: ChildJob = { kind: 'unpack', input, limits }; ; job = { kind: 'unpack-more' }) {
        const outcome = await worker.ask(job, { name, timeoutMs, maxTimeoutMs: timeoutMs * progressFactor });
        if (outcome instanceof FootnoteError) {
          isWhole = true;
          throw outcome;
        }
        const { files, isLast } = outcome.value as UnpackReply;
        isWhole = isLast;
        yield files;
        if (isLast) return;
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      taken.delete(worker);
      // One that was left in the middle holds the rest of its archive; and one at rest is enough.
      const others = [...unpackers].some((one) => one !== worker && !taken.has(one));
      if (!isWhole || others || !worker.isAlive() || isSpent(worker)) retire(unpackers, worker);
    }
  }
  const taken = new Set<ParserProcess>();

  return {
    parse: (input, limits = {}) => runFile({ kind: 'parse', input, quick: false }, limits),
    cut: (input, plan, signal) => runFile({ kind: 'cut', input, plan, quick: false }, { signal }),
    readLinks: (input, signal) => {
      assertSize(input);
      return run({ kind: 'links', input }, limitsFor(input, signal));
    },
    unpack,
    readLines: (lines, signal) =>
      runLines(lines, lines.only ?? Array.from({ length: lines.lineCount }, (_, at) => lines.firstLine + at), signal),
    async close() {
      closed = true;
      const outcome = new FootnoteError('cancelled', 'The parsers were closed: the process is stopping.');
      for (const task of waiting.splice(0)) task.settle(outcome);
      await Promise.all([...workers, ...unpackers].map((worker) => worker.end(outcome)));
    },
  };
}

/** The process ended of itself or for its memory, which earlier files may have filled. */
function isDeath(outcome: Outcome): boolean {
  return outcome instanceof FootnoteError && ('signal' in outcome.details || 'memoryMiB' in outcome.details);
}

/** A long file may take longer: milliseconds. */
function deadlineFor(bytes: Uint8Array): number {
  return 20_000 + 2000 * Math.floor(bytes.length / 1_000_000);
}

function cancelled(name: string, reason: unknown): FootnoteError {
  return new FootnoteError('cancelled', `Parsing ${name} was cancelled.`, { cause: reason });
}
