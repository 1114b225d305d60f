// Learns corpus-trained models and embeds with them on a thread of its own, which starts when it is needed and ends when it was
// idle for a while. Where no thread can be had the same work runs here in slices. Invariant: the thread never holds the process.
import { FootnoteError } from '../../core/errors.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { SharedSegment } from '../../engine/live-segment.ts';
import { drive } from '../../engine/threads/slices.ts';
import { type Thread, threadEnded } from '../../threads/questions.ts';
import { entryFile } from '../../threads/entry-file.ts';
import { askFlagged, startThread } from '../../threads/thread.ts';
import {
  type CorpusResult,
  type CorpusResults,
  type CorpusWork,
  createCorpusWork,
  type DocumentRows,
} from './work.ts';

export interface CorpusOrder {
  readonly task: number;
  readonly work: CorpusWork;
  /** Holds one once nobody waits for the result any more. */
  readonly cancel: Int32Array | undefined;
}

/** All throw `cancelled`, or the signal's reason, as soon as the signal aborts. */
export interface CorpusTrainer {
  /** How many chunks there are, and a sketch of which. */
  survey(parts: readonly SharedSegment[], signal?: AbortSignal): Promise<CorpusResults['survey']>;
  /** The same with a digest of all that a model is made of; reads every chunk of the sample. */
  digest(parts: readonly SharedSegment[], signal?: AbortSignal): Promise<CorpusResults['digest']>;
  train(parts: readonly SharedSegment[], signal?: AbortSignal): Promise<CorpusResults['train']>;
  embed(
    parts: readonly SharedSegment[],
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

type CorpusThread = Thread<CorpusOrder, CorpusResult>;

const defaultEntry = entryFile('./corpus-worker', import.meta.url);

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
  let thread: CorpusThread | undefined;
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

  function start(): CorpusThread | undefined {
    if (unavailable) return undefined;
    try {
      const started: CorpusThread = startThread({
        name: 'footnote-corpus',
        entry,
        holds: false,
        onReply: () => rest(started),
        onEnd() {
          if (thread === started) thread = undefined;
          // One that never came up would not the next time either.
          if (!started.isUp()) unavailable = true;
        },
      });
      thread = started;
      return started;
    } catch {
      unavailable = true;
      return undefined;
    }
  }

  function rest(from: CorpusThread): void {
    if (from.waiting() > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (from.waiting() > 0) return;
      if (thread === from) thread = undefined;
      void from.end();
    }, idleMs);
    idle.unref();
  }

  function ask(on: CorpusThread, work: CorpusWork, signal: AbortSignal | undefined) {
    clearTimeout(idle);
    return askFlagged((cancel) => on.ask((task) => ({ task, work, cancel })).answer, signal);
  }

  /** In slices, for where no thread can do it. */
  const runHere = (work: CorpusWork, signal: AbortSignal | undefined): Promise<CorpusResult> =>
    drive(here(work), () => {
      if (signal?.aborted) throw abortError(signal);
      if (closed) throw ended();
    });

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
      const result = await ask(on, work, signal);
      if (result !== threadEnded) return result as CorpusResults[K];
      if (closed) throw ended();
      // What a thread died over twice might end the process, too.
      if (deaths > 0 && !unavailable)
        throw new FootnoteError(
          'upstream-unavailable',
          'The thread that learns from the corpus ended twice over the same work.',
        );
    }
  }

  const numbered = (parts: readonly SharedSegment[]) =>
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
      await thread?.end();
    },
  };
}
