// Providers that fail on the wire, for calls of embedding models and language models alike: refused, silent at every step of an exchange,
// dripping, endless, cut, garbled, or asking to wait. Invariant: each listens on 127.0.0.1 and a free port of its own until it is closed.
import { createServer, type Server, type Socket } from 'node:net';

export interface FaultProvider {
  /** What is configured as the provider's address. */
  readonly address: string;
  /** Connections that were made so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

type Behave = (socket: Socket, head: string) => void;

interface Fault {
  /** Default: http. */
  readonly scheme?: 'http' | 'https';
  /** Nothing listens. */
  readonly isRefused?: true;
  /** As soon as somebody connects. */
  readonly onConnection?: (socket: Socket) => void;
  /** Once the head of a request is there. */
  readonly onRequest?: Behave;
}

const headOf = (lines: readonly string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const json = 'content-type: application/json';
const reply = (status: string, body: string, lines: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, json, `content-length: ${Buffer.byteLength(body)}`, ...lines, '', body].join('\r\n');

/** One byte at a time, for as long as the client listens. */
const drip = (socket: Socket, bytes: () => string): void => {
  const timer = setInterval(() => socket.write(bytes()), 50);
  socket.once('close', () => clearInterval(timer));
};
const bytesOf = (text: string): (() => string) => {
  let at = 0;
  return () => text[at++ % text.length] as string;
};
const say =
  (text: string): Behave =>
  (socket) =>
    void socket.write(text);

const error429 = JSON.stringify({
  error: { message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
});
const noon = 'Mon, 01 Jan 2120 12:00:00 GMT';

/** By name; what each does to whoever calls it. */
export const wireFaults: Readonly<Record<string, Fault>> = {
  'refuses the connection': { isRefused: true },
  'takes the connection and closes it': { onConnection: (socket) => socket.destroy() },
  'takes the connection and resets it after the request': { onRequest: (socket) => void socket.resetAndDestroy() },
  'never reads': { onConnection: (socket) => void socket.pause() },
  'reads and never answers': { onRequest: () => undefined },
  'never finishes TLS': { scheme: 'https', onConnection: () => undefined },
  'speaks no TLS': { scheme: 'https', onConnection: (socket) => void socket.write('HTTP/1.1 400 no\r\n\r\n') },
  'drips its head': { onRequest: (socket) => drip(socket, bytesOf(`HTTP/1.1 200 OK\r\nx-slow: ${'a'.repeat(5000)}`)) },
  'informs without end (HTTP 102)': { onRequest: (socket) => drip(socket, () => 'HTTP/1.1 102 Processing\r\n\r\n') },
  'stalls after its head': { onRequest: say(headOf([json, 'content-length: 4000'])) },
  'stalls in the middle of its body': {
    onRequest: say(`${headOf([json, 'content-length: 4000'])}{"object":"list","da`),
  },
  'drips its body': {
    onRequest(socket) {
      socket.write(headOf([json, 'content-length: 100000']));
      drip(socket, bytesOf('{"object": "list", "data": ['));
    },
  },
  'answers without end': {
    onRequest(socket) {
      socket.write(headOf([json, 'transfer-encoding: chunked']));
      drip(socket, () => '5\r\n     \r\n');
    },
  },
  'streams comments without end': {
    onRequest(socket) {
      socket.write(headOf(['content-type: text/event-stream', 'transfer-encoding: chunked']));
      drip(socket, () => 'e\r\n: keep-alive\n\n\r\n');
    },
  },
  'answers with nothing': { onRequest: say(reply('200 OK', '')) },
  'answers with garbage': { onRequest: say(reply('200 OK', '<html>It works!</html>')) },
  'answers with other JSON': { onRequest: say(reply('200 OK', '{"data":[{"index":7,"embedding":"?"}],"choices":[]}')) },
  'cuts its answer early': {
    onRequest(socket) {
      socket.write(`${headOf([json, 'content-length: 4000'])}{"object":"list"`, () => socket.destroy());
    },
  },
  'speaks no HTTP': { onRequest: say('SSH-2.0-OpenSSH_9.6\r\n\r\n') },
  'fails (500)': { onRequest: say(reply('500 Internal Server Error', '{"error":{"message":"boom"}}')) },
  'fails late (500)': {
    onRequest(socket) {
      const timer = setTimeout(() => socket.write(reply('500 Internal Server Error', '{}')), 300);
      socket.once('close', () => clearTimeout(timer));
    },
  },
  'asks to wait a minute (429)': { onRequest: say(reply('429 Too Many Requests', error429, ['retry-after: 60'])) },
  'asks to wait until a date (429)': {
    onRequest: say(reply('429 Too Many Requests', error429, [`retry-after: ${noon}`])),
  },
  'asks to wait no time (429)': { onRequest: say(reply('429 Too Many Requests', error429, ['retry-after: 0'])) },
  'asks to wait (503)': { onRequest: say(reply('503 Service Unavailable', '{}', ['retry-after: 1'])) },
  redirects: { onRequest: say(reply('302 Found', '', ['location: http://127.0.0.1:9/'])) },
};

export async function openFaultProvider({ scheme = 'http', ...fault }: Fault): Promise<FaultProvider> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    fault.onConnection?.(socket);
    if (!fault.onRequest) return;
    let seen = '';
    socket.on('data', (bytes) => {
      seen += bytes.toString('latin1');
      const end = seen.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/iu.exec(seen)?.[1] ?? 0);
      if (seen.length < end + 4 + length) return;
      const head = seen.slice(0, end);
      seen = '';
      fault.onRequest?.(socket, head);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  if (fault.isRefused) await close();
  return { address: `${scheme}://127.0.0.1:${port}/v1`, connections: () => connections, close };
}
