// One process that parses, and the watch over it: a job that takes too long, too much processor time or too much memory costs
// the process its life and the file an error that says which. Invariant: every job settles once, whatever becomes of the process.
import { fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { ParseInput, UnpackedFile, UnpackLimits } from '@footnote/readers/reader';
import type { LinksInput, WebLinks } from '@footnote/readers/web/links';
import type { ParsedDocument } from '../../core/document.ts';
import { type ErrorCode, FootnoteError } from '../../core/errors.ts';
import type { CutDocument, CutPlan, LinesJob, LinesReply } from './parse.ts';
import { usageOf, waitedOf } from './process-usage.ts';
import { sandboxed } from './sandbox.ts';

/** `quick`: read by the parser that takes linear time, where the type has one. */
export type ChildJob =
  | { readonly kind: 'parse'; readonly input: ParseInput; readonly quick: boolean }
  | { readonly kind: 'cut'; readonly input: ParseInput; readonly plan: CutPlan; readonly quick: boolean }
  | { readonly kind: 'lines'; readonly lines: LinesJob }
  | { readonly kind: 'links'; readonly input: LinksInput }
  /** Begins to take an archive apart and yields its first files; the next ones come with `unpack-more`, to the same process. */
  | { readonly kind: 'unpack'; readonly input: ParseInput; readonly limits: UnpackLimits }
  | { readonly kind: 'unpack-more' };

export interface UnpackReply {
  readonly files: readonly UnpackedFile[];
  readonly isLast: boolean;
}

/** What a job yields. */
export type Yield<Job extends ChildJob> = {
  readonly parse: ParsedDocument;
  readonly cut: CutDocument;
  readonly lines: LinesReply;
  readonly links: WebLinks;
  readonly unpack: UnpackReply;
  readonly 'unpack-more': UnpackReply;
}[Job['kind']];

export type ChildReply<Value = Yield<ChildJob>> =
  | { readonly value: Value; readonly residentMiB?: number }
  | {
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: Record<string, unknown> };
      readonly residentMiB?: number;
    }
  /** The job is long and goes on: it gets more time. */
  | { readonly progress: true };

/** `mayRetry`: the job failed for lack of time. */
export type Outcome<Value = Yield<ChildJob>> = { readonly value: Value } | FootnoteError;

export interface JobLimits {
  /** For people: the file or the lines. */
  readonly name: string;
  /** Wall clock, the start of the process included; anew after each sign of progress. */
  readonly timeoutMs: number;
  /** However much progress is made. */
  readonly maxTimeoutMs: number;
}

/** A process of its own kind has its own jobs and what they yield. */
export interface ParserProcess<Job = ChildJob, Value = Yield<ChildJob>> {
  readonly memoryMiB: number;
  isBusy(): boolean;
  isAlive(): boolean;
  /** Jobs that it has done. */
  jobs(): number;
  /** Memory that it held when it answered, as far as is known. */
  residentMiB(): number | undefined;
  /** One job at a time. Never rejects. */
  ask(job: Job, limits: JobLimits): Promise<Outcome<Value>>;
  /** Ends it; a job under way settles with `outcome`. Resolves when it is gone. */
  end(outcome: FootnoteError): Promise<void>;
}

export interface ProcessOptions {
  /** The file that it runs. */
  readonly entry: string;
  /** It is ended where it is seen to hold more. */
  readonly memoryMiB: number;
  /** What the system refuses to exceed, so that no burst is missed. Default: what a job that reports progress may hold. */
  readonly hardMemoryMiB?: number;
  readonly heapMiB: number;
  readonly readable?: readonly string[];
  /** Called when it has ended, for whatever reason. */
  readonly onEnd: () => void;
}

const watchEveryMs = 50;
/** It is ended a little below what it may hold: between two looks it takes some 20 MiB more (measured: 21 at most on files made to hurt). */
const watchedShare = 0.94;
/** Who searches goes before what is read: with both at work, a parser gets a third of a processor (its weight in sched(7) is 335 to 1024). */
const niceness = 5;
/** A job that reports progress recognises text in images, whose models and pixels come on top. */
const longFactor = 1.5;
/** Processor time that a job may use, as a share of its wall clock: 15 s of 20 s. One that only computes is given up earlier than one that waits for its turn on a busy machine. */
const cpuShare = 0.75;
/**
 * The wait for a processor is added to the time of a job, so many times that at most: a file is not to blame for what else the machine does (a line
 * of Markdown missed 20 s beside thirty busy programs), and what really computes for long is ended by its processor time.
 */
const mostWaits = 4;

interface Work<Value> {
  readonly limits: JobLimits;
  readonly settle: (outcome: Outcome<Value>) => void;
  readonly startedMs: number;
  /** When time is up, on the same clock; later by the time for which it had to wait for a processor, up to a limit. */
  dueMs: number;
  /** As they were when the watch looked first; most jobs end before. */
  waitedFromMs?: number;
  cpuFromMs?: number;
  memoryMiB: number;
}

