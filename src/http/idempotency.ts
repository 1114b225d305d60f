// Idempotency-Key on routes that change something: the first request under a key runs, its reply is kept for 24 hours and
// given again; another body under the key is refused, and so is a second request while the first still runs.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import { sha256 } from '../core/ids.ts';
import type { KeyedRequest } from '../core/keyed/effects.ts';
import type { Scope } from '../core/scope.ts';
import { tryAgain } from '../core/waiting/try-again.ts';
import type { IdempotencyClaim, IdempotencyPort, KeptReply } from './wire/http-types.ts';

const questionRoutes: ReadonlySet<string> = new Set([
  '/v1/search',
  '/v1/ask',
  '/v1/rag/sessions/:session_id/messages',
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/ui/chat',
  '/v1/messages',
]);
const isFull = (error: unknown): boolean => isFootnoteError(error) && error.code === 'storage-full';

/** What a server that was killed had under way is free within half a minute. */
const retryAfterSeconds = 5;
const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * What was kept for this request, if it ran before; otherwise claims its key on `request.claim`. A claim that cannot be ended, as the database is away,
 * is ended in the background until that succeeds or `closing` is aborted: the key would be held as long as this server lives.
 */
export async function claimIdempotency(
  request: FastifyRequest,
  idempotency: (scope: Scope) => IdempotencyPort,
  closing: AbortSignal,
): Promise<KeptReply | undefined> {
  const key = request.headers['idempotency-key'];
  if (key === undefined || !request.scope) return undefined;
  if (typeof key !== 'string' || !keyPattern.test(key))
    throw new FootnoteError('invalid-request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.');
  const port = idempotency(request.scope);
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  // A body that is taken as it comes has its hash at its end.
  const hashNow = (): string => sha256(`${request.method} ${request.url}\n${request.bodyHash ?? ''}`);
  const outcome = await port.begin(route, key, hashNow()).catch((error: unknown) => {
    // A full disk refuses what changes something. A question changes nothing: it is answered, and would be a second time.
    if (questionRoutes.has(request.routeOptions.url ?? '') && isFull(error)) return undefined;
    throw error;
  });
  if (outcome === undefined) return undefined;
  if (outcome === 'running')
    throw new FootnoteError(
      'conflict',
      'The first request with this Idempotency-Key is still running, or was cut off a moment ago. Try again in some seconds.',
      { details: { retryable: true, retryAfterSeconds } },
    );
  if (outcome === 'new' || 'made' in outcome) {
    const { tenant, principal } = request.scope;
    const made = outcome === 'new' ? {} : outcome.made;
    request.claim = claimOf(port, { tenant, principal: principal.id, made, route, key, hashNow, closing });
    return undefined;
  }
  await request.readToEnd?.();
  if (outcome.requestHash !== hashNow())
    throw new FootnoteError(
      'idempotency-mismatch',
      'This Idempotency-Key was used for a request with another path or body. Use a new key for a new request.',
    );
  return outcome;
}

function claimOf(
  port: IdempotencyPort,
  { hashNow, closing, ...request }: Omit<KeyedRequest, 'isOpen'> & { hashNow: () => string; closing: AbortSignal },
): IdempotencyClaim {
  const { route, key } = request;
  let open = true;
  const once = async (end: () => Promise<void>): Promise<void> => {
    if (!open) return;
    open = false;
    await end();
  };
  const release = (): Promise<void> => port.release(route, key);
  const failed = (again: () => Promise<void>, error: unknown): void => {
    void tryAgain(again, closing);
    if (!isFull(error)) throw error;
  };
  return {
    request: { ...request, isOpen: () => open },
    finish: (status, body) =>
      once(async () => {
        const reply = { requestHash: hashNow(), status, body };
        const finish = (): Promise<void> => port.finish(route, key, reply);
        await finish().catch(async (error: unknown) => {
          // What was asked for has happened, so the next request is given this reply.
          if (!isFull(error)) return failed(finish, error);
          // On a full disk this one says that; only the key is free again, once there is room for that.
          await release().catch(() => void tryAgain(release, closing));
        });
      }),
    release: () => once(() => release().catch((error: unknown) => failed(release, error))),
  };
}

/** The `onSend` half: keeps a good reply, gives the key back after a failure and where nothing can be kept. */
export async function settleIdempotency(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
  const { claim } = request;
  if (!claim) return;
  if (reply.statusCode >= 400) await claim.release();
  else if (typeof payload === 'string' || payload === undefined || payload === null)
    await claim.finish(reply.statusCode, typeof payload === 'string' ? payload : '');
  else if (claim.isStreamed !== true) await claim.release();
}
