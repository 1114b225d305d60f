// What every part of the facade says of a thing that is not there, and of a source's name that cannot be one.
import { FootnoteError } from '../../core/errors.ts';

export const missing = (what: string, id: string): FootnoteError =>
  new FootnoteError('not-found', `There is no ${what} "${id}".`);

/** What was read; throws `not-found` where there is nothing. */
export async function found<T>(what: string, id: string, read: Promise<T | undefined>): Promise<T> {
  const value = await read;
  if (value === undefined) throw missing(what, id);
  return value;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,99}$/u;

/** Throws `invalid-request`. */
export function assertSourceName(name: string): void {
  if (namePattern.test(name)) return;
  throw new FootnoteError(
    'invalid-request',
    'A source name has 1 to 100 letters, digits, spaces or . _ - signs and starts with a letter or digit.',
  );
}
