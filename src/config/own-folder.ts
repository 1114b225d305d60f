// A folder that belongs to this user alone, for what is trusted without being read: compiled code, confirmed addresses. Invariant: nobody
// else but root can write into it or put another in its place; where that cannot be said there is none, and its owner does without.
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

const othersWrite = 0o022;
const othersAnything = 0o077;
const sticky = 0o1000;

export interface OwnFolderOptions {
  /** Default: the home folder of this user. */
  readonly home?: string;
  /** Whether to make it, with mode 0700. Default true. */
  readonly create?: boolean;
}

/** Its real path, or undefined where it is a link, another's, open to others, or cannot be had. `parts` lead to it from the home folder. */
export function ownFolder(parts: readonly string[], options: OwnFolderOptions = {}): string | undefined {
  const home = options.home ?? homedir();
  if (!isAbsolute(home)) return undefined;
  const path = join(home, ...parts);
  try {
    if (options.create ?? true) mkdirSync(path, { recursive: true, mode: 0o700 });
    const real = realpathSync(path);
    // Links on the way to the home folder are the system's; below it nobody needs one.
    if (real !== join(realpathSync(home), ...parts)) return undefined;
    return isOwn(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** `path` is real. Whoever may write into a folder above may put another in its place, unless the sticky bit keeps what is not theirs. */
function isOwn(path: string): boolean {
  const user = process.getuid?.();
  // Without users and modes (Windows) the profile folder is closed to others by its access list.
  if (user === undefined) return lstatSync(path).isDirectory();
  const own = lstatSync(path);
  if (!own.isDirectory() || own.uid !== user || (own.mode & othersAnything) !== 0) return false;
  for (let above = dirname(path); ; above = dirname(above)) {
    const { uid, mode } = lstatSync(above);
    if (uid !== user && uid !== 0) return false;
    if ((mode & othersWrite) !== 0 && (mode & sticky) === 0) return false;
    if (above === dirname(above)) return true;
  }
}
