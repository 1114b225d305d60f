// Gives a request again what its ports gave it then, from its trace alone. Invariants: calls end in the order in which they ended, each when all
// that came before it has happened and before what came after it, however fast the machine is; time passes as the trace says, and what waits for a time is woken by it; a call that the trace does
// not hold is a divergence, or was still open when the request was given up.
import { FootnoteError } from '../../core/errors.ts';
import type { LoggedEvent, TapeEvent } from '../../core/events.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import { playTape, type Tape } from '../../trace/tape.ts';
import { createPlayedTimers } from './played-timers.ts';
import { callsIn, type Entry, type PlayedCall, readingsOf, toRequestKey } from './recorded-calls.ts';

export interface AskedCall {
  readonly port: string;
  readonly method: string;
  readonly request: unknown;
  /** Whoever asks gives up when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** A text that comes as it came. */
export interface PlayedStream {
  readonly pieces: readonly string[];
  /** Resolves when it is the turn of a piece. */
  piece(place: number): Promise<void>;
  /** How it ended; stays open where it was left then. */
  end(): Promise<PlayedCall>;
  /** Whoever read it has left. */
  leave(): void;
}

export interface Player {
  readonly tape: Tape;
  /** Resolves when it is the call's turn; stays open where the request was given up while it was. */
  ask(call: AskedCall): Promise<PlayedCall>;
  /** A call of a language model, whatever step asks it. */
  askModel(request: unknown, signal: AbortSignal): Promise<PlayedCall>;
  /** The same as a stream. */
  streamModel(request: unknown, signal: AbortSignal): Promise<PlayedStream>;
  /** A call that is answered in the moment. */
  tell(port: string, method: string, request: unknown): PlayedCall | undefined;
  /** Aborts when whoever asked left. */
  readonly left: AbortSignal;
  /** Lets time pass until `work` ends. */
  play<T>(work: Promise<T>): Promise<T>;
  /** What was asked that the trace does not hold, and what it holds that was not asked: the first ones. */
  divergences(): readonly string[];
}

const mostDivergences = 20;
/**
 * Nothing stirred for so many turns of the event loop and so much time of the processor: what is waited for comes from nowhere but time. Not by the
 * clock on the wall: on a machine that others use it goes on while nobody here could work.
 */
const still = { turns: 300, ms: 100 } as const;
/** A turn that took longer was somebody's work. */
const workMs = 1;
/** So long for work that no port shows, such as a package that is loaded. */
const mostSilentMs = 60_000;

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const noTape: TapeEvent = { clock: [], times: [], ids: [], timers: [] };

/** How the request ended: `done`, or the code of its error. */
function endingOf(events: readonly LoggedEvent[]): { readonly code: string; readonly detail: string } {
  const last = events.findLast(({ event }) => event.type === 'error')?.event;
  return last?.type === 'error'
    ? { code: last.problem.code, detail: last.problem.detail }
    : { code: 'done', detail: '' };
}

const isToBegin = ({ claimed, isOver, isPiece, isLate, isPassed }: Entry): boolean =>
  !claimed && !isOver && !isPiece && isLate !== true && isPassed !== true;

/** Two calls that were asked for the same and gave the same. */
const saidTheSame = (one: Entry, other: Entry): boolean =>
  one.name === other.name &&
  one.request === other.request &&
  JSON.stringify([one.response, one.error]) === JSON.stringify([other.response, other.error]);

/** Where a trace does not say so, what may end does, but no failure: whoever it is told to may stop what others wait for. */
const isSameMoment = (one: Entry, next: Entry): boolean =>
  one.moment && next.moment ? one.moment.turn === next.moment.turn : !next.error;

export function createPlayer(events: readonly LoggedEvent[]): Player {
  const taped = events.findLast(({ event }) => event.type === 'tape')?.event;
  const tape = taped?.type === 'tape' ? taped : noTape;
  /** When the log began, by the clock of the request. */
  const beganMs = (tape.clock[0] ?? 0) / 1000;
  const ending = endingOf(events);
  const divergences: string[] = [];
  const diverge = (what: string): void => {
    if (divergences.length < mostDivergences) divergences.push(what);
  };

  const { ordered, prompt } = callsIn(events, { beganMs, tape });
  const readingsAtMs = readingsOf(tape.clock);

  let nowMs = beganMs;
  let place = 0;
  let stirred = 0;
  /** Calls that the trace does not hold. */
  let openCalls = 0;
  /** Others went on without them: they end when they are asked. */
  const passed = new Set<Entry>();
  const leaving = new AbortController();

  const timers = createPlayedTimers({
    hasCome: (at) => marks >= at.events && readings >= at.readings && looks >= at.looks,
    onFire(atMs) {
      nowMs = Math.max(nowMs, atMs);
      stirred += 1;
    },
  });
  const leave = (): void => {
    stirred += 1;
    leaving.abort(new FootnoteError('cancelled', ending.detail || 'The request was cancelled.'));
  };

  function claim(name: string, key: string, isOne: (entry: Entry) => boolean): Entry | undefined {
    const free = ordered
      .filter((entry) => !entry.claimed && !entry.isOver && !entry.isPiece && isOne(entry))
      .toSorted((one, other) => one.startMs - other.startMs);
    const exact = free.find(({ request }) => request === key);
    if (!exact && (free.length > 0 || ending.code === 'done'))
      diverge(free.length > 0 ? `${name} was asked for something else` : `${name} was asked once more`);
    return exact ?? free[0];
  }

  /** Nothing comes until whoever asked gives up. */
  const stayOpen = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      openCalls += 1;
      const stop = (): void => {
        openCalls -= 1;
        reject(abortError(signal));
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    });

