// Property lists of Apple, binary (`bplist00`) and XML, as values. Invariant: every offset and length is held against the bytes, nothing nests deeper than
// a fixed depth, and objects that are referred to again and again are counted each time, so that none can grow.
import { ReadError } from '../read-error.ts';
import { childrenOf, contentOf, elementsOf, parseXmlTree, type XmlElement } from './xml-text.ts';

export type PropertyValue =
  | string
  | number
  | boolean
  | Uint8Array
  | readonly PropertyValue[]
  | ReadonlyMap<string, PropertyValue>
  | undefined;

const maxDepth = 40;
const maxValues = 200_000;
/** Of all texts, each as often as it is referred to. */
const maxTextBytes = 64 * 1024 * 1024;
const trailerBytes = 32;

/** Throws `invalid-media` for what is no property list, `too-large` for one that holds too much. */
export function readPropertyList(bytes: Uint8Array, name: string): PropertyValue {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString('latin1', 0, 6) === 'bplist') return readBinary(buffer, name);
  const source = new TextDecoder().decode(bytes).replace(/<!DOCTYPE[^<>[]*>/iu, '');
  const [root] = elementsOf(parseXmlTree(source, name));
  return root === undefined ? undefined : plainValue(root);
}

/** The depth of XML is bounded by its reader. */
function plainValue(element: XmlElement): PropertyValue {
  switch (element.name) {
    case 'dict': {
      const entries = elementsOf(element);
      const map = new Map<string, PropertyValue>();
      for (let index = 0; index + 1 < entries.length; index += 2)
        map.set(contentOf(entries[index]), plainValue(entries[index + 1] as XmlElement));
      return map;
    }
    case 'array':
      return elementsOf(element).map(plainValue);
    case 'data':
      return Buffer.from(contentOf(element), 'base64');
    case 'integer':
    case 'real':
      return Number(contentOf(element));
    case 'true':
    case 'false':
      return element.name === 'true';
    default:
      return childrenOf(element, 'string').length === 0 ? contentOf(element) : undefined;
  }
}

/** The format as CFBinaryPList.c of Apple's CoreFoundation describes it. */
function readBinary(buffer: Buffer, name: string): PropertyValue {
  const damaged = new ReadError(
    'invalid-media',
    `${name} is damaged: its property list cannot be read. Save it again.`,
  );
  if (buffer.length < 8 + trailerBytes) throw damaged;
  const trailer = buffer.subarray(buffer.length - trailerBytes);
  const [offsetBytes = 0, referenceBytes = 0] = [trailer[6], trailer[7]];
  const count = Number(trailer.readBigUInt64BE(8));
  const top = Number(trailer.readBigUInt64BE(16));
  const table = Number(trailer.readBigUInt64BE(24));
  const isSound = (size: number): boolean => size >= 1 && size <= 6;
  if (!isSound(offsetBytes) || !isSound(referenceBytes) || top >= count) throw damaged;
  if (table + count * offsetBytes > buffer.length - trailerBytes) throw damaged;
  let values = 0;
  const slice = (at: number, length: number): Buffer => {
    if (at + length > buffer.length) throw damaged;
    return buffer.subarray(at, at + length);
  };
  const numberAt = (at: number, size: number): number => slice(at, size).readUIntBE(0, size);
  const tooLarge = (): ReadError =>
    new ReadError('too-large', `${name} holds more values than a property list may have. Split it.`);
  let textBytes = 0;
  const text = (at: number, length: number): Buffer => {
    textBytes += length;
    if (textBytes > maxTextBytes) throw tooLarge();
    return slice(at, length);
  };
  const read = (reference: number, depth: number): PropertyValue => {
    if (++values > maxValues || depth > maxDepth) throw tooLarge();
    if (reference >= count) throw damaged;
    const at = numberAt(table + reference * offsetBytes, offsetBytes);
    const marker = numberAt(at, 1);
    let length = marker & 0xf;
    let start = at + 1;
    const kind = marker >> 4;
    if (kind >= 4 && length === 0xf) {
      const size = 2 ** (numberAt(start, 1) & 0xf);
      if (size > 4) throw damaged;
      length = numberAt(start + 1, size);
      start += 1 + size;
    }
    const referenceAt = (index: number): number => numberAt(start + index * referenceBytes, referenceBytes);
    switch (kind) {
      case 0:
        return length === 8 ? false : length === 9 ? true : undefined;
      case 1:
        return length <= 2 ? numberAt(start, 2 ** length) : Number(slice(start, 8).readBigInt64BE());
      case 2:
        return length === 2 ? slice(start, 4).readFloatBE() : slice(start, 8).readDoubleBE();
      case 4:
        return slice(start, length);
      case 5:
        return text(start, length).toString('latin1');
      case 6:
        return Buffer.from(text(start, length * 2))
          .swap16()
          .toString('utf16le');
      case 10:
      case 12:
        slice(start, length * referenceBytes);
        return Array.from({ length }, (_, index) => read(referenceAt(index), depth + 1));
      case 13: {
        slice(start, 2 * length * referenceBytes);
        const map = new Map<string, PropertyValue>();
        for (let index = 0; index < length; index++) {
          const key = read(referenceAt(index), depth + 1);
          if (typeof key !== 'string') throw damaged;
          map.set(key, read(referenceAt(length + index), depth + 1));
        }
        return map;
      }
      default:
        return undefined;
    }
  };
  return read(top, 0);
}
