// The first admin key, with a secret from a file: for servers that start where nobody has a terminal, such as containers. Invariants: the file is
// read only while no key was ever made, and what stands in it is in no message.
import { readFile } from 'node:fs/promises';
import { isStrongSecret } from '../auth/credentials.ts';
import { FootnoteError } from '../core/errors.ts';
import type { OpenedFootnote } from './opened.ts';

const setting = 'FOOTNOTE_BOOTSTRAP_KEY_FILE';

/** What to tell of it; undefined where no file is named. Throws `config-invalid` for a file that gives no secret. */
export async function makeFirstKey(
  path: string | undefined,
  keys: OpenedFootnote['keys'],
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const before = `Keys were made before, so ${setting} is not read.`;
  if ((await keys.list()).length > 0) return before;
  const failure = (what: string, cause?: unknown): FootnoteError =>
    new FootnoteError('config-invalid', `${setting} names ${path}, ${what}. No key was made.`, { cause });
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw failure(
      `which user ${process.getuid?.()} cannot read (${cause.code}): correct the path or its rights`,
      cause,
    );
  });
  const secret = text.trim();
  if (!isStrongSecret(secret))
    throw failure(
      `which ${secret === '' ? 'is empty' : 'holds what can be guessed, or is no single word of 32 to 512 characters'}: put into it what "openssl rand -hex 32" prints`,
    );
  const made = await keys.create({ name: 'first', role: 'admin', secret }).catch(async (error: unknown) => {
    // Another server that starts with this one was first.
    if ((await keys.list()).length > 0) return undefined;
    throw error;
  });
  if (!made) return before;
  const { key } = made;
  return `Made the first admin key, ${key.id}, with the secret from ${setting}, which is not read again.`;
}
