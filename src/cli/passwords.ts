// Opens encrypted files with the passwords that somebody has for them, tried in turn. Passwords are handed on with the file
// and kept nowhere; those in a file do not show in the list of processes, as an option does.
import { readFile } from 'node:fs/promises';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';

/** Passwords tried on one file: a list of words is no password. */
const mostPasswords = 100;
const needed = new Set(['password-needed', 'wrong-password']);

/** One on each line of the file; throws `invalid-request` for a file that cannot be read or holds too many. */
export async function readPasswords(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    const { code, message } = toFootnoteError(thrown);
    const why = code === 'not-found' ? 'There is no such file' : message;
    throw new FootnoteError('invalid-request', `--password-file ${path} cannot be read: ${why}.`, { cause: thrown });
  });
  const passwords = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
  if (passwords.length > mostPasswords)
    throw new FootnoteError(
      'invalid-request',
      `--password-file ${path} holds ${passwords.length} lines. Keep the ${mostPasswords} passwords or fewer that may fit.`,
    );
  return passwords;
}

/** Does it with each password until one fits; the first try is without any where there are none. Throws what the last try threw. */
export async function withPasswords<T>(
  passwords: readonly string[],
  attempt: (password: string | undefined) => Promise<T>,
): Promise<T> {
  for (const password of passwords.slice(0, -1)) {
    try {
      return await attempt(password);
    } catch (thrown) {
      if (!needed.has(String(toFootnoteError(thrown).details['reason']))) throw thrown;
    }
  }
  return attempt(passwords.at(-1));
}
