// Failures of providers as ours. Invariant: nothing that a provider wrote reaches a message, a detail or a cause — their messages
// quote keys and prompts — but codes of a closed list, the HTTP status, how long to wait and how many tokens were too many.

import { APICallError } from '@ai-sdk/provider';
import { type ErrorCode, FootnoteError, isFootnoteError } from '../../../core/errors.ts';
import { readRetryAfter } from '../../../net/retry-after.ts';
import { refusedParameterIn } from '../learned-parameters.ts';
import { type LengthRefusal, readLengthRefusal } from '../length-refusal.ts';

/** What a message needs to say who failed and what to change. */
export interface ProviderFacts {
  /** As settings name it: `openai`. */
  readonly provider: string;
  /** As people name it: `OpenAI`. */
  readonly title: string;
  /** Name of the setting that holds the key. */
  readonly keySetting: string;
  /** No key is sent, because none is configured. */
  readonly isKeyless?: boolean;
  /** Name of the setting that holds the address. */
  readonly addressSetting: string;
  /** The model that is called. */
  readonly model: string;
}

/** Codes of OpenAI, Azure OpenAI and Anthropic that decide something here, or that help whoever reads the error. */
const vendorCodes = new Set(
  `api_error authentication_error billing_error billing_hard_limit_reached content_filter context_length_exceeded
  deploymentnotfound insufficient_quota internal_server_error invalid_api_key invalid_prompt invalid_request_error model_not_found
  not_found_error overloaded_error permission_error rate_limit_error rate_limit_exceeded request_too_large server_error
  service_unavailable string_above_max_length timeout_error tokens unsupported_parameter unsupported_value vector_store_timeout`.split(
    /\s+/u,
  ),
);

/** How Anthropic, and servers in its manner, say that nothing is left to pay with: the code is that of any bad request. */
const noCredit = /credit balance is too low/iu;
/** Codes by which a provider withholds an answer for what the question or the answer holds. */
const withheldCodes = ['content_filter', 'invalid_prompt'] as const;

interface Seen {
  readonly status: number | undefined;
  readonly codes: ReadonlySet<string>;
  readonly retryAfterMs: number | undefined;
  readonly sizes?: LengthRefusal | undefined;
  /** Of those that are sent here, the one that was refused. */
  readonly parameter?: string | undefined;
}

/** Total. `thrown` is anything that the SDK threw or put into its stream. */
export function toModelError(thrown: unknown, facts: ProviderFacts): FootnoteError {
  for (let error = thrown, depth = 0; error !== undefined && error !== null && depth < 8; depth++) {
    if (isFootnoteError(error)) return named(error, facts);
    error = (error as { cause?: unknown }).cause;
  }
  const seen = look(thrown);
  const [code, message, isFinal] = judge(seen, facts);
  return new FootnoteError(code, message, {
    details: {
      model: `${facts.provider}:${facts.model}`,
      ...(seen.status === undefined ? {} : { status: seen.status }),
      ...(seen.codes.size === 0 ? {} : { vendorCode: [...seen.codes][0] }),
      ...(seen.retryAfterMs === undefined ? {} : { retryAfterMs: seen.retryAfterMs }),
      ...(code === 'too-large' ? seen.sizes : {}),
      ...(code === 'upstream-invalid' && seen.parameter !== undefined && { parameter: seen.parameter }),
      ...(isFinal ? { isFinal } : {}),
    },
  });
}

/** True for the errors by which Azure OpenAI and OpenAI withhold an answer: a result of ours. */
export function isContentFilter(thrown: unknown): boolean {
  const { codes } = look(thrown);
  return withheldCodes.some((code) => codes.has(code));
}

const named = (error: FootnoteError, facts: ProviderFacts): FootnoteError =>
  new FootnoteError(error.code, `${facts.title} (${facts.model}): ${error.message}`, {
    details: { ...error.details, model: `${facts.provider}:${facts.model}` },
  });

