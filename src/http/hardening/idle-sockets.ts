// Connections on which no request is under way, or one whose body does not end: whoever opens them and sends nothing may not keep others
// out. Invariant: there are never more of either than the limit; the oldest goes first, so that one that has just come can send its
// request, and of those that send a body one that has stopped goes before one that goes on.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Of the 2,048 connections that a server takes, those that may be without a request. */
const mostIdle = 1_024;
/** Those on which a body is being read. */
const mostReading = 768;

export interface IdleLimits {
  readonly idle?: number;
  readonly reading?: number;
}

export function limitIdleSockets(
  server: Server,
  { idle: limit = mostIdle, reading: readingLimit = mostReading }: IdleLimits = {},
): void {
  /** In the order in which they became idle. */
  const idle = new Set<Socket>();
  const replies = new WeakMap<Socket, number>();
  const rest = (socket: Socket): void => {
    if (socket.destroyed) return;
    idle.delete(socket);
    idle.add(socket);
    for (const oldest of idle) {
      if (idle.size <= limit) return;
      idle.delete(oldest);
      oldest.destroy();
    }
  };
  /** What each had sent when it was last looked at, in the order of their coming. */
  const reading = new Map<Socket, number>();
  const read = (request: IncomingMessage): void => {
    const { socket } = request;
    reading.set(socket, socket.bytesRead);
    request.once('end', () => reading.delete(socket));
    if (reading.size <= readingLimit) return;
    let stopped: Socket | undefined;
    for (const [other, bytes] of reading) {
      if (other === socket) continue;
      if (other.bytesRead === bytes) {
        stopped = other;
        break;
      }
      reading.set(other, other.bytesRead);
    }
    const [oldest] = reading.keys();
    const gone = stopped ?? oldest;
    if (gone === undefined) return;
    reading.delete(gone);
    gone.destroy();
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => {
      idle.delete(socket);
      reading.delete(socket);
    });
    rest(socket);
  });
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    idle.delete(socket);
    if ('transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0) read(request);
    replies.set(socket, (replies.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const open = (replies.get(socket) ?? 1) - 1;
      replies.set(socket, open);
      if (open === 0) rest(socket);
    });
  });
}
