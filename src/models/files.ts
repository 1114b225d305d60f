// What several folders ask of a file on the disk.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The hash of `before` with the bytes behind it, in hexadecimal digits. Pieces of a megabyte keep the event loop free while gigabytes are read. */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
  { kind = 'sha256', before = '' }: { readonly kind?: 'sha1' | 'sha256'; readonly before?: string } = {},
): Promise<string> {
  const digest = createHash(kind).update(before);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) }))
    digest.update(piece as Buffer);
  return digest.digest('hex');
}
