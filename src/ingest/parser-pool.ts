// Parses and cuts files in child processes: a file that hangs, exhausts memory or crashes its parser costs only itself, a
// line of JSONL likewise. Each file has a deadline; a child that misses it is killed and replaced, and Markdown is then read
// line by line. Children get no environment, and idle ones do not keep the process alive.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ParsedDocument } from '../core/document.ts';
import { type ErrorCode, FootnoteError, isFootnoteError, toFootnoteError } from '../core/errors.ts';
import type { CutDocument, CutPlan, CuttingPool, LinesJob, LinesReply, ParseInput } from './parse.ts';
import { hasQuickParser } from './parsers/registry.ts';

export interface ParserPoolOptions {
  /** Children at most; one is started when it is first needed. */
  readonly size?: number;
  /** Milliseconds for one file, the start of the child included. Default: 20 s, and 2 s more for each further MB. */
  readonly timeoutMs?: number;
  /** Files longer than this are refused with `too-large`. */
  readonly maxBytes?: number;
  /** Heap of a child in MiB. */
  readonly heapMiB?: number;
}

/** `quick`: read by the parser that takes linear time, where the type has one. */
export type ChildJob =
  | { readonly kind: 'parse'; readonly input: ParseInput; readonly quick: boolean }
  | { readonly kind: 'cut'; readonly input: ParseInput; readonly plan: CutPlan; readonly quick: boolean }
  | { readonly kind: 'lines'; readonly lines: LinesJob };

/** What a job yields. */
type Yield<Job extends ChildJob> = {
  readonly parse: ParsedDocument;
  readonly cut: CutDocument;
  readonly lines: LinesReply;
}[Job['kind']];

export type ChildReply =
  | { readonly value: Yield<ChildJob> }
  | {
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: Record<string, unknown> };
    };

interface Task {
  readonly job: ChildJob;
  readonly name: string;
  readonly timeoutMs: number;
  readonly settle: (outcome: Outcome) => void;
}

type Outcome = { readonly value: Yield<ChildJob> } | FootnoteError;

interface Worker {
  readonly child: ChildProcess;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
  done: number;
}

/** Jobs after which a child is replaced, so that what a parser leaks does not add up. */
const jobsPerChild = 500;
/** Lines of one run on which a child may die before the lines not yet tried are no longer tried one by one. */
const deadlyLines = 8;

