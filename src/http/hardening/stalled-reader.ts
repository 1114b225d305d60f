// Tells a client that takes nothing from one that is slow: what counts is what its socket took, not what waits for it, so that an
// answer which fits our own buffers whole cannot hold a connection for ever. Invariant: called at most once, and never after the
// response closed.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How often it is looked in the time that a client has. Looks are counted, not time: a busy event loop is no client's fault. */
const looksPerStall = 6;

/** Calls `stalled` when bytes wait for the client and it took none of them for `stallMs`. */
export function watchReader(response: ServerResponse, stallMs: number, stalled: () => void): void {
  let takenBytes = -1;
  let looks = 0;
  const watch = setInterval(
    () => {
      const { socket } = response;
      const taken = socket ? socket.bytesWritten - socket.writableLength : 0;
      looks = taken !== takenBytes || response.writableLength === 0 ? 0 : looks + 1;
      takenBytes = taken;
      if (looks < looksPerStall) return;
      clearInterval(watch);
      stalled();
    },
    Math.max(1, stallMs / looksPerStall),
  ).unref();
  response.once('close', () => clearInterval(watch));
}

interface Watched {
  takenBytes: number;
  looks: number;
}

/**
 * The same for every connection of a server, whatever is sent on it. One timer for all: a reply costs nothing. Streams of events have a
 * watch of their own, which comes first and says more.
 */
export function watchConnections(server: Server, stallMs: number, stalled: (socket: Socket) => void): void {
  const sockets = new Map<Socket, Watched>();
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { takenBytes: -1, looks: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  const watch = setInterval(
    () => {
      for (const [socket, seen] of sockets) {
        const taken = socket.bytesWritten - socket.writableLength;
        seen.looks = taken !== seen.takenBytes || socket.writableLength === 0 ? 0 : seen.looks + 1;
        seen.takenBytes = taken;
        if (seen.looks < looksPerStall + 2) continue;
        sockets.delete(socket);
        stalled(socket);
      }
    },
    Math.max(1, stallMs / looksPerStall),
  ).unref();
  server.once('close', () => clearInterval(watch));
}
