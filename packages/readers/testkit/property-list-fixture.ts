// Writes binary property lists for tests, each value as an object of its own.
type Plain = string | Uint8Array | readonly Plain[] | { readonly [key: string]: Plain };

/** Lengths of up to 14 stand in the marker, others behind it. */
function marked(kind: number, length: number): Buffer {
  if (length < 15) return Buffer.from([(kind << 4) | length]);
  const long = Buffer.from([(kind << 4) | 15, 0x12, 0, 0, 0, 0]);
  long.writeUInt32BE(length, 2);
  return long;
}

/** `loop` puts an array that holds itself before the value, in its place. */
export function binaryPlist(value: Plain, { loop = false } = {}): Uint8Array {
  const objects: Buffer[] = [];
  const references = (list: readonly number[]): Buffer => Buffer.from(list.flatMap((one) => [one >> 8, one & 0xff]));
  const add = (plain: Plain): number => {
    const own = objects.push(Buffer.alloc(0)) - 1;
    if (typeof plain === 'string') {
      const isPlain = /^[ -~]*$/u.test(plain);
      const encoded = isPlain ? Buffer.from(plain) : Buffer.from(plain, 'utf16le').swap16();
      objects[own] = Buffer.concat([marked(isPlain ? 5 : 6, plain.length), encoded]);
    } else if (plain instanceof Uint8Array) objects[own] = Buffer.concat([marked(4, plain.length), plain]);
    else if (Array.isArray(plain)) {
      const list = plain.map(add);
      objects[own] = Buffer.concat([marked(10, list.length), references(list)]);
    } else {
      const entries = Object.entries(plain);
      const keys = entries.map(([key]) => add(key));
      const values = entries.map(([, inner]) => add(inner));
      objects[own] = Buffer.concat([marked(13, entries.length), references([...keys, ...values])]);
    }
    return own;
  };
  if (loop) objects.push(Buffer.concat([marked(10, 3), references([0, 0, 0])]));
  add(value);
  const offsets: number[] = [];
  let at = 8;
  for (const object of objects) {
    offsets.push(at);
    at += object.length;
  }
  const table = Buffer.alloc(offsets.length * 4);
  offsets.forEach((offset, index) => {
    table.writeUInt32BE(offset, index * 4);
  });
  const trailer = Buffer.alloc(32);
  trailer[6] = 4;
  trailer[7] = 2;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(at), 24);
  return Uint8Array.from(Buffer.concat([Buffer.from('bplist00'), ...objects, table, trailer]));
}
