// Failures of the PostgreSQL that the store is in, as ours. Invariant: nothing that the server wrote reaches a message, a detail or a cause, and
// neither does the address; the SQLSTATE does.
import { type ErrorCode, FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { stateOf, type Told, toTold } from '../../db/postgres/client/errors.ts';

const title = 'The PostgreSQL of DATABASE_URL';

export const failed = (
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): FootnoteError => new FootnoteError(code, `${title} ${message}`, { details: { store: 'postgres', ...details } });

const told: Told = {
  busy: ['upstream-unavailable', 'does not answer, or is busy. Try again; if it lasts, see whether it runs.'],
  full: ['quota-exceeded', 'has no disk left. Free some space there.'],
  refused: ['config-invalid', 'refused to be opened. Check user, password, database and sslmode in DATABASE_URL.'],
  denied: [
    'config-invalid',
    'does not let its user do that. Grant it CREATE in the database, or make the schema of DATABASE_SCHEMA and give it to that user.',
  ],
  corrupt: ['upstream-invalid', 'is damaged. Have it checked; what is in the store can be delivered again.'],
};

/** Tables and columns, types and operators that were there, and are not any more. */
const missingStates: ReadonlySet<string | undefined> = new Set(['42P01', '42703', '42704', '42883', '3F000']);
export const isMissing = (error: unknown): boolean =>
  isFootnoteError(error) && missingStates.has(String(error.details['databaseCode']));

/** Total. `thrown` is anything that the client threw. */
export function toStoreError(thrown: unknown): FootnoteError {
  if (isFootnoteError(thrown))
    // A write whose outcome nobody knows is done again, which changes nothing that was done.
    return thrown.code === 'storage-busy' ? failed(...told.busy, thrown.details) : thrown;
  const state = stateOf(thrown);
  const trouble = toTold(thrown, told);
  if (trouble) return failed(trouble.code, trouble.message, trouble.details);
  if (state === undefined) return toFootnoteError(thrown);
  if (missingStates.has(state))
    return failed('upstream-unavailable', 'lacks tables of this store. The next call makes them.', {
      databaseCode: state,
    });
  return failed('upstream-invalid', `refused a statement (SQLSTATE ${state}).`, { databaseCode: state });
}
