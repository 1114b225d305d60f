// How many requests are worked on at once, how many wait for their turn, and whose turn it is: of the tenant that has had less of the server,
// and within a tenant of the key that has. Invariants: what is refused was not begun; no more than the limits wait or run; where the queue
// is full, who has most in it gives way to who has less, so that nobody is kept out by the number of another's requests.
import { FootnoteError } from '../../core/errors.ts';

export interface AdmissionSettings {
  /** Requests that are worked on at the same time. One that waits for a model does not count. */
  readonly atOnce: number;
  /** Requests that wait for that; more are refused. */
  readonly waiting: number;
  /** Whoever works for longer has had its turn, and goes on beside those who come after: a few slow ones hold up nobody. */
  readonly turnMs: number;
  /** What a tenant or a key has had less than others goes before them up to so much. */
  readonly creditMs: number;
  /** Longest wait. */
  readonly patienceMs: number;
  /** How long a request whose body does not end keeps its place from others. */
  readonly bodyMs: number;
  /** Requests under way in all, those that wait for a model among them. */
  readonly underWay: number;
}

const defaults: AdmissionSettings = {
  atOnce: 2,
  waiting: 256,
  turnMs: 1_000,
  creditMs: 500,
  patienceMs: 30_000,
  bodyMs: 2_000,
  underWay: 1_200,
};

export interface Caller {
  readonly tenant: string;
  readonly principal: string;
}

/** One request's place, from its headers to its end. */
export interface Place {
  /** Resolves when it may begin. Throws `rate-limited` if it has to give way or waited for too long, and what the signal says. */
  begin(signal: AbortSignal): Promise<void>;
  /** Whether it waits for a model now: meanwhile another is worked on. */
  pause(isPaused: boolean): void;
  /** Gives the place up. Idempotent. */
  leave(): void;
}

export interface Admission {
  /** Throws `rate-limited` where there is no place and nobody has more than this caller. */
  enter(caller: Caller): Place;
}

type State = 'reading' | 'waiting' | 'running' | 'paused' | 'gone';

interface Seat {
  readonly caller: Caller;
  readonly enteredMs: number;
  state: State;
  /** Since when it is worked on, or since it was last charged for that. */
  runningSinceMs: number;
  turnEnd: NodeJS.Timeout | undefined;
  wake: (() => void) | undefined;
  refuse: ((error: FootnoteError) => void) | undefined;
  /** It had to give way while its body was read. */
  outcome: FootnoteError | undefined;
}

const busy = (): FootnoteError =>
  new FootnoteError('rate-limited', 'The server has more requests than it can take now. Try again shortly.');
const late = (): FootnoteError =>
  new FootnoteError('rate-limited', 'The request waited too long for its turn: the server is busy. Try again shortly.');

/** Of the event loop, some hundredths of a millisecond each. */
const turnsBetween = 32;

const tenantOf = ({ caller }: Seat): string => caller.tenant;
const keyOf = ({ caller }: Seat): string => `${caller.tenant}\u0000${caller.principal}`;

