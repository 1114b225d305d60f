// The fingerprint of a local model: other weights, tokens, pooling, prefixes or window give another one, so that vectors of two
// models are never compared. Weights are hashed once and remembered by size and time of change while the process lives.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { createRecent } from '../../core/values/recent.ts';
import { hashFile } from '../files.ts';
import type { LocalFiles } from './files.ts';

/** Part of every fingerprint: counted up when vectors are computed in another way from the same files. */
const recipe = 'footnote-local-1';

/** Of the files that were read last. */
const hashes = createRecent<string, { readonly stamp: string; readonly hash: string }>(100);

async function rememberedHash(path: string, signal: AbortSignal | undefined): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path);
  const stamp = `${size} ${mtimeMs} ${ino}`;
  const known = hashes.get(path);
  if (known?.stamp === stamp) return known.hash;
  const hash = await hashFile(path, signal);
  hashes.set(path, { stamp, hash });
  return hash;
}

/** Sixteen hexadecimal digits. Throws `cancelled`, `not-found` or `storage-denied`. */
export async function fingerprintOf(
  folder: Pick<LocalFiles, 'path' | 'settings' | 'weights'>,
  signal?: AbortSignal,
): Promise<string> {
  const parts: string[] = [recipe];
  for (const [inside, text] of Object.entries(folder.settings).sort(([a], [b]) => (a < b ? -1 : 1)))
    parts.push(inside, sha256(text));
  try {
    for (const inside of folder.weights) parts.push(await rememberedHash(join(folder.path, inside), signal));
  } catch (error) {
    throw toFootnoteError(error);
  }
  return sha256(JSON.stringify(parts)).slice(0, 16);
}
