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

/** Resolves when the body has ended, a limit is reached or the client has gone; never rejects. */
export function dropUnreadBody(incoming: IncomingMessage, limits: UnreadBodyLimits = unreadBodyLimits): Promise<void> {
  // A request that was injected without a socket has no such flag, and nothing to reset.
  if (incoming.complete !== false || incoming.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let dropped = 0;
    const idle = setTimeout(stop, limits.idleMs);
    const total = setTimeout(stop, limits.totalMs);
    function stop(): void {
      clearTimeout(idle);
      clearTimeout(total);
      incoming.off('data', drop).off('end', stop).off('error', stop).off('close', stop).pause();
      resolve();
    }
    function drop(piece: Uint8Array): void {
      dropped += piece.byteLength;
      idle.refresh();
      if (dropped > limits.bytes) stop();
    }
    incoming.on('data', drop).on('end', stop).on('error', stop).on('close', stop).resume();
  });
}
