// HTTP on a kept client (undici): requests that keep their connections, follow no redirect and ask for no compression. Invariants: a body
// is bounded and read no faster than its reader, an abort closes the socket at once, and only FootnoteError leaves here.
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { buildConnector, Dispatcher } from 'undici';
import { FootnoteError, isFootnoteError } from '../core/errors.ts';
import { untilAborted } from '../core/waiting/until-aborted.ts';

export interface WireOptions {
  /** Time for name, connection and TLS. */
  readonly connectTimeoutMs: number;
  readonly maxResponseBytes: number;
  /** Puts itself before every connection, so that it may refuse one. `connect` takes what a socket takes, a look-up too. */
  readonly guard?: Guard;
  /** Connections go through these, and the guard sees those alone that go through none. */
  readonly proxies?: Proxies | undefined;
}

/** Addresses of proxies, as the environment names them; empty: none. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  /** Hosts that are asked without one. */
  readonly not: string;
}

type Connect = buildConnector.connector;
export type Guard = (connectWith: (options: buildConnector.BuildOptions) => Connect) => Connect;

export interface WireRequest {
  readonly method?: string;
  readonly headers: Headers;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Headers;
  /** Throws FootnoteError, or what the signal was aborted with. */
  body(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Closes the connection without reading on. */
  discard(): void;
}

export interface Wire {
  send(url: URL, request: WireRequest): Promise<WireReply>;
  /** Closes idle and open connections. */
  close(): void;
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

/** A connection that nobody uses is closed after this time, or sooner where the other side says so. */
const idleMs = 60_000;
const slow = 'UND_ERR_CONNECT_TIMEOUT';

export function openWire(options: WireOptions): Wire {
  const { connectTimeoutMs, maxResponseBytes, guard, proxies } = options;
  // The client is loaded with the first request: a program that sends none does without it.
  let agent: Promise<Dispatcher> | undefined;
  async function openAgent(): Promise<Dispatcher> {
    const undici = await import('undici');
    const connectWith = (more: buildConnector.BuildOptions): Connect =>
      within(connectTimeoutMs, undici.buildConnector({ ...more, timeout: 0, allowH2: false }));
    const settings = {
      connect: guard ? guard(connectWith) : connectWith({}),
      allowH2: false,
      maxResponseSize: maxResponseBytes,
      keepAliveTimeout: idleMs,
      // Whoever asks has a deadline of its own: a model may think for minutes before its first byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    if (!proxies) return new undici.Agent(settings);
    const { http: httpProxy, https: httpsProxy, not: noProxy } = proxies;
    return new undici.EnvHttpProxyAgent({ ...settings, httpProxy, httpsProxy, noProxy });
  }

  return {
    async send(url, { method = 'GET', headers, body, signal }) {
      if (signal?.aborted) throw abortedBy(signal);
      agent ??= openAgent();
      const dispatcher = await agent;
      try {
        const asking = dispatcher.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: method as Dispatcher.HttpMethod,
          // Compressed bodies would escape the bound on their size.
          headers: { ...Object.fromEntries(headers), 'accept-encoding': 'identity' },
          body: body ?? null,
          ...(signal && { signal }),
        });
        // The client does not hear an abort before the connection stands; the request is not sent then.
        const reply = await (signal ? untilAborted(asking, signal) : asking);
        const received = new Headers();
        // Each header of robots begins for everybody, whomever the one before it named.
        for (const [name, value] of Object.entries(reply.headers))
          if (value !== undefined)
            received.set(name, Array.isArray(value) ? value.join(name === 'x-robots-tag' ? ', *: ' : ', ') : value);
        // An abort may come before the first read, when nobody else listens yet.
        reply.body.on('error', () => undefined);
        return {
          status: reply.statusCode,
          headers: received,
          body: () => bodyOf(reply.body, { origin: url.origin, maxResponseBytes, signal }),
          discard: () => void reply.body.destroy(),
        };
      } catch (thrown) {
        if (signal?.aborted) throw abortedBy(signal);
        throw unreachable(url.origin, thrown, connectTimeoutMs);
      }
    },
    close() {
      void agent?.then((open) => open.destroy());
      agent = undefined;
    },
  };
}

/** Whatever the client counts in half seconds, the time for a connection is exact: a chain of models goes on when it is over. */
const within =
  (timeoutMs: number, connect: Connect): Connect =>
  (target, done) => {
    const timer = setTimeout(() => socket?.destroy(Object.assign(new Error(), { code: slow })), timeoutMs);
    const end: typeof done = (...outcome) => {
      clearTimeout(timer);
      done(...outcome);
    };
    // The client's types leave out the socket that it returns.
    const socket = connect(target, end) as unknown as Socket | undefined;
  };

interface BodyOptions {
  readonly origin: string;
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** The body as a web stream that pulls no faster than it is read. */
function bodyOf(
  body: Dispatcher.ResponseData['body'],
  { origin, maxResponseBytes, signal }: BodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>>;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) return controller.enqueue(value);
          // The client takes its connection back a turn after the last byte: whoever sends again at once finds it free then.
          await nextTurn();
          controller.close();
        } catch (thrown) {
          body.destroy();
          controller.error(signal?.aborted ? abortedBy(signal) : brokenOff(origin, thrown, maxResponseBytes));
        }
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

const abortedBy = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('The request was cancelled.', 'AbortError');

/** What the system calls it: the client has a name of its own for a connection that the other side closed. */
function systemCodeOf(thrown: unknown): string {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code;
}

function unreachable(origin: string, thrown: unknown, connectTimeoutMs: number): FootnoteError {
  if (isFootnoteError(thrown)) return thrown;
  const systemCode = systemCodeOf(thrown);
  const isSlow = systemCode === slow;
  const why = isSlow
    ? `no connection within ${connectTimeoutMs} ms`
    : (refusals[systemCode] ?? 'the connection failed');
  return new FootnoteError('upstream-unavailable', `${origin} cannot be reached: ${why}.`, {
    details: { address: origin, ...(systemCode !== '' && !isSlow && { systemCode }) },
  });
}

function brokenOff(origin: string, thrown: unknown, maxResponseBytes: number): FootnoteError {
  if (isFootnoteError(thrown)) return thrown;
  const systemCode = systemCodeOf(thrown);
  if (systemCode === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return new FootnoteError(
      'upstream-invalid',
      `${origin} sent more than ${maxResponseBytes} bytes; the rest was not read.`,
      { details: { isFinal: true } },
    );
  return new FootnoteError('upstream-unavailable', `${origin} closed the connection in the middle of its answer.`, {
    details: { address: origin, systemCode: systemCode || 'unknown' },
  });
}
