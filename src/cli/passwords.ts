// Opens encrypted files with the passwords that somebody has for them, tried in turn. Passwords are handed on with the file
// and kept nowhere; those in a file do not show in the list of processes, as an option does.
import { toFootnoteError } from '../core/errors.ts';
import { isLocked, passwordsFor, readPasswordLines } from '../footnote/password-files.ts';

/** What to try on a file, by its path. Throws `invalid-request` for a password file that cannot be read or holds too many. */
export async function readPasswords({
  password,
  passwordFile,
}: {
  readonly password?: string;
  readonly passwordFile?: string;
}): Promise<(path: string) => readonly string[]> {
  const lines = passwordFile === undefined ? [] : (await readPasswordLines(passwordFile)).lines;
  return (path) => [...(password === undefined ? [] : [password]), ...passwordsFor(lines, path)];
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
      if (!isLocked(toFootnoteError(thrown))) throw thrown;
    }
  }
  return attempt(passwords.at(-1));
}
