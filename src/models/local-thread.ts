// The thread of a local model, from outside: started when texts come, ended when none came for a while, replaced after it died or
// hung. Invariant: a promise is settled exactly once, an idle thread never keeps the process alive, and one that gives no sign of
// life for its time is ended.
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { untilAborted } from '../core/until-aborted.ts';
import type { EmbedWork, LocalOrder, LocalReply, LocalSetup, LocalWork, RerankWork } from './local-protocol.ts';

export interface LocalThreadOptions {
  /** Asked before each start: what to load. */
  readonly prepare: () => Promise<LocalSetup>;
  /** The thread's file; tests give another one. */
  readonly entry?: URL;
  /** Time that loading may take. Default 120 s: gigabytes from a slow disk. */
  readonly loadTimeoutMs?: number;
  /** Time between two signs of life while there is work. Default 60 s. */
  readonly stepTimeoutMs?: number;
  /** The thread and its memory are given back when nothing came for this long. Default 60 s. */
  readonly idleMs?: number;
}

export interface EmbeddedTexts {
  /** The vectors one after another; of a reranker one number for each text. */
  readonly vectors: Float32Array;
  readonly truncated: number;
}

export interface LocalThread {
  /**
   * Throws `upstream-unavailable` when the thread died, hung or was closed, `cancelled` or the signal's reason, `config-invalid`
   * with its fault when the model cannot be loaded or run.
   */
  embed(work: Omit<EmbedWork, 'kind'>, signal?: AbortSignal): Promise<EmbeddedTexts>;
  /** Likewise. */
  rerank(work: Omit<RerankWork, 'kind'>, signal?: AbortSignal): Promise<EmbeddedTexts>;
  /** Loads the model, so that the first who asks does not wait for it. Throws likewise. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: EmbeddedTexts) => void;
  readonly reject: (error: FootnoteError) => void;
}

interface Live {
  readonly worker: Worker;
  readonly jobs: Map<number, Waiting>;
  readonly loading: PromiseWithResolvers<void>;
  timer: NodeJS.Timeout | undefined;
  /** Why it was ended or died, for those who wait. */
  end: string;
  readonly gone: Promise<void>;
}

