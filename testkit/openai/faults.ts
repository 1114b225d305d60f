// What can go wrong between a client and a service, as a server does it. Invariant: every fault that holds a connection open lets it go when
// the server is closed, and every message that the vendor would write holds a mark by which a test sees it leak.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export const statusFaults = [400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504] as const;
export const wireFaults = [
  'silent',
  'stall',
  'drip',
  'slow-headers',
  'reset',
  'truncated',
  'garbage',
  'html',
  'empty',
  'wrong-types',
] as const;
/** The work is done; what the client hears of it is wrong. */
export const doneFaults = ['lost-reply', 'twice'] as const;

export type Fault =
  | (typeof statusFaults)[number]
  | (typeof wireFaults)[number]
  | (typeof doneFaults)[number]
  | { readonly status: 429 | 503; readonly retryAfter: string };

/** In everything that the vendor says in words. */
export const leakMark = 'VENDOR-TEXT-sk-proj-0123456789abcdef';

export const errorBody = (code: string): unknown => ({
  error: { message: `${leakMark}: Incorrect API key provided`, type: 'invalid_request_error', param: null, code },
});

/** Every number a text, every text a number, every list an object. */
export function withWrongTypes(value: unknown): unknown {
  if (typeof value === 'string') return 7;
  if (typeof value === 'number') return `${value}`;
  if (Array.isArray(value)) return { wrong: value.map(withWrongTypes) };
  if (typeof value !== 'object' || value === null) return 'null';
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withWrongTypes(member)]));
}

export interface FaultTiming {
  /** Until the head, for `slow-headers`. */
  readonly slowMs: number;
  readonly signal: AbortSignal;
}

/** Sends `body` with a fault. `lost-reply`, `twice` and statuses are decided before. */
export async function sendFaulty(
  response: ServerResponse,
  fault: (typeof wireFaults)[number],
  { body, slowMs, signal }: FaultTiming & { readonly body: unknown },
): Promise<void> {
  const json = JSON.stringify(body);
  const head = (type = 'application/json', length?: number): void => {
    response.writeHead(200, {
      'content-type': type,
      ...(length !== undefined && { 'content-length': String(length) }),
    });
    response.flushHeaders();
  };
  switch (fault) {
    case 'silent':
      return;
    case 'stall':
      head('application/json', json.length);
      response.write(json.slice(0, json.length / 2));
      return;
    case 'drip':
      head('application/json', Buffer.byteLength(json));
      for (const byte of Buffer.from(json)) {
        if (signal.aborted || response.destroyed) return;
        response.write(Buffer.of(byte));
        await sleep(25, undefined, { signal }).catch(() => undefined);
      }
      response.end();
      return;
    case 'slow-headers':
      await sleep(slowMs, undefined, { signal }).catch(() => undefined);
      if (!response.destroyed) {
        head();
        response.end(json);
      }
      return;
    case 'reset':
      response.destroy();
      return;
    case 'truncated':
      head('application/json', Buffer.byteLength(json) + 100);
      response.write(json.slice(0, -1), () => response.destroy());
      return;
    case 'garbage':
      head();
      response.end(`{"id": "x", \u0000${leakMark} ]]]`);
      return;
    case 'html':
      head('text/html');
      response.end(`<html><body>${leakMark}</body></html>`);
      return;
    case 'empty':
      head('application/json', 0);
      response.end();
      return;
    case 'wrong-types':
      head();
      response.end(JSON.stringify(withWrongTypes(body)));
      return;
  }
}
