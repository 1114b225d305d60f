// Opens Office files that are encrypted with a password: DOCX, XLSX and PPTX (a compound file around the package), DOC and XLS (RC4 over their streams). What it
// gives is the same file without a password, which the parser of its kind then reads. Invariant: the plain file is never written anywhere.

import { type CompoundFile, isCompound, openCompound } from '../containers/compound-file.ts';
import { locked, lockedOtherwise } from '../containers/locked.ts';
import { ReadError } from '../read-error.ts';
import type { ParseInput } from '../reader.ts';
import { openAgile } from './office-agile.ts';
import { rc4Blocks, rc4LockOf } from './office-rc4.ts';
import { openStandard, readCryptoHeader } from './office-standard.ts';
import { unlockedRecords } from './spreadsheet-xls-unlock.ts';

/** Excel encrypts with it what is only protected against changes, and tries it by itself ([MS-OFFCRYPTO] §2.4.2.3). */
const excelsOwn = 'VelvetSweatshop';

/**
 * The file without its encryption; undefined where it has none. Throws `invalid-media` with `details.reason` for a missing or wrong
 * password, and for what is encrypted otherwise.
 */
export function unlockedOffice({ bytes, name, password }: ParseInput): Uint8Array | undefined {
  if (!isCompound(bytes)) return undefined;
  const file = openCompound(bytes, name);
  const passwords = password === undefined ? [excelsOwn] : [password, excelsOwn];
  const attempt = attemptOf(file, { name, passwords });
  if (attempt === undefined) return undefined;
  const plain = attempt();
  if (plain === undefined) throw locked(name, password);
  return plain;
}

interface Opening {
  readonly name: string;
  readonly passwords: readonly string[];
}
/** Undefined where no password fits. */
type Attempt = () => Uint8Array | undefined;

function attemptOf(file: CompoundFile, opening: Opening): Attempt | undefined {
  const info = file.stream('EncryptionInfo');
  const content = file.stream('EncryptedPackage');
  if (content !== undefined) return () => openPackage(info ?? Buffer.alloc(0), content, opening);
  const word = file.stream('WordDocument');
  if (word !== undefined) return wordAttempt(file, word, opening);
  for (const streamName of ['Workbook', 'Book']) {
    const records = file.stream(streamName);
    if (records === undefined) continue;
    const opened = unlockedRecords(records, opening);
    if (opened === undefined) return undefined;
    return () => {
      const plain = opened();
      return plain && file.with(new Map([[streamName, plain]]));
    };
  }
  return undefined;
}

function openPackage(info: Buffer, content: Buffer, { name, passwords }: Opening): Uint8Array | undefined {
  const [major, minor] = info.length < 8 ? [0, 0] : [info.readUInt16LE(0), info.readUInt16LE(2)];
  if (major === 4 && minor === 4) return openAgile({ info: info.toString('utf8', 8), content, name }, passwords);
  if (minor === 2 && major >= 2 && major <= 4)
    return openStandard({ header: readCryptoHeader(info.subarray(4), name), content, name }, passwords);
  if (major === 0)
    throw new ReadError('invalid-media', `${name} is damaged: how it is encrypted is missing. Save it again.`);
  throw lockedOtherwise(name, 'in a way of its own program');
}

/** Where the facts of a Word file begin that are encrypted ([MS-DOC] §2.2.6.2), and its blocks. */
const wordHeaderBytes = 0x44;
const wordBlockBytes = 512;
const [isEncrypted, isInSecondTable, isObfuscated] = [0x0100, 0x0200, 0x8000];

function wordAttempt(file: CompoundFile, word: Buffer, { name, passwords }: Opening): Attempt | undefined {
  if (word.length < wordHeaderBytes || word.readUInt16LE(0) !== 0xa5ec) return undefined;
  const flags = word.readUInt16LE(0x0a);
  if ((flags & isEncrypted) === 0) return undefined;
  if ((flags & isObfuscated) !== 0) throw lockedOtherwise(name, 'in the way of Word 95');
  const tableName = (flags & isInSecondTable) === 0 ? '0Table' : '1Table';
  const table = file.stream(tableName) ?? Buffer.alloc(0);
  const lock = rc4LockOf(table.subarray(0, word.readUInt32LE(0x0e)), name);
  return () => {
    const keyOf = passwords.map(lock).find((key) => key !== undefined);
    if (keyOf === undefined) return undefined;
    const plain = rc4Blocks(word, keyOf, wordBlockBytes);
    word.copy(plain, 0, 0, wordHeaderBytes);
    plain.writeUInt16LE(flags & ~isEncrypted, 0x0a);
    const contents = new Map<string, Uint8Array>([
      ['WordDocument', plain],
      [tableName, rc4Blocks(table, keyOf, wordBlockBytes)],
    ]);
    const data = file.stream('Data');
    if (data !== undefined) contents.set('Data', rc4Blocks(data, keyOf, wordBlockBytes));
    return file.with(contents);
  };
}
