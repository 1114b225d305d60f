// Learns corpus-trained models and embeds with them on a thread of its own, which starts when it is needed and ends when it was
// idle for a while. Where no thread can be had the same work runs here in slices. Invariant: the thread never holds the process.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, FootnoteError } from '../core/errors.ts';
import { abortError } from '../core/until-aborted.ts';
import { sliceMs } from '../engine/threads/slices.ts';
import type { SharedPart } from './corpus-chunks.ts';
import {
  type CorpusResult,
  type CorpusResults,
  type CorpusWork,
  createCorpusWork,
  type DocumentRows,
} from './corpus-work.ts';

export interface CorpusOrder {
  readonly task: number;
  readonly work: CorpusWork;
  /** Holds one once nobody waits for the result any more. */
  readonly cancel: Int32Array;
}

export type CorpusReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly task: number; readonly result: CorpusResult }
  | { readonly kind: 'failed'; readonly task: number; readonly code: ErrorCode; readonly message: string };

/** All throw `cancelled`, or the signal's reason, as soon as the signal aborts. */
export interface CorpusTrainer {
  /** How many chunks there are, and a sketch of which. */
  survey(parts: readonly SharedPart[], signal?: AbortSignal): Promise<CorpusResults['survey']>;
  /** The same with a digest of all that a model is made of; reads every chunk of the sample. */
  digest(parts: readonly SharedPart[], signal?: AbortSignal): Promise<CorpusResults['digest']>;
  train(parts: readonly SharedPart[], signal?: AbortSignal): Promise<CorpusResults['train']>;
  embed(
    parts: readonly SharedPart[],
    given: {
      readonly model: { readonly space: string; readonly bytes: Uint8Array };
      readonly documents: readonly DocumentRows[];
    },
    signal?: AbortSignal,
  ): Promise<CorpusResults['embed']>;
  close(): Promise<void>;
}

export interface CorpusTrainerOptions {
  /** Names how chunks are analysed: part of every digest. */
  readonly version: string;
  /** The worker's file; tests give another one. */
  readonly entry?: URL;
  /** Default 5 s. */
  readonly idleMs?: number;
}

interface Task {
  readonly order: CorpusOrder;
  readonly resolve: (result: CorpusResult) => void;
  readonly reject: (error: FootnoteError) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly tasks: Map<number, Task>;
  ready: boolean;
}

