// A server on 127.0.0.1 and a free port that answers as a fake tells it, whole or in a stream, at once or slowly, to the end or cut
// off. Invariant: it counts what clients do — requests, connections left early — so that a test can see an abort reach the socket.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** How a reply is sent. */
export interface Wire {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** One element: a whole body; more: as many writes. */
  readonly chunks: readonly (string | Uint8Array)[];
  /** Before the head. */
  readonly delayMs?: number;
  /** Before each chunk but the first. */
  readonly betweenMs?: number;
  /** After the chunks: the socket is destroyed (`cut`) or left open in silence (`hang`). */
  readonly ending?: 'end' | 'cut' | 'hang';
}

export interface FakeServer {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string;
  readonly requests: readonly SeenRequest[];
  /** Answers whose client went away before their end. */
  readonly left: () => number;
  /** Resolves once so many clients went away. */
  readonly whenLeft: (count: number) => Promise<void>;
  readonly openSockets: () => number;
  close(): Promise<void>;
}

export async function openFakeServer(answer: (request: SeenRequest) => Wire): Promise<FakeServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting: { count: number; resolve: () => void }[] = [];
  const closing = new AbortController();
  let left = 0;

  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const request: SeenRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    requests.push(request);
    const gone = new AbortController();
    outgoing.once('close', () => {
      if (outgoing.writableFinished) return;
      gone.abort();
      left += 1;
      for (const one of waiting) if (left >= one.count) one.resolve();
    });
    const wire = answer(request);
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    if (wire.delayMs) await sleep(wire.delayMs, undefined, { signal });
    outgoing.writeHead(wire.status ?? 200, wire.headers);
    outgoing.flushHeaders();
    for (const [index, chunk] of wire.chunks.entries()) {
      if (signal.aborted) return;
      if (index > 0 && wire.betweenMs) await sleep(wire.betweenMs, undefined, { signal });
      if (!outgoing.write(chunk)) await Promise.race([drained(outgoing), aborted(signal)]);
    }
    if (wire.ending === 'hang') return;
    if (wire.ending === 'cut') {
      // Gives the bytes before the cut time to leave.
      await sleep(5, undefined, { signal });
      outgoing.destroy();
      return;
    }
    outgoing.end();
  };
  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'AbortError') outgoing.destroy(error as Error);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    left: () => left,
    whenLeft: (count) =>
      left >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ count, resolve })),
    openSockets: () => sockets.size,
    close() {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const drained = (outgoing: ServerResponse): Promise<void> => new Promise((resolve) => outgoing.once('drain', resolve));
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
