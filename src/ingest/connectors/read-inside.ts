// Reads a file that must lie in a folder, whatever happens to the path meanwhile. Invariant: what is returned are the bytes of a regular file
// that lay below the root without links when it was opened; a link, a pipe or a folder put in its place, or in place of a folder above it,
// between the walk and the reading leads to a refusal, never out of the root, and never makes the program wait.
import { type FileHandle, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { ledAway, openAt } from './open-at.ts';
import type { Root } from './roots.ts';
import { isWithin, neverRead } from './walk.ts';

/** Programs save by putting a new file in the place of the old one: then it is opened anew, so many times. */
const mostOpenings = 3;

function mayBeRead(real: string, { path: root, skip }: Root): boolean {
  if (!isWithin(real, root) || skip.some((folder) => isWithin(real, folder))) return false;
  return !relative(root, real)
    .split(sep)
    .some((name) => name !== '' && neverRead(name));
}

async function openInside(path: string, root: Root): Promise<FileHandle> {
  for (let opening = 1; opening <= mostOpenings; opening++) {
    const real = await realpath(path);
    if (!mayBeRead(real, root)) throw ledAway();
    const handle = await openAt(real);
    if (handle === undefined) continue;
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    break;
  }
  throw ledAway();
}

/** Throws `storage-denied` where it leads elsewhere or may not be read, `not-found` where it is gone, `cancelled`. */
export async function readInside(path: string, root: Root, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    const handle = await openInside(path, root);
    try {
      return await handle.readFile(signal ? { signal } : {});
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code !== 'storage-denied' || thrown === error) throw error;
    throw new FootnoteError(
      'storage-denied',
      'No permission to read this file. Give the user who runs Footnote the right to read it, or leave it out with --exclude.',
      { cause: thrown },
    );
  }
}
