// Calls of Azure AI Foundry's evaluations: the `evals` of its OpenAI-compatible surface. Invariants: every call ends with its own time, the
// caller's deadline or its signal; a call that may have done something is not sent twice; nothing that the service wrote reaches an error.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../../core/deadline.ts';
import { createShare } from '../../core/deadline.ts';
import { type ErrorCode, FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import type { Fetch } from '../../net/egress.ts';
import { parseRetryAfter } from '../../net/retry-after.ts';

export interface FoundryAccess {
  /** Of the project: `https://<account>.services.ai.azure.com/api/projects/<project>`. */
  readonly endpoint: string;
  /** `v1`: the current surface; dated: the preview of that version. */
  readonly apiVersion: string;
  /** `api-key`, or a token of Entra ID. Throws FootnoteError. */
  readonly credential: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
  /** Of an egress that knows the address. */
  readonly fetch: Fetch;
  /** Keeps the secrets of the access out of what the service says. */
  readonly masked: (text: string) => string;
  readonly timing?: FoundryTiming;
}

/** What is not the same twice. */
export interface FoundryTiming {
  readonly random: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}
export const foundryTiming: FoundryTiming = {
  random: Math.random,
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
};

export interface FoundryCall {
  readonly method: 'GET' | 'POST';
  /** Below `/evals`, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

export type FoundryWire = (call: FoundryCall, deadline: Deadline) => Promise<unknown>;

const title = 'Azure AI Foundry';
/** A call answers at once: what takes long is asked for again. */
const callMs = 30_000;
const mostAttempts = 6;
const firstPauseMs = 500;
const longestPauseMs = 30_000;

export const foundryError = (
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): FootnoteError => new FootnoteError(code, `${title} ${message}`, { details });

function ofStatus(status: number, retryAfterMs: number | undefined): FootnoteError {
  const details = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const said = `(HTTP ${status})`;
  if (status === 401)
    return foundryError(
      'config-invalid',
      `refused the credential ${said}. Check AZURE_FOUNDRY_EVALS_API_KEY.`,
      details,
    );
  if (status === 403)
    return foundryError(
      'config-invalid',
      `does not let this identity evaluate ${said}. It needs the role "Azure AI User" on the project.`,
      details,
    );
  if (status === 404)
    return foundryError(
      'config-invalid',
      `has nothing at this address ${said}. AZURE_FOUNDRY_EVALS_ENDPOINT is the address of a project (https://<account>.services.ai.azure.com/api/projects/<project>); AZURE_FOUNDRY_API_VERSION is "v1" for the current service.`,
      details,
    );
  if (status === 413) return foundryError('too-large', `takes no request of this size ${said}.`, details);
  if (status === 429) return foundryError('rate-limited', `takes no more requests now ${said}.`, details);
  if (status >= 500 || status === 408 || status === 409)
    return foundryError('upstream-unavailable', `failed to answer ${said}.`, details);
  return foundryError(
    'upstream-invalid',
    `refused the request as invalid ${said}. Check AZURE_FOUNDRY_API_VERSION and AZURE_FOUNDRY_EVALS_DEPLOYMENT.`,
    details,
  );
}

/** What was refused before anything was done may be sent again, whatever it was; what may have been done only where it changes nothing. */
function mayRepeat({ code, details }: FootnoteError, { method }: FoundryCall): boolean {
  if (code === 'rate-limited') return true;
  if (code === 'upstream-invalid')
    return method === 'GET' && details['status'] === undefined && details['isFinal'] !== true;
  return code === 'upstream-unavailable' && (method === 'GET' || details['status'] === 503);
}

export function openFoundryWire(access: FoundryAccess): FoundryWire {
  const { random, wait } = access.timing ?? foundryTiming;
  const isCurrent = /^v\d+$/u.test(access.apiVersion);

  /** What the address has beside its path stays: gateways tell their customers apart by it. */
  function addressOf(path: string): string {
    const url = new URL(access.endpoint);
    const root = url.pathname.replace(/(?<!\/)\/+$/u, '').replace(/\/openai(?:\/v1)?$/u, '');
    const asked = new URL(path, 'http://path.invalid/');
    url.pathname = `${root}/openai/${isCurrent ? `${access.apiVersion}/` : ''}evals${path === '' ? '' : asked.pathname}`;
    for (const [name, value] of asked.searchParams) url.searchParams.set(name, value);
    if (!isCurrent) url.searchParams.set('api-version', access.apiVersion);
    return url.href;
  }

  async function attempt({ method, path, body }: FoundryCall, deadline: Deadline): Promise<unknown> {
    const share = createShare(deadline, callMs);
    const work = async (): Promise<unknown> => {
      const response = await access.fetch(addressOf(path), {
        method,
        headers: {
          accept: 'application/json',
          ...(await access.credential(share.signal)),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: share.signal,
      });
      const text = await response.text();
      if (!response.ok) throw ofStatus(response.status, parseRetryAfter(response.headers.get('retry-after')));
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw foundryError('upstream-invalid', 'answered with something that is not JSON.');
      }
    };
    try {
      return await untilAborted(work(), share.signal);
    } catch (thrown) {
      deadline.check();
      if (share.signal.aborted) throw foundryError('upstream-unavailable', `did not answer within ${callMs} ms.`);
      if (isFootnoteError(thrown)) throw thrown;
      throw foundryError('upstream-unavailable', `could not be reached (${toFootnoteError(thrown).code}).`);
    }
  }

  return async (call, deadline) => {
    for (let tried = 1; ; tried++) {
      deadline.check();
      try {
        return await attempt(call, deadline);
      } catch (thrown) {
        const error = toFootnoteError(thrown);
        if (tried >= mostAttempts || !mayRepeat(error, call)) throw error;
        const told = Number(error.details['retryAfterMs'] ?? 0);
        const pauseMs = Math.max(told, random() * Math.min(longestPauseMs, firstPauseMs * 2 ** tried));
        // Waiting for the end of the time would turn a known failure into another.
        if (pauseMs >= deadline.remainingMs()) throw error;
        await wait(pauseMs, deadline.signal).catch(() => {
          throw abortError(deadline.signal);
        });
      }
    }
  };
}