// A checkout runs TypeScript, the package JavaScript: the worker's file ends as this one does.
const defaultEntry = new URL(`./corpus-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** Why a thread gave nothing: then the work is done elsewhere. */
const lost: unique symbol = Symbol('lost');

let nextNumber = 1;
const partNumbers = new WeakMap<SharedArrayBuffer, number>();

function numberOf({ buffer }: Uint8Array<SharedArrayBuffer>): number {
  const number = partNumbers.get(buffer) ?? nextNumber++;
  partNumbers.set(buffer, number);
  return number;
}

export function createCorpusTrainer({
  version,
  entry = defaultEntry,
  idleMs = 5000,
}: CorpusTrainerOptions): CorpusTrainer {
  let thread: Thread | undefined;
  let unavailable = false;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;
  const here = createCorpusWork();
  const shared = new WeakMap<Uint8Array, Uint8Array>();

  /** A model's bytes go to the thread once. */
  function share(bytes: Uint8Array): Uint8Array {
    const known = shared.get(bytes);
    if (known) return known;
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    shared.set(bytes, copy);
    return copy;
  }

  function start(): Thread | undefined {
    if (unavailable) return undefined;
    try {
      const worker = new Worker(fileURLToPath(entry), {
        name: 'footnote-corpus',
        env: {},
        execArgv: [],
        stdin: false,
        resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
      });
      const started: Thread = { worker, tasks: new Map(), ready: false };
      worker.on('message', (reply: CorpusReply) => receive(started, reply));
      // The exit event follows, and settles what was running.
      worker.on('error', () => undefined);
      worker.on('exit', () => bury(started));
      worker.unref();
      thread = started;
      return started;
    } catch {
      unavailable = true;
      return undefined;
    }
  }

  function receive(from: Thread, reply: CorpusReply): void {
    if (reply.kind === 'ready') {
      from.ready = true;
      // The port of a thread that starts holds the process until now, whatever was said before.
      from.worker.unref();
      return;
    }
    const task = from.tasks.get(reply.task);
    from.tasks.delete(reply.task);
    if (from.tasks.size === 0) rest(from);
    if (reply.kind === 'done') task?.resolve(reply.result);
    else task?.reject(new FootnoteError(reply.code, reply.message));
  }

  function rest(from: Thread): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (from.tasks.size > 0) return;
      if (thread === from) thread = undefined;
      void from.worker.terminate();
    }, idleMs);
    idle.unref();
  }

  function bury(dead: Thread): void {
    if (thread === dead) thread = undefined;
    // One that never came up would not the next time either.
    if (!dead.ready) unavailable = true;
    for (const task of dead.tasks.values())
      task.reject(new FootnoteError('upstream-unavailable', 'A thread ended.', { cause: lost }));
    dead.tasks.clear();
  }

  function ask(on: Thread, work: CorpusWork, signal: AbortSignal | undefined): Promise<CorpusResult> {
    const cancel = new Int32Array(new SharedArrayBuffer(4));
    const { promise, resolve, reject } = Promise.withResolvers<CorpusResult>();
    const stop = (): void => {
      Atomics.store(cancel, 0, 1);
      reject(abortError(signal));
    };
    signal?.addEventListener('abort', stop, { once: true });
    clearTimeout(idle);
    const order = { task: nextNumber++, work, cancel };
    on.tasks.set(order.task, { order, resolve, reject });
    on.worker.postMessage(order);
    return promise.finally(() => signal?.removeEventListener('abort', stop));
  }

  /** In slices, for where no thread can do it. */
  async function runHere(work: CorpusWork, signal: AbortSignal | undefined): Promise<CorpusResult> {
    const steps = here(work);
    let started = performance.now();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() - started < sliceMs) continue;
      await nextTurn();
      if (signal?.aborted) throw abortError(signal);
      if (closed) throw ended();
      started = performance.now();
    }
  }

  const ended = (): FootnoteError =>
    new FootnoteError('cancelled', 'Learning from the corpus was ended: the program closes.');

  async function run<K extends keyof CorpusResults>(
    work: CorpusWork & { readonly kind: K },
    signal: AbortSignal | undefined,
  ): Promise<CorpusResults[K]> {
    for (let deaths = 0; ; deaths++) {
      if (signal?.aborted) throw abortError(signal);
      if (closed) throw ended();
      const on = thread ?? start();
      if (!on) return (await runHere(work, signal)) as CorpusResults[K];
      try {
        return (await ask(on, work, signal)) as CorpusResults[K];
      } catch (error) {
        if (!(error instanceof FootnoteError) || error.cause !== lost) throw error;
        if (closed) throw ended();
        // What a thread died over twice might end the process, too.
        if (deaths > 0 && !unavailable)
          throw new FootnoteError(
            'upstream-unavailable',
            'The thread that learns from the corpus ended twice over the same work.',
          );
      }
    }
  }

  const numbered = (parts: readonly SharedPart[]) =>
    parts.map(({ bytes, dead }) => ({ number: numberOf(bytes), bytes, dead }));

  return {
    survey: (parts, signal) => run<'survey'>({ kind: 'survey', parts: numbered(parts), version }, signal),
    digest: (parts, signal) => run<'digest'>({ kind: 'digest', parts: numbered(parts), version }, signal),
    train: (parts, signal) => run<'train'>({ kind: 'train', parts: numbered(parts), version }, signal),
    embed(parts, { model: { space, bytes }, documents }, signal) {
      const model = { space, bytes: share(bytes) };
      return run<'embed'>({ kind: 'embed', parts: numbered(parts), model, documents }, signal);
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await thread?.worker.terminate();
    },
  };
}
