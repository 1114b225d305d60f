// What clients of Anthropic's messages ask, in its shapes, read as leniently as OpenAI's: what is refused by name stands in src/http/foreign/chat-request.ts.
import { z } from 'zod';
import { choiceSchema, openaiFields, partSchema, toldAnswerSchema } from './openai.ts';
import { operationsFor } from './operation.ts';

const contentSchema = z.union([z.string(), z.array(partSchema)]);

const messagesRequestSchema = z
  .object({
    model: openaiFields.model,
    stream: openaiFields.stream,
    footnote: openaiFields.footnote,
    messages: z.array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: contentSchema })).min(1),
    system: contentSchema.optional(),
    max_tokens: z.int().min(1).optional(),
    tool_choice: choiceSchema.optional(),
    output_config: z.looseObject({ format: choiceSchema.optional() }).optional(),
  })
  .meta({ id: 'AnthropicMessagesRequest' });

const citationSchema = z.object({
  type: z.literal('char_location'),
  /** The quote: exactly the text of the document between both indexes, which are UTF-16 offsets. */
  cited_text: z.string(),
  /** Of the documents of this answer, in the order in which they are cited. */
  document_index: z.int(),
  document_title: z.string(),
  start_char_index: z.int(),
  end_char_index: z.int(),
  file_id: z.null(),
  /** Ours: where the quote opens. */
  url: z.string(),
});
export type CharLocation = z.output<typeof citationSchema>;

const blockSchema = z.object({
  type: z.literal('text'),
  text: z.string(),
  citations: z.array(citationSchema).nullable(),
});

const messageSchema = z
  .object({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(blockSchema),
    stop_reason: z.enum(['end_turn', 'max_tokens']).nullable(),
    stop_sequence: z.null(),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }),
    /** Absent from what a program asks for itself, such as a title. */
    footnote: toldAnswerSchema.optional(),
  })
  .meta({ id: 'AnthropicMessage' });
export type AnthropicMessage = z.output<typeof messageSchema>;

const eventSchema = z.looseObject({ type: z.string() }).meta({ id: 'AnthropicStreamEvent' });

const errorSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({
      type: z.string(),
      message: z.string(),
      details: z.object({ error_code: z.string(), param: z.string().nullable() }),
    }),
    request_id: z.string(),
  })
  .meta({ id: 'AnthropicError' });

const anthropicErrors = {
  default: { description: 'An error', content: { 'application/json': { schema: errorSchema } } },
};

export const anthropic = {
  messages: operationsFor('reader', 'anthropic').peculiar(
    'POST /v1/messages',
    'Ask as clients of Anthropic do: the answer as a message, a block for each claim',
    {
      lane: 'questions',
      body: messagesRequestSchema,
      replies: {
        200: {
          description: 'The message, or with `stream` its events (server-sent; the last is `message_stop` or `error`)',
          content: { 'application/json': { schema: messageSchema }, 'text/event-stream': { schema: eventSchema } },
        },
        ...anthropicErrors,
      },
    },
  ),
};