export function createAdmission(overrides: Partial<AdmissionSettings> = {}, now = () => performance.now()): Admission {
  const settings = { ...defaults, ...overrides };
  const tenants = createFairShare(settings.creditMs);
  /** Of each tenant, its keys. */
  const keys = new Map<string, FairShare>();
  /** In the order in which they came. */
  const seats = new Set<Seat>();
  /** When each caller had its last turn, by tenant and by key; forgotten with the last request. */
  const turns = new Map<string, number>();
  let turn = 0;
  let isFilling = false;
  let running = 0;
  let paused = 0;
  let waitingCount = 0;

  const count = (of: (seat: Seat) => string, name: string, states: ReadonlySet<State>): number => {
    let found = 0;
    for (const seat of seats) if (states.has(seat.state) && of(seat) === name) found += 1;
    return found;
  };
  const isBegun: ReadonlySet<State> = new Set<State>(['running', 'paused']);
  const isBefore: ReadonlySet<State> = new Set<State>(['reading', 'waiting']);

  const keysOf = ({ caller: { tenant } }: Seat): FairShare => {
    const found = keys.get(tenant) ?? createFairShare(settings.creditMs);
    keys.set(tenant, found);
    return found;
  };

  /** Of its tenant and of its key. */
  function ofBoth(seat: Seat, told: (share: FairShare, name: string) => void): void {
    told(tenants, tenantOf(seat));
    told(keysOf(seat), keyOf(seat));
  }

  /** Counts the time since it was last looked at. */
  function charge(seat: Seat): void {
    if (seat.state !== 'running') return;
    const ms = now() - seat.runningSinceMs;
    seat.runningSinceMs += ms;
    ofBoth(seat, (share, name) => share.charge(name, ms));
  }

  /** Of the groups that seats make, the one whose turn it is: that which has had least, then has least begun, then waited longest. */
  function nextGroup(waiting: readonly Seat[], of: (seat: Seat) => string, share: FairShare): readonly Seat[] {
    const groups = Map.groupBy(waiting, of);
    if (groups.size === 1) return waiting;
    const ranked = [...groups].map(([name, group]) => ({
      group,
      had: share.had(name),
      begun: count(of, name, isBegun),
      last: turns.get(name) ?? 0,
    }));
    ranked.sort((a, b) => a.had - b.had || a.begun - b.begun || a.last - b.last);
    return ranked[0]?.group ?? [];
  }

  /**
   * Not at once: what begins where its bytes were read would be worked on before the bytes of others are, and a burst would hold the event
   * loop from its first request to its last. Of connections that came meanwhile each turn of the loop takes one (libuv): where several requests
   * wait, so many turns go before the next begins, or who comes last would wait for a question with every few of them.
   */
  function fill(): void {
    if (isFilling || waitingCount === 0) return;
    isFilling = true;
    let turnsLeft = waitingCount > 1 ? turnsBetween : 1;
    const goOn = (): void => {
      turnsLeft -= 1;
      if (turnsLeft > 0) {
        setImmediate(goOn);
        return;
      }
      isFilling = false;
      beginNext();
    };
    setImmediate(goOn);
  }

  /**
   * Whether a request of somebody else is worked on who has had less, by so much that it is not chance: beside it nothing of who asks
   * without end begins, since one processor works for both.
   */
  const wouldDisturb = (next: Seat): boolean =>
    [...seats].some(
      (seat) =>
        seat.state === 'running' && tenants.had(tenantOf(seat)) + settings.creditMs / 2 < tenants.had(tenantOf(next)),
    );

  function beginNext(): void {
    while (running < settings.atOnce && waitingCount > 0) {
      for (const seat of seats) charge(seat);
      const waiting = [...seats].filter(({ state }) => state === 'waiting');
      const ofTenant = nextGroup(waiting, tenantOf, tenants);
      const [any] = ofTenant;
      const [next] = any ? nextGroup(ofTenant, keyOf, keysOf(any)) : [];
      if (next === undefined || wouldDisturb(next)) return;
      turn += 1;
      turns.set(tenantOf(next), turn).set(keyOf(next), turn);
      ofBoth(next, (share, name) => share.begin(name));
      next.state = 'running';
      next.runningSinceMs = now();
      waitingCount -= 1;
      running += 1;
      next.turnEnd = setTimeout(() => pause(next, true), settings.turnMs).unref();
      next.wake?.();
    }
  }

  function pause(seat: Seat, isPaused: boolean): void {
    charge(seat);
    if (isPaused && seat.state === 'running') {
      seat.state = 'paused';
      running -= 1;
      paused += 1;
      fill();
    } else if (!isPaused && seat.state === 'paused') {
      // What comes back goes on at once; who has not begun waits for it.
      seat.state = 'running';
      seat.runningSinceMs = now();
      paused -= 1;
      running += 1;
    }
  }

  function leave(seat: Seat): void {
    if (seat.state === 'gone') return;
    clearTimeout(seat.turnEnd);
    charge(seat);
    if (seat.state === 'running') running -= 1;
    if (seat.state === 'paused') paused -= 1;
    if (seat.state === 'waiting') waitingCount -= 1;
    seat.state = 'gone';
    seats.delete(seat);
    if (seats.size === 0) {
      turns.clear();
      tenants.clear();
      keys.clear();
    }
    fill();
  }

  function giveWay(seat: Seat): void {
    seat.outcome = busy();
    const { refuse } = seat;
    leave(seat);
    refuse?.(seat.outcome);
  }

  /** The newest seat that has not begun, of who has more of them than the caller would have; undefined if nobody has. */
  function greediest(caller: Caller): Seat | undefined {
    const before = [...seats].filter(({ state }) => isBefore.has(state));
    let group: readonly Seat[] = before;
    for (const [of, own] of [
      [tenantOf, caller.tenant],
      [keyOf, `${caller.tenant}\u0000${caller.principal}`],
    ] as const) {
      const groups = Map.groupBy(group, of);
      const [name, most] = [...groups].reduce((best, one) => (one[1].length > best[1].length ? one : best), [
        '',
        group.slice(0, 0),
      ] as const);
      const mine = groups.get(own)?.length ?? 0;
      group = most;
      if (name !== own) return most.length > mine + 1 ? most.at(-1) : undefined;
    }
    return undefined;
  }

  /** Who came first of those whose bodies should be here by now: whoever never sends one keeps nobody out, of its own key neither. */
  function slowest(): Seat | undefined {
    const before = now() - settings.bodyMs;
    return seats.values().find(({ state, enteredMs }) => state === 'reading' && enteredMs <= before);
  }

  return {
    enter(caller) {
      const isFull = seats.size - paused >= settings.atOnce + settings.waiting;
      const other = isFull ? (greediest(caller) ?? slowest()) : undefined;
      if ((isFull && other === undefined) || seats.size >= settings.underWay) throw busy();
      if (other) giveWay(other);
      const seat: Seat = {
        caller,
        enteredMs: now(),
        state: 'reading',
        runningSinceMs: 0,
        turnEnd: undefined,
        wake: undefined,
        refuse: undefined,
        outcome: undefined,
      };
      seats.add(seat);
      return {
        async begin(signal) {
          if (seat.outcome) throw seat.outcome;
          signal.throwIfAborted();
          if (seat.state !== 'reading') return;
          seat.state = 'waiting';
          ofBoth(seat, (share, name) => share.join(name));
          waitingCount += 1;
          await new Promise<void>((resolve, reject) => {
            const stop = (error: unknown): void => {
              done();
              leave(seat);
              reject(error as Error);
            };
            const aborted = (): void => stop(signal.reason);
            const timer = setTimeout(() => stop(late()), settings.patienceMs);
            const done = (): void => {
              clearTimeout(timer);
              signal.removeEventListener('abort', aborted);
            };
            signal.addEventListener('abort', aborted, { once: true });
            seat.refuse = stop;
            seat.wake = () => {
              done();
              resolve();
            };
            fill();
          });
        },
        pause: (isPaused) => pause(seat, isPaused),
        leave: () => leave(seat),
      };
    },
  };
}

interface FairShare {
  /** Somebody begins to wait under this name: what it did not ask for in the past counts for the credit at most. */
  join(name: string): void;
  /** Its turn has come: who joins from now on is compared with it. */
  begin(name: string): void;
  /** It was worked on for so long, in milliseconds. */
  charge(name: string, ms: number): void;
  /** Milliseconds that it has had, comparable with those of other names alone. */
  had(name: string): number;
  /** Forgets every name. */
  clear(): void;
}

export function createFairShare(creditMs: number): FairShare {
  const served = new Map<string, number>();
  /** The most that a name had had when its turn came: never goes back. */
  let clock = 0;
  const had = (name: string): number => served.get(name) ?? clock;
  return {
    join: (name) => void served.set(name, Math.max(served.get(name) ?? 0, clock - creditMs)),
    begin(name) {
      clock = Math.max(clock, had(name));
    },
    charge: (name, ms) => void served.set(name, had(name) + ms),
    had,
    clear() {
      served.clear();
      clock = 0;
    },
  };
}
