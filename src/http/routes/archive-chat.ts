// Chat over the archive of conversations: always a stream. What is said comes claim by claim, each behind its citation; the looks at the
// archive and the turns that are read only for who asks for all events.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ArchiveChatRequest } from '../../footnote/facade/conversations.ts';
import {
  chatEventSchema,
  chatParamsSchema,
  chatQuerySchema,
  chatRequestSchema,
} from '../../operations/contract/conversations.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema } from '../wire/paging.ts';
import type { WireEvent } from '../wire/sse.ts';
import { type Exchange, streamReply } from '../wire/stream-reply.ts';

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

function streamChat(
  door: Door,
  exchange: Exchange,
  { body, all }: { readonly body: ArchiveChatRequest; readonly all: boolean },
): Promise<FastifyReply> {
  const { request } = exchange;
  return streamReply(door, exchange, async (stream) => {
    const answer = await door.footnoteOf(request).conversations.chat(body, {
      signal: stream.signal,
      onEvent(event) {
        if (all || event.type === 'delta' || event.type === 'citation') stream.append(event);
      },
    });
    await request.claim?.release();
    return { type: 'done', ...answer } as WireEvent;
  });
}
