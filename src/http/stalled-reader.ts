// Tells a client that takes nothing from one that is slow: what counts is what its socket took, not what waits for it, so that an
// answer which fits our own buffers whole cannot hold a connection for ever. Invariant: called at most once, and never after the
// response closed.
import type { ServerResponse } from 'node:http';

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
