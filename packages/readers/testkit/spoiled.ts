// Spoils a few bytes of a file, the same ones for the same seed: letters, lengths, and now and then the end.
import { below, seeded } from './mutate.ts';

/** Numbers that sizes and offsets are when they lie. */
const liars = [0, 0xffffffff, 0x7fffffff, 0x10000, 0xfffffffe] as const;

export function spoiled(bytes: Uint8Array, seed: number): Buffer {
  const random = seeded(seed);
  const copy = Buffer.from(bytes);
  for (let change = 1 + below(random, 6); change > 0; change--) {
    const at = below(random, 3) === 0 ? below(random, Math.min(600, copy.length)) : below(random, copy.length);
    if (below(random, 2) === 0) copy[at] = below(random, 256);
    else copy.writeUInt32LE(liars[below(random, liars.length)] ?? 0, Math.min(at, copy.length - 4));
  }
  return below(random, 8) === 0 ? copy.subarray(0, below(random, copy.length)) : copy;
}
