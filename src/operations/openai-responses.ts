// What clients of OpenAI's API ask in its newer shape: responses, which are kept for a while and can be gone on from. Read as leniently as completions are.
import { z } from 'zod';
import { choiceSchema, openaiErrors, openaiFields, partSchema, toldAnswerSchema } from './openai.ts';
import { operationsFor } from './operation.ts';

const itemSchema = z.looseObject({
  type: z.string().optional(),
  id: z.string().optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
  content: z.union([z.string(), z.array(partSchema)]).optional(),
});
export type InputItem = z.output<typeof itemSchema>;

export const responseRequestSchema = z
  .object({
    ...openaiFields,
    input: z.union([z.string(), z.array(itemSchema)]).optional(),
    /** Wishes of form, as messages of the system are. */
    instructions: z.string().optional(),
    previous_response_id: z.string().optional(),
    /** Default: true. */
    store: z.boolean().optional(),
    include: z.array(z.string()).optional(),
    max_output_tokens: z.int().min(1).optional(),
    // What only comes back in the reply.
    temperature: z.number().optional(),
    top_p: z.number().optional(),
    truncation: z.string().optional(),
    user: z.string().optional(),
    parallel_tool_calls: z.boolean().optional(),
    reasoning: z.looseObject({}).optional(),
    text: z.looseObject({ format: choiceSchema.optional() }).optional(),
    // What is refused where it asks for more than one text.
    tool_choice: choiceSchema.optional(),
    conversation: choiceSchema.optional(),
    background: z.boolean().optional(),
    prompt: z.looseObject({}).optional(),
  })
  .meta({ id: 'OpenAIResponseRequest' });
export type ResponseRequest = z.output<typeof responseRequestSchema>;

const outputSchema = z.looseObject({ type: z.enum(['file_search_call', 'message']), id: z.string() });
const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    model: z.string(),
    output: z.array(outputSchema),
    store: z.boolean(),
    previous_response_id: z.string().nullable(),
    footnote: toldAnswerSchema.optional(),
  })
  .meta({ id: 'OpenAIResponse' });
export type ResponseObject = z.output<typeof responseSchema>;

const eventSchema = z.looseObject({ type: z.string(), sequence_number: z.int() }).meta({ id: 'OpenAIResponseEvent' });

const itemsSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.looseObject({ id: z.string(), type: z.literal('message') })),
    first_id: z.string(),
    last_id: z.string(),
    has_more: z.boolean(),
  })
  .meta({ id: 'OpenAIInputItems' });
const deletedSchema = z
  .object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'OpenAIDeletedResponse' });

const streaming = {
  200: {
    description: 'The response, or with `stream` its events (server-sent)',
    content: { 'application/json': { schema: responseSchema }, 'text/event-stream': { schema: eventSchema } },
  },
  ...openaiErrors,
};
const replying = (reply: z.ZodType) => ({ reply, replies: { 200: reply, ...openaiErrors } });
const reader = operationsFor('reader', 'openai');

export const responses = {
  create: reader.peculiar(
    'POST /v1/responses',
    'Ask as clients of OpenAI do: the answer as a response, kept for 24 hours',
    {
      lane: 'questions',
      body: responseRequestSchema,
      replies: streaming,
    },
  ),
  get: reader.peculiar('GET /v1/responses/:id', 'A response that is kept, or its events from a place on', {
    query: z.object({
      stream: z.stringbool().optional(),
      starting_after: z.coerce.number().int().min(0).optional(),
    }),
    replies: streaming,
  }),
  delete: reader.peculiar(
    'DELETE /v1/responses/:id',
    'Erase a response, its answer and its trace',
    replying(deletedSchema),
  ),
  cancel: reader.peculiar('POST /v1/responses/:id/cancel', 'End a response that streams; one that has ended stays', {
    ...replying(responseSchema),
  }),
  items: reader.peculiar('GET /v1/responses/:id/input_items', 'What a response was asked with', {
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      order: z.enum(['asc', 'desc']).default('desc'),
      after: z.string().optional(),
    }),
    ...replying(itemsSchema),
  }),
};
