// The bits of a bzip2 stream, highest first, and the Huffman codes that stand in it (canonical ones of at most 20 bits, as Seward's bzip2 writes
// them). Invariant: reading past the end throws, so that no loop runs on nothing.
import { PackingFault } from './packing-fault.ts';

export interface BitReader {
  /** At most 24 bits as a number. */
  bits(count: number): number;
  /** The next whole byte boundary. */
  align(): void;
  /** Bytes that are read, the one at hand included. */
  position(): number;
  readonly symbol: (code: HuffmanCode) => number;
}

export function createBitReader(bytes: Uint8Array, start: number): BitReader {
  let at = start;
  let held = 0;
  let count = 0;
  const fill = (wanted: number): void => {
    while (count < wanted) {
      if (at >= bytes.length) throw new PackingFault('it ends too early');
      held = ((held << 8) | (bytes[at++] as number)) >>> 0;
      count += 8;
    }
  };
  const bits = (wanted: number): number => {
    fill(wanted);
    count -= wanted;
    const value = held >>> count;
    held &= (1 << count) - 1;
    return value;
  };
  return {
    bits,
    align() {
      // Never more than a part of the byte at hand is left.
      count = 0;
      held = 0;
    },
    position: () => at,
    symbol({ limits, offsets, symbols, least, most }) {
      let code = bits(least);
      for (let length = least; length <= most; length++) {
        if (code <= (limits[length] as number)) {
          const symbol = symbols[code - (offsets[length] as number)];
          if (symbol === undefined) break;
          return symbol;
        }
        code = (code << 1) | bits(1);
      }
      throw new PackingFault('its packed data is broken');
    },
  };
}

export interface HuffmanCode {
  readonly least: number;
  readonly most: number;
  /** By length: the highest code of that length, below the first one for none; and what to subtract from a code to find its symbol. */
  readonly limits: Int32Array;
  readonly offsets: Int32Array;
  readonly symbols: Uint16Array;
}

const longest = 20;

/** `lengths`: of each symbol's code, 1 to 20. */
export function toHuffmanCode(lengths: Uint8Array): HuffmanCode {
  const counts = new Int32Array(longest + 2);
  let [least, most] = [longest, 1];
  for (const length of lengths) {
    counts[length] = (counts[length] as number) + 1;
    least = Math.min(least, length);
    most = Math.max(most, length);
  }
  const [limits, offsets] = [new Int32Array(longest + 2).fill(-1), new Int32Array(longest + 2)];
  const symbols = new Uint16Array(lengths.length);
  let [code, placed] = [0, 0];
  for (let length = least; length <= most; length++) {
    offsets[length] = code - placed;
    for (let symbol = 0; symbol < lengths.length; symbol++) if (lengths[symbol] === length) symbols[placed++] = symbol;
    code += counts[length] as number;
    limits[length] = code - 1;
    code <<= 1;
  }
  return { least, most, limits, offsets, symbols };
}
