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
  const order: number[] = [];
  const reached = { events: 0, readings: 0, looks: 0 };
  const timers = tapeTimers(clock, reached);
  const left: number[][] = [];
  const looks: number[] = [];
  let looked = 0;
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
      reached.readings = readings.push(at - last);
      last = at;
      return at / 1000;
    },
    after: timers.after,
    forDeadlines: clock.forDeadlines ?? clock,
    readings() {
      const own: number[] = [];
      left.push(own);
      return (take) => {
        const microseconds = Math.ceil(take() * 1000);
        own.push(microseconds);
        looked += 1;
        reached.looks += 1;
        return microseconds / 1000;
      };
    },
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
      reached.events = order.push((now.readings - marked.readings) * 2 + (now.turn === marked.turn ? 0 : 1));
      looks.push(looked);
      looked = 0;
      marked = now;
    },
    written: () => ({
      clock: [...readings],
      times: [...times],
      ids: [...given],
      timers: [...timers.fired],
      order: [...order],
      looks: [...looks],
      left: left.map((own) => [...own]),
      fired: [...timers.moments],
    }),
  };
}

/** Apart, so that a timer that goes off long after its request holds on to nothing else of it. */
function tapeTimers(
  clock: Clock,
  reached: Pick<TimerMoment, 'events' | 'readings' | 'looks'>,
): { readonly fired: number[]; readonly moments: number[]; readonly after: (ms: number) => AbortSignal } {
  const fired: number[] = [];
  const moments: number[] = [];
  let firedIn = -1;
  let count = 0;
  return {
    fired,
    moments,
    after(ms) {
      const place = count;
      count += 1;
      const timer = clock.after?.(ms) ?? AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
      const note = (): void => {
        const now = turnNow();
        moments.push(reached.events, reached.readings * 2 + (now === firedIn ? 1 : 0), reached.looks);
        firedIn = now;
        fired.push(place, Math.round(clock.elapsedMs() * 1000));
      };
      timer.addEventListener('abort', note, { once: true });
      return timer;
    },
  };
}

export interface PlayedTime {
  readonly virtualMs: () => number;
  /** A timer that goes off at this time and moment, where the trace has that; undefined: it never did. */
  readonly after: (atMs: number | undefined, moment?: TimerMoment) => AbortSignal;
  /** Told of each look at a deadline, with the microseconds that were left of it where the trace has them. */
  readonly onLook?: (leftMicroseconds: number | undefined) => void;
  /** Told of each event. */
  readonly onMark?: () => void;
  /** Told of each reading of the clock of the request. */
  readonly onReading?: (ms: number) => void;
}

export interface TimerMoment {
  readonly events: number;
  readonly readings: number;
  readonly looks: number;
  /** Among those that went off. */
  readonly place: number;
  /** In one turn of the event loop with the one before it: nobody could act in between. */
  readonly isTogether: boolean;
}

/** Gives again what a tape has; behind its end time stands still where `virtualMs` says, and ids are made of their place. */
export function playTape(
  tape: TapeEvent,
  { virtualMs, after, onReading, onLook, onMark = () => undefined }: PlayedTime,
): Tape {
  const { clock, times, ids, timers, left = [], fired = [] } = tape;
  const [readings, timeLane, idLane] = [cursorOf(clock), cursorOf(times), cursorOf(ids)];
  const forDeadlines = { elapsedMs: virtualMs };
  const lanes = cursorOf(left);
  const goneOff = new Map<number, { readonly atMs: number; readonly moment?: TimerMoment }>();
  for (let at = 0; at + 1 < timers.length; at += 2) {
    const place = at / 2;
    const [events, read = 0, looks = 0] = fired.slice(place * 3, place * 3 + 3);
    const moment =
      events === undefined ? undefined : { events, readings: read >> 1, looks, place, isTogether: (read & 1) === 1 };
    goneOff.set(timers[at] ?? 0, { atMs: (timers[at + 1] ?? 0) / 1000, ...(moment && { moment }) });
  }
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
      const one = goneOff.get(set);
      set += 1;
      return after(one?.atMs, one?.moment);
    },
    forDeadlines,
    readings() {
      const own = cursorOf(lanes.next() ?? []);
      return (take) => {
        const microseconds = own.next();
        onLook?.(microseconds);
        return microseconds === undefined ? take() : microseconds / 1000;
      };
    },
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
    mark: onMark,
    written: () => tape,
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
