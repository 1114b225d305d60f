// Tells files of older Office programs by their bytes: containers with streams ([MS-CFB]) by the names of these, and workbooks without a container. Nothing is
// looked up outside of the file.
import { openCompound } from '../containers/compound-file.ts';

/** Office files with a password are such a container: no kind of their own. */
export const encryptedOffice = 'application/x-encrypted-office';

/** Of before Word 97, in a layout that is not read. */
const olderWord = 'application/x-msword-95';
/** The version of the layout that the main stream says, from Word 97 on ([MS-DOC] §2.5.1). */
const firstVersion = 0x00c1;

const compoundKinds: readonly (readonly [stream: string, mime: string])[] = [
  ['EncryptedPackage', encryptedOffice],
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['PP40', 'application/vnd.ms-powerpoint'],
  ['VisioDocument', 'application/x-visio'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
];

/** Files of the Compound File Binary format ([MS-CFB]) are told apart by the names of their streams, which their directory holds as UTF-16. */
export function kindOfCompound(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Cut off before its directory (§2.2: sector size as a power of two, number of the first sector of the directory).
  if (
    buffer.length < 512 ||
    (buffer.readUInt32LE(0x30) + 1) * 2 ** Math.min(buffer.readUInt16LE(0x1e), 16) >= buffer.length
  )
    return undefined;
  const kind = kindOfRoot(bytes);
  if (kind !== undefined) return kind;
  // Of a file that cannot be walked; an entry: 64 bytes of name, its length in bytes with the closing NUL, its type (1 storage, 2 stream).
  const holds = (stream: string): boolean => {
    const name = Buffer.from(`${stream}\0`, 'utf16le');
    for (let at = buffer.indexOf(name); at >= 0; at = buffer.indexOf(name, at + 2))
      if (at % 128 === 0 && at + 66 < buffer.length && buffer.readUInt16LE(at + 64) === name.length) return true;
    return false;
  };
  return compoundKinds.find(([stream]) => holds(stream))?.[1] ?? 'application/x-cfb';
}

/** What the streams of the root say, where they can be walked: those of what is embedded lie deeper, and programs write names in any case. */
function kindOfRoot(bytes: Uint8Array): string | undefined {
  try {
    const { has, stream: streams } = openCompound(bytes, 'The file');
    const kind = compoundKinds.find(([stream]) => has(stream))?.[1] ?? 'application/x-cfb';
    const main = kind === 'application/msword' ? streams('WordDocument') : undefined;
    return main !== undefined && main.length >= 4 && main.readUInt16LE(2) < firstVersion ? olderWord : kind;
  } catch {
    return undefined;
  }
}

/**
 * Excel 2 to 4, and programs that write like them to this day, put the records in the file without a container: it begins with the one that says
 * which version and kind it is ([MS-XLS] §2.4.21; OpenOffice's documentation of Excel's format §5.8: 4 to 16 bytes; a book, sheet, macros or workspace, by some with its bytes swapped).
 */
export function isBareWorkbook(bytes: Uint8Array): boolean {
  const [record, version = 1, length = 0, none, , , kind = 0, kindAbove = 0] = bytes;
  const isBeginning = record === 9 && [0, 2, 4, 8].includes(version) && [4, 6, 8, 16].includes(length) && none === 0;
  return isBeginning && bytes.length > 20 && [0x05, 0x10, 0x20, 0x40, 0x100, 0x1000].includes(kind + kindAbove * 256);
}
