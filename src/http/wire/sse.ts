// Server-sent events with a log per stream: a client reads at its own pace from the log, so what is held for its socket
// stays bounded; one that takes nothing is cut (stalled-reader.ts); one that comes back resumes by Last-Event-ID. Every stream
// ends with one final event.

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { FootnoteError } from '../../core/errors.ts';
import type { Problem } from '../../core/events.ts';
import { watchReader } from '../hardening/stalled-reader.ts';
import { toProblem } from '../policy/problem.ts';

export interface StreamSettings {
  /** A comment line is sent when nothing else was for this long. */
  readonly heartbeatMs: number;
  /**
   * A client that takes nothing for this long while something waits is cut. Nothing means no whole write: of a backlog it must take
   * about `queueBytes` in this time.
   */
  readonly stallMs: number;
  /** Bytes handed to one client's socket and not yet taken. */
  readonly queueBytes: number;
  /** Streams that ended are kept this long, and at most `keptStreams` of them, for resuming. */
  readonly keepMs: number;
  readonly keptStreams: number;
  /** A stream longer than this ends with an error. */
  readonly streamBytes: number;
  readonly liveStreams: number;
  /** Told of each client that was cut. */
  readonly onCut?: (reply: FastifyReply, reason: FootnoteError) => void;
}

export const streamDefaults: StreamSettings = {
  heartbeatMs: 10_000,
  stallMs: 15_000,
  queueBytes: 64 * 1024,
  keepMs: 300_000,
  keptStreams: 64,
  streamBytes: 10 * 1024 * 1024,
  liveStreams: 1_200,
};

/** Frames that wait together are written together: a write for each would be most of a stream's cost. A long one is several writes. */
const writeBytes = 16 * 1024;

export interface WireEvent {
  readonly type: string;
}

/** What a stream ended with that failed. */
export const problemIn = (event: WireEvent): Problem | undefined =>
  event.type === 'error' ? (event as WireEvent & { readonly problem: Problem }).problem : undefined;

export interface EventStream {
  readonly id: string;
  /** Aborts when no client follows any more, when a client stalled, or when the server stops. */
  readonly signal: AbortSignal;
  readonly ended: boolean;
  readonly length: number;
  /** Resolves with the first event. */
  readonly started: Promise<void>;
  /** Adds an event; ignored after the end. */
  append(event: WireEvent): void;
  /** Adds the final event; ignored after the end. */
  end(event: WireEvent): void;
  /** Aborts unless somebody follows: the client that opened it has gone, and another may have come back for it. */
  leave(reason: FootnoteError): void;
}

export interface StreamOwner {
  /** Who may resume it. */
  readonly owner: string;
  /** What was asked: a resumed request must ask the same. */
  readonly requestHash: string;
  readonly requestId: string;
  /** How its events are written. Default: with their place and type, so that it can be resumed. */
  readonly frame?: Frame | undefined;
}

/** How streams name the principal that they belong to. */
export const streamOwner = (tenant: string | undefined, principal: string | undefined): string =>
  `${tenant}\u0000${principal}`;

export interface EventStreams {
  /** Throws `rate-limited` when too many streams are open, `upstream-unavailable` once all were closed. */
  open(owner: StreamOwner): EventStream;
  /** The stream and position that a Last-Event-ID names. Throws `not-found` if it is not kept or is another's. */
  resume(lastEventId: string, owner: Omit<StreamOwner, 'requestId'>): { stream: EventStream; after: number };
  /** Sends the stream's events after position `after` as the reply's body. */
  send(reply: FastifyReply, stream: EventStream, after?: number): FastifyReply;
  /** Forgets a stream that never began; whoever follows it is told how it ended. */
  drop(stream: EventStream, last: WireEvent): void;
  /** Forgets streams of these owners that ended and are kept for resuming only. */
  forgetEnded(isOwner: (owner: string) => boolean): void;
  /** Of the live streams. */
  owners(): readonly string[];
  /** Ends the live streams of a caller with an error event and aborts their work. */
  endOf(owner: string, error: FootnoteError): void;
  /** Ends every live stream with an error event and aborts its work. */
  closeAll(): void;
}

