// A file of passwords for encrypted files, tried in turn on each that needs one. Invariant: the passwords are read anew for each run and
// kept nowhere; what stands elsewhere is the path of the file, and by when and how long it was (its edition) whether it changed.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { lockedMessage, lockedReason } from '@footnote/readers/containers/locked';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { globMatcher } from '../connectors/walk.ts';

/** Passwords tried on one file: a list of words is no password. */
export const mostPasswords = 100;
const mostLines = 10_000;
const mostBytes = 1024 * 1024;

export interface PasswordLine {
  readonly password: string;
  /** For which files it is, by their paths: a glob as of `--include`; absent: for any. */
  readonly isFor?: (path: string) => boolean;
}

export interface Passwords {
  /** Another one where the file was changed; says nothing of what stands in it. */
  readonly edition: string;
  /** What to try on the file of this path, in turn: first what its pattern names. */
  of(path: string): readonly string[];
  /** Why there are none, for people. */
  readonly problem?: string;
  /** They came with the file, for this one time, and out of no password file. */
  readonly isGiven?: true;
}

/** How a file is opened. */
export interface Opening {
  readonly password?: string;
  /** Tried in turn where the file, or one inside it, asks for one. */
  readonly passwords?: Passwords;
  /** Tried even if it was given up before. */
  readonly retry?: boolean;
}

/** Those that somebody gives with a file, for it and for what is inside it. */
export const givenPasswords = (passwords: readonly string[]): Passwords => ({
  edition: 'given',
  of: () => passwords,
  isGiven: true,
});

/**
 * `password` or `pattern TAB password` on each line, spaces included; empty lines count nothing. Throws `invalid-request` for a file that
 * cannot be read or holds too many.
 */
export async function readPasswordLines(
  path: string,
): Promise<{ readonly lines: readonly PasswordLine[]; readonly edition: string }> {
  const refuse = (why: string, cause?: unknown): FootnoteError =>
    new FootnoteError('invalid-request', `The password file ${path} ${why}`, { cause });
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > mostBytes) throw refuse(`has ${size} bytes. Keep only the passwords that may fit.`);
    const lines = (await readFile(path, 'utf8'))
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .filter((line) => line !== '')
      .map(toLine);
    const unbound = lines.filter(({ isFor }) => isFor === undefined).length;
    if (unbound > mostPasswords || lines.length > mostLines)
      throw refuse(
        `holds ${lines.length} lines, ${unbound} of them for any file. Keep the ${mostPasswords} passwords or fewer that may fit, or say for which files they are (PATTERN, tab, PASSWORD).`,
      );
    return { lines, edition: sha256(`${resolve(path)} ${size} ${mtimeMs}`).slice(0, 16) };
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'invalid-request') throw error;
    const isFolder = (thrown as NodeJS.ErrnoException).code === 'EISDIR';
    throw refuse(
      isFolder
        ? 'is a folder. Name a file.'
        : error.code === 'not-found'
          ? 'cannot be read: there is no such file.'
          : `cannot be read: ${error.message}`,
      thrown,
    );
  }
}

function toLine(line: string): PasswordLine {
  const tab = line.indexOf('\t');
  if (tab < 0) return { password: line };
  const pattern = line.slice(0, tab).trim();
  const password = line.slice(tab + 1);
  if (pattern === '') return { password };
  // Made when a file is locked first: a long list costs nothing where none is, and is not made again for the next.
  let matches: ReturnType<typeof globMatcher> | undefined;
  const isFor = (path: string): boolean => {
    matches ??= globMatcher([pattern]);
    return matches(path);
  };
  return { password, isFor };
}

/** Which of the passwords are for a file, those that name it first. */
export function passwordsFor(lines: readonly PasswordLine[], path: string): readonly string[] {
  const named = lines.filter(({ isFor }) => isFor?.(path));
  const unbound = lines.filter(({ isFor }) => isFor === undefined);
  return [...new Set([...named, ...unbound].map(({ password }) => password))].slice(0, mostPasswords);
}

/** Of a source that names one; a file that cannot be read costs only the files that need it, and they say so. */
export async function openPasswords(path: string | undefined): Promise<Passwords | undefined> {
  if (path === undefined) return undefined;
  try {
    const { lines, edition } = await readPasswordLines(path);
    return { edition, of: (uri) => passwordsFor(lines, uri) };
  } catch (thrown) {
    return { edition: 'unreadable', of: () => [], problem: toFootnoteError(thrown).message };
  }
}

const lockedReasons: ReadonlySet<unknown> = new Set(['password-needed', 'wrong-password']);

/** Whether a password, or another one, might open the file. */
export const isLocked = ({ details }: FootnoteError): boolean => lockedReasons.has(details['reason']);

/** Does it without a password and, where the file asks for one, with each that is for it until one fits. */
export async function withEachPassword<T>(
  file: { readonly uri: string; readonly name: string; readonly password?: string; readonly passwords?: Passwords },
  attempt: (password: string | undefined) => Promise<T>,
): Promise<T> {
  const { uri, password, passwords } = file;
  try {
    return await attempt(password);
  } catch (thrown) {
    const locked = toFootnoteError(thrown);
    if (password !== undefined || passwords === undefined || !isLocked(locked)) throw thrown;
    // An archive tries them all by itself, on each file in it.
    const { tried: alreadyTried } = locked.details;
    if (typeof alreadyTried === 'number' && alreadyTried > 0) throw thrown;
    const tried = alreadyTried === undefined ? passwords.of(uri) : [];
    for (const one of tried)
      try {
        return await attempt(one);
      } catch (again) {
        if (!isLocked(toFootnoteError(again))) throw again;
      }
    const details = tried.length === 0 ? locked.details : { ...locked.details, reason: lockedReason(tried.length) };
    const message =
      tried.length > 0
        ? lockedMessage({ name: file.name, tried: tried.length })
        : `${locked.message} ${passwords.problem ?? 'The password file holds none for it.'}`;
    throw new FootnoteError(locked.code, message, { details, cause: thrown });
  }
}
