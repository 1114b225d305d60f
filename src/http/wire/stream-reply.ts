// A reply as a stream: events as they happen, then the one that ends it, or one `error`. A failure before the first event is an ordinary
// problem reply. Whose last event says what, and what is kept of it under an idempotency key, is the business of who serves.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerSchema } from '../../core/answer.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { beginning, type EventSink } from '../../core/events.ts';
import { sha256 } from '../../core/ids.ts';
import type { CallOptions } from '../../footnote/facade.ts';
import { toProblem } from '../policy/problem.ts';
import type { Door } from './http-types.ts';
import { type EventStream, type Frame, notKept, streamOwner, type WireEvent } from './sse.ts';

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Appends to the stream as it goes; resolves with the last event. */
export type Serve = (stream: EventStream) => Promise<WireEvent>;

/** Serves and streams; resumes an earlier stream when the request carries Last-Event-ID. `frame`: how another protocol writes events. */
export async function streamReply(door: Door, exchange: Exchange, serve: Serve, frame?: Frame): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const owner = {
    owner: streamOwner(request.scope?.tenant, request.scope?.principal.id),
    requestHash: sha256(`${request.method} ${request.url}\n${request.bodyHash ?? ''}`),
    requestId: request.id,
    frame,
  };
  const lastEventId = request.headers['last-event-id'];
  if (typeof lastEventId === 'string' && lastEventId !== '') {
    const { stream, after } = door.streams.resume(lastEventId, owner);
    // What was deleted at another server may be in it.
    if (stream.ended && (await door.system.others?.deletedLately(request.scope?.tenant ?? ''))) throw notKept();
    return door.streams.send(reply, stream, after);
  }
  const stream = door.streams.open(owner);
  if (request.claim) request.claim.isStreamed = true;
  const finished = run(stream, { door, exchange, serve });
  try {
    await Promise.race([stream.started, finished]);
  } catch (error) {
    door.streams.drop(stream, failure(error, { door, exchange }));
    throw error;
  }
  return door.streams.send(reply, stream);
}

interface Run {
  readonly door: Door;
  readonly exchange: Exchange;
  readonly serve: Serve;
}

/** Rejects only if nothing was streamed yet. */
async function run(stream: EventStream, { door, exchange, serve }: Run): Promise<void> {
  const { request, reply } = exchange;
  try {
    // Before the first event nobody follows the stream, whose signal says the rest.
    const gone = door.signalOf(reply);
    gone.addEventListener('abort', () => stream.leave(toFootnoteError(gone.reason)), { once: true });
    if (gone.aborted) stream.leave(toFootnoteError(gone.reason));
    stream.end(await serve(stream));
  } catch (error) {
    if (stream.length === 0) throw error;
    stream.end(failure(error, { door, exchange }));
  } finally {
    // Unless it was ended with what is kept.
    await request.claim?.release().catch(() => undefined);
    request.place?.leave();
  }
}

const failure = (error: unknown, { door, exchange: { request } }: Omit<Run, 'serve'>): WireEvent =>
  ({ type: 'error', problem: toProblem(error, request.id, { conceal: door.concealFrom(request) }) }) as WireEvent;

type Work = (options: CallOptions) => Promise<Answer>;

/** Runs `work` and streams it; resumes an earlier stream when the request carries Last-Event-ID. */
export function streamAnswer(door: Door, exchange: Exchange, work: Work): Promise<FastifyReply> {
  const { request, reply } = exchange;
  return streamReply(door, exchange, async (stream) => {
    // The door says `done` and `error` itself, once, after the answer passed its schema.
    const onEvent: EventSink = (event) => {
      if (beginning.has(event.type)) stream.append(event);
    };
    const answer = checkAnswer(await work({ ...door.callOf(request, reply), signal: stream.signal, onEvent }));
    await request.claim?.finish(200, JSON.stringify(answer));
    return { type: 'done', answer } as WireEvent;
  });
}

/** The same check that the serializer of a plain reply makes. */
function checkAnswer(answer: Answer): Answer {
  const checked = answerSchema.safeParse(answer);
  if (!checked.success)
    throw new FootnoteError('internal', `The answer does not fit its schema: ${checked.error.message}`, {
      cause: checked.error,
    });
  return checked.data;
}
