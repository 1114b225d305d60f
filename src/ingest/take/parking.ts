// A file that cannot be read is tried three times and then parked: not read again until its bytes, its name's kind or the readers
// change, or somebody asks for it. So a file that kills its parser costs a sync nothing, and nothing is forgotten: the record lists it.

import { formatNames } from '@footnote/readers/media-types';
import { extensionOf } from '@footnote/readers/registry/sniff';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type Clock, sha256 } from '../../core/ids.ts';
import { defined } from '../../core/values/defined.ts';
import type { ReadingFailure, ReadingRepository } from '../../db/repositories/readings.ts';
import { isLocked, type Opening, type Passwords, withEachPassword } from '../read/passwords.ts';
import { editionsOfAll } from '../read/reading-editions.ts';

/** Tries after which a file is parked. */
export const maxTries = 3;

/** Names the readers of this build with their editions: files that other readers could not read are tried again. */
export const readers = sha256(`${formatNames.join()}\n${editionsOfAll}`).slice(0, 16);

/** The readers with the password file: a file that lacked a password is tried again when the password file has changed. */
const readersWith = (passwords: Passwords | undefined): string =>
  `${readers}+${passwords === undefined || passwords.isGiven ? 'none' : passwords.edition}`;

/** Whether the file lacked a password, and other passwords are there now. */
export const mayOpenNow = ({ readers: then }: ReadingFailure, passwords: Passwords | undefined): boolean =>
  passwords !== undefined && then.startsWith(`${readers}+`) && then !== readersWith(passwords);

/** Errors that the file brings about and not the moment. */
export const blamed: ReadonlySet<string> = new Set([
  'invalid-media',
  'unsupported-media',
  'too-large',
  'deadline-exceeded',
]);

/** What is said of an unchanged file whose better reader refuses it. */
export const toKeptWarning = ({ message }: FootnoteError): string =>
  `A newer reader cannot read it, so what was read before stays: ${message}`;

/** With a password it may succeed, and a wrong one says nothing of the file. */
export interface AttemptedFile extends Opening {
  readonly source: { readonly name: string };
  readonly uri: string;
  readonly name: string;
  readonly contentHash: string;
  readonly mime?: string;
  readonly access?: readonly string[] | undefined;
}

export interface Parking {
  /**
   * Runs `work` unless the file is parked, with each password where the file asks for one; throws what it throws, or why the file was
   * parked (`details.parked`).
   */
  attempt<T>(file: AttemptedFile, work: (password: string | undefined) => Promise<T>): Promise<T>;
  /** Parks a file at once: one that its archive keeps back. */
  park(file: AttemptedFile, error: FootnoteError): Promise<void>;
}

/** What is known of the files of a source that could not be read; `at`: of one file and of what is inside it or stands on its lines. */
export async function failuresOf(
  readings: ReadingRepository,
  source: string,
  { at }: { readonly at?: string } = {},
): Promise<readonly ReadingFailure[]> {
  const failures: ReadingFailure[] = [];
  let cursor: string | undefined;
  do {
    const page = await readings.failures(defined({ source, at, limit: 1000, cursor }));
    failures.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return failures;
}

export const isParked = (error: FootnoteError): boolean => error.details['parked'] === true;

export function toParkedError(failure: Pick<ReadingFailure, 'error' | 'tries' | 'readers'>): FootnoteError {
  const { error, tries } = failure;
  const { code, message } = error;
  const or = failure.readers.includes('+') ? ', until the password file does' : '';
  return new FootnoteError(
    blamed.has(code) ? (code as 'invalid-media') : 'invalid-media',
    `${message} (Parked after ${tries} tries: it is not read again until it changes${or}, or with --retry.)`,
    { details: { parked: true, tries } },
  );
}

export function createParking({
  readings,
  clock,
}: {
  readonly readings: ReadingRepository;
  readonly clock: Clock;
}): Parking {
  const identityOf = ({ source, uri, name, mime, contentHash, access }: AttemptedFile) => ({
    source: source.name,
    uri,
    contentHash,
    kind: extensionOf(name) || (mime ?? ''),
    readers,
    ...defined({ access }),
  });
  return {
    async attempt(file, work) {
      const identity = identityOf(file);
      const locked = { ...identity, readers: readersWith(file.passwords) };
      const before = (await readings.failure(identity)) ?? (await readings.failure(locked));
      const isCopy = before !== undefined && (before.uri !== file.uri || before.source !== identity.source);
      const hasGiven = file.password !== undefined || file.passwords?.isGiven === true;
      const isAsked = file.retry === true || hasGiven;
      if (before && before.tries >= maxTries && !isAsked) {
        const { tries, error, failedAt } = before;
        if (isCopy) await readings.putFailure({ ...identity, readers: before.readers, tries, error, failedAt });
        throw toParkedError(before);
      }
      try {
        const value = await withEachPassword(file, work);
        if (before) await readings.forget(identity.source, [file.uri]);
        return value;
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (!blamed.has(error.code) || hasGiven) throw error;
        const { code, message } = error;
        // Asked for and failed again: it stays where it was, with the newest reason. Copies of one file are tried in one run: that is one try,
        // and one that was moved keeps those that it had.
        const tries = Math.min(maxTries, (before?.tries ?? 0) + (isCopy ? 0 : 1));
        const who = isLocked(error) ? locked : identity;
        await readings.putFailure({ ...who, tries, error: { code, message }, failedAt: clock.now() });
        throw error;
      }
    },
    async park(file, error) {
      const { code, message } = error;
      const who = isLocked(error) ? { readers: readersWith(file.passwords) } : {};
      const failure = { ...identityOf(file), ...who, tries: maxTries, error: { code, message }, failedAt: clock.now() };
      await readings.putFailure(failure);
    },
  };
}