// A checkout runs TypeScript, the package JavaScript: the thread's file ends as this one does.
const defaultEntry = new URL(`./local-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

const lost = (why: string): FootnoteError =>
  new FootnoteError('upstream-unavailable', `The thread of the local model ${why}. Try again: another one is started.`);

export function createLocalThread(options: LocalThreadOptions): LocalThread {
  const { loadTimeoutMs = 120_000, stepTimeoutMs = 60_000, idleMs = 60_000 } = options;
  let current: Promise<Live> | undefined;
  /** The thread that was started last, loaded or not. */
  let youngest: Live | undefined;
  let nextJob = 1;
  let closed = false;

  function expire(live: Live, afterMs: number, why: string): void {
    clearTimeout(live.timer);
    live.timer = setTimeout(() => {
      live.end = why;
      void live.worker.terminate();
    }, afterMs);
  }

  /** After each sign of life: waits for the next one, or for the thread to have been idle long enough. */
  function watch(live: Live): void {
    clearTimeout(live.timer);
    if (live.jobs.size > 0) {
      live.worker.ref();
      expire(live, stepTimeoutMs, `gave no sign of life for ${stepTimeoutMs / 1000} s`);
      return;
    }
    live.worker.unref();
    live.timer = setTimeout(() => retire(live), idleMs).unref();
  }

  function retire(live: Live): void {
    current = undefined;
    live.worker.postMessage({ kind: 'close' } satisfies LocalOrder);
    expire(live, stepTimeoutMs, 'was closed');
    live.timer?.unref();
  }

  function receive(live: Live, reply: LocalReply): void {
    if (reply.kind === 'loaded') live.loading.resolve();
    else if (reply.kind === 'done') {
      live.jobs.get(reply.job)?.resolve({ vectors: reply.vectors, truncated: reply.truncated });
      live.jobs.delete(reply.job);
    } else if (reply.kind === 'failed') {
      const { code, message, details, job } = reply;
      const error = new FootnoteError(code, message, { details });
      if (job === undefined) live.loading.reject(error);
      else live.jobs.get(job)?.reject(error);
      if (job !== undefined) live.jobs.delete(job);
    }
    watch(live);
  }

  function bury(live: Live): void {
    clearTimeout(live.timer);
    const error = lost(live.end);
    live.loading.reject(error);
    for (const waiting of live.jobs.values()) waiting.reject(error);
    live.jobs.clear();
  }

  async function start(): Promise<Live> {
    const setup = await options.prepare();
    if (closed) throw lost('was closed');
    const worker = new Worker(fileURLToPath(options.entry ?? defaultEntry), {
      name: 'footnote-model',
      workerData: setup,
      env: {},
      execArgv: [],
      stdin: false,
      // What the packages print must not mix with the program's own output. It is little, and nobody reads it: a stream that
      // is being read would keep the process alive (Node 24).
      stdout: true,
      stderr: true,
    });
    const gone = Promise.withResolvers<void>();
    const live: Live = {
      worker,
      jobs: new Map(),
      loading: Promise.withResolvers<void>(),
      timer: undefined,
      end: 'died',
      gone: gone.promise,
    };
    youngest = live;
    worker.on('message', (reply: LocalReply) => receive(live, reply));
    worker.on('error', (error) => {
      live.end = `died (${toFootnoteError(error).message})`;
    });
    worker.on('exit', () => {
      bury(live);
      gone.resolve();
    });
    expire(live, loadTimeoutMs, `did not load the model within ${loadTimeoutMs / 1000} s`);
    try {
      await live.loading.promise;
      return live;
    } catch (error) {
      clearTimeout(live.timer);
      await worker.terminate();
      throw error;
    }
  }

  /** The thread that is up or coming up. One that died is replaced. */
  function ensure(): Promise<Live> {
    if (current !== undefined) return current;
    const started = start();
    const forget = (): void => {
      if (current === started) current = undefined;
    };
    started.then((live) => live.gone.then(forget), forget);
    current = started;
    return started;
  }

  function post(live: Live, work: LocalWork, signal?: AbortSignal): Promise<EmbeddedTexts> {
    const job = nextJob++;
    const { promise, resolve, reject } = Promise.withResolvers<EmbeddedTexts>();
    live.jobs.set(job, { resolve, reject });
    live.worker.postMessage({ ...work, job } satisfies LocalOrder);
    watch(live);
    const cancel = (): void => {
      if (!live.jobs.delete(job)) return;
      live.worker.postMessage({ kind: 'cancel', job } satisfies LocalOrder);
      watch(live);
      reject(toFootnoteError(signal?.reason));
    };
    signal?.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Loading serves all who wait; one who gives up leaves it to the others. */
  async function untilLoaded(signal: AbortSignal | undefined): Promise<Live> {
    const starting = ensure();
    return signal === undefined ? starting : untilAborted(starting, signal);
  }

  async function run(work: LocalWork, signal: AbortSignal | undefined): Promise<EmbeddedTexts> {
    if (closed) throw lost('was closed');
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    const live = await untilLoaded(signal);
    if (signal?.aborted) throw toFootnoteError(signal.reason);
    return post(live, work, signal);
  }

  return {
    embed: (work, signal) => run({ kind: 'embed', ...work }, signal),
    rerank: (work, signal) => run({ kind: 'rerank', ...work }, signal),
    async warm() {
      if (closed) throw lost('was closed');
      await ensure();
    },
    async close() {
      closed = true;
      const pending = current?.catch(() => undefined);
      // One that is still loading is not waited for.
      if (youngest) {
        youngest.end = 'was closed';
        await youngest.worker.terminate();
      }
      await pending;
    },
  };
}
