// Decrypts the records of an XLS workbook ([MS-XLS] §2.2.10, BIFF8): their heads and a few kinds stand open, all else is RC4 by blocks of 1024 bytes of the whole
// stream. Invariant: the plain stream is as long as before, and the record that says it is encrypted becomes one that says nothing.
import { lockedOtherwise } from '../containers/locked.ts';
import { rc4Blocks, rc4LockOf } from './office-rc4.ts';

const blockBytes = 1024;
const kinds = { bof: 0x0809, filePass: 0x002f, boundSheet: 0x0085 } as const;
/** BOF, FilePass, UsrExcl, FileLock, InterfaceHdr, RRDInfo, RRDHead are never encrypted. */
const open: ReadonlySet<number> = new Set([0x0809, 0x002f, 0x0194, 0x0195, 0x00e1, 0x0196, 0x0138]);
/** FilePass stands among the first records. */
const soughtRecords = 20;

/**
 * Undefined where the records are not encrypted; else what gives them in plain, or undefined where no password fits. Throws `invalid-media`
 * for encryption that is not read.
 */
export function unlockedRecords(
  records: Buffer,
  { name, passwords }: { readonly name: string; readonly passwords: readonly string[] },
): (() => Buffer | undefined) | undefined {
  const pass = findFilePass(records);
  if (pass === undefined) return undefined;
  const { at, length } = pass;
  if (length < 6 || records.readUInt16LE(at + 4) !== 1) throw lockedOtherwise(name, 'in the way of Excel 95');
  const lock = rc4LockOf(records.subarray(at + 6, at + 4 + length), name);
  return () => {
    const keyOf = passwords.map(lock).find((key) => key !== undefined);
    if (keyOf === undefined) return undefined;
    const plain = rc4Blocks(records, keyOf, blockBytes);
    for (let record = 0; record + 4 <= records.length; ) {
      const kind = records.readUInt16LE(record);
      const end = Math.min(records.length, record + 4 + records.readUInt16LE(record + 2));
      // Where a sheet begins stands open, too.
      const openBytes = open.has(kind) ? end - record : kind === kinds.boundSheet ? 8 : 4;
      records.copy(plain, record, record, Math.min(end, record + openBytes));
      record = end;
    }
    plain.fill(0, at + 4, at + 4 + length);
    plain.writeUInt16LE(unusedKind, at);
    return plain;
  };
}

/** CompressPictures says how pictures are to be saved, and is passed over when a workbook is read. */
const unusedKind = 0x089b;

function findFilePass(records: Buffer): { readonly at: number; readonly length: number } | undefined {
  let at = 0;
  for (let seen = 0; seen < soughtRecords && at + 4 <= records.length; seen++) {
    const kind = records.readUInt16LE(at);
    const length = records.readUInt16LE(at + 2);
    if (seen === 0 && kind !== kinds.bof) return undefined;
    if (kind === kinds.filePass && at + 4 + length <= records.length) return { at, length };
    at += 4 + length;
  }
  return undefined;
}
