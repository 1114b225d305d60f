// Chat over the archive of conversations: always a stream. What is said comes claim by claim, each behind its citation; the looks at the
// archive and the turns that are read only for who asks for all events.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toFootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { ArchiveChatRequest } from '../../footnote/facade/conversations.ts';
import { chatEventSchema, chatParamsSchema, chatQuerySchema, chatRequestSchema } from '../contract/conversations.ts';
import { toProblem } from '../policy/problem.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema } from '../wire/paging.ts';
import { type EventStream, streamOwner, type WireEvent } from '../wire/sse.ts';

const tags = ['conversations'];

export function registerArchiveChatRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/chat',
    {
      schema: {
        summary: 'Ask the archive of conversations; the answer streams as server-sent events',
        tags,
        querystring: chatQuerySchema,
        body: chatRequestSchema,
        response: {
          200: {
            description: 'Server-sent events; the last one is `done` or `error`',
            content: { 'text/event-stream': { schema: chatEventSchema } },
          },
        },
      },
    },
    async (request, reply) =>
      streamChat(
        door,
        { request: request as FastifyRequest, reply: reply as unknown as FastifyReply },
        { body: request.body, all: request.query.events === 'all' },
      ),
  );

  app.delete(
    '/chat/:conversation_id',
    {
      schema: {
        summary: 'Remove a chat over the archive',
        tags,
        params: chatParamsSchema,
        response: { 204: emptySchema },
      },
    },
    async (request, reply) => {
      await door.footnoteOf(request).conversations.deleteChat(request.params.conversation_id);
      door.forgetStreams(request);
      return reply.code(204).send();
    },
  );
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function streamChat(
  door: Door,
  { request, reply }: Exchange,
  { body, all }: { readonly body: ArchiveChatRequest; readonly all: boolean },
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
  const finished = run(stream);
  try {
    await Promise.race([stream.started, finished]);
  } catch (error) {
    door.streams.drop(stream);
    throw error;
  }
  return door.streams.send(reply, stream);

  /** Rejects only if nothing was streamed yet. */
  async function run(open: EventStream): Promise<void> {
    const gone = door.signalOf(reply);
    const leave = (): void => open.leave(toFootnoteError(gone.reason));
    gone.addEventListener('abort', leave, { once: true });
    if (gone.aborted) leave();
    try {
      const answer = await door.footnoteOf(request).conversations.chat(body, {
        signal: open.signal,
        onEvent(event) {
          if (all || event.type === 'delta' || event.type === 'citation') open.append(event);
        },
      });
      await request.claim?.release();
      open.end({ type: 'done', ...answer } as WireEvent);
    } catch (error) {
      if (open.length === 0) throw error;
      const problem = toProblem(error, request.id, { conceal: door.concealFrom(request) });
      open.end({ type: 'error', problem } as WireEvent);
      await request.claim?.release().catch(() => undefined);
    } finally {
      request.place?.leave();
    }
  }
}
