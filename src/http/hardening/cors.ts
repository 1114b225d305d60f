// Pages of other origins that the operator names may call the server (fetch.spec.whatwg.org, CORS). Invariants: an origin is allowed by its very name; what
// it may do its key says, and no cookie or other credential of the browser; replies differ by Origin and say so.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a page may read of a reply beside what every page may. */
const exposed = [
  ...[
    'x-request-id',
    'request-id',
    'location',
    'idempotency-replayed',
    'www-authenticate',
    'content-disposition',
    'etag',
    'accept-ranges',
    'content-range',
  ],
  ...['retry-after', 'retry-after-ms', 'x-should-retry', 'ratelimit', 'ratelimit-policy', 'openai-poll-after-ms'],
  ...['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ...['mcp-session-id', 'mcp-protocol-version', 'x-vercel-ai-ui-message-stream'],
].join(', ');

const preflightSeconds = 600;
const headerNames = /^[\w\-, ]{1,2000}$/u;

export interface Cors {
  isAllowed(origin: string | undefined): boolean;
  /** Tells the browser what the page may read; true where this was its question whether to ask, which is answered then. */
  begin(request: FastifyRequest, reply: FastifyReply): boolean;
  /** What the reply differs by, with what it says already. */
  end(reply: FastifyReply): void;
}

export function createCors(origins: readonly string[] = []): Cors {
  const allowed = new Set(origins);
  const isAllowed = (origin: string | undefined): boolean => origin !== undefined && allowed.has(origin);
  return {
    isAllowed,
    begin({ method, headers }, reply) {
      if (!isAllowed(headers.origin)) return false;
      void reply.headers({
        'access-control-allow-origin': headers.origin,
        'access-control-expose-headers': exposed,
      });
      if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
      // Clients bring headers of their own, such as those of official SDKs: what is not known is not read.
      const asked = headers['access-control-request-headers'] ?? '';
      void reply.headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        ...(headerNames.test(asked) && { 'access-control-allow-headers': asked }),
        ...(headers['access-control-request-private-network'] && { 'access-control-allow-private-network': 'true' }),
        'access-control-max-age': preflightSeconds,
        vary: 'Access-Control-Request-Headers',
      });
      return true;
    },
    end(reply) {
      if (allowed.size === 0) return;
      const before = reply.getHeader('vary');
      void reply.header('vary', before === undefined ? 'Origin' : `${before}, Origin`);
    },
  };
}
