// Failures in the shapes of other APIs, on the routes that mirror them: clients read status, code and `param`, and ask again by themselves unless told not to.
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { errorTable, FootnoteError, isFootnoteError } from '../../core/errors.ts';
import type { Problem } from '../../core/events.ts';

/** What clients of OpenAI's ask for whose base address lacks `/v1`. */
const versionless = /^\/(?:models|responses|chat\/completions)(?:[/?]|$)/u;
/** Also what is not served here: whoever asks for it reads errors of this shape alone. */
const mirrored = {
  openai: /^\/v1\/(?:chat|models|completions|responses|embeddings|uploads|files|vector_stores)(?:[/?]|$)/u,
  anthropic: /^\/v1\/messages(?:[/?]|$)/u,
};
export type Mirrored = keyof typeof mirrored;
/** Whose API a route mirrors. */
export const mirroredBy = (url: string): Mirrored | undefined =>
  versionless.test(url) ? 'openai' : (['openai', 'anthropic'] as const).find((name) => mirrored[name].test(url));

/** Why an address is not served that would be behind `/v1`. */
export const versionHint = (url: string): string | undefined =>
  versionless.test(url)
    ? 'Here the addresses of this API begin with /v1. Let the base address of the client end in /v1.'
    : undefined;

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

interface Named {
  readonly param?: string | null;
  readonly openai?: string;
}
const namedIn = (thrown: unknown): Named => (isFootnoteError(thrown) ? thrown.details : {});

export function toOpenAIError({ status, code, detail: message }: Problem, thrown?: unknown) {
  const { param = refusedField(thrown), openai = codes[code] ?? code } = namedIn(thrown);
  return {
    error: {
      message,
      type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
      param,
      code: openai,
    },
  };
}

const anthropicTypes: Readonly<Record<number, string>> = {
  ...types,
  404: 'not_found_error',
  413: 'request_too_large',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** Our own code stands in the details. */
export function toAnthropicError({ status, code, detail: message, requestId }: Problem, thrown?: unknown) {
  const { param = refusedField(thrown) } = namedIn(thrown);
  const type = anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message, details: { error_code: code, param } }, request_id: requestId };
}

export const toMirroredError = (by: Mirrored, problem: Problem, thrown: unknown): object =>
  (by === 'openai' ? toOpenAIError : toAnthropicError)(problem, thrown);

/** Clients repeat 408, 409, 429 and 5xx unless told that it is of no use. */
export const isInVain = (code: string, error?: unknown): boolean =>
  spent.has(code) ||
  !(
    (error as Partial<FootnoteError> | undefined)?.details?.['retryable'] === true ||
    (Object.hasOwn(errorTable, code) && errorTable[code as keyof typeof errorTable].retryable)
  );
