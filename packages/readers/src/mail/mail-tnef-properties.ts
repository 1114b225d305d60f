// The list of properties inside TNEF ([MS-OXTNEF] §2.1.3.4): texts, binary values and objects by their ids; numbers and dates are passed over.
// Invariant: linear time, and a list that is cut off or breaks the rules ends there.

/** The first value of each property, texts as UTF-8. */
export type MapiProperties = ReadonlyMap<number, Uint8Array>;

const maxProperties = 20_000;
/** Bytes of values of fixed size by their type, each filled up to four. */
const fixedBytes: Readonly<Record<number, number>> = {
  1: 0,
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const variableTypes = new Set([0x0d, 0x1e, 0x1f, 0x102]);
const wideText = 0x1f;
const many = 0x1000;

export function readProperties(bytes: Uint8Array): MapiProperties {
  const found = new Map<number, Uint8Array>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  const number = (): number => {
    if (at + 4 > bytes.length) return Number.NaN;
    const value = view.getUint32(at, true);
    at += 4;
    return value;
  };
  const skip = (length: number): void => {
    at += Math.ceil(length / 4) * 4;
  };
  const count = bytes.length < 4 ? 0 : Math.min(view.getUint32(0, true), maxProperties);
  for (let index = 0; index < count && at + 4 <= bytes.length; index++) {
    const type = view.getUint16(at, true);
    const id = view.getUint16(at + 2, true);
    at += 4;
    if (id >= 0x8000) {
      // A name: a set, then a number or a text.
      at += 16;
      if (number() === 0) at += 4;
      else skip(number());
    }
    const fixed = fixedBytes[type & ~many];
    if (variableTypes.has(type & ~many)) {
      const values = number();
      for (let value = 0; value < values; value++) {
        const length = number();
        if (!(at + length <= bytes.length)) return found;
        if (value === 0 && !found.has(id)) found.set(id, utf8Of(bytes.subarray(at, at + length), type & ~many));
        skip(length);
      }
      if (Number.isNaN(values)) return found;
    } else if (fixed === undefined) return found;
    else at += fixed * ((type & many) === 0 ? 1 : number());
    if (Number.isNaN(at)) return found;
  }
  return found;
}

function utf8Of(value: Uint8Array, type: number): Uint8Array {
  if (type !== wideText) return value;
  return new TextEncoder().encode(new TextDecoder('utf-16le').decode(value).replace(/\0[\s\S]*$/u, ''));
}
