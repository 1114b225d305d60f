// The only error that a reader throws. It stands alone, so that readers import nothing of the program around them; whoever calls a reader
// turns it into an error of the program (core/errors.ts recognises it by its name and code).

/** `config-invalid`: what the operator set for reading is not usable (a recognition model that is damaged, a language without one). */
export type ReadErrorCode = 'unsupported-media' | 'invalid-media' | 'too-large' | 'config-invalid';

/** `message` says what was asked, what was wrong and what to do. `details` are facts for programs, such as `reason: 'password-needed'`. */
export class ReadError extends Error {
  readonly code: ReadErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ReadErrorCode,
    message: string,
    options: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ReadError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** Of files in which there is nothing to read: nobody misses them. */
export const nothingInIt = { details: { reason: 'no-text' } } as const;

export const isReadError = (error: unknown): error is ReadError => error instanceof ReadError;
