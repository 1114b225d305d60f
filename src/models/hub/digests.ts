// What the bytes of a file have to be: SHA-256, or the id of its object in git, which is all that the hub tells of small files.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export interface Digests {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly gitId: string;
}

/** Reads a file. Throws what reading throws. */
export async function digestsOf(path: string, signal?: AbortSignal): Promise<Digests> {
  const { size } = await stat(path);
  const sha256 = createHash('sha256');
  const git = createHash('sha1').update(`blob ${size}\0`);
  // Large files are told by their SHA-256.
  const isSmall = size < 100e6;
  const stream = createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) });
  for await (const piece of stream) {
    sha256.update(piece as Buffer);
    if (isSmall) git.update(piece as Buffer);
  }
  return { bytes: size, sha256: sha256.digest('hex'), gitId: isSmall ? git.digest('hex') : '' };
}
