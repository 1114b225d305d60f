// Turns every error of PostgreSQL and of the way to it into a FootnoteError whose message says what to do. Invariant: no message and no cause
// names the address, for it holds a password. Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
import { type ErrorCode, FootnoteError, isFootnoteError, toFootnoteError } from '../../../core/errors.ts';

const busy = 'The database of the record does not answer, or is busy. Try again; if it lasts, see whether it runs.';
const full = 'The disk of the database is full. Free some space there and try again.';
const refused =
  'The database of the record refused to be opened. Check user, password and database in FOOTNOTE_DATABASE_URL.';
const denied = 'The user of the database may not do that. Give it the rights to make and use tables in its schema.';
const corrupt = 'The database of the record is damaged. Restore a backup, or let the database be checked.';

/** By SQLSTATE, else by its class: the first two of its characters. */
const states: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  '53100': ['storage-full', full],
  '53200': ['storage-busy', busy],
  '53300': ['storage-busy', busy],
  '57014': ['storage-busy', busy],
  '57P01': ['storage-busy', busy],
  '57P02': ['storage-busy', busy],
  '57P03': ['storage-busy', busy],
  '25006': ['storage-busy', busy],
  '25P03': ['storage-busy', busy],
  '40001': ['storage-busy', busy],
  '40P01': ['storage-busy', busy],
  '55P03': ['storage-busy', busy],
  '08': ['storage-busy', busy],
  '28': ['config-invalid', refused],
  '3D000': ['config-invalid', refused],
  '42501': ['storage-denied', denied],
  XX001: ['data-corrupt', corrupt],
  XX002: ['data-corrupt', corrupt],
};

/** The transaction had no effect, and may do better when it is run again. */
const again: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '25006', '25P03']);

/** What the driver and the system say of connections that were refused, cut, or never came about. */
const lostCodes: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOENT'.split(' '),
);
const lostMessages =
  /^(Connection terminated|timeout exceeded when trying|Client has encountered|Query read timeout|Cannot use a pool)/u;

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
const isState = (code: string): boolean => /^[0-9A-Z]{5}$/u.test(code);

/** Whether the connection is gone: what was under way on it may have been done or not. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (lostCodes.has(code)) return true;
  if (isState(code)) return code.startsWith('08') || code.startsWith('57P') || code === '25P03';
  return error instanceof Error && lostMessages.test(error.message);
}

export const mayTryAgain = (error: unknown): boolean => again.has(codeOf(error)) || isLost(error);

/** Total: a FootnoteError passes through. */
export function toRecordError(error: unknown): FootnoteError {
  if (isFootnoteError(error)) return error;
  const code = codeOf(error);
  if (isLost(error)) return new FootnoteError('storage-busy', busy, { details: { databaseCode: code } });
  if (!isState(code)) return toFootnoteError(error);
  const [kind, message] = states[code] ?? states[code.slice(0, 2)] ?? ['internal', undefined];
  const told = message ?? `The record refused a statement: ${(error as Error).message} (SQLSTATE ${code}).`;
  return new FootnoteError(kind, told, { details: { databaseCode: code } });
}
