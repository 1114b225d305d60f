// Turns every error of PostgreSQL and of the way to it into a FootnoteError whose message says what to do. Invariant: no message and no cause
// names the address, for it holds a password. Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
import { type ErrorCode, FootnoteError, isFootnoteError, toFootnoteError } from '../../../core/errors.ts';

/** What can be the matter with a database, whoever asks it. */
type Trouble = 'busy' | 'full' | 'refused' | 'denied' | 'corrupt';
/** What it is called, and what whoever reads it is to do. */
export type Told = Readonly<Record<Trouble, readonly [ErrorCode, string]>>;

const ofRecord: Told = {
  busy: [
    'storage-busy',
    'The database of the record does not answer, or is busy. Try again; if it lasts, see whether it runs.',
  ],
  full: ['storage-full', 'The disk of the database is full. Free some space there and try again.'],
  refused: [
    'config-invalid',
    'The database of the record refused to be opened. Check user, password, database and sslmode in FOOTNOTE_DATABASE_URL.',
  ],
  denied: [
    'storage-denied',
    'The user of the database may not do that. Give it the rights to make and use tables in its schema.',
  ],
  corrupt: ['data-corrupt', 'The database of the record is damaged. Restore a backup, or let the database be checked.'],
};

/** By SQLSTATE, else by its class: the first two of its characters. */
const states: Readonly<Record<string, Trouble>> = {
  '53100': 'full',
  '53200': 'busy',
  '53300': 'busy',
  '57014': 'busy',
  '57P01': 'busy',
  '57P02': 'busy',
  '57P03': 'busy',
  '25006': 'busy',
  '25P03': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'busy',
  '08': 'busy',
  '28': 'refused',
  '3D000': 'refused',
  '42501': 'denied',
  XX001: 'corrupt',
  XX002: 'corrupt',
};

/** The transaction had no effect, and may do better when it is run again. */
const again: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '25006', '25P03']);

/** What the driver and the system say of connections that were refused, cut, or never came about. */
const lostCodes: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENOENT'.split(' '),
);
const lostMessages =
  /^(Connection terminated|timeout exceeded when trying|Client has encountered|Query read timeout|Cannot use a pool)/u;

/** What they say of a way that is not as the address wants it: no TLS there, or a certificate that is not believed; no password where one is asked for. */
const refusedCodes = /^(?:ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/u;
const refusedMessages = /^(?:SASL|The server does not support SSL)/u;
const isRefused = (error: unknown): boolean =>
  refusedCodes.test(codeOf(error)) || (error instanceof Error && refusedMessages.test(error.message));

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

/** Nobody answered as long as connecting may take: the next try would take as long. Who waits for a connection of ours may do better. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Connection terminated due to connection timeout';

export const mayTryAgain = (error: unknown): boolean =>
  again.has(codeOf(error)) || (isLost(error) && !isUnreachable(error));

/** Undefined for what is no trouble of these. */
export function toTold(error: unknown, told: Told): FootnoteError | undefined {
  const code = codeOf(error);
  const ofState = isState(code) ? (states[code] ?? states[code.slice(0, 2)]) : undefined;
  const trouble = isRefused(error) ? 'refused' : isLost(error) ? 'busy' : ofState;
  return trouble && new FootnoteError(told[trouble][0], told[trouble][1], { details: { databaseCode: code } });
}

/** The SQLSTATE of what a server said; undefined where no server said it. */
export const stateOf = (error: unknown): string | undefined => (isState(codeOf(error)) ? codeOf(error) : undefined);

/** Total: a FootnoteError passes through. */
export function toRecordError(error: unknown): FootnoteError {
  if (isFootnoteError(error)) return error;
  const told = toTold(error, ofRecord);
  if (told) return told;
  const code = stateOf(error);
  if (code === undefined) return toFootnoteError(error);
  const message = `The record refused a statement: ${(error as Error).message} (SQLSTATE ${code}).`;
  return new FootnoteError('internal', message, { details: { databaseCode: code } });
}
