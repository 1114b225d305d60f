// Which passwords somebody has for a file: they are tried in turn where it is read. Passwords are handed on with the file
// and kept nowhere; those in a file do not show in the list of processes, as an option does.
import { passwordsFor, readPasswordLines } from '../../footnote/password-files.ts';

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
