// How a command proves to the server that it belongs to the owner of the data folder: it leaves an empty file there whose name is the hash
// of a secret, and shows the secret. Invariant: whoever can write into the folder is its owner, and nothing that can be read there, or
// listed, lets anybody else in.
import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toFootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';

export interface OwnerPass {
  readonly secret: string;
  /** Ends it. Never rejects. */
  remove(): Promise<void>;
}

/** 32 random bytes behind a mark that no API key has, so that keys cost no look into the folder. */
const form = /^owner_[\w-]{43}$/;
const passName = /^pass-[\da-f]{64}$/;
const pathOf = (folder: string, secret: string): string => join(folder, `pass-${sha256(secret)}`);

/** Throws `storage-denied` or `storage-full` where nothing can be left in the folder. */
export async function createOwnerPass(folder: string): Promise<OwnerPass> {
  const secret = `owner_${randomBytes(32).toString('base64url')}`;
  const path = pathOf(folder, secret);
  try {
    // Empty: it takes no room on a full disk.
    await writeFile(path, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw toFootnoteError(error instanceof Error ? Object.assign(error, { path: folder }) : error);
  }
  return { secret, remove: () => rm(path, { force: true }).catch(() => undefined) };
}

/** Whether the secret is that of a pass which this user, or the system's, left in the folder. */
export async function isOwnerPass(folder: string, secret: string): Promise<boolean> {
  if (!form.test(secret)) return false;
  try {
    const facts = await lstat(pathOf(folder, secret));
    return facts.isFile() && (process.getuid === undefined || [0, process.getuid()].includes(facts.uid));
  } catch {
    return false;
  }
}

/** Takes away what commands that were killed left behind. */
export async function clearOwnerPasses(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (passName.test(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}
