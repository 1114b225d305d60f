// Failures of OpenAI's files and vector stores as ours. Invariant: nothing that the vendor wrote reaches a message, a detail or a cause, for
// its messages quote keys and texts: only the HTTP status, one code of a closed list, and how long to wait.
import { type ErrorCode, FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import { readRetryAfter } from '../../net/retry-after.ts';

/** Codes of the vendor that decide something here. */
const quotaCodes: ReadonlySet<unknown> = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

export interface CallFacts {
  /** What was asked, as an infinitive: "search". */
  readonly to: string;
  readonly address: string;
  /** Of the caller. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the call had all the time that a call is given. */
  readonly isOverdue: boolean;
  readonly timeoutMs: number;
}

interface Seen {
  readonly status?: unknown;
  readonly code?: unknown;
  readonly headers?: { get?: (name: string) => string | null };
}

/** Total. `thrown` is anything that the vendor's client or the way out threw. */
export function toStoreError(thrown: unknown, facts: CallFacts): FootnoteError {
  const { to, address, signal, isOverdue, timeoutMs } = facts;
  if (signal?.aborted) return abortError(signal);
  if (isOverdue)
    return new FootnoteError('upstream-unavailable', `OpenAI did not ${to} within ${timeoutMs} ms.`, {
      details: { address },
    });
  for (let error = thrown, depth = 0; error instanceof Error && depth < 8; depth += 1) {
    if (isFootnoteError(error))
      return new FootnoteError(error.code, `OpenAI was asked to ${to}: ${error.message}`, { details: error.details });
    error = error.cause;
  }
  const { status, code, headers } = (thrown ?? {}) as Seen;
  if (typeof status !== 'number')
    return new FootnoteError(
      'upstream-invalid',
      `OpenAI was asked to ${to} and answered in a form that cannot be read.`,
      {
        details: { address },
      },
    );
  const waitMs = readRetryAfter((name) => headers?.get?.(name));
  const [ours, message, isFinal] = judge(status, quotaCodes.has(code), to);
  return new FootnoteError(ours, message, {
    details: { address, status, ...(waitMs !== undefined && { retryAfterMs: waitMs }), ...(isFinal && { isFinal }) },
  });
}

function judge(status: number, hasNoCredit: boolean, to: string): [ErrorCode, string, boolean] {
  const said = `(HTTP ${status})`;
  if (hasNoCredit || status === 402)
    return ['quota-exceeded', `The account of OpenAI has no credit left ${said}. Add credit there.`, true];
  if (status === 401)
    return ['config-invalid', `OpenAI refused the key ${said}. Put a valid key into OPENAI_API_KEY.`, true];
  if (status === 403)
    return [
      'config-invalid',
      `The key of OpenAI may not ${to} ${said}. Grant it, or put another into OPENAI_API_KEY.`,
      true,
    ];
  if (status === 404)
    return ['upstream-invalid', `OpenAI was asked to ${to} and has nothing of that name ${said}.`, true];
  if (status === 413) return ['too-large', `OpenAI was asked to ${to}: what was sent is too large ${said}.`, true];
  if (status === 429) return ['rate-limited', `OpenAI takes no more requests now ${said}.`, false];
  if (status >= 500 || status === 408 || status === 409 || status === 425)
    return ['upstream-unavailable', `OpenAI failed to ${to} ${said}. Try again later.`, false];
  return ['upstream-invalid', `OpenAI refused to ${to}: it holds the request for invalid ${said}.`, true];
}

/** Whether the vendor has surely done nothing: it refused the request before it acted on it. */
export const wasRefused = ({ details: { status } }: FootnoteError): boolean =>
  typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 409;

export const isMissing = (error: unknown): boolean => isFootnoteError(error) && error.details['status'] === 404;
