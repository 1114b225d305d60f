// Long replies that wait for their readers take memory: together they may take so much, and whoever would make it more is told to come back.
import type { FastifyReply } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';

const mostHeldBytes = 256 * 1024 * 1024;
/** Shorter ones are not counted. */
const longBytes = 256 * 1024;

export interface HeldReplies {
  /** Before a long reply is made. Throws `rate-limited` where others take all that there is. */
  admit(): void;
  /** Counts it until it has left or its reader has; the first of all may be of any length. Throws as `admit`. */
  hold(reply: FastifyReply, bytes: number): void;
}

export function createHeldReplies(mostBytes = mostHeldBytes): HeldReplies {
  let held = 0;
  const admit = (more = 0): void => {
    if (held === 0 || held + more <= mostBytes) return;
    throw new FootnoteError(
      'rate-limited',
      `Long replies of ${Math.ceil(held / 1e6)} MB wait for their readers, the most at once. Try again shortly.`,
    );
  };
  return {
    admit,
    hold({ raw }, bytes) {
      if (bytes < longBytes) return;
      admit(bytes);
      held += bytes;
      let isHeld = true;
      const leave = (): void => {
        if (isHeld) held -= bytes;
        isHeld = false;
      };
      if (raw.destroyed) leave();
      raw.once('close', leave).once('finish', leave);
    },
  };
}
