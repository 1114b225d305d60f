// What clients of OpenAI's API ask, in its shapes: models, which choose what is asked and how, and completions of a chat. Foreign requests are read
// leniently: what is unknown is ignored, and null is as absent. What is refused by name stands in src/http/foreign/chat-request.ts.
import { z } from 'zod';
import { answerSchema } from '../core/answer.ts';
import { markSchema } from '../core/marked-text.ts';
import { searchOptionFields } from '../core/search.ts';
import { operationsFor } from './operation.ts';

const errorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenAIError' });

const modelSchema = z
  .object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.literal('footnote') })
  .meta({ id: 'OpenAIModel' });
const modelListSchema = z
  .object({ object: z.literal('list'), data: z.array(modelSchema) })
  .meta({ id: 'OpenAIModels' });

export const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(partSchema)]).optional(),
});

/** Of OpenAI's own: comparisons of an attribute, and both ways to join them. */
export type AttributeFilter =
  | { readonly type: 'and' | 'or'; readonly filters: readonly AttributeFilter[] }
  | {
      readonly type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'nin';
      readonly key: string;
      readonly value: string | number | boolean | readonly (string | number | boolean)[];
    };
const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
export const attributeFilterSchema: z.ZodType<AttributeFilter> = z
  .lazy(() =>
    z.union([
      z.object({
        type: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']),
        key: z.string(),
        value: z.union([scalarSchema, z.array(scalarSchema)]),
      }),
      z.object({ type: z.enum(['and', 'or']), filters: z.array(attributeFilterSchema).min(1).max(100) }),
    ]),
  )
  .meta({ id: 'OpenAIAttributeFilter' });

const toolSchema = z.looseObject({
  type: z.string(),
  vector_store_ids: z.array(z.string()).optional(),
  max_num_results: z.int().min(1).max(50).optional(),
  filters: attributeFilterSchema.optional(),
  ranking_options: z.object({ score_threshold: z.number().min(0).max(1).optional() }).optional(),
});

const tokensSchema = z.int().min(1).optional();

export const choiceSchema = z.union([z.string(), z.looseObject({ type: z.string().optional() })]);
/** What is refused where it asks for another thing than one text. */
const refusable = {
  n: z.number().optional(),
  tool_choice: choiceSchema.optional(),
  function_call: choiceSchema.optional(),
  response_format: choiceSchema.optional(),
  audio: z.looseObject({}).optional(),
  modalities: z.array(z.string()).optional(),
  prediction: z.looseObject({}).optional(),
  conversation: choiceSchema.optional(),
  background: z.boolean().optional(),
};

/** What requests of each form may say. */
export const openaiFields = {
  model: z.string().min(1),
  stream: z.boolean().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  tools: z.array(toolSchema).optional(),
  /** Our own options, for clients that pass on fields which they do not know. */
  footnote: z
    .strictObject({
      ...searchOptionFields,
      /** What a model says and nothing confirms stands in the text, behind words that say so. */
      unconfirmed: z.boolean().optional(),
      /** A program that shows events of this form: each citation with its quote. */
      events: z.enum(['open-webui']).optional(),
    })
    .optional(),
};

export const chatRequestSchema = z
  .object({
    ...openaiFields,
    messages: z.array(messageSchema).min(1),
    stream_options: z.object({ include_usage: z.boolean().optional() }).optional(),
    max_tokens: tokensSchema,
    max_completion_tokens: tokensSchema,
    ...refusable,
  })
  .meta({ id: 'OpenAIChatRequest' });
export type ChatRequest = z.output<typeof chatRequestSchema>;

const annotationSchema = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    url: z.string(),
    title: z.string(),
    /** Of the mark, in code points; the end is exclusive. */
    start_index: z.int(),
    end_index: z.int(),
  }),
});
export type Annotation = z.output<typeof annotationSchema>;

const usageSchema = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
export type ChatUsage = z.output<typeof usageSchema>;

/** The whole answer, and where the marks stand in the text of the reply (UTF-16). */
export const toldAnswerSchema = answerSchema.extend({ contentMarks: z.array(markSchema) });

/** What a completion says of its citations, beside its message. */
const citedFields = {
  /** The n-th is that of `[n]`. */
  citations: z.array(z.string()),
  search_results: z.array(
    z.object({ title: z.string(), url: z.string(), date: z.string().optional(), snippet: z.string() }),
  ),
  /** Absent from what a program asks for itself, such as a title. */
  footnote: toldAnswerSchema.optional(),
};

const completionSchema = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string(),
          refusal: z.null(),
          annotations: z.array(annotationSchema),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(['stop', 'length']),
      }),
    ),
    usage: usageSchema,
    metadata: z.record(z.string(), z.string()).optional(),
    ...citedFields,
  })
  .meta({ id: 'OpenAIChatCompletion' });

const chunkSchema = z
  .looseObject({ id: z.string(), object: z.literal('chat.completion.chunk'), choices: z.array(z.looseObject({})) })
  .meta({ id: 'OpenAIChatChunk' });

export const openaiErrors = {
  default: { description: 'An error', content: { 'application/json': { schema: errorSchema } } },
};
const reader = operationsFor('reader', 'openai');

export const openai = {
  models: reader.peculiar(
    'GET /v1/models',
    'Models, as clients of OpenAI list them: one for all sources, and one for each',
    {
      reply: modelListSchema,
      replies: { 200: modelListSchema, ...openaiErrors },
    },
  ),
  model: reader.peculiar('GET /v1/models/:id', 'One of them', {
    reply: modelSchema,
    replies: { 200: modelSchema, ...openaiErrors },
  }),
  chat: reader.peculiar(
    'POST /v1/chat/completions',
    'Ask as clients of OpenAI do: the answer as a completion of a chat',
    {
      lane: 'questions',
      body: chatRequestSchema,
      replies: {
        200: {
          description: 'The completion, or with `stream` its chunks (server-sent; the last is `[DONE]`)',
          content: { 'application/json': { schema: completionSchema }, 'text/event-stream': { schema: chunkSchema } },
        },
        ...openaiErrors,
      },
    },
  ),
};
