// Whether a table may have a hash, told from memory: a Bloom filter (B. Bloom 1970; bits of one word for each hash, as in F. Putze, P.
// Sanders, J. Singler, Cache-, Hash- and Space-Efficient Bloom Filters, 2007). It grows by layers of twice the size, since the hashes of
// a full one cannot be listed again. Invariant: a hash that was added is never denied; of others about one in thirty is not.

export interface KeyFilter {
  add(key: number): void;
  mayHave(key: number): boolean;
}

interface Layer {
  readonly words: Uint32Array;
  room: number;
}

const firstKeys = 1024;
const keysPerWord = 2;

/** Of whole numbers below 2^48. */
export function createKeyFilter(): KeyFilter {
  const layers: Layer[] = [];

  return {
    add(key) {
      let last = layers.at(-1);
      if (last === undefined || last.room === 0) {
        const room = last === undefined ? firstKeys : last.words.length * keysPerWord * 2;
        last = { words: new Uint32Array(room / keysPerWord), room };
        layers.push(last);
      }
      const at = placeOf(key, last.words.length);
      const before = last.words[at] as number;
      const after = (before | bitsOf(key)) >>> 0;
      if (after === before) return;
      last.words[at] = after;
      last.room -= 1;
    },
    mayHave(key) {
      const bits = bitsOf(key);
      return layers.some(({ words }) => ((words[placeOf(key, words.length)] as number) & bits) >>> 0 === bits);
    },
  };
}

/** The upper half of a hash, well mixed, says which word; `count` is a power of two. */
const placeOf = (key: number, count: number): number =>
  (Math.imul((key / 0x1_0000) ^ (key >>> 0), 0x9e37_79b1) >>> 8) & (count - 1);

/** The lower half says which four bits of it. */
function bitsOf(key: number): number {
  const mixed = Math.imul(key >>> 0, 0x85eb_ca6b);
  return ((1 << (mixed >>> 27)) | (1 << (mixed >>> 22)) | (1 << (mixed >>> 17)) | (1 << (mixed >>> 12))) >>> 0;
}