// oxlint-disable-next-line complexity -- Each kind of message that a provider sends is a case.
function judge(
  { status, codes, retryAfterMs, sizes, parameter }: Seen,
  facts: ProviderFacts,
): [ErrorCode, string, boolean] {
  const { title, model, keySetting, addressSetting, isKeyless = false } = facts;
  const said = status === undefined ? '' : ` (HTTP ${status})`;
  const has = (...names: string[]): boolean => names.some((name) => codes.has(name));
  if (has('insufficient_quota', 'billing_error', 'billing_hard_limit_reached') || status === 402)
    return [
      'quota-exceeded',
      `The account of ${title} has no credit left${said}. Add credit there, or name another model.`,
      true,
    ];
  if (sizes || has('context_length_exceeded', 'request_too_large', 'string_above_max_length') || status === 413)
    return ['too-large', `The text is longer than ${model} of ${title} reads${said}. Send less of it.`, true];
  if (has('model_not_found', 'deploymentnotfound') || status === 404)
    return [
      'config-invalid',
      `${title} has no model ${model} at this address${said}. Correct the model name or ${addressSetting}.`,
      true,
    ];
  if (has('invalid_api_key', 'authentication_error') || status === 401)
    return [
      'config-invalid',
      isKeyless
        ? `${title} wants a key, and none is set${said}. Put it into ${keySetting}.`
        : `${title} refused the key${said}. Put a valid key into ${keySetting}.`,
      true,
    ];
  if (has('permission_error') || status === 403)
    return [
      'config-invalid',
      isKeyless
        ? `${title} lets nobody use ${model} without a key, and none is set${said}. Put one into ${keySetting}.`
        : `The key of ${title} may not use ${model}${said}. Grant it, or put another key into ${keySetting}.`,
      true,
    ];
  if (has('rate_limit_exceeded', 'rate_limit_error') || status === 429) {
    const wait = retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(retryAfterMs / 1000)} s.`;
    return ['rate-limited', `${title} takes no more requests for ${model} now${said}.${wait}`, false];
  }
  if (
    // Ollama says that a model has no tools under the type of its failures.
    parameter === undefined &&
    has(
      'overloaded_error',
      'server_error',
      'internal_server_error',
      'service_unavailable',
      'timeout_error',
      'api_error',
    )
  )
    return ['upstream-unavailable', `${title} failed to answer${said}. Try again later.`, false];
  if (status !== undefined && (status >= 500 || [408, 409, 425].includes(status)))
    return ['upstream-unavailable', `${title} failed to answer${said}. Try again later.`, false];
  if (status !== undefined && status >= 400)
    return [
      'upstream-invalid',
      `${title} refused the request for ${model} as invalid${said}${parameter === undefined ? '' : `: the model does not take the parameter ${parameter}`}. Name another model.`,
      true,
    ];
  return ['upstream-invalid', `${title} answered in a form that cannot be read${said}.`, false];
}

function look(thrown: unknown): Seen {
  const codes = new Set<string>();
  const take = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const key of ['code', 'type'] as const) {
      const name = (value as Record<string, unknown>)[key];
      if (typeof name === 'string' && vendorCodes.has(name.toLowerCase())) codes.add(name.toLowerCase());
    }
    for (const key of ['error', 'data', 'response', 'innererror'] as const)
      take((value as Record<string, unknown>)[key], depth + 1);
  };
  if (APICallError.isInstance(thrown)) {
    take(thrown.data, 0);
    // Where the body is no text, the SDK read it whole and made the status up.
    const isMadeUp = typeof thrown.responseBody === 'object';
    take(isMadeUp ? thrown.responseBody : parsed(thrown.responseBody), 0);
    // The SDK reports a body that it could not read with the status 200.
    const status =
      thrown.statusCode !== undefined && thrown.statusCode >= 400 && !isMadeUp ? thrown.statusCode : undefined;
    // Most servers say it in words alone.
    const isRefused = status === 400 || status === 413 || status === 422;
    const body = isMadeUp ? undefined : thrown.responseBody;
    if (isRefused && typeof body === 'string' && noCredit.test(body.slice(0, 20_000))) codes.add('billing_error');
    // `type: invalid_request_error` says less than the `code` beside it.
    if (codes.size > 1) codes.delete('invalid_request_error');
    const sizes = isRefused && typeof body === 'string' ? readLengthRefusal(body) : undefined;
    const parameter = isRefused && typeof body === 'string' ? refusedParameterIn(body) : undefined;
    return { status, codes, retryAfterMs: readRetryAfter((name) => thrown.responseHeaders?.[name]), sizes, parameter };
  }
  take(typeof thrown === 'string' ? parsed(thrown) : thrown, 0);
  if (codes.size > 1) codes.delete('invalid_request_error');
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode;
  return { status: typeof status === 'number' && status >= 400 ? status : undefined, codes, retryAfterMs: undefined };
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > 100_000) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
