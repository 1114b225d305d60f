// Where a ZIP archive ends (APPNOTE 6.3.10 §4.3.16): downloads and copies have bytes behind it, and parts of a split one say that they are parts. Invariant:
// what is cut off is behind an end whose directory lies where it says.

const endBytes = 22;
const mark = Buffer.from('PK\u0005\u0006', 'latin1');
const entryMark = 0x02014b50;

export interface ZipEnd {
  /** The archive up to its end. */
  readonly archive: Buffer;
  /** How many parts it was split into; 1 for a whole one. */
  readonly parts: number;
}

/** The last end in the file; of a file without one, the file as it is. */
export function zipEnd(file: Buffer): ZipEnd {
  for (let at = file.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : file.lastIndexOf(mark, at - 1)) {
    if (at + endBytes > file.length) continue;
    const end = at + endBytes + file.readUInt16LE(at + 20);
    const disk = file.readUInt16LE(at + 4);
    if (end === file.length) return { archive: file, parts: disk === 0xffff ? 1 : disk + 1 };
    const directory = file.readUInt32LE(at + 16);
    const isThere = directory + 4 <= at && file.readUInt32LE(directory) === entryMark;
    if (end < file.length && isThere) return { archive: file.subarray(0, end), parts: disk + 1 };
  }
  return { archive: file, parts: 1 };
}
