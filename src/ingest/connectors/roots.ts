// Which folders of this machine a source may read. Invariants: the data folder is read by nobody, whatever link, mount or spelling leads
// there; who is not the owner reads only below the folders that the configuration names, and never what belongs to the system or holds
// secrets, whatever is named.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { FolderConnector } from '../../core/connector.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { identityOf, isWithin, neverRead } from './walk.ts';

export interface RootRules {
  /** Folders that nobody reads: the data folder. */
  readonly closed: readonly string[];
  /** Only what lies in one of these is read. Absent: the owner asks, who may read what the system lets the program read. */
  readonly allowed?: readonly string[];
}

export interface Root {
  /** Without links. */
  readonly path: string;
  /** Below it, never read. */
  readonly skip: readonly string[];
}

/** What the kernel makes up: no documents, and the environment of every program. */
const virtualFolders: readonly string[] = ['/proc', '/sys', '/dev'];
/** What tells of the machine, its users and its programs at work; on macOS most of it lies below /private. */
const systemFolders: readonly string[] = ['etc', 'run', 'boot', 'var/run', 'var/lock'].flatMap((name) => [
  `/${name}`,
  `/private/${name}`,
]);
const moreSystemFolders: readonly string[] = [
  '/private/var/db',
  '/System',
  '/Library',
  'C:\\Windows',
  'C:\\ProgramData',
];
const closedToGuests = [...virtualFolders, ...systemFolders, ...moreSystemFolders];
/** What programs of a person keep their keys in. */
const secretNames: ReadonlySet<string> = new Set([
  '.config',
  '.kube',
  '.docker',
  '.azure',
  '.password-store',
  '.mozilla',
]);
/** A folder of this name is never entered, wherever it lies: only then may a root hold it. */
const usualName = '.footnote';

/** The path without links; what of it is not there yet stays as it is written. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realOf(dirname(path)), basename(path));
  }
}

/** Whether one is the other or lies in it, by name or, for spellings and mounts, by what the system says that they are. */
async function liesIn(path: string, folder: string): Promise<boolean> {
  if (isWithin(path, folder)) return true;
  const wanted = await identityOf(folder);
  if (wanted === undefined) return false;
  for (let around = path; ; around = dirname(around)) {
    if ((await identityOf(around)) === wanted) return true;
    if (dirname(around) === around) return false;
  }
}

async function refuseClosed(shown: string, path: string, closed: string): Promise<void> {
  const refuse = (how: string): FootnoteError =>
    new FootnoteError(
      'forbidden',
      `${shown} ${how} the data folder, which no source reads. Name another folder, or move the documents.`,
    );
  if (await liesIn(path, closed)) throw refuse('is or lies in');
  if (basename(closed) !== usualName && (await liesIn(closed, path))) throw refuse('holds');
}

function refuseGuest(shown: string, path: string, allowed: readonly string[]): void {
  if (!allowed.some((folder) => isWithin(path, folder)))
    throw new FootnoteError(
      'forbidden',
      `${shown} may not be read for this key: ${allowed.length === 0 ? 'no folders are open to keys' : 'it lies in none of the folders that are open to keys'}. Whoever runs the server names them in SOURCE_ROOTS, or reads the folder in with "footnote ingest".`,
    );
  const names = path.split(sep);
  if (
    closedToGuests.some((folder) => isWithin(path, folder)) ||
    names.some((name) => neverRead(name) || secretNames.has(name))
  )
    throw new FootnoteError(
      'forbidden',
      `${shown} belongs to the system or holds secrets: keys may not read it. Name a folder of documents.`,
    );
}

/** Whether what a source leads to by itself may be read with it: below its root for a key, and nowhere what the root leaves out. */
export async function mayFollow(path: string, root: Root, { allowed }: RootRules): Promise<boolean> {
  if (allowed !== undefined && !isWithin(path, root.path)) return false;
  for (const folder of root.skip) if (await liesIn(path, folder)) return false;
  return true;
}

/** Where the path of a source really leads. Throws `forbidden` where it may not be read, `not-found` and what the system says. */
export async function resolveRoot(connector: FolderConnector, { closed, allowed }: RootRules): Promise<Root> {
  const shown = resolve(connector.path);
  const real = async (path: string): Promise<string> => {
    try {
      return await realOf(resolve(path));
    } catch (error) {
      throw toFootnoteError(error);
    }
  };
  const path = await real(shown);
  const closedReal = await Promise.all(closed.map(real));
  for (const folder of closedReal) await refuseClosed(shown, path, folder);
  if (allowed !== undefined) {
    const open = await Promise.all(allowed.map(real));
    refuseGuest(shown, path, open);
    if (connector.passwordFile !== undefined) {
      const file = await real(connector.passwordFile);
      for (const folder of closedReal) await refuseClosed(connector.passwordFile, file, folder);
      refuseGuest(connector.passwordFile, file, open);
    }
  }
  const system = allowed === undefined ? virtualFolders : closedToGuests;
  return { path, skip: [...closedReal, ...system.filter((folder) => !isWithin(path, folder))] };
}
