// One error class and one closed table: every failure that crosses a port or a door is a FootnoteError whose code
// decides the HTTP status (RFC 9457 problem+json), the process exit code and whether a retry can help.

export interface ErrorRule {
  readonly status: number;
  readonly exitCode: number;
  readonly retryable: boolean;
  readonly title: string;
}

export const errorTable = {
  'invalid-request': { status: 400, exitCode: 2, retryable: false, title: 'The request is not valid' },
  unauthenticated: { status: 401, exitCode: 3, retryable: false, title: 'A valid API key is required' },
  forbidden: { status: 403, exitCode: 3, retryable: false, title: 'This key may not do that' },
  'not-found': { status: 404, exitCode: 4, retryable: false, title: 'Not found' },
  conflict: { status: 409, exitCode: 5, retryable: false, title: 'Conflicts with the present state' },
  'idempotency-mismatch': {
    status: 422,
    exitCode: 5,
    retryable: false,
    title: 'The idempotency key was used for another request',
  },
  unsupported: { status: 422, exitCode: 6, retryable: false, title: 'Not configured here' },
  'unsupported-media': { status: 415, exitCode: 6, retryable: false, title: 'This kind of file cannot be read' },
  'invalid-media': { status: 422, exitCode: 6, retryable: false, title: 'The file is damaged or not what it claims' },
  'too-large': { status: 413, exitCode: 6, retryable: false, title: 'Too large' },
  'rate-limited': { status: 429, exitCode: 7, retryable: true, title: 'Too many requests' },
  'quota-exceeded': { status: 429, exitCode: 7, retryable: false, title: 'The quota is used up' },
  'deadline-exceeded': { status: 504, exitCode: 8, retryable: true, title: 'The time allowed ran out' },
  cancelled: { status: 499, exitCode: 130, retryable: true, title: 'Cancelled' },
  'storage-full': { status: 507, exitCode: 9, retryable: true, title: 'The disk is full' },
  'storage-denied': { status: 500, exitCode: 9, retryable: false, title: 'No permission to read or write the data' },
  'storage-busy': { status: 503, exitCode: 14, retryable: true, title: 'The database is busy or away' },
  'upstream-unavailable': { status: 503, exitCode: 10, retryable: true, title: 'A service behind this one is down' },
  'upstream-invalid': { status: 502, exitCode: 10, retryable: true, title: 'A service behind this one answered badly' },
  'config-invalid': { status: 500, exitCode: 11, retryable: false, title: 'The configuration is not valid' },
  'data-corrupt': { status: 500, exitCode: 12, retryable: false, title: 'Stored data is damaged' },
  'migration-needed': { status: 500, exitCode: 12, retryable: false, title: 'The data folder has another version' },
  'already-running': { status: 409, exitCode: 13, retryable: false, title: 'Another process owns this' },
  'port-taken': { status: 500, exitCode: 13, retryable: false, title: 'The address is in use' },
  internal: { status: 500, exitCode: 70, retryable: false, title: 'An error of ours' },
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof errorTable;

export interface FootnoteErrorOptions {
  /** Machine-readable facts that help to act on the error. Never secrets, never upstream bodies. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The only error that crosses a port. `message` says what was asked, what was wrong and what to do. */
export class FootnoteError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: FootnoteErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FootnoteError';
    this.code = code;
    this.details = options.details ?? {};
  }

  get rule(): ErrorRule {
    return errorTable[this.code];
  }
}

export function isFootnoteError(error: unknown): error is FootnoteError {
  return error instanceof FootnoteError;
}

const systemCodes: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['storage-full', 'The disk is full. Free some space and try again.'],
  EDQUOT: ['storage-full', 'The disk quota is used up. Free some space and try again.'],
  EACCES: ['storage-denied', 'No permission. Check the owner and the mode of the file or folder.'],
  EPERM: ['storage-denied', 'No permission. Check the owner and the mode of the file or folder.'],
  EROFS: ['storage-denied', 'The file system is read-only. Choose another folder.'],
  ENOENT: ['not-found', 'No such file or folder. Check the path.'],
  EADDRINUSE: ['port-taken', 'The address is in use. Choose another port with --port.'],
  EADDRNOTAVAIL: ['port-taken', 'This machine has no such address. Choose another host.'],
  EMFILE: ['internal', 'Too many open files. Raise the limit (ulimit -n).'],
};

/** Readers stand alone and throw an error of their own, with codes of this table. */
function isReadError(error: Error): error is Error & Pick<FootnoteError, 'code' | 'details'> {
  return error.name === 'ReadError' && Object.hasOwn(errorTable, (error as { code?: string }).code ?? '');
}

/** Total: turns anything thrown into a FootnoteError; an unknown thing becomes `internal`. */
export function toFootnoteError(error: unknown): FootnoteError {
  if (error instanceof FootnoteError) return error;
  if (error instanceof Error) {
    if (isReadError(error))
      return new FootnoteError(error.code, error.message, { details: error.details, cause: error.cause });
    if (error.name === 'AbortError')
      return new FootnoteError('cancelled', 'The request was cancelled.', { cause: error });
    if (error.name === 'TimeoutError')
      return new FootnoteError('deadline-exceeded', 'The time allowed for this request ran out.', { cause: error });
    const systemCode = (error as NodeJS.ErrnoException).code;
    const known = Object.hasOwn(systemCodes, systemCode ?? '') ? systemCodes[systemCode ?? ''] : undefined;
    if (known) {
      const path = (error as NodeJS.ErrnoException).path;
      return new FootnoteError(known[0], path === undefined ? known[1] : `${path}: ${known[1]}`, { cause: error });
    }
    return new FootnoteError('internal', error.message || 'Unexpected error', { cause: error });
  }
  return new FootnoteError('internal', String(error), { cause: error });
}

/** For reading what may not be there: `reading.catch(asAbsent)` is undefined for `not-found`, and throws what else went wrong. */
export function asAbsent(error: unknown): undefined {
  if (isFootnoteError(error) && error.code === 'not-found') return undefined;
  throw error;
}