  async function wait(name: string, entry: Entry | undefined, signal?: AbortSignal): Promise<PlayedCall> {
    stirred += 1;
    if (!entry) {
      if (ending.code === 'done')
        throw new FootnoteError('conflict', `The trace holds no more calls of ${name}: this program asks for more.`);
      return stayOpen(signal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    entry.claimed = resolve;
    await promise;
    return entry;
  }

  /** Events so far: a replay tells nothing of its environment. */
  let marks = events.filter(({ event }) => event.type === 'environment').length;
  let readings = 0;
  /** Readings that were made then and are not made now. */
  let unread = 0;
  /** The same of looks at deadlines. */
  let [looks, unlooked] = [0, 0];
  let isForced = false;
  /** Clocks that were read and calls that began before a call ended do so before it ends again: whoever does it goes on meanwhile. */
  const isDue = ({ endMs, moment }: Entry): boolean => {
    if (isForced) return true;
    if (ordered.some((one) => one.startMs < endMs && isToBegin(one))) return false;
    if (moment) return readings + unread >= moment.readings && looks + unlooked >= moment.looks;
    const next = readingsAtMs[readings];
    return next === undefined || next > endMs - 0.001;
  };

  const nextEntry = (): Entry | undefined => {
    while (ordered[place]?.isOver || ordered[place]?.isPassed) place += 1;
    return ordered[place];
  };

  /** Ends the next call if it is asked; false where nothing can go on by itself. */
  async function step(): Promise<boolean> {
    if (timers.fireReached()) return true;
    const late = [...passed].find(({ claimed }) => claimed);
    if (late) {
      passed.delete(late);
      end(late);
      return true;
    }
    const entry = nextEntry();
    if (!entry?.claimed || !isDue(entry)) return false;
    isForced = false;
    const code = entry.error?.code;
    for (;;) {
      const timer = timers.nextUnplaced(entry.endMs);
      if (!timer) break;
      timers.fire(timer);
      await nextTurn();
    }
    if (code === 'cancelled' && ending.code === 'cancelled' && !leaving.signal.aborted) {
      leave();
      await nextTurn();
    }
    end(entry);
    // What ended in the same moment ends in the same moment again: whoever waited for the first has not gone on when the second ends.
    for (;;) {
      const next = nextEntry();
      if (!next?.claimed || !isSameMoment(entry, next) || !isDue(next) || timers.nextUnplaced(next.endMs)) return true;
      end(next);
    }
  }

  function end(entry: Entry): void {
    nowMs = Math.max(nowMs, entry.endMs);
    entry.isOver = true;
    stirred += 1;
    entry.claimed?.();
  }

  /**
   * Parts that run at the same time and ask for the same are given it in the order in which they ask, which need not be that of then: one of them may
   * wait for the later call while everybody waits for what it did next. Was it given the same then, it need not wait.
   */
  function endTwin(): boolean {
    const twin = ordered.find(
      (entry, at) =>
        at > place &&
        entry.claimed &&
        !entry.isOver &&
        !entry.isUnawaited &&
        !entry.isPiece &&
        ordered.some((one) => one.isOver && one.claimed && saidTheSame(one, entry)),
    );
    if (!twin) return false;
    twin.isOver = true;
    stirred += 1;
    twin.claimed?.();
    return true;
  }

  /** What is waited for comes from nowhere: time passes, somebody leaves, or a call that was made then is made later now, or not at all. */
  function rouse(): boolean {
    const first = nextEntry();
    if (endTwin()) return true;
    if (first?.claimed) {
      isForced = true;
      unread = Math.max(unread, (first.moment?.readings ?? 0) - readings);
      unlooked = Math.max(unlooked, (first.moment?.looks ?? 0) - looks);
      for (const one of ordered) if (one.startMs < first.endMs && isToBegin(one)) one.isLate = true;
      stirred += 1;
      return true;
    }
    const later = ordered.findIndex((entry, at) => at > place && entry.claimed && !entry.isOver && !entry.isUnawaited);
    if (later >= 0) {
      for (const entry of ordered.slice(place, later)) {
        if (entry.isOver || entry.claimed) continue;
        if (entry.isPiece) entry.isOver = true;
        else {
          entry.isPassed = true;
          passed.add(entry);
        }
      }
      stirred += 1;
      return true;
    }
    if (openCalls === 0) return false;
    if (ending.code === 'cancelled' && !leaving.signal.aborted) leave();
    else {
      const timer = timers.next();
      if (timer) timers.fire(timer);
      else leave();
    }
    return true;
  }

  return {
    tape: playTape(tape, {
      virtualMs: () => nowMs,
      after: timers.after,
      onLook(leftMicroseconds) {
        looks += 1;
        // Nothing was left of a deadline because the caller had gone away.
        if (leftMicroseconds === 0 && ending.code === 'cancelled' && !leaving.signal.aborted) leave();
      },
      onMark() {
        marks += 1;
      },
      onReading(ms) {
        nowMs = Math.max(nowMs, ms);
        readings += 1;
        stirred += 1;
      },
    }),
    left: leaving.signal,
    ask({ port, method, request, signal }) {
      const name = `${port}.${method}`;
      return wait(
        name,
        claim(name, toRequestKey(request), (entry) => entry.name === name),
        signal,
      );
    },
    askModel(request, signal) {
      return wait(
        'a model',
        claim('a model', toRequestKey(request), ({ isModel }) => isModel),
        signal,
      );
    },
    async streamModel(request, signal) {
      const entry = claim('a model', toRequestKey(request), ({ isModel }) => isModel);
      if (!entry) await wait('a model', entry, signal);
      const { pieces, response, error } = entry as Entry;
      const wasLeft = (response as { readonly wasLeft?: boolean } | undefined)?.wasLeft === true;
      const ends = Promise.withResolvers<void>();
      // It ends when it ended, whoever waits for that.
      (entry as Entry).claimed = ends.resolve;
      (entry as Entry).isUnawaited = true;
      stirred += 1;
      return {
        pieces: pieces.map(({ text }) => text),
        async piece(at) {
          const turn = pieces[at]?.turn;
          if (!turn || turn.isOver) return;
          const { promise, resolve } = Promise.withResolvers<void>();
          turn.claimed = resolve;
          stirred += 1;
          await promise;
        },
        async end() {
          (entry as Entry).isUnawaited = false;
          stirred += 1;
          await ends.promise;
          if (wasLeft && !error) await stayOpen(signal);
          return { ...(response !== undefined && { response }), ...(error && { error }) };
        },
        leave() {
          for (const { turn } of pieces) turn.isOver = true;
          (entry as Entry).isOver = true;
          stirred += 1;
        },
      };
    },
    tell(port, method, request) {
      const name = `${port}.${method}`;
      const key = toRequestKey(request);
      const free = prompt.filter((entry) => !entry.isOver && entry.name === name);
      const entry = free.find((one) => one.request === key) ?? free[0];
      if (entry) entry.isOver = true;
      else diverge(`${name} was asked once more`);
      return entry;
    },
    async play(work) {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      over.catch(() => undefined);
      let seen = stirred;
      let quiet = { turns: 0, sinceMs: usedMs() };
      let turnedAt = performance.now();
      while (!isOver) {
        if (await step()) await nextTurn();
        await nextTurn();
        if (stirred !== seen) {
          seen = stirred;
          quiet = { turns: 0, sinceMs: usedMs() };
          continue;
        }
        const now = performance.now();
        quiet.turns = now - turnedAt > workMs ? 0 : quiet.turns + 1;
        turnedAt = now;
        const silentMs = usedMs() - quiet.sinceMs;
        if (quiet.turns < still.turns || silentMs < still.ms) continue;
        if (rouse()) continue;
        if (silentMs > mostSilentMs) {
          diverge('the request waits for something that the trace does not hold');
          leave();
          break;
        }
      }
      return over;
    },
    divergences() {
      const unasked = ordered
        .filter(({ isOver, isPiece }) => !isOver && !isPiece)
        .map(({ name }) => `${name} was not asked`);
      const beyond = taped?.type === 'tape' ? [] : ['the trace is from before times and ids were recorded'];
      return [...beyond, ...divergences, ...unasked].slice(0, mostDivergences);
    },
  };
}
