// Who has had less of the server: the time that each name was worked on, counted so that whoever asks seldom goes before whoever asks
// without end, for as long as it asks seldom (start-time fair queueing: Goyal, Vin, Cheng, SIGCOMM 1996; the same as sleeper fairness of
// Linux's CFS). Invariant: nobody saves up more than the credit by not asking, so nobody is kept out for longer than that by a newcomer.

export interface FairShare {
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
