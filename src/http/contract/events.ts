// The events of a stream and of a trace as schemas: each frame's `data:` is one of these objects. A type test
// keeps them in step with the one event union of the house.
import { z } from 'zod';
import { answerSchema, citationSchema, intents } from '../../core/answer.ts';
import { stages } from '../../core/events.ts';
import { degradationSchema, routingSchema } from '../../core/search.ts';
import { ingestionSchema, jsonValueSchema, problemSchema } from './contract.ts';

const statusEvent = z.object({ type: z.literal('status'), stage: z.enum(stages) });
const intentEvent = z.object({ type: z.literal('intent'), intent: z.enum(intents), reason: z.string() });
const routingEvent = routingSchema.extend({ type: z.literal('routing') });
const retrievalEvent = z.object({
  type: z.literal('retrieval'),
  mode: z.string(),
  resultCount: z.int(),
  latencyMs: z.number(),
});
const rerankingEvent = z.object({
  type: z.literal('reranking'),
  inputCount: z.int(),
  outputCount: z.int(),
  method: z.string(),
});
const deltaEvent = z.object({ type: z.literal('delta'), text: z.string() });
const citationEvent = z.object({ type: z.literal('citation'), citation: citationSchema });
const doneEvent = z.object({ type: z.literal('done'), answer: answerSchema });
const errorEvent = z.object({ type: z.literal('error'), problem: problemSchema });

const streamed = [
  statusEvent,
  intentEvent,
  routingEvent,
  retrievalEvent,
  rerankingEvent,
  deltaEvent,
  citationEvent,
  doneEvent,
  errorEvent,
] as const;

/** What a client of `POST /v1/ask` and of session messages sees. The last event is always `done` or `error`. */
export const streamEventSchema = z.discriminatedUnion('type', [...streamed]).meta({ id: 'StreamEvent' });
export type StreamEvent = z.infer<typeof streamEventSchema>;

/** What a client that watches an ingestion sees. The last event is always `done` or `error`. */
export const progressEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('progress'), ingestion: ingestionSchema }),
    z.object({ type: z.literal('done'), ingestion: ingestionSchema }),
    errorEvent,
  ])
  .meta({ id: 'ProgressEvent' });

const traceEventSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('request'),
      kind: z.enum(['ask', 'message', 'search']),
      body: jsonValueSchema,
      at: z.string(),
    }),
    z.object({ type: z.literal('follow-up'), content: z.string(), resolved: z.string(), reason: z.string() }),
    z.object({
      type: z.literal('call'),
      call: z.object({
        port: z.string(),
        method: z.string(),
        request: jsonValueSchema,
        response: jsonValueSchema.optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
        latencyMs: z.number(),
      }),
    }),
    z.object({ type: z.literal('degraded'), degradation: degradationSchema }),
    z.object({
      type: z.literal('verdict'),
      claim: z.string(),
      support: z.number(),
      kept: z.boolean(),
      reasons: z.array(z.string()),
    }),
    z.object({
      type: z.literal('searched'),
      results: z.array(z.object({ chunkId: z.string(), documentId: z.string(), score: z.number() })),
    }),
    z.object({
      type: z.literal('erased'),
      at: z.string(),
      events: z.int().describe('Events that were taken out because documents that they spoke of were deleted'),
    }),
    ...streamed,
  ])
  .meta({ id: 'TraceEvent' });

export const traceSchema = z
  .object({
    trace: z.object({
      id: z.string(),
      kind: z.enum(['ask', 'message', 'search']),
      sessionId: z.string().optional(),
      startedAt: z.string(),
      totalMs: z.number(),
      eventCount: z.int(),
    }),
    events: z.array(z.object({ seq: z.int(), atMs: z.number(), event: traceEventSchema })),
  })
  .meta({ id: 'Trace' });
