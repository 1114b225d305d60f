// Which failures are those of a store as a whole, not of what it was asked or given: the next search and the next document would have them, too.
import type { ErrorCode, FootnoteError } from './errors.ts';

/** No answer, no time, no room, a key that is not taken. */
const outages: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream-unavailable',
  'deadline-exceeded',
  'rate-limited',
  'quota-exceeded',
  'unauthenticated',
  'forbidden',
  'config-invalid',
]);

export const isOutage = ({ code }: Pick<FootnoteError, 'code'>): boolean => outages.has(code);
