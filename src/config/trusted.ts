// What this user confirmed: addresses that keys of the environment may be sent to, and folders of models whose code may be run. It is kept in
// the user's own configuration folder: the working directory and the data folder can be chosen by whoever wrote the files there. A file of
// plain JSON, `{"addresses": [...], "folders": [...]}`.
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FootnoteError } from '../core/errors.ts';
import { plainAddress } from './key-destinations.ts';
import { ownFolder } from './own-folder.ts';

const parts = ['.config', 'footnote'];
const fileName = 'trusted-addresses.json';
const fileSchema = z.object({ addresses: z.array(z.string()), folders: z.array(z.string()).default([]) });

export interface Trusted {
  readonly addresses: readonly string[];
  /** Real paths. */
  readonly folders: readonly string[];
}

export interface TrustChange extends Trusted {
  /** Where it is kept. */
  readonly file: string;
  readonly kind: 'address' | 'folder';
  /** What was confirmed, as it is kept. */
  readonly place: string;
  readonly isChanged: boolean;
}

export interface TrustOptions {
  /** Default: the home folder of this user. */
  readonly home?: string;
}

function folderOf(create: boolean, { home }: TrustOptions): string | undefined {
  return ownFolder(parts, { create, ...(home !== undefined && { home }) });
}

const nothing: Trusted = { addresses: [], folders: [] };

/** Nothing where nothing was confirmed, or where others could have written it. Throws `config-invalid` for a file that cannot be read. */
export function readTrusted(options: TrustOptions = {}): Trusted {
  const folder = folderOf(false, options);
  if (folder === undefined) return nothing;
  const file = join(folder, fileName);
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    throw new FootnoteError(
      'config-invalid',
      `${file}: is not a list of what was confirmed. Remove it, and confirm addresses and folders again with "footnote models trust PLACE".`,
      { cause },
    );
  }
}

/** Whether a folder was confirmed, by whatever links it is named. Throws as `readTrusted`. */
export function isTrustedFolder(path: string, options: TrustOptions = {}): boolean {
  const real = realFolder(path);
  return real !== undefined && readTrusted(options).folders.includes(real);
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(written: string): Pick<TrustChange, 'kind' | 'place'> {
  const address = plainAddress(written);
  if (address !== undefined) return { kind: 'address', place: address };
  const isPath = written.trim() !== '' && !/^[a-z][a-z\d+.-]*:/iu.test(written);
  const folder = isPath ? realFolder(written) : undefined;
  if (folder !== undefined) return { kind: 'folder', place: folder };
  throw new FootnoteError(
    'invalid-request',
    'An address begins with http:// or https://, and a folder of models has to be there. Give the address whole, or the path of the folder.',
  );
}

/**
 * Confirms an address or a folder, or takes that back. Throws `invalid-request` for what is neither, `config-invalid` without a folder of
 * the user's own to keep it in.
 */
export function changeTrust(written: string, isTrusted: boolean, options: TrustOptions = {}): TrustChange {
  const { kind, place } = placeOf(written);
  const folder = folderOf(true, options);
  if (folder === undefined)
    throw new FootnoteError(
      'config-invalid',
      `~/${parts.join('/')} is not a folder that only you can open and write into, so nothing is confirmed there. Make it with mode 0700, without links, or set the address or MODELS_FOLDER in the environment instead.`,
    );
  const before = readTrusted(options);
  const list = kind === 'address' ? 'addresses' : 'folders';
  const others = before[list].filter((one) => one !== place);
  const now: Trusted = { ...before, [list]: isTrusted ? [...others, place] : others };
  const file = join(folder, fileName);
  const isChanged = before[list].includes(place) !== isTrusted;
  if (isChanged) writeWhole(file, `${JSON.stringify(now, undefined, 2)}\n`);
  return { file, ...now, kind, place, isChanged };
}

/** Whoever reads meanwhile sees the file of before or of after. */
function writeWhole(file: string, text: string): void {
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, file);
  } catch (cause) {
    rmSync(next, { force: true });
    throw new FootnoteError('config-invalid', `${file} cannot be written. Check the disk and the mode of its folder.`, {
      cause,
    });
  }
}
