// Opens what lies at a path, over no link. Invariant: what is open was at that very path, whatever is done to the folders above it while it is
// opened; and opening never waits, as it would for a pipe.
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { FootnoteError } from '../../core/errors.ts';

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants;
const onLinux = process.platform === 'linux';
/** O_NOFOLLOW_ANY of macOS, which Node has no name for: no part of the path may be a link. */
const noLinks = process.platform === 'darwin' ? 0x2000_0000 : O_NOFOLLOW;

export const ledAway = (): FootnoteError =>
  new FootnoteError(
    'storage-denied',
    'It was replaced by something that leads elsewhere while the folder was read, and was not opened. Look at who changes the folder, and read it again.',
  );

/** Whether what is open is what the path leads to, over no link. */
async function isOpenAt(handle: FileHandle, path: string): Promise<boolean> {
  if (process.platform === 'darwin') return true;
  // Where it lies as the kernel says: nothing that happens to paths can make that up.
  const place = onLinux ? await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined) : undefined;
  if (place !== undefined) return place === path;
  // Elsewhere the best that can be had: who swaps folders to and fro at the right moments is not seen.
  const [opened, listed] = await Promise.all([handle.stat({ bigint: true }), lstat(path, { bigint: true })]);
  return opened.dev === listed.dev && opened.ino === listed.ino && (await realpath(path)) === path;
}

/** `path`: absolute, without links. Undefined where something else is open now than lies there. Throws where it is a link. */
export async function openAt(path: string, more = 0): Promise<FileHandle | undefined> {
  const handle = await open(path, O_RDONLY | noLinks | O_NONBLOCK | more).catch((error: NodeJS.ErrnoException) => {
    // As Linux and BSDs say that it is a link.
    if (error.code === 'ELOOP' || error.code === 'EMLINK') throw ledAway();
    throw error;
  });
  const isThere = await isOpenAt(handle, path).catch(() => false);
  if (isThere) return handle;
  await handle.close();
  return undefined;
}

/** What lies in a folder; `path` as above. Throws where another folder or a link is in its place now. */
export async function listAt(path: string): Promise<Dirent[]> {
  if (!onLinux) return readdir(path, { withFileTypes: true });
  const handle = await openAt(path, O_DIRECTORY);
  if (handle === undefined) throw ledAway();
  try {
    return await readdir(`/proc/self/fd/${handle.fd}`, { withFileTypes: true });
  } catch (error) {
    // No /proc.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return await readdir(path, { withFileTypes: true });
    throw error;
  } finally {
    await handle.close();
  }
}
