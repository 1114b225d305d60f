// Connections on which no request is under way: whoever opens them and sends nothing may not keep others out. Invariant: there are never more
// of them than the limit; the oldest goes first, so that one that has just come can send its request.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Of the 2,048 connections that a server takes, those that may be without a request. */
const mostIdle = 1_024;

export function limitIdleSockets(server: Server, limit: number = mostIdle): void {
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
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => idle.delete(socket));
    rest(socket);
  });
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket);
    replies.set(socket, (replies.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const open = (replies.get(socket) ?? 1) - 1;
      replies.set(socket, open);
      if (open === 0) rest(socket);
    });
  });
}
