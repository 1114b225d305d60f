// What chats in browsers ask that speak the stream of the AI SDK's user interface (`useChat`): the whole conversation, of which nothing is stored.
import { z } from 'zod';
import { openaiFields } from './openai.ts';
import { operationsFor } from './operation.ts';

const uiMessageSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

const chatSchema = z
  .object({
    /** Of the chat: while its answer streams, it is followed once more by it. */
    id: z.string().min(1).max(1024),
    messages: z.array(uiMessageSchema).min(1),
    /** One of GET /v1/models. Default: `footnote`. */
    model: openaiFields.model.default('footnote'),
    footnote: openaiFields.footnote,
  })
  .meta({ id: 'UiChatRequest' });

const partSchema = z.looseObject({ type: z.string() }).meta({ id: 'UiMessagePart' });
const parts = {
  description: 'The parts of the message (server-sent; the last is `[DONE]`)',
  content: { 'text/event-stream': { schema: partSchema } },
};
const reader = operationsFor('reader', 'ui');

export const uiChat = {
  ask: reader.peculiar('POST /v1/ui/chat', 'Ask as `useChat` of the AI SDK does', {
    lane: 'questions',
    body: chatSchema,
    unkept: true,
    replies: { 200: parts },
  }),
  follow: reader.peculiar('GET /v1/ui/chat/:id/stream', 'Follow the answer that streams in a chat from its beginning', {
    watched: true,
    replies: { 200: parts, 204: z.undefined().describe('Nothing streams there.') },
  }),
};
