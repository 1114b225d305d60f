// The child process of a model of this machine, from outside: started when work comes, ended when none came for a while, replaced after it died or
// hung. Invariant: a promise is settled exactly once, an idle child never keeps this process alive, and one that gives no sign of
// life for its time is ended. It is no thread: one that is ended in the middle of a run takes the whole process with it.
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import { untilAborted } from '../core/waiting/until-aborted.ts';
import { startChild } from './child.ts';
import { type Thread, threadEnded } from './questions.ts';

export interface ModelProcessOptions {
  /** Asked before each start: what to load. */
  readonly prepare: () => Promise<object>;
  /** The child's file (`entryFile`). */
  readonly entry: URL;
  /** Time that loading may take. Default 120 s: gigabytes from a slow disk. */
  readonly loadTimeoutMs?: number;
  /** Time between two signs of life while there is work. Default 60 s. */
  readonly stepTimeoutMs?: number;
  /** The child and its memory are given back when nothing came for this long. Default 60 s. */
  readonly idleMs?: number;
}

/** `Part` is what a child tells of a result before it is whole. */
export interface ModelProcess<Work extends object, Result, Part = never> {
  /**
   * Throws `upstream-unavailable` when the child died, hung or was closed, `cancelled` or the signal's reason, `config-invalid`
   * with its fault when the model cannot be loaded or run.
   */
  run(work: Work, signal?: AbortSignal, onPart?: (part: Part) => void): Promise<Result>;
  /** Pieces of work without a result. */
  waiting(): number;
  /** Loads the model, so that the first who asks does not wait for it. Throws likewise. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

/** What every child is told. */
export type ModelOrder<Work> =
  | (Work & { readonly task: number })
  | { readonly kind: 'cancel'; readonly task: number }
  | { readonly kind: 'close' };

interface Live<Work, Result> {
  readonly child: Thread<ModelOrder<Work>, Result>;
  timer: NodeJS.Timeout | undefined;
  /** It was given work since its last sign of life, and is ended if none comes: also when whoever asked has given up. */
  owes: boolean;
  /** Why it was ended or died, for those who wait. */
  end: string | undefined;
}

const lost = (why: string | undefined): FootnoteError =>
  new FootnoteError(
    'upstream-unavailable',
    `The process of the local model ${why ?? 'died'}. Try again: another one is started.`,
  );

export function createModelProcess<Work extends object, Result, Part = never>(
  options: ModelProcessOptions,
): ModelProcess<Work, Result, Part> {
  const { loadTimeoutMs = 120_000, stepTimeoutMs = 60_000, idleMs = 60_000 } = options;
  let current: Promise<Live<Work, Result>> | undefined;
  let waiting = 0;
  /** The child that was started last, loaded or not. */
  let youngest: Live<Work, Result> | undefined;
  let closed = false;

  function expire(live: Live<Work, Result>, afterMs: number, why: string): void {
    clearTimeout(live.timer);
    live.timer = setTimeout(() => {
      live.end = why;
      void live.child.end();
    }, afterMs);
  }

  /** After each sign of life: waits for the next one, or for the child to have been idle long enough. */
  function watch(live: Live<Work, Result>): void {
    clearTimeout(live.timer);
    live.owes = live.child.waiting() > 0;
    if (live.owes) expire(live, stepTimeoutMs, `gave no sign of life for ${stepTimeoutMs / 1000} s`);
    else live.timer = setTimeout(() => retire(live), idleMs).unref();
  }

  function retire(live: Live<Work, Result>): void {
    current = undefined;
    live.child.tell({ kind: 'close' });
    expire(live, stepTimeoutMs, 'was closed');
    live.timer?.unref();
  }

  async function start(): Promise<Live<Work, Result>> {
    const setup = await options.prepare();
    if (closed) throw lost('was closed');
    const live: Live<Work, Result> = {
      child: startChild({
        entry: options.entry,
        setup,
        onReply: () => watch(live),
        onEnd(fault) {
          clearTimeout(live.timer);
          if (fault !== undefined) live.end = `died (${fault})`;
        },
      }),
      timer: undefined,
      owes: false,
      end: undefined,
    };
    youngest = live;
    expire(live, loadTimeoutMs, `did not load the model within ${loadTimeoutMs / 1000} s`);
    const up = await live.child.up;
    if (up === true) return live;
    clearTimeout(live.timer);
    await live.child.end();
    throw up === false ? lost(live.end) : up;
  }

  /** The child that is up or coming up. One that died is replaced. */
  function ensure(): Promise<Live<Work, Result>> {
    if (current !== undefined) return current;
    const started = start();
    const forget = (): void => {
      if (current === started) current = undefined;
    };
    started.then((live) => live.child.ended.then(forget), forget);
    current = started;
    return started;
  }

  async function ask(
    live: Live<Work, Result>,
    work: Work,
    {
      signal,
      onPart,
    }: { readonly signal?: AbortSignal | undefined; readonly onPart?: ((part: Part) => void) | undefined },
  ): Promise<Result> {
    const { child } = live;
    const { number, answer } = child.ask((task) => ({ ...work, task }), onPart);
    // One that has ended meanwhile has nothing to watch.
    if (child.waiting() > 0 && !live.owes) watch(live);
    const cancel = (): void => {
      if (!child.forget(number)) return;
      child.tell({ kind: 'cancel', task: number });
      if (child.waiting() === 0) live.timer?.unref();
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const result = await (signal ? untilAborted(answer, signal) : answer);
      if (result === threadEnded) throw lost(live.end);
      return result;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Loading serves all who wait; one who gives up leaves it to the others. */
  async function untilLoaded(signal: AbortSignal | undefined): Promise<Live<Work, Result>> {
    const starting = ensure();
    return signal === undefined ? starting : untilAborted(starting, signal);
  }

  return {
    async run(work, signal, onPart) {
      if (closed) throw lost('was closed');
      if (signal?.aborted) throw toFootnoteError(signal.reason);
      waiting += 1;
      try {
        const live = await untilLoaded(signal);
        if (signal?.aborted) throw toFootnoteError(signal.reason);
        return await ask(live, work, { signal, onPart });
      } finally {
        waiting -= 1;
      }
    },
    waiting: () => waiting,
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
        await youngest.child.end();
      }
      await pending;
    },
  };
}