export const notKept = (): FootnoteError =>
  new FootnoteError('not-found', 'The stream named by Last-Event-ID is not kept any more. Ask again without it.');

const stillHere = ': still here\n\n';

/** What clients take for the end of a line that JSON leaves as it is; form feeds and the like it escapes. */
const lineEnds = /[\u0085\u2028\u2029]/gu;

/** The end of a frame: `data:` is one line for every client, since no character that ends one in Unicode stands in it. */
export function dataLine(value: object): string {
  const data = JSON.stringify(value).replace(
    lineEnds,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `data: ${data}\n\n`;
}

/** One SSE frame. */
export type Frame = (id: string, event: WireEvent) => string;
const sseFrame: Frame = (id, event) => `id: ${id}\nevent: ${event.type}\n${dataLine(event)}`;

interface LiveStream extends EventStream {
  readonly owner: StreamOwner;
  readonly frames: readonly string[];
  /** Each sends what the log has beyond what it sent: soon, or at once at the end. */
  readonly followers: Set<(atOnce: boolean) => void>;
  endedAtMs: number | undefined;
  abort(reason: FootnoteError): void;
}

export function createEventStreams(overrides: Partial<StreamSettings> = {}): EventStreams {
  const settings = { ...streamDefaults, ...overrides };
  const streams = new Map<string, LiveStream>();
  let closed = false;
  let live = 0;

  function sweep(): void {
    const now = performance.now();
    const ended = [...streams.values()].filter((stream) => stream.endedAtMs !== undefined);
    const surplus = ended.length - settings.keptStreams;
    ended.forEach((stream, position) => {
      const expired = now - (stream.endedAtMs ?? now) > settings.keepMs;
      if ((expired || position < surplus) && stream.followers.size === 0) streams.delete(stream.id);
    });
  }

  return {
    open(owner) {
      // A request that was still being read when the server began to stop.
      if (closed) throw new FootnoteError('upstream-unavailable', 'The server is stopping. Try again when it is back.');
      sweep();
      if (live >= settings.liveStreams)
        throw new FootnoteError('rate-limited', `${live} streams are open, the most at once. Try again shortly.`);
      const created = createStream(owner, settings.streamBytes, () => {
        live -= 1;
      });
      live += 1;
      streams.set(created.id, created);
      return created;
    },
    resume(lastEventId, { owner, requestHash }) {
      const cut = lastEventId.lastIndexOf('.');
      const found = streams.get(lastEventId.slice(0, cut));
      const after = Number(lastEventId.slice(cut + 1));
      if (!found || found.owner.owner !== owner || !Number.isSafeInteger(after) || after < 0) throw notKept();
      if (found.owner.requestHash !== requestHash)
        throw new FootnoteError(
          'invalid-request',
          'Last-Event-ID names the stream of another request. Send the same body.',
        );
      return { stream: found, after: Math.min(after, found.length) };
    },
    send(reply, target, after = 0) {
      const source = streams.get(target.id);
      if (!source) throw new FootnoteError('internal', 'The stream is not open.');
      const body = follow(source, after, settings);
      watchReader(reply.raw, settings.stallMs, () => {
        const reason = new FootnoteError(
          'cancelled',
          `The client took nothing for ${settings.stallMs} ms and was cut off. It can come back with Last-Event-ID.`,
        );
        settings.onCut?.(reply, reason);
        body.destroy(reason);
        reply.raw.destroy();
      });
      return reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(body);
    },
    drop(target, last) {
      const dropped = streams.get(target.id);
      if (!dropped) return;
      streams.delete(target.id);
      dropped.end(last);
    },
    forgetEnded(isOwner) {
      for (const [id, { owner, ended, followers }] of streams)
        if (ended && followers.size === 0 && isOwner(owner.owner)) streams.delete(id);
    },
    owners: () => [...new Set([...streams.values()].flatMap(({ ended, owner }) => (ended ? [] : owner.owner)))],
    endOf(owner, error) {
      for (const stream of streams.values()) if (stream.owner.owner === owner) endWith(stream, error);
    },
    closeAll() {
      closed = true;
      const stopping = new FootnoteError('cancelled', 'The server is stopping. Ask again when it is back.');
      for (const stream of streams.values()) endWith(stream, stopping);
    },
  };
}

function endWith(stream: LiveStream, error: FootnoteError): void {
  if (stream.ended) return;
  stream.end({ type: 'error', problem: toProblem(error, stream.owner.requestId) } as WireEvent);
  stream.abort(error);
}

function createStream(owner: StreamOwner, streamBytes: number, onEnd: () => void): LiveStream {
  const id = `str_${randomBytes(12).toString('hex')}`;
  const frames: string[] = [];
  const followers: LiveStream['followers'] = new Set();
  const controller = new AbortController();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  let ended = false;
  let bytes = 0;
  const add = (event: WireEvent): void => {
    const frame = (owner.frame ?? sseFrame)(`${id}.${frames.length + 1}`, event);
    bytes += Buffer.byteLength(frame);
    frames.push(frame);
    start();
  };
  const wake = (atOnce: boolean): void => {
    for (const notify of followers) notify(atOnce);
  };
  const live: LiveStream = {
    id,
    owner,
    frames,
    followers,
    signal: controller.signal,
    started,
    endedAtMs: undefined,
    get ended() {
      return ended;
    },
    get length() {
      return frames.length;
    },
    append(event) {
      if (ended) return;
      if (bytes > streamBytes) {
        const tooLong = new FootnoteError('too-large', `The stream grew beyond ${streamBytes} bytes and was ended.`);
        live.end({ type: 'error', problem: toProblem(tooLong, owner.requestId) } as WireEvent);
        live.abort(tooLong);
        return;
      }
      add(event);
      wake(false);
    },
    end(event) {
      if (ended) return;
      add(event);
      ended = true;
      live.endedAtMs = performance.now();
      onEnd();
      wake(true);
    },
    abort(reason) {
      controller.abort(reason);
    },
    leave(reason) {
      if (!ended && followers.size === 0) controller.abort(reason);
    },
  };
  return live;
}

/** A client's view of a stream: pulls frames from the log as its socket takes them. */
function follow(stream: LiveStream, after: number, settings: StreamSettings): Readable {
  let cursor = after;
  /** Of the frames before the cursor, what is not yet pushed. */
  let pending = Buffer.alloc(0);
  let wanted = false;
  let complete = false;
  let pumping: NodeJS.Immediate | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const push = (bytes: Uint8Array | string): void => {
    wanted = readable.push(bytes);
    heartbeat?.refresh();
  };
  const pump = (): void => {
    clearImmediate(pumping);
    pumping = undefined;
    while (wanted && (pending.length > 0 || cursor < stream.frames.length)) {
      if (pending.length === 0) {
        let text = '';
        while (cursor < stream.frames.length && text.length < writeBytes) text += stream.frames[cursor++] ?? '';
        pending = Buffer.from(text);
      }
      const part = pending.subarray(0, writeBytes);
      pending = pending.subarray(writeBytes);
      push(part);
    }
    if (wanted && stream.ended && cursor >= stream.frames.length && !complete) {
      complete = true;
      readable.push(null);
    }
  };
  // What is added in one turn of the event loop goes out in one write; the end is not put off, because a server that stops waits for it.
  const follower = (atOnce: boolean): void => {
    if (atOnce) pump();
    else pumping ??= setImmediate(pump);
  };
  const readable = new Readable({
    highWaterMark: settings.queueBytes,
    read() {
      wanted = true;
      pump();
    },
    destroy(error, done) {
      clearImmediate(pumping);
      clearInterval(heartbeat);
      stream.followers.delete(follower);
      // Nobody reads what the work would still produce.
      if (!complete)
        stream.leave(error instanceof FootnoteError ? error : new FootnoteError('cancelled', 'The client went away.'));
      done(null);
    },
  });
  heartbeat = setInterval(() => {
    if (wanted && pending.length === 0 && !complete) push(stillHere);
  }, settings.heartbeatMs).unref();
  // Headers leave with the first bytes: one who comes back to a quiet stream is told at once that it is there.
  if (cursor >= stream.frames.length && !stream.ended) push(stillHere);
  stream.followers.add(follower);
  return readable;
}
