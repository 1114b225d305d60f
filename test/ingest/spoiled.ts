// Spoils a few bytes of a file, the same ones for the same seed: letters, lengths, and now and then the end.

/** Numbers that sizes and offsets are when they lie. */
const liars = [0, 0xffffffff, 0x7fffffff, 0x10000, 0xfffffffe] as const;

export function spoiled(bytes: Uint8Array, seed: number): Buffer {
  let state = (seed * 7919 + 1) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const copy = Buffer.from(bytes);
  for (let change = 1 + below(6); change > 0; change--) {
    const at = below(3) === 0 ? below(Math.min(600, copy.length)) : below(copy.length);
    if (below(2) === 0) copy[at] = below(256);
    else copy.writeUInt32LE(liars[below(liars.length)] ?? 0, Math.min(at, copy.length - 4));
  }
  return below(8) === 0 ? copy.subarray(0, below(copy.length)) : copy;
}
