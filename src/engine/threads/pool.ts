// Worker threads of the engine, shared by all tenants of the process: started when first needed, not keeping the process
// alive while idle, replaced when they die. Work of a thread that died is tried once more on another, then left to whoever
// asked. Invariant: a promise is settled exactly once, and work finds the state that it came with.
import { availableParallelism } from 'node:os';
import { FootnoteError } from '../../core/errors.ts';
import { entryFile } from '../../threads/entry-file.ts';
import { type Thread, threadEnded } from '../../threads/questions.ts';
import { askFlagged, startThread } from '../../threads/thread.ts';
import type { SearchState } from '../search-state.ts';
import type { Segment } from '../segment.ts';
import type { VectorSnapshot } from '../vectors/vector-snapshot.ts';
import type { Order, PublishedPart, Results, Work } from './protocol.ts';

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
  release(index: ThreadedIndex): void;
  close(): Promise<void>;
}

export interface EnginePoolOptions {
  /** Threads at most. */
  readonly size?: number;
  /** The worker's file; tests give another one. */
  readonly entry?: URL;
}

interface Published {
  readonly state: SearchState;
  readonly segments: ReadonlySet<number>;
  readonly snapshot: VectorSnapshot | undefined;
}

interface EngineThread {
  readonly thread: Thread<Order, Results[keyof Results]>;
  /** States as published, by index; the least recently used first. */
  readonly published: Map<number, Published>;
  /** Long work that it has. */
  long: number;
}

/** Indexes that one thread holds at most; the state of another comes back with the work that needs it. */
const heldIndexes = 64;

const defaultEntry = entryFile('./engine-worker', import.meta.url);

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
  const threads = new Set<EngineThread>();
  let closed = false;
  const lost = (what: string): FootnoteError => new FootnoteError('upstream-unavailable', `A search thread ${what}.`);

  const release = (number: number): void => {
    for (const { thread, published } of threads)
      if (published.delete(number)) thread.tell({ kind: 'drop', index: number });
  };
  const registry = new FinalizationRegistry(release);
  const watched = new WeakSet<ThreadedIndex>();
  const watch = (index: ThreadedIndex): void => {
    if (!watched.has(index)) registry.register(index, index.number);
    watched.add(index);
  };

  function start(): EngineThread {
    const started: EngineThread = {
      thread: startThread({ name: 'footnote-engine', entry, onEnd: () => void threads.delete(started) }),
      published: new Map(),
      long: 0,
    };
    threads.add(started);
    return started;
  }

  const least = (among: readonly EngineThread[]): EngineThread | undefined =>
    among.reduce<EngineThread | undefined>(
      (best, one) => (best === undefined || one.thread.waiting() < best.thread.waiting() ? one : best),
      undefined,
    );

  /** Long work keeps to the threads after the first one, so that short work finds that one free. */
  function choose(isLong: boolean): EngineThread {
    const all = [...threads];
    const fit = isLong && size > 1 ? all.slice(1) : all.filter(({ long }) => isLong || long === 0);
    const best = least(fit);
    if (best && (best.thread.waiting() === 0 || threads.size >= size)) return best;
    if (threads.size < size) {
      // The first thread is for short work even if long work comes first.
      if (isLong && size > 1 && threads.size === 0) start();
      return start();
    }
    return best ?? least(all) ?? start();
  }

  function publish(
    { thread, published }: EngineThread,
    { index, state, snapshot: wanted }: NonNullable<Job['on']>,
  ): void {
    const before = published.get(index.number);
    published.delete(index.number);
    const snapshot = wanted ?? before?.snapshot;
    if (wanted && wanted !== before?.snapshot)
      thread.tell({ kind: 'publish-vectors', index: index.number, snapshot: wanted });
    if (before?.state !== state) {
      const segments = new Set<number>();
      const parts = state.parts.map(({ segment, dead, deadCount }): PublishedPart => {
        const number = numberOf(segment);
        segments.add(number);
        const part = { segment: number, dead, deadCount };
        return before?.segments.has(number) ? part : { ...part, bytes: segment.bytes };
      });
      const { entries, norms, k1, b } = state;
      thread.tell({ kind: 'publish', index: index.number, state: { parts, entries, norms, k1, b } });
      published.set(index.number, { state, segments, snapshot });
    } else published.set(index.number, { ...before, snapshot });
    const [oldest] = published.keys();
    if (published.size <= heldIndexes || oldest === undefined) return;
    published.delete(oldest);
    thread.tell({ kind: 'drop', index: oldest });
  }

  async function give({ work, on, long = false }: Job, cancel: Int32Array | undefined) {
    const chosen = choose(long);
    if (on) publish(chosen, on);
    if (long) chosen.long++;
    try {
      return await chosen.thread.ask((task) => ({ kind: 'work', task, work, cancel })).answer;
    } finally {
      if (long) chosen.long--;
    }
  }

  return {
    async run<W extends Work>(job: Job & { readonly work: W }): Promise<Results[W['kind']]> {
      for (let deaths = 0; deaths < 2; deaths++) {
        if (closed) throw lost(deaths > 0 ? 'was closed' : 'is not there: they were closed');
        if (job.on) watch(job.on.index);
        const result = await askFlagged((cancel) => give(job, cancel), job.signal);
        if (result !== threadEnded) return result as Results[W['kind']];
      }
      throw lost(closed ? 'was closed' : 'died twice over the same work');
    },
    prompt() {
      if (closed) return false;
      if (threads.size === 0) start();
      return [...threads].some(({ thread, long }) => thread.isUp() && long === 0);
    },
    release(index) {
      release(index.number);
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map(({ thread }) => thread.end()));
    },
  };
}
