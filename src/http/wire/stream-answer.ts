// An answer as a stream: events as they happen, then exactly one `done` with the answer that passed its schema, or one
// `error`.
import type { FastifyReply } from 'fastify';
import { type Answer, answerSchema } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import { type EventSink, streamed } from '../../core/events.ts';
import type { CallOptions } from '../../footnote/facade.ts';
import type { Door } from './http-types.ts';
import type { WireEvent } from './sse.ts';
import { type Exchange, streamReply } from './stream-reply.ts';

type Work = (options: CallOptions) => Promise<Answer>;

/** Runs `work` and streams it; resumes an earlier stream when the request carries Last-Event-ID. */
export function streamAnswer(door: Door, exchange: Exchange, work: Work): Promise<FastifyReply> {
  const { request, reply } = exchange;
  return streamReply(door, exchange, async (stream) => {
    // The door says `done` and `error` itself, once, after the answer passed its schema.
    const onEvent: EventSink = (event) => {
      if (streamed.has(event.type) && event.type !== 'done' && event.type !== 'error') stream.append(event);
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