export function startParserProcess<Job extends object = ChildJob, Value = Yield<ChildJob>>(
  options: ProcessOptions,
): ParserProcess<Job, Value> {
  const { entry, memoryMiB, hardMemoryMiB = memoryMiB * longFactor, heapMiB, readable, onEnd } = options;
  const { execPath, execArgv } = sandboxed({ memoryMiB: hardMemoryMiB, heapMiB, ...(readable && { readable }) });
  const child = fork(entry, [], {
    execPath,
    execArgv,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  lower(child.pid);
  let work: Work<Value> | undefined;
  let watch: NodeJS.Timeout | undefined;
  let done = 0;
  /** What it held when it answered last, by its own account: reading /proc after each small file would take as long as some files. */
  let toldMiB: number | undefined;
  let alive = true;
  const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();

  const settle = (outcome: Outcome<Value>): void => {
    const { settle: tell } = work ?? {};
    work = undefined;
    clearInterval(watch);
    done += 1;
    child.unref();
    child.channel?.unref();
    tell?.(outcome);
  };

  const kill = (outcome: FootnoteError): void => {
    alive = false;
    child.kill('SIGKILL');
    if (work) settle(outcome);
  };

  const look = (): void => {
    if (work === undefined) return;
    const { limits, dueMs, startedMs, memoryMiB: allowedMiB } = work;
    const now = performance.now();
    const usage = usageOf(child.pid);
    work.cpuFromMs ??= usage?.cpuMs ?? 0;
    work.waitedFromMs ??= waitedOf(child.pid);
    const { cpuFromMs, waitedFromMs } = work;
    // Looked up only when it matters: there is a file for each thread.
    const waitedMs = now < dueMs ? 0 : Math.max(0, waitedOf(child.pid) - waitedFromMs);
    if (now - Math.min(waitedMs, mostWaits * limits.timeoutMs) >= dueMs) kill(overdue(limits, now - startedMs));
    else if (usage && usage.residentMiB > allowedMiB * watchedShare) kill(overMemory(limits.name, allowedMiB));
    else if (usage && usage.cpuMs - cpuFromMs > limits.timeoutMs * cpuShare) kill(overdue(limits, now - startedMs));
  };

  const goOn = (): void => {
    if (work === undefined) return;
    const { limits, startedMs } = work;
    work.dueMs = Math.min(performance.now() + limits.timeoutMs, startedMs + limits.maxTimeoutMs);
    const cpuMs = usageOf(child.pid)?.cpuMs;
    if (cpuMs !== undefined) work.cpuFromMs = cpuMs;
    work.memoryMiB = memoryMiB * longFactor;
  };

  child.on('message', (reply: ChildReply<Value>) => {
    if ('progress' in reply) goOn();
    else if (work) {
      toldMiB = reply.residentMiB;
      settle('value' in reply ? reply : toError(reply.error));
    }
  });
  child.on('error', () => child.kill('SIGKILL'));
  child.on('exit', (code, signal) => {
    alive = false;
    if (work) settle(crashOf(work.limits.name, code, signal, memoryMiB));
    markEnded();
    onEnd();
  });

  return {
    memoryMiB,
    isBusy: () => work !== undefined,
    isAlive: () => alive && child.connected,
    jobs: () => done,
    residentMiB: () => toldMiB ?? usageOf(child.pid)?.residentMiB,
    ask: (job, limits) =>
      new Promise((resolve) => {
        const startedMs = performance.now();
        work = { limits, settle: resolve, startedMs, dueMs: startedMs + limits.timeoutMs, memoryMiB };
        child.ref();
        child.channel?.ref();
        watch = setInterval(look, Math.min(watchEveryMs, limits.timeoutMs));
        child.send(job, (error) => {
          if (error !== null) child.kill('SIGKILL');
        });
      }),
    async end(outcome) {
      if (child.exitCode === null && child.signalCode === null) child.ref();
      kill(outcome);
      if (child.pid !== undefined) await ended;
    },
  };
}

function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(19, getPriority() + niceness));
  } catch {
    // It has ended, which its exit tells, or the system does not allow it.
  }
}

function toError({ code, message, details }: Extract<ChildReply, { error: unknown }>['error']): FootnoteError {
  return new FootnoteError(code, message, { details });
}

function overdue({ name, timeoutMs }: JobLimits, tookMs: number): FootnoteError {
  return new FootnoteError(
    'deadline-exceeded',
    `${name} was given up after ${(tookMs / 1000).toFixed(1)} s: it takes longer to parse than the ${timeoutMs / 1000} s that a file of its size may take. Split it, or try again when the machine is less busy.`,
    { details: { timeoutMs } },
  );
}

function overMemory(name: string, memoryMiB: number): FootnoteError {
  return new FootnoteError(
    'too-large',
    `${name} needs more than the ${memoryMiB} MiB of memory that parsing it may take, and was given up. Split it, or leave out its largest parts.`,
    { details: { memoryMiB } },
  );
}

/** How V8 ends a process whose heap is full. */
const outOfHeap: ReadonlySet<string | null> = new Set(['SIGABRT', 'SIGTRAP']);

function crashOf(name: string, code: number | null, signal: NodeJS.Signals | null, memoryMiB: number): FootnoteError {
  const how = signal ?? `exit code ${code}`;
  const details = { exitCode: code, signal };
  if (outOfHeap.has(signal) || code === 134)
    return new FootnoteError(
      'too-large',
      `${name} made its parser run out of memory (${how}): it needs more than the ${memoryMiB} MiB that parsing it may take, or is made to. Split or simplify it.`,
      { details },
    );
  return new FootnoteError(
    'invalid-media',
    `${name} made its parser stop (${how}): it is damaged in a way that no parser survives. Export it again.`,
    { details },
  );
}
