// A request that is refused before its body was read: what still comes is read and dropped first, or closing the connection would reset it
// and the client would never see why (RFC 9112, section 9.6). Bounded in bytes and time: whoever sends on for ever is cut.
import type { IncomingMessage } from 'node:http';

export interface UnreadBodyLimits {
  readonly bytes: number;
  /** Longest pause of the sender, and longest in all. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export const unreadBodyLimits: UnreadBodyLimits = { bytes: 512 * 1024 * 1024, idleMs: 2_000, totalMs: 60_000 };

/** Calls `stop` at the first limit that is reached, until `end`; to be told of each piece that is dropped. */
export function limitDropping(limits: UnreadBodyLimits, stop: () => void): { took(bytes: number): void; end(): void } {
  let dropped = 0;
  const idle = setTimeout(stop, limits.idleMs);
  const total = setTimeout(stop, limits.totalMs);
  return {
    took(bytes) {
      dropped += bytes;
      idle.refresh();
      if (dropped > limits.bytes) stop();
    },
    end() {
      clearTimeout(idle);
      clearTimeout(total);
    },
  };
}

/** Resolves when the body has ended, a limit is reached or the client has gone; never rejects. */
export function dropUnreadBody(incoming: IncomingMessage, limits: UnreadBodyLimits = unreadBodyLimits): Promise<void> {
  // A request that was injected without a socket has no such flag, and nothing to reset.
  if (incoming.complete !== false || incoming.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const limit = limitDropping(limits, stop);
    function stop(): void {
      limit.end();
      incoming.off('data', drop).off('end', stop).off('error', stop).off('close', stop).pause();
      resolve();
    }
    function drop(piece: Uint8Array): void {
      limit.took(piece.byteLength);
    }
    // Whoever it flowed to takes nothing of it any more, and would hold it up.
    incoming.unpipe();
    incoming.on('data', drop).on('end', stop).on('error', stop).on('close', stop).resume();
  });
}
