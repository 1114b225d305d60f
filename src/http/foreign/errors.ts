// Failures in the shape of OpenAI's API, on the routes that mirror it: clients read status, `code` and `param`, and ask again by themselves unless told not to.
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorTable, FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Problem } from '../../core/events.ts';

/** Also what is not served here: whoever asks for it reads errors of this shape alone. */
const mirrored = /^\/v1\/(?:chat|models|completions|responses|embeddings|uploads|files|vector_stores)(?:[/?]|$)/u;
export const isMirrored = (url: string): boolean => mirrored.test(url);

/** Something in the request that is refused by name. */
export const refusal = (param: string, message: string, code = 'unsupported_parameter'): FootnoteError =>
  new FootnoteError('invalid-request', message, { details: { param, openai: code } });

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
};
/** OpenAI's own, where it has one; else ours. */
const codes: Readonly<Record<string, string>> = {
  unauthenticated: 'invalid_api_key',
  'rate-limited': 'rate_limit_exceeded',
  'quota-exceeded': 'insufficient_quota',
};
/** Asked again at once, these cost as much and end alike. */
const spent: ReadonlySet<string> = new Set(['deadline-exceeded', 'quota-exceeded', 'storage-full']);

/** The field that a schema refused: `messages[0].content`. */
function refusedField(thrown: unknown): string | null {
  if (!hasZodFastifySchemaValidationErrors(thrown)) return null;
  const [issue] = thrown.validation;
  const path = issue?.instancePath.split('/').filter((part) => part !== '') ?? [];
  return path.length === 0
    ? null
    : path.reduce((all, part) => (/^\d+$/u.test(part) ? `${all}[${part}]` : `${all}.${part}`));
}

export function toOpenAIError({ status, code, detail: message }: Problem, thrown?: unknown) {
  const { param = refusedField(thrown), openai = codes[code] ?? code } = (
    isFootnoteError(thrown) ? thrown.details : {}
  ) as {
    readonly param?: string | null;
    readonly openai?: string;
  };
  return {
    error: {
      message,
      type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param,
      code: openai,
    },
  };
}

/** Clients repeat 408, 409, 429 and 5xx unless told that it is of no use. */
export const isInVain = (code: string): boolean =>
  spent.has(code) || !(Object.hasOwn(errorTable, code) && errorTable[code as keyof typeof errorTable].retryable);
