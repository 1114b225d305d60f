// Which bytes are archives, told from their first block alone: the parent process may ask this of any file, for nothing is parsed.
import { formatOfExtension } from './media-types.ts';

/** A ZIP container may be an office file too; only its directory tells, and that is read in the sandbox. */
export type ArchiveKind = 'zip' | 'tar' | 'gzip';

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
