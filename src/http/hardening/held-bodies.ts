// Bodies that are read into memory take it as long as they are read and worked on: together they may take so much. Invariant: beyond that a body that is
// still being read gives way, the largest of who holds most; nobody is kept out by what another sends.
import { Transform } from 'node:stream';
import type { FastifyReply, preParsingHookHandler } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';

/** Bodies that say that they are no longer are not counted. */
const smallBytes = 64 * 1024;
const counted = /^(?:application\/json|multipart\/form-data)\b/iu;

export interface HeldBody {
  /** Counts bytes that came. Refuses this body or others where there are too many. */
  add(bytes: number): void;
  /** Tells who reads it that it is refused (`rate-limited`); undefined before and once it was read. */
  refuse: ((error: FootnoteError) => void) | undefined;
  /** Counts it no more. Idempotent. */
  leave(): void;
}

interface Counted extends HeldBody {
  readonly caller: string;
  bytes: number;
}

/** `goneOf`: aborts when the client went before the reply was complete. */
export function createHeldBodies(mostBytes: number, goneOf: (reply: FastifyReply) => AbortSignal) {
  const bodies = new Set<Counted>();
  const total = (some: Iterable<Counted>): number => [...some].reduce((sum, { bytes }) => sum + bytes, 0);
  let held = 0;

  function makeRoom(): void {
    while (held > mostBytes) {
      const callers = [...Map.groupBy(bodies, ({ caller }) => caller).values()].filter((some) =>
        some.some(({ refuse }) => refuse),
      );
      const [most = []] = callers.sort((a, b) => total(b) - total(a));
      const [largest] = most.filter(({ refuse }) => refuse).sort((a, b) => b.bytes - a.bytes);
      if (!largest) return;
      largest.leave();
      const told = `Requests of ${Math.ceil(mostBytes / 1e6)} MB are in hand, the most at once. Try again shortly.`;
      largest.refuse?.(new FootnoteError('rate-limited', told));
    }
  }

  /** Counts a body from now on. */
  function open(caller: string): HeldBody {
    const body: Counted = {
      caller,
      bytes: 0,
      refuse: undefined,
      add(bytes) {
        if (!bodies.has(body)) return;
        body.bytes += bytes;
        held += bytes;
        makeRoom();
      },
      leave() {
        if (bodies.delete(body)) held -= body.bytes;
      },
    };
    bodies.add(body);
    return body;
  }

  /** What a request brings, counted on its way where it is JSON; whoever reads a form counts what it holds. */
  const watch: preParsingHookHandler = (request, reply, payload, done) => {
    const { 'content-type': type = '', 'content-length': length } = request.headers;
    const isShort = Number(length ?? Number.POSITIVE_INFINITY) <= smallBytes;
    if (!counted.test(type) || isShort || goneOf(reply).aborted) return done(null, payload);
    const body = open(`${request.scope?.tenant}\u0000${request.scope?.principal.id}`);
    request.heldBody = body;
    goneOf(reply).addEventListener('abort', body.leave, { once: true });
    if (/^multipart/iu.test(type)) return done(null, payload);
    const counter = new Transform({
      transform(piece: Buffer, _encoding, next) {
        body.add(piece.byteLength);
        next(null, piece);
      },
      flush(next) {
        body.refuse = undefined;
        next();
      },
    });
    body.refuse = (error) => counter.destroy(error);
    payload.once('error', (error) => counter.destroy(error));
    return done(null, payload.pipe(counter));
  };

  return { open, watch };
}
