// What a request is given that no port gives: readings of clocks and new ids, kept in order, so that a replay gives the same ones again.
// Events are marked: times do not tell that of what came about in one turn of the event loop nobody could act in between. Invariants: readings
// are of whole microseconds, which the tape has exactly; what only the trace itself is timed by is not on it.
import type { TapeEvent } from '../core/events.ts';
import type { Clock, Ids } from '../core/ids.ts';

export interface Tape {
  /** Of the request: whoever serves it reads this one. */
  readonly clock: Clock;
  readonly ids: Ids;
  /** To be called at each event of the log: where it stands among readings of the clock and turns of the event loop. */
  mark(): void;
  /** All that was given so far. */
  written(): TapeEvent;
}

const beneath = new WeakMap<object, Pick<Clock, 'elapsedMs'>>();

/** The clock beneath a taped one: to time what is recorded without being recorded. */
export const untaped = (clock: Pick<Clock, 'elapsedMs'>): Pick<Clock, 'elapsedMs'> => beneath.get(clock) ?? clock;

let turn = 0;
let isTurnOpen = false;
const endTurn = (): void => {
  isTurnOpen = false;
  turn += 1;
};

/** The same number for all that comes about before the event loop goes on: promises that wait for one another have it in common. */
function turnNow(): number {
  if (!isTurnOpen) {
    isTurnOpen = true;
    process.nextTick(endTurn);
  }
  return turn;
}

export function createTape({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Tape {
  const times: string[] = [];
  const given: string[] = [];
  const readings: number[] = [];
  const timers = tapeTimers(clock);
  const order: number[] = [];
  let last = 0;
  let marked = { readings: 0, turn: -1 };
  const taped: Clock = {
    now() {
      const at = clock.now();
      times.push(at);
      return at;
    },
    elapsedMs() {
      const at = Math.round(clock.elapsedMs() * 1000);
      readings.push(at - last);
      last = at;
      return at / 1000;
    },
    after: timers.after,
    forDeadlines: clock.forDeadlines ?? clock,
  };
  beneath.set(taped, clock);
  return {
    clock: taped,
    ids: {
      next(prefix) {
        const id = ids.next(prefix);
        given.push(id);
        return id;
      },
    },
    mark() {
      const now = { readings: readings.length, turn: turnNow() };
      order.push((now.readings - marked.readings) * 2 + (now.turn === marked.turn ? 0 : 1));
      marked = now;
    },
    written: () => ({
      clock: [...readings],
      times: [...times],
      ids: [...given],
      timers: [...timers.fired],
      order: [...order],
    }),
  };
}

/** Apart, so that a timer that goes off long after its request holds on to nothing else of it. */
function tapeTimers(clock: Clock): { readonly fired: number[]; readonly after: (ms: number) => AbortSignal } {
  const fired: number[] = [];
  let count = 0;
  return {
    fired,
    after(ms) {
      const place = count;
      count += 1;
      const timer = clock.after?.(ms) ?? AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
      const note = (): void => void fired.push(place, Math.round(clock.elapsedMs() * 1000));
      timer.addEventListener('abort', note, { once: true });
      return timer;
    },
  };
}

export interface PlayedTime {
  readonly virtualMs: () => number;
  /** A timer that goes off at this time; undefined: it never did. */
  readonly after: (atMs: number | undefined) => AbortSignal;
  /** Told of each reading of the clock of the request. */
  readonly onReading?: (ms: number) => void;
}

/** Gives again what a tape has; behind its end time stands still where `virtualMs` says, and ids are made of their place. */
export function playTape({ clock, times, ids, timers }: TapeEvent, { virtualMs, after, onReading }: PlayedTime): Tape {
  const [readings, timeLane, idLane] = [cursorOf(clock), cursorOf(times), cursorOf(ids)];
  const forDeadlines = { elapsedMs: virtualMs };
  const goneOff = new Map<number, number>();
  for (let at = 0; at + 1 < timers.length; at += 2) goneOff.set(timers[at] ?? 0, timers[at + 1] ?? 0);
  let set = 0;
  /** In whole microseconds. */
  let last = 0;
  const played: Clock = {
    now: () => timeLane.next() ?? times.at(-1) ?? '1970-01-01T00:00:00.000Z',
    elapsedMs() {
      const more = readings.next();
      last = more === undefined ? Math.max(last, Math.round(virtualMs() * 1000)) : last + more;
      onReading?.(last / 1000);
      return last / 1000;
    },
    after() {
      const at = goneOff.get(set);
      set += 1;
      return after(at === undefined ? undefined : at / 1000);
    },
    forDeadlines,
  };
  beneath.set(played, forDeadlines);
  return {
    clock: played,
    ids: {
      next(prefix) {
        const id = idLane.next();
        return id?.startsWith(`${prefix}_`) ? id : `${prefix}_replayed${idLane.place()}`;
      },
    },
    mark: () => undefined,
    written: () => ({ clock, times, ids, timers }),
  };
}

interface Cursor<T> {
  next(): T | undefined;
  place(): number;
}

function cursorOf<T>(list: readonly T[]): Cursor<T> {
  let at = 0;
  return {
    next: () => list[at++],
    place: () => at,
  };
}
