// Which bytes are archives, told from their first block alone: the parent process may ask this of any file, for nothing is parsed.
import { formatOfExtension } from './media-types.ts';

/** A ZIP container may be an office file too; only its directory tells, and that is read in the sandbox. */
export type ArchiveKind = 'zip' | 'tar' | 'gzip' | 'bzip2' | 'xz' | 'zstd';

/** Of a header of tar (POSIX ustar and older): its sum, with the eight bytes of the sum itself taken for spaces. */
export function isTarHeader(block: Uint8Array): boolean {
  if (block.length < 512) return false;
  const written = /^[\0 ]*([0-7]+)[\0 ]/u.exec(Buffer.from(block.subarray(148, 156)).toString('latin1'))?.[1];
  if (written === undefined) return false;
  let sum = 8 * 0x20;
  for (let at = 0; at < 512; at++) if (at < 148 || at >= 156) sum += block[at] ?? 0;
  return sum === Number.parseInt(written, 8);
}

export function archiveKind(bytes: Uint8Array): ArchiveKind | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  // A file, or the directory of an archive without any.
  if (first === 0x50 && second === 0x4b && ((third === 3 && fourth === 4) || (third === 5 && fourth === 6)))
    return 'zip';
  // What begins the first block, or ends a stream without any: "BZh9" may begin a text.
  if (/^BZh[1-9](?:1AY&SY|\x17rE8P\x90)/u.test(Buffer.from(bytes.subarray(0, 10)).toString('latin1'))) return 'bzip2';
  if (first === 0xfd && Buffer.from(bytes.subarray(1, 6)).toString('latin1') === '7zXZ\0') return 'xz';
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return 'zstd';
  return isTarHeader(bytes) ? 'tar' : undefined;
}

/** Whether a file is an archive rather than a document: a guess for ZIP containers, by the name. */
export function isLikelyArchive({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): boolean {
  const kind = archiveKind(bytes);
  if (kind !== 'zip') return kind !== undefined;
  const dot = name.lastIndexOf('.');
  const named = formatOfExtension(dot < 0 ? '' : name.slice(dot + 1));
  return !named?.isBinary || named.isArchive === true;
}
