// What this user confirmed: addresses that keys of the environment may be sent to. It is kept in the user's own configuration folder: the
// working directory and the data folder can be chosen by whoever wrote the files there. A file of plain JSON, `{"addresses": [...]}`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FootnoteError } from '../core/errors.ts';
import { plainAddress } from './key-destinations.ts';
import { ownFolder } from './own-folder.ts';
import { replaceFile } from './write-settings.ts';

const parts = ['.config', 'footnote'];
const fileName = 'trusted-addresses.json';
const fileSchema = z.object({ addresses: z.array(z.string()) });

export interface Trusted {
  readonly addresses: readonly string[];
}

export interface TrustChange extends Trusted {
  /** Where it is kept. */
  readonly file: string;
  /** What was confirmed, as it is kept. */
  readonly address: string;
  readonly isChanged: boolean;
}

export interface TrustOptions {
  /** Default: the home folder of this user. */
  readonly home?: string;
}

function folderOf(create: boolean, { home }: TrustOptions): string | undefined {
  return ownFolder(parts, { create, ...(home !== undefined && { home }) });
}

const nothing: Trusted = { addresses: [] };

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
      `${file}: is not a list of what was confirmed. Remove it, and confirm addresses again with "footnote models trust ADDRESS".`,
      { cause },
    );
  }
}

/**
 * Confirms an address, or takes that back. Throws `invalid-request` for what is none, `config-invalid` without a folder of
 * the user's own to keep it in.
 */
export function changeTrust(written: string, isTrusted: boolean, options: TrustOptions = {}): TrustChange {
  const address = plainAddress(written);
  if (address === undefined)
    throw new FootnoteError(
      'invalid-request',
      'An address begins with http:// or https://. Give it whole, with its path.',
    );
  const folder = folderOf(true, options);
  if (folder === undefined)
    throw new FootnoteError(
      'config-invalid',
      `~/${parts.join('/')} is not a folder that only you can open and write into, so nothing is confirmed there. Make it with mode 0700, without links, or set the address in the environment instead.`,
    );
  const before = readTrusted(options);
  const others = before.addresses.filter((one) => one !== address);
  const now: Trusted = { addresses: isTrusted ? [...others, address] : others };
  const file = join(folder, fileName);
  const isChanged = before.addresses.includes(address) !== isTrusted;
  if (isChanged) replaceFile(file, `${JSON.stringify(now, undefined, 2)}\n`);
  return { file, ...now, address, isChanged };
}
