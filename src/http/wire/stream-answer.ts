// An answer as a stream: events as they happen, then exactly one `done` with the answer that passed its schema, or one
// `error`. A failure before the first event is an ordinary problem reply.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerSchema } from '../../core/answer.ts';
import { FootnoteError, toFootnoteError } from '../../core/errors.ts';
import { type EventSink, streamed } from '../../core/events.ts';
import { sha256 } from '../../core/ids.ts';
import type { CallOptions } from '../../footnote/facade.ts';
import { toProblem } from '../policy/problem.ts';
import type { Door } from './http-types.ts';
import { type EventStream, streamOwner, type WireEvent } from './sse.ts';

type Work = (options: CallOptions) => Promise<Answer>;

/** Runs `work` and streams it; resumes an earlier stream when the request carries Last-Event-ID. */
export async function streamAnswer(
  door: Door,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  work: Work,
): Promise<FastifyReply> {
  const owner = {
    owner: streamOwner(request.scope?.tenant, request.scope?.principal.id),
    requestHash: sha256(`${request.method} ${request.url}\n${request.bodyHash ?? ''}`),
    requestId: request.id,
  };
  const lastEventId = request.headers['last-event-id'];
  if (typeof lastEventId === 'string' && lastEventId !== '') {
    const { stream, after } = door.streams.resume(lastEventId, owner);
    return door.streams.send(reply, stream, after);
  }
  const stream = door.streams.open(owner);
  const finished = run(stream, { door, request, reply, work });
  try {
    await Promise.race([stream.started, finished]);
  } catch (error) {
    door.streams.drop(stream);
    throw error;
  }
  return door.streams.send(reply, stream);
}

interface Run {
  readonly door: Door;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly work: Work;
}

/** Rejects only if nothing was streamed yet. */
async function run(stream: EventStream, { door, request, reply, work }: Run): Promise<void> {
  const { claim } = request;
  // The door says `done` and `error` itself, once, after the answer passed its schema.
  const onEvent: EventSink = (event) => {
    if (streamed.has(event.type) && event.type !== 'done' && event.type !== 'error') stream.append(event);
  };
  try {
    // Before the first event nobody follows the stream, whose signal says the rest.
    const gone = door.signalOf(reply);
    gone.addEventListener('abort', () => stream.leave(toFootnoteError(gone.reason)), { once: true });
    if (gone.aborted) stream.leave(toFootnoteError(gone.reason));
    const answer = checkAnswer(await work({ ...door.callOf(request, reply), signal: stream.signal, onEvent }));
    await claim?.finish(200, JSON.stringify(answer));
    stream.end({ type: 'done', answer } as WireEvent);
  } catch (error) {
    if (stream.length === 0) throw error;
    stream.end({
      type: 'error',
      problem: toProblem(error, request.id, { conceal: door.concealFrom(request) }),
    } as WireEvent);
    await claim?.release().catch(() => undefined);
  } finally {
    request.place?.leave();
  }
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
