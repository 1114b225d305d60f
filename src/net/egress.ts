// The only way out of the process: requests to addresses that the operator configured, and to no other. Invariants: a redirect is
// never followed (it would carry the key elsewhere), a body is bounded, an abort closes the socket at once, and only FootnoteError is thrown.
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';

/** What a vendor's client calls: the part of the Fetch standard that they use (text or bytes out, a stream in). */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Egress {
  readonly fetch: Fetch;
  /** Closes idle and open connections. */
  close(): void;
}

export interface EgressOptions {
  /** Addresses that may be called; scheme, host and port count, the path does not. */
  readonly addresses: readonly string[];
  /** Time for name, connection and TLS. */
  readonly connectTimeoutMs?: number;
  readonly maxResponseBytes?: number;
}

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the service, or correct the address',
  ENOTFOUND: 'there is no such host. Correct the address, or check the name server',
  EAI_AGAIN: 'the name server did not answer. Check the network',
  ECONNRESET: 'the connection was closed before the answer',
  EPIPE: 'the connection was closed before the answer',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'the host cannot be reached. Check the network',
  ENETUNREACH: 'the network cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed. Set NODE_EXTRA_CA_CERTS to the file of its authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed. Set NODE_EXTRA_CA_CERTS to the file of its authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate cannot be verified. Set NODE_EXTRA_CA_CERTS to the file of its authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Throws `config-invalid` for an address that is not http or https. */
export function openEgress({ addresses, connectTimeoutMs = 2000, maxResponseBytes = 32 << 20 }: EgressOptions): Egress {
  const origins = new Set(addresses.map(originOf));
  const plain = new HttpAgent({ keepAlive: true });
  const secure = new HttpsAgent({ keepAlive: true });

  const fetch: Fetch = async (input, init = {}) => {
    if (input instanceof Request) throw new FootnoteError('internal', 'Addresses are fetched, not Request objects.');
    const url = new URL(input);
    if (!origins.has(url.origin))
      throw new FootnoteError(
        'config-invalid',
        `A request to ${url.origin} was stopped: only configured addresses are called (${[...origins].join(', ')}).`,
      );
    const signal = init.signal ?? undefined;
    if (signal?.aborted) throw abortedBy(signal);
    const incoming = await send(url, init, {
      agent: url.protocol === 'https:' ? secure : plain,
      connectTimeoutMs,
      signal,
    });
    const status = incoming.statusCode ?? 0;
    if (status >= 300 && status < 400 && incoming.headers.location !== undefined) {
      incoming.destroy();
      throw new FootnoteError(
        'upstream-invalid',
        `${url.origin} redirects to another address (HTTP ${status}); redirects are not followed. Configure the final address.`,
        { details: { isFinal: true } },
      );
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    const hasBody = ![101, 103, 204, 205, 304].includes(status);
    if (!hasBody) incoming.resume();
    if (status < 200 || status > 599) {
      incoming.destroy();
      throw new FootnoteError('upstream-invalid', `${url.origin} answered with HTTP status ${status}.`);
    }
    const body = hasBody ? bodyOf(incoming, { origin: url.origin, maxResponseBytes, signal }) : null;
    return new Response(body, { status, headers });
  };

  return {
    fetch,
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function originOf(address: string): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/u.test(url.protocol))
    // What is no address can hold a password all the same.
    throw new FootnoteError(
      'config-invalid',
      `"${address.replace(/(?<!\S)\S*@/gu, '(hidden)@')}" is not an http or https address.`,
    );
  return url.origin;
}

interface SendOptions {
  readonly agent: HttpAgent;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Resolves with the head of the answer. */
function send(url: URL, init: RequestInit, { agent, connectTimeoutMs, signal }: SendOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = toBytes(init.body);
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: init.method ?? 'GET',
    // Compressed bodies would escape the bound on their size.
    headers: { ...headers, 'accept-encoding': 'identity', ...(body ? { 'content-length': body.byteLength } : {}) },
    agent,
  });
  const onAbort = (): void => {
    request.destroy();
    reject(abortedBy(signal as AbortSignal));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const connecting = setTimeout(() => {
    request.destroy();
    reject(unreachable(url.origin, `no connection within ${connectTimeoutMs} ms`));
  }, connectTimeoutMs);
  request.on('socket', (socket) => {
    if (!socket.connecting) clearTimeout(connecting);
    else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
  });
  request.on('response', (incoming) => {
    incoming.once('close', () => signal?.removeEventListener('abort', onAbort));
    resolve(incoming);
  });
  request.on('error', (error) => {
    clearTimeout(connecting);
    signal?.removeEventListener('abort', onAbort);
    const code = (error as NodeJS.ErrnoException).code ?? '';
    reject(unreachable(url.origin, refusals[code] ?? 'the connection failed', code));
  });
  request.on('close', () => clearTimeout(connecting));
  request.end(body);
  return promise;
}

function toBytes(body: RequestInit['body']): Uint8Array | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new FootnoteError('internal', 'Only text and bytes are sent.');
}

interface BodyOptions {
  readonly origin: string;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** The body as a web stream that pulls no faster than it is read. */
function bodyOf(
  incoming: IncomingMessage,
  { origin, maxResponseBytes, signal }: BodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  // An abort may come before the first read, when nobody else listens yet.
  incoming.on('error', () => undefined);
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>>;
  let received = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) return controller.close();
          received += value.byteLength;
          if (received > maxResponseBytes)
            throw new FootnoteError(
              'upstream-invalid',
              `${origin} sent more than ${maxResponseBytes} bytes; the rest was not read.`,
              { details: { isFinal: true } },
            );
          controller.enqueue(value);
        } catch (error) {
          incoming.destroy();
          if (signal?.aborted) controller.error(abortedBy(signal));
          else controller.error(isFootnoteError(error) ? error : cutOff(origin, error));
        }
      },
      cancel() {
        incoming.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

const abortedBy = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('The request was cancelled.', 'AbortError');

const unreachable = (origin: string, why: string, systemCode?: string): FootnoteError =>
  new FootnoteError('upstream-unavailable', `${origin} cannot be reached: ${why}.`, {
    details: { address: origin, ...(systemCode ? { systemCode } : {}) },
  });

const cutOff = (origin: string, error: unknown): FootnoteError =>
  new FootnoteError('upstream-unavailable', `${origin} closed the connection in the middle of its answer.`, {
    details: { address: origin, systemCode: (error as NodeJS.ErrnoException).code ?? 'unknown' },
  });
