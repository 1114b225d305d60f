// A service on 127.0.0.1 and a free port that answers as its protocol says and fails as a test says: before it did what it was asked, after it,
// or in the middle of its answer. Invariant: what a fault says it did or left undone is so.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface ServedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** As JSON; undefined: no body. */
  readonly body?: unknown;
}

/** Before: nothing is done of what was asked. After: all is done, and the answer does not come, or not as it is. */
export const faultKinds = [
  'silent',
  'slow-headers',
  'reset',
  'status-400',
  'status-401',
  'status-403',
  'status-404',
  'status-408',
  'status-409',
  'status-413',
  'status-429',
  'status-429-told',
  'status-500',
  'status-502',
  'status-503-told',
  'status-504',
  'redirect',
  'lost-reply',
  'silent-after',
  'truncated',
  'stall-in-body',
  'drip',
  'garbage',
  'html',
  'wrong-shape',
  'empty',
] as const;
export type FaultKind = (typeof faultKinds)[number];
/** Those that only some protocols tell from others: a moment is asked for; an answer that never ends. */
export type ServedFault = FaultKind | 'status-429-now' | 'huge';

/** In words of a test's own. */
interface ServedRefusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

export interface FaultyServer {
  readonly address: string;
  readonly requests: readonly ServedRequest[];
  /** What goes wrong with the next requests; undefined: nothing. */
  fault: (request: ServedRequest) => ServedFault | ServedRefusal | undefined;
  /** Before each answer that is sound. */
  delayMs: number;
  close(): Promise<void>;
}

export async function openFaultyServer(answer: (request: ServedRequest) => ServedReply): Promise<FaultyServer> {
  const requests: ServedRequest[] = [];
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const request: ServedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(parts),
    };
    requests.push(request);
    const fault = served.fault(request);
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers }).end(fault.text ?? '');
      return;
    }
    const kind = fault;
    const status = /^status-(\d+)(-told|-now)?$/u.exec(kind ?? '');
    if (kind === 'silent' || kind === 'slow-headers') return;
    if (kind === 'reset') return void outgoing.destroy();
    if (kind === 'redirect') {
      outgoing.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      return;
    }
    if (status) {
      const told = status[2] === undefined ? {} : { 'retry-after': status[2] === '-now' ? '0' : '7' };
      outgoing.writeHead(Number(status[1]), { 'content-type': 'application/json', ...told });
      outgoing.end(JSON.stringify({ error: { code: 'Planted', message: 'SECRET-OF-THE-VENDOR key=abc' } }));
      return;
    }
    if (kind === 'huge') {
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      const block = Buffer.alloc(1 << 16, ' ');
      const more = (): void => {
        while (!outgoing.destroyed && outgoing.write(block));
        outgoing.once('drain', more);
      };
      return more();
    }
    if (served.delayMs > 0) await sleep(served.delayMs);
    const reply = answer(request);
    const text = reply.body === undefined ? '' : JSON.stringify(reply.body);
    const head = { 'content-type': 'application/json', ...reply.headers };
    if (kind === 'silent-after') return;
    if (kind === 'lost-reply') return void outgoing.destroy();
    if (kind === 'garbage') return void outgoing.writeHead(reply.status, head).end('{"value": [}SECRET-OF-THE-VENDOR');
    if (kind === 'html')
      return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>SECRET-OF-THE-VENDOR</html>');
    if (kind === 'wrong-shape') return void outgoing.writeHead(reply.status, head).end('{"surprise": 1}');
    if (kind === 'empty') return void outgoing.writeHead(reply.status, head).end();
    outgoing.writeHead(reply.status, { ...head, 'content-length': Buffer.byteLength(text) });
    if (kind === 'truncated' || kind === 'stall-in-body') {
      outgoing.write(text.slice(0, Math.ceil(text.length / 2)), () => {
        if (kind === 'truncated') outgoing.destroy();
      });
      return;
    }
    if (kind !== 'drip') return void outgoing.end(text);
    const bytes = Buffer.from(text);
    let at = 0;
    const timer = setInterval(() => {
      outgoing.write(bytes.subarray(at, at + 1));
      at += 1;
      if (at < bytes.length && !outgoing.destroyed) return;
      clearInterval(timer);
      timers.delete(timer);
      outgoing.end();
    }, 20);
    timers.add(timer);
  }

  const server = createServer((incoming, outgoing) => {
    respond(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const served: FaultyServer = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fault: () => undefined,
    delayMs: 0,
    close() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return served;
}
