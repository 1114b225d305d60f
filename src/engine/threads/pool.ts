// Worker threads of the engine, shared by all tenants of the process: started when first needed, not keeping the process
// alive while idle, replaced when they die. Work of a thread that died is tried once more on another, then left to whoever
// asked. Invariant: a promise is settled exactly once, and work finds the state that it came with.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FootnoteError } from '../../core/errors.ts';
import { abortError } from '../../core/until-aborted.ts';
import type { SearchState } from '../search-state.ts';
import type { Segment } from '../segment.ts';
import type { VectorSnapshot } from '../vectors/vector-snapshot.ts';
import type { Order, PublishedPart, Reply, Results, Work } from './protocol.ts';

/** An index that threads know by a number; what they hold of it is dropped when this is collected or released. */
export interface ThreadedIndex {
  readonly number: number;
}

export interface Job {
  readonly work: Work;
  /** The state that the work is about, published to the thread before it. */
  readonly on?: { readonly index: ThreadedIndex; readonly state: SearchState; readonly snapshot?: VectorSnapshot };
  /** May take seconds: kept off the thread that searches rely on. */
  readonly long?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface EnginePool {
  /**
   * Runs work on a thread. Throws what the work threw, `cancelled` or the signal's reason when it aborts, and
   * `upstream-unavailable` when the thread died twice or the pool was closed: then do it in place.
   */
  run<W extends Work>(job: Job & { readonly work: W }): Promise<Results[W['kind']]>;
  /** Whether short work would start at once: a thread is up and none of its work is long. Starts one if there is none. */
  prompt(): boolean;
  /** Threads that are up and have nothing to do. */
  idle(): number;
  release(index: ThreadedIndex): void;
  close(): Promise<void>;
}

export interface EnginePoolOptions {
  /** Threads at most. */
  readonly size?: number;
  /** The worker's file; tests give another one. */
  readonly entry?: URL;
}

interface Task {
  readonly job: Job;
  readonly number: number;
  readonly cancel: Int32Array | undefined;
  readonly resolve: (result: Results[keyof Results]) => void;
  readonly reject: (error: FootnoteError) => void;
  deaths: number;
}

interface Published {
  readonly state: SearchState;
  readonly segments: ReadonlySet<number>;
  readonly snapshot: VectorSnapshot | undefined;
}

interface Thread {
  readonly worker: Worker;
  readonly tasks: Map<number, Task>;
  /** States as published, by index; the least recently used first. */
  readonly published: Map<number, Published>;
  ready: boolean;
}

/** Indexes that one thread holds at most; the state of another comes back with the work that needs it. */
const heldIndexes = 64;

// A checkout runs TypeScript, the package JavaScript: the worker's file ends as this one does.
const defaultEntry = new URL(`../engine-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

let nextNumber = 1;
const segmentNumbers = new WeakMap<Segment, number>();

function numberOf(segment: Segment): number {
  const number = segmentNumbers.get(segment) ?? nextNumber++;
  segmentNumbers.set(segment, number);
  return number;
}

export function createThreadedIndex(): ThreadedIndex {
  return { number: nextNumber++ };
}

export function createEnginePool(options: EnginePoolOptions = {}): EnginePool {
  const size = Math.max(1, options.size ?? Math.min(2, availableParallelism()));
  const entry = options.entry ?? defaultEntry;
  const threads = new Set<Thread>();
  let closed = false;
  const lost = (what: string): FootnoteError => new FootnoteError('upstream-unavailable', `A search thread ${what}.`);

  const release = (number: number): void => {
    for (const thread of threads) if (thread.published.delete(number)) post(thread, { kind: 'drop', index: number });
  };
  const registry = new FinalizationRegistry(release);
  const watched = new WeakSet<ThreadedIndex>();
  const watch = (index: ThreadedIndex): void => {
    if (!watched.has(index)) registry.register(index, index.number);
    watched.add(index);
  };

  function start(): Thread {
    // A young generation of 64 MB and more per thread is for programs that allocate all the time.
    const worker = new Worker(fileURLToPath(entry), {
      name: 'footnote-engine',
      env: {},
      execArgv: [],
      stdin: false,
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
    });
    const thread: Thread = { worker, tasks: new Map(), published: new Map(), ready: false };
    threads.add(thread);
    worker.on('message', (reply: Reply) => receive(thread, reply));
    // The exit event follows, and settles what was running.
    worker.on('error', () => undefined);
    worker.on('exit', () => bury(thread));
    return thread;
  }

  function receive(thread: Thread, reply: Reply): void {
    if (reply.kind === 'ready') {
      thread.ready = true;
      // The port of a thread that starts holds the process until now, whatever was said before.
      if (thread.tasks.size === 0) thread.worker.unref();
      return;
    }
    const task = thread.tasks.get(reply.task);
    thread.tasks.delete(reply.task);
    if (thread.tasks.size === 0) thread.worker.unref();
    if (!task) return;
    if (reply.kind === 'done') task.resolve(reply.result);
    else task.reject(new FootnoteError(reply.code, reply.message));
  }

  function bury(thread: Thread): void {
    threads.delete(thread);
    for (const task of thread.tasks.values()) {
      task.deaths++;
      if (closed || task.deaths > 1) task.reject(lost(closed ? 'was closed' : 'died twice over the same work'));
      else give(choose(task.job.long === true), task);
    }
    thread.tasks.clear();
  }

  const post = (thread: Thread, order: Order): void => thread.worker.postMessage(order);
  const hasLong = ({ tasks }: Thread): boolean => [...tasks.values()].some(({ job }) => job.long === true);
  const least = (among: readonly Thread[]): Thread | undefined =>
    among.reduce<Thread | undefined>(
      (best, thread) => (best === undefined || thread.tasks.size < best.tasks.size ? thread : best),
      undefined,
    );

  /** Long work keeps to the threads after the first one, so that short work finds that one free. */
  function choose(long: boolean): Thread {
    const all = [...threads];
    const fit = long && size > 1 ? all.slice(1) : all.filter((thread) => long || !hasLong(thread));
    const best = least(fit);
    if (best && (best.tasks.size === 0 || threads.size >= size)) return best;
    if (threads.size < size) {
      // The first thread is for short work even if long work comes first.
      if (long && size > 1 && threads.size === 0) start();
      return start();
    }
    return best ?? least(all) ?? start();
  }

  function publish(thread: Thread, { index, state, snapshot: wanted }: NonNullable<Job['on']>): void {
    const before = thread.published.get(index.number);
    thread.published.delete(index.number);
    const snapshot = wanted ?? before?.snapshot;
    if (wanted && wanted !== before?.snapshot)
      post(thread, { kind: 'publish-vectors', index: index.number, snapshot: wanted });
    if (before?.state !== state) {
      const segments = new Set<number>();
      const parts = state.parts.map(({ segment, dead, deadCount }): PublishedPart => {
        const number = numberOf(segment);
        segments.add(number);
        const part = { segment: number, dead, deadCount };
        return before?.segments.has(number) ? part : { ...part, bytes: segment.bytes };
      });
      const { entries, norms, k1 } = state;
      post(thread, { kind: 'publish', index: index.number, state: { parts, entries, norms, k1 } });
      thread.published.set(index.number, { state, segments, snapshot });
    } else thread.published.set(index.number, { ...before, snapshot });
    const [oldest] = thread.published.keys();
    if (thread.published.size <= heldIndexes || oldest === undefined) return;
    thread.published.delete(oldest);
    post(thread, { kind: 'drop', index: oldest });
  }

  function give(thread: Thread, task: Task): void {
    const { job, number, cancel } = task;
    thread.tasks.set(number, task);
    thread.worker.ref();
    if (job.on) publish(thread, job.on);
    post(thread, { kind: 'work', task: number, work: job.work, cancel });
  }

  return {
    run<W extends Work>(job: Job & { readonly work: W }): Promise<Results[W['kind']]> {
      const { signal } = job;
      return new Promise((resolve, reject) => {
        if (closed) return reject(lost('is not there: they were closed'));
        if (signal?.aborted) return reject(abortError(signal));
        const cancel = signal && new Int32Array(new SharedArrayBuffer(4));
        const stop = (): void => {
          if (cancel) Atomics.store(cancel, 0, 1);
          reject(abortError(signal));
        };
        signal?.addEventListener('abort', stop, { once: true });
        const end = (): void => signal?.removeEventListener('abort', stop);
        if (job.on) watch(job.on.index);
        give(choose(job.long === true), {
          job,
          number: nextNumber++,
          cancel,
          deaths: 0,
          resolve: (result) => {
            end();
            resolve(result as Results[W['kind']]);
          },
          reject: (error) => {
            end();
            reject(error);
          },
        });
      });
    },
    prompt() {
      if (closed) return false;
      if (threads.size === 0) start();
      return [...threads].some((thread) => thread.ready && !hasLong(thread));
    },
    idle: () => [...threads].filter(({ ready, tasks }) => ready && tasks.size === 0).length,
    release(index) {
      release(index.number);
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
