// Rows by hash, in memory: chained entries in typed arrays, some 24 bytes for each, where a map of lists would take four times that and
// keep the collector busy. Entries are only added; who asks leaves out those that no longer count.

export interface HeldKeys {
  add(key: number, row: number): void;
  /** Rows that were added under a hash, in the order of their coming. */
  rowsOf(key: number): readonly number[];
  /** The entry of a row under a hash counts no more. */
  drop(key: number, row: number): void;
  /** All hashes that have a row in (0, upTo], ascending, each as often as it has one. */
  keysUpTo(row: number): Float64Array;
}

const firstEntries = 1024;
const none: readonly number[] = [];

export function createHeldKeys(): HeldKeys {
  let keys = new Float64Array(firstEntries);
  let rows = new Float64Array(firstEntries);
  /** 1 + the entry before under the same slot. */
  let before = new Int32Array(firstEntries);
  /** 1 + the last entry of each slot. */
  let slots = new Int32Array(firstEntries * 2);
  /** A bit for each slot that is taken: most hashes that are asked for are in none, and this stays in the cache. */
  let taken = new Uint32Array(slots.length >>> 5);
  let count = 0;

  const slotOf = (key: number): number =>
    (Math.imul((key / 0x1_0000) ^ (key >>> 0), 0x9e37_79b1) >>> 8) & (slots.length - 1);
  const link = (entry: number): void => {
    const slot = slotOf(keys[entry] as number);
    before[entry] = slots[slot] as number;
    slots[slot] = entry + 1;
    taken[slot >>> 5] = (taken[slot >>> 5] as number) | (1 << (slot & 31));
  };
  const grow = (): void => {
    const longer = new Float64Array(keys.length * 2);
    longer.set(keys);
    keys = longer;
    const more = new Float64Array(rows.length * 2);
    more.set(rows);
    rows = more;
    before = new Int32Array(keys.length);
    slots = new Int32Array(keys.length * 2);
    taken = new Uint32Array(slots.length >>> 5);
    for (let entry = 0; entry < count; entry++) link(entry);
  };

  return {
    add(key, row) {
      if (count === keys.length) grow();
      keys[count] = key;
      rows[count] = row;
      link(count++);
    },
    rowsOf(key) {
      const slot = slotOf(key);
      if (((taken[slot >>> 5] as number) & (1 << (slot & 31))) === 0) return none;
      let next = slots[slot] as number;
      const found: number[] = [];
      for (; next > 0; next = before[next - 1] as number)
        if (keys[next - 1] === key && rows[next - 1] !== 0) found.push(rows[next - 1] as number);
      return found.reverse();
    },
    drop(key, row) {
      for (let next = slots[slotOf(key)] as number; next > 0; next = before[next - 1] as number)
        if (keys[next - 1] === key && rows[next - 1] === row) rows[next - 1] = 0;
    },
    keysUpTo(row) {
      return keys
        .subarray(0, count)
        .filter((_, entry) => rows[entry] !== 0 && (rows[entry] as number) <= row)
        .sort();
    },
  };
}
