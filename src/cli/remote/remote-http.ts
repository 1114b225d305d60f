// Requests to the server that owns the data folder: problems come back as the FootnoteError that they were there, a
// server that does not answer as `upstream-unavailable`.
import { type ErrorCode, errorTable, FootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Operation } from '../../operations/operation.ts';

export interface RemoteAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

export interface RemoteCall {
  /** Of the path, in its order. */
  readonly params?: readonly string[];
  /** What is undefined is not sent. */
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

type Asks = Pick<Operation, 'route'>;

export interface RemoteHttp {
  json<T>(operation: Asks, call?: RemoteCall): Promise<T>;
  response(operation: Asks, call?: RemoteCall): Promise<Response>;
  /** The `data:` objects of a stream of server-sent events. */
  events<T>(operation: Asks, call?: RemoteCall): AsyncGenerator<T>;
}

export function toAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

export function toError(problem: unknown, status: number): FootnoteError {
  const { code, detail } = (problem ?? {}) as { code?: string; detail?: string };
  const known = code !== undefined && code in errorTable ? (code as ErrorCode) : undefined;
  return new FootnoteError(known ?? 'upstream-invalid', detail ?? `The server answered with status ${status}.`);
}

export function createRemoteHttp(address: RemoteAddress): RemoteHttp {
  const base = toAddress(address);

  async function response({ route }: Asks, call: RemoteCall = {}): Promise<Response> {
    const [method = '', path = ''] = route.split(' ');
    const params = [...(call.params ?? [])];
    const url = new URL(
      path.replace(/:\w+/gu, () => encodeURIComponent(params.shift() ?? '')),
      base,
    );
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const body = call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    let reply: Response;
    try {
      reply = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${address.token}`,
          accept: call.accept ?? 'application/json',
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        ...(call.signal && { signal: call.signal }),
        redirect: 'error',
      });
    } catch (cause) {
      if (call.signal?.aborted) throw toFootnoteError(call.signal.reason);
      throw new FootnoteError(
        'upstream-unavailable',
        `The server that owns the data folder does not answer on ${base}. Wait a moment, or stop it and try again.`,
        { cause },
      );
    }
    if (reply.ok) return reply;
    throw toError(await reply.json().catch(() => undefined), reply.status);
  }

  return {
    response,
    async json<T>(operation: Asks, call?: RemoteCall): Promise<T> {
      const reply = await response(operation, call);
      return (reply.status === 204 ? undefined : await reply.json()) as T;
    },
    async *events<T>(operation: Asks, call?: RemoteCall): AsyncGenerator<T> {
      const reply = await response(operation, { ...call, accept: 'text/event-stream' });
      const decoder = new TextDecoder();
      let rest = '';
      try {
        for await (const bytes of reply.body ?? []) {
          rest += decoder.decode(bytes as Uint8Array, { stream: true });
          const frames = rest.split('\n\n');
          rest = frames.pop() ?? '';
          for (const frame of frames) {
            const data = frame
              .split('\n')
              .filter((line) => line.startsWith('data:'))
              .map((line) => line.slice(5).trimStart())
              .join('\n');
            if (data !== '') yield JSON.parse(data) as T;
          }
        }
      } catch (cause) {
        if (call?.signal?.aborted) throw toFootnoteError(call.signal.reason);
        throw new FootnoteError(
          'upstream-unavailable',
          'The server went away before the work was done. Start it and try again.',
          { cause },
        );
      }
    },
  };
}
