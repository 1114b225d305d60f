// The way out of the process to what the operator configured: requests to those addresses and to no other (foreign hosts: foreign.ts).
// Invariants: a redirect is never followed (it would carry the key elsewhere), a body is bounded, an abort closes the socket at once, and
// only FootnoteError is thrown.
import { FootnoteError } from '../core/errors.ts';
import { openWire } from './wire.ts';

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

const withoutBody: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** Throws `config-invalid` for an address that is not http or https. */
export function openEgress({ addresses, connectTimeoutMs = 2000, maxResponseBytes = 32 << 20 }: EgressOptions): Egress {
  const origins = new Set(addresses.map(originOf));
  const wire = openWire({ connectTimeoutMs, maxResponseBytes });

  const fetch: Fetch = async (input, init = {}) => {
    if (input instanceof Request) throw new FootnoteError('internal', 'Addresses are fetched, not Request objects.');
    const url = new URL(input);
    if (!origins.has(url.origin))
      throw new FootnoteError(
        'config-invalid',
        `A request to ${url.origin} was stopped: only configured addresses are called (${[...origins].join(', ')}).`,
      );
    const body = toBytes(init.body);
    const reply = await wire.send(url, {
      ...(init.method !== undefined && { method: init.method }),
      headers: new Headers(init.headers),
      ...(body && { body }),
      ...(init.signal && { signal: init.signal }),
    });
    const { status, headers } = reply;
    if (status >= 300 && status < 400 && headers.has('location')) {
      reply.discard();
      throw new FootnoteError(
        'upstream-invalid',
        `${url.origin} redirects to another address (HTTP ${status}); redirects are not followed. Configure the final address.`,
        { details: { isFinal: true } },
      );
    }
    if (status < 200 || status > 599) {
      reply.discard();
      throw new FootnoteError('upstream-invalid', `${url.origin} answered with HTTP status ${status}.`);
    }
    return new Response(withoutBody.has(status) ? null : reply.body(), { status, headers });
  };

  return { fetch, close: wire.close };
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

function toBytes(body: RequestInit['body']): Uint8Array | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new FootnoteError('internal', 'Only text and bytes are sent.');
}
