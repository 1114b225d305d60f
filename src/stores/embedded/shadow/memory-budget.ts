// What the indexes of tenants take together in the memory of a server: beyond a budget those go that were not asked for longest. Invariant: the one that was asked
// last stays, however large.

export interface Budgeted {
  bytes(): number;
  /** Lets go of what it has; it is read again when it is asked for. */
  drop(): Promise<void>;
}

export interface MemoryBudget {
  /** Call when one was asked for. */
  used(one: Budgeted): void;
}

export function createMemoryBudget(mostBytes: number): MemoryBudget {
  /** What each takes, in the order of their last use. */
  const held = new Map<Budgeted, number>();
  let total = 0;
  const note = (one: Budgeted, bytes: number): void => {
    total += bytes - (held.get(one) ?? 0);
    held.delete(one);
    if (bytes > 0) held.set(one, bytes);
  };
  return {
    used(one) {
      note(one, one.bytes());
      for (const other of held.keys()) {
        if (total <= mostBytes || other === one) return;
        note(other, 0);
        // Somebody may have asked for it meanwhile.
        void other.drop().then(() => note(other, other.bytes()));
      }
    },
  };
}