// A checkout runs TypeScript, the package JavaScript: the child's file ends as this one does.
const entry = fileURLToPath(
  new URL(`./parser-child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export function createParserPool(options: ParserPoolOptions = {}): CuttingPool {
  const size = Math.max(1, options.size ?? 2);
  const maxBytes = options.maxBytes ?? 200 * 1024 * 1024;
  const waiting: Task[] = [];
  const workers = new Set<Worker>();
  let closed = false;

  const startWorker = (): Worker => {
    const child = fork(entry, [], {
      execPath: process.execPath,
      execArgv: [`--max-old-space-size=${options.heapMiB ?? 1024}`],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const worker: Worker = { child, task: undefined, timer: undefined, done: 0 };
    workers.add(worker);
    child.on('message', (reply: ChildReply) => finish(worker, outcomeOf(reply)));
    child.on('error', () => child.kill('SIGKILL'));
    child.on('exit', (code, signal) => {
      workers.delete(worker);
      const { task } = worker;
      if (task !== undefined) finish(worker, crashOf(task.name, code, signal));
      else dispatch();
    });
    return worker;
  };

  const finish = (worker: Worker, outcome: Outcome): void => {
    const { task } = worker;
    if (task === undefined) return;
    worker.task = undefined;
    clearTimeout(worker.timer);
    worker.done++;
    if (worker.done >= jobsPerChild) retire(worker);
    else idle(worker);
    task.settle(outcome);
    dispatch();
  };

  const idle = ({ child }: Worker): void => {
    child.unref();
    child.channel?.unref();
  };

  const retire = (worker: Worker): void => {
    workers.delete(worker);
    worker.child.kill('SIGKILL');
  };

  const give = (worker: Worker, task: Task): void => {
    worker.task = task;
    worker.child.ref();
    worker.child.channel?.ref();
    worker.timer = setTimeout(() => {
      retire(worker);
      finish(
        worker,
        new FootnoteError(
          'deadline-exceeded',
          `${task.name} took longer than ${task.timeoutMs / 1000} s to parse and was given up. Split it, or allow more time.`,
          { details: { timeoutMs: task.timeoutMs } },
        ),
      );
    }, task.timeoutMs);
    worker.child.send(task.job, (error) => {
      if (error !== null) worker.child.kill('SIGKILL');
    });
  };

  const dispatch = (): void => {
    while (!closed && waiting.length > 0) {
      const free = [...workers].find((worker) => worker.task === undefined && worker.child.connected);
      if (free === undefined && workers.size >= size) return;
      const task = waiting.shift();
      if (task !== undefined) give(free ?? startWorker(), task);
    }
  };

  interface Limits {
    readonly name: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
  }

  const run = <Job extends ChildJob>(job: Job, { name, timeoutMs, signal }: Limits): Promise<Yield<Job>> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new FootnoteError('cancelled', 'The parsers are closed: the process is stopping.'));
      if (signal?.aborted) return reject(cancelled(name, signal.reason));
      const task: Task = {
        job,
        name,
        timeoutMs,
        settle: (outcome) => {
          signal?.removeEventListener('abort', abort);
          if (outcome instanceof FootnoteError) reject(outcome);
          else resolve(outcome.value as Yield<Job>);
        },
      };
      const abort = (): void => {
        const place = waiting.indexOf(task);
        if (place >= 0) {
          waiting.splice(place, 1);
          task.settle(cancelled(name, signal?.reason));
          return;
        }
        const worker = [...workers].find((candidate) => candidate.task === task);
        if (worker === undefined) return;
        retire(worker);
        finish(worker, cancelled(name, signal?.reason));
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.push(task);
      dispatch();
    });

  /** A file that misses its deadline is tried once more with the quick parser of its type, where there is one. */
  const runFile = async <Job extends ChildJob & { readonly input: ParseInput }>(
    job: Job,
    { timeoutMs = options.timeoutMs ?? deadlineFor(job.input.bytes), signal }: Partial<Limits>,
  ): Promise<Yield<Job>> => {
    const { name, bytes } = job.input;
    if (!closed && bytes.length > maxBytes) {
      const message = `${name} has ${bytes.length} bytes; at most ${maxBytes} are read. Split it.`;
      throw new FootnoteError('too-large', message, { details: { bytes: bytes.length, maxBytes } });
    }
    try {
      return await run(job, { name, timeoutMs, signal });
    } catch (error) {
      if (!isFootnoteError(error) || error.code !== 'deadline-exceeded' || !hasQuickParser(job.input)) throw error;
      return run({ ...job, quick: true }, { name, timeoutMs, signal });
    }
  };

  /** Lines that cost a child its life are tried in halves until they are found; a run with many of them is given up. */
  const runLines = async (lines: LinesJob, numbers: readonly number[], signal?: AbortSignal): Promise<LinesReply> => {
    const timeoutMs = options.timeoutMs ?? deadlineFor(lines.bytes);
    let deadly = 0;
    const read = async (some: readonly number[]): Promise<LinesReply> => {
      const name = some.length === 1 ? `Line ${some[0]}` : `Lines ${some[0]} to ${some.at(-1)}`;
      try {
        return await run({ kind: 'lines', lines: { ...lines, only: some } }, { name, timeoutMs, signal });
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (error.code !== 'invalid-media' && error.code !== 'deadline-exceeded') throw error;
        if (some.length === 1) deadly++;
        if (some.length === 1 || deadly >= deadlyLines)
          return some.map((lineNumber) => ({ lineNumber, fault: error.message }));
        const middle = some.length >> 1;
        return [...(await read(some.slice(0, middle))), ...(await read(some.slice(middle)))];
      }
    };
    return read(numbers);
  };

  return {
    parse: (input, limits = {}) => runFile({ kind: 'parse', input, quick: false }, limits),
    cut: (input, plan, signal) => runFile({ kind: 'cut', input, plan, quick: false }, { signal }),
    readLines: (lines, signal) =>
      runLines(lines, lines.only ?? Array.from({ length: lines.lineCount }, (_, at) => lines.firstLine + at), signal),
    async close() {
      closed = true;
      const stopped = new FootnoteError('cancelled', 'The parsers were closed: the process is stopping.');
      for (const task of waiting.splice(0)) task.settle(stopped);
      await Promise.all(
        [...workers].map(async (worker) => {
          const exited = new Promise<void>((resolve) => {
            worker.child.ref();
            worker.child.once('exit', () => resolve());
          });
          worker.child.kill('SIGKILL');
          finish(worker, stopped);
          worker.child.ref();
          await exited;
        }),
      );
    },
  };
}

/** A long file may take longer: milliseconds. */
function deadlineFor(bytes: Uint8Array): number {
  return 20_000 + 2000 * Math.floor(bytes.length / 1_000_000);
}

function outcomeOf(reply: ChildReply): Outcome {
  if ('value' in reply) return reply;
  const { code, message, details } = reply.error;
  return new FootnoteError(code, message, { details });
}

function crashOf(name: string, code: number | null, signal: NodeJS.Signals | null): FootnoteError {
  const how = signal ?? `exit code ${code}`;
  return new FootnoteError(
    'invalid-media',
    `${name} made its parser stop (${how}): it is damaged, or needs more memory than a file may use. Export it again or split it.`,
    { details: { exitCode: code, signal } },
  );
}

function cancelled(name: string, reason: unknown): FootnoteError {
  return new FootnoteError('cancelled', `Parsing ${name} was cancelled.`, { cause: reason });
}
