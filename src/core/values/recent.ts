// Values that were used last, up to a bound: what was not wanted for longest goes first. Invariant: no more is held than was allowed.

export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  /** What is larger than everything together is not kept. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** `most`: together, as `sizeOf` counts them; without it so many. */
export function createRecent<Key, Value>(most: number, sizeOf: (value: Value) => number = () => 1): Recent<Key, Value> {
  const kept = new Map<Key, Value>();
  let held = 0;
  const drop = (key: Key): void => {
    const value = kept.get(key);
    if (value === undefined) return;
    held -= sizeOf(value);
    kept.delete(key);
  };
  return {
    get(key) {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key, value) {
      drop(key);
      const size = sizeOf(value);
      if (size > most) return;
      kept.set(key, value);
      held += size;
      for (const oldest of kept.keys()) {
        if (held <= most) break;
        drop(oldest);
      }
    },
    delete: drop,
    clear() {
      kept.clear();
      held = 0;
    },
  };
}
