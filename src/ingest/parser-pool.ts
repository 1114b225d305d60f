// Parses files in child processes: a file that hangs, exhausts memory or crashes its parser costs only itself. Each file
// has a deadline; a child that misses it is killed and replaced, and Markdown is then read line by line. Children get no
// environment, and idle ones do not keep the process alive.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ParsedDocument } from '../core/document.ts';
import { type ErrorCode, FootnoteError, isFootnoteError } from '../core/errors.ts';
import type { ParseInput, ParserPool } from './parse.ts';
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

export interface ParseJob {
  readonly input: ParseInput;
  /** Read by the parser that takes linear time, where the type has one. */
  readonly quick: boolean;
}

export type ParseReply =
  | { readonly document: ParsedDocument }
  | {
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: Record<string, unknown> };
    };

interface Task extends ParseJob {
  readonly timeoutMs: number;
  readonly settle: (outcome: ParsedDocument | FootnoteError) => void;
}

interface Worker {
  readonly child: ChildProcess;
  task: Task | undefined;
  timer: NodeJS.Timeout | undefined;
  parsed: number;
}

/** Files after which a child is replaced, so that what a parser leaks does not add up. */
const filesPerChild = 500;

// A checkout runs TypeScript, the package JavaScript: the child's file ends as this one does.
const entry = fileURLToPath(
  new URL(`./parser-child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export function createParserPool(options: ParserPoolOptions = {}): ParserPool {
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
    const worker: Worker = { child, task: undefined, timer: undefined, parsed: 0 };
    workers.add(worker);
    child.on('message', (reply: ParseReply) => finish(worker, outcomeOf(reply)));
    child.on('error', () => child.kill('SIGKILL'));
    child.on('exit', (code, signal) => {
      workers.delete(worker);
      const { task } = worker;
      if (task !== undefined) finish(worker, crashOf(task.input.name, code, signal));
      else dispatch();
    });
    return worker;
  };

  const finish = (worker: Worker, outcome: ParsedDocument | FootnoteError): void => {
    const { task } = worker;
    if (task === undefined) return;
    worker.task = undefined;
    clearTimeout(worker.timer);
    worker.parsed++;
    if (worker.parsed >= filesPerChild) retire(worker);
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
          `${task.input.name} took longer than ${task.timeoutMs / 1000} s to parse and was given up. Split it, or allow more time.`,
          { details: { timeoutMs: task.timeoutMs } },
        ),
      );
    }, task.timeoutMs);
    const job: ParseJob = { input: task.input, quick: task.quick };
    worker.child.send(job, (error) => {
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

  const parseOnce = (job: ParseJob, timeoutMs: number, signal: AbortSignal | undefined): Promise<ParsedDocument> =>
    new Promise((resolve, reject) => {
      const { name } = job.input;
      if (closed) return reject(new FootnoteError('cancelled', 'The parsers are closed: the process is stopping.'));
      if (signal?.aborted) return reject(cancelled(name, signal.reason));
      const task: Task = {
        ...job,
        timeoutMs,
        settle: (outcome) => {
          signal?.removeEventListener('abort', abort);
          if (outcome instanceof FootnoteError) reject(outcome);
          else resolve(outcome);
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

  return {
    async parse(input, { timeoutMs = options.timeoutMs ?? deadlineFor(input), signal } = {}) {
      if (!closed && input.bytes.length > maxBytes) {
        const message = `${input.name} has ${input.bytes.length} bytes; at most ${maxBytes} are read. Split it.`;
        throw new FootnoteError('too-large', message, { details: { bytes: input.bytes.length, maxBytes } });
      }
      try {
        return await parseOnce({ input, quick: false }, timeoutMs, signal);
      } catch (error) {
        if (!isFootnoteError(error) || error.code !== 'deadline-exceeded' || !hasQuickParser(input)) throw error;
        return parseOnce({ input, quick: true }, timeoutMs, signal);
      }
    },
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
function deadlineFor({ bytes }: ParseInput): number {
  return 20_000 + 2000 * Math.floor(bytes.length / 1_000_000);
}

function outcomeOf(reply: ParseReply): ParsedDocument | FootnoteError {
  if ('document' in reply) return reply.document;
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
