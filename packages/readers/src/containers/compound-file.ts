// The streams of a compound file ([MS-CFB]) by name, and copies of the file in which some of them hold other bytes: what is decrypted keeps its
// length, so the file stays as it is around it. Invariant: nothing is looked up outside of the file, and no walk is without end.

import { utf16Text } from '../canonical/utf16-text.ts';
import { type CompoundSectors, requireSoundCompound } from './mail-compound.ts';

export interface CompoundFile {
  /** Whether the root has a stream of this name, whatever its case. */
  has(name: string): boolean;
  /** Of the root, whatever the case of its name; undefined where there is none. */
  stream(name: string): Buffer | undefined;
  /** A copy whose streams of these names hold these bytes, as many as before. */
  with(contents: ReadonlyMap<string, Uint8Array>): Uint8Array;
}

const entryBytes = 128;
const noEntry = 0xffffffff;
const smallBytes = 64;
const magic = Buffer.from('d0cf11e0a1b11ae1', 'hex');

export const isCompound = (bytes: Uint8Array): boolean => magic.equals(bytes.subarray(0, 8));

interface Entry {
  readonly first: number;
  readonly size: number;
}
/** A piece of a stream in the file. */
type Piece = readonly [offset: number, length: number];

/** Throws `invalid-media` for a file that cannot be walked. */
export function openCompound(bytes: Uint8Array, name: string): CompoundFile {
  const sectors = requireSoundCompound(bytes, name);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { root, entries } = readDirectory(buffer, sectors);
  const leastBytes = sectors.view.getUint32(56, true);
  const rootChain = sectors.chainFrom(root.first);

  const piecesOf = ({ first, size }: Entry): Piece[] => {
    const isSmall = size < leastBytes;
    const unit = isSmall ? smallBytes : sectors.sectorBytes;
    const chain = isSmall ? sectors.smallChainFrom(first) : sectors.chainFrom(first);
    const perSector = sectors.sectorBytes / smallBytes;
    return chain.slice(0, Math.ceil(size / unit)).flatMap((at, index): Piece[] => {
      const sector = isSmall ? rootChain[Math.floor(at / perSector)] : at;
      if (sector === undefined) return [];
      const offset = sectors.offsetOf(sector) + (isSmall ? (at % perSector) * smallBytes : 0);
      return [[offset, Math.max(0, Math.min(unit, size - index * unit, buffer.length - offset))]];
    });
  };

  return {
    has: (wanted) => entries.has(wanted.toLowerCase()),
    stream(wanted) {
      const entry = entries.get(wanted.toLowerCase());
      return (
        entry && Buffer.concat(piecesOf(entry).map(([offset, length]) => buffer.subarray(offset, offset + length)))
      );
    },
    with(contents) {
      const copy = Uint8Array.from(bytes);
      for (const [wanted, content] of contents) {
        let at = 0;
        for (const [offset, length] of piecesOf(entries.get(wanted.toLowerCase()) ?? { first: noEntry, size: 0 })) {
          copy.set(content.subarray(at, at + length), offset);
          at += length;
        }
      }
      return copy;
    },
  };
}

/** The streams that lie in the root itself: its children are a tree of left and right neighbours. */
function readDirectory(
  buffer: Buffer,
  { view, sectorBytes, offsetOf, chainFrom }: CompoundSectors,
): { readonly root: Entry; readonly entries: ReadonlyMap<string, Entry> } {
  const chain = chainFrom(view.getUint32(48, true));
  const perSector = sectorBytes / entryBytes;
  const offsetOfEntry = (entry: number): number =>
    offsetOf(chain[Math.floor(entry / perSector)] ?? noEntry) + (entry % perSector) * entryBytes;
  const read = (at: number): Entry => ({ first: buffer.readUInt32LE(at + 116), size: buffer.readUInt32LE(at + 120) });
  const entries = new Map<string, Entry>();
  const rootAt = offsetOfEntry(0);
  const pending = [buffer.readUInt32LE(rootAt + 76)];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (entry === noEntry) continue;
    const at = offsetOfEntry(entry);
    const nameBytes = Math.min(64, Math.max(2, buffer.readUInt16LE(at + 64))) - 2;
    const name = utf16Text(buffer.subarray(at, at + nameBytes)).toLowerCase();
    if (buffer[at + 66] === 2 && !entries.has(name)) entries.set(name, read(at));
    pending.push(buffer.readUInt32LE(at + 68), buffer.readUInt32LE(at + 72));
  }
  return { root: read(rootAt), entries };
}
