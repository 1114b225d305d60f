// The one event union of the house, as schemas from which the types follow, and closed here alone: doors print their contracts from it. What streams to
// the client, what a trace keeps and what a replay reads are the same numbered log; `streamed` says which events a client sees.
import { z } from 'zod';
import { agentEventSchemas } from './agent-events.ts';
import { answerSchema, citationSchema, intents } from './answer.ts';
import { evalsEventSchema } from './evaluation.ts';
import { markSchema } from './marked-text.ts';
import { memoryTypes } from './memory.ts';
import { type DeepReadonly, jsonValueSchema } from './metadata.ts';
import { degradationSchema, routingSchema } from './search.ts';
import { tapeSchema } from './traces/tape-event.ts';

/** Of the log that begins with a `request` event; a log without a version is from before there were any. */
export const logVersion = 1;

export const requestKinds = ['ask', 'message', 'search', 'chat', 'analysis', 'housekeeping'] as const;
export type RequestKind = (typeof requestKinds)[number];

export const stages = ['understanding', 'searching', 'reading', 'waiting', 'answering', 'verifying'] as const;

/**
 * What a round of gathering came to. `answer`: enough. `caveat`: an answer that leaves something open. `fill-gap`: something is missing and is
 * searched for. `reconcile`: sources disagree. `unanswerable`: nothing more can be found, or may be.
 */
export const assessments = ['answer', 'caveat', 'fill-gap', 'reconcile', 'unanswerable'] as const;

/** RFC 9457. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof problemSchema>;

/** Of the archive, as deletions find it: `conversation:<id>`. */
const placeSchema = z.object({ documentId: z.string() });
/** What a port gave or an older version wrote: JSON, which nobody reads by a type. */
const anyJsonSchema: z.ZodType = jsonValueSchema;
const passageIds = z.array(z.string());

const schemas = {
  request: z.object({
    type: z.literal('request'),
    kind: z.enum(requestKinds),
    body: anyJsonSchema,
    at: z.string(),
    /** `logVersion` when it was written. */
    version: z.int().exactOptional(),
  }),
  /** What a request met that was decided before it: what a replay needs to build the same program around it. */
  environment: z.object({
    type: z.literal('environment'),
    /** Version of Footnote, and of Node. */
    program: z.string(),
    node: z.string(),
    config: z.string().describe('SHA-256 of all settings with their values, secrets left out'),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Those that are not as they come'),
    flags: z.array(z.string()).describe('Switches that are on'),
    timeoutMs: z.number(),
    ports: anyJsonSchema.describe('What stores and models looked like'),
  }),
  tape: tapeSchema,
  'follow-up': z.object({
    type: z.literal('follow-up'),
    content: z.string(),
    resolved: z.string(),
    reason: z.string(),
  }),
  /** One call of a port: what went in, what came out. */
  call: z.object({
    type: z.literal('call'),
    call: z.object({
      port: z.string(),
      method: z.string(),
      request: anyJsonSchema,
      response: anyJsonSchema.optional(),
      error: z
        .object({
          code: z.string(),
          message: z.string(),
          details: z.record(z.string(), anyJsonSchema).exactOptional(),
        })
        .exactOptional(),
      latencyMs: z.number(),
    }),
  }),
  degraded: z.object({ type: z.literal('degraded'), degradation: degradationSchema }),
  verdict: z.object({
    type: z.literal('verdict'),
    claim: z.string(),
    support: z.number(),
    kept: z.boolean(),
    reasons: z.array(z.string()),
  }),
  'left-out': z
    .object({
      type: z.literal('left-out'),
      stage: z.enum(['search', 'reading']),
      passages: z.array(z.object({ reason: z.string(), chunkIds: z.array(z.string()) })),
    })
    .describe('What was found and goes no further, and why'),
  searched: z.object({
    type: z.literal('searched'),
    results: z.array(z.object({ chunkId: z.string(), documentId: z.string(), score: z.number() })),
  }),
  archive: z
    .object({ type: z.literal('archive'), step: anyJsonSchema, places: z.array(placeSchema) })
    .describe('A step of a chat over the archive of conversations'),
  /** The end of such a chat. */
  chatted: z.object({ type: z.literal('chatted'), answer: anyJsonSchema, places: z.array(placeSchema) }),
  housekeeping: z
    .object({ type: z.literal('housekeeping'), task: z.string() })
    .describe('The end of what a program asked for itself, such as a title: nothing was searched'),
  erased: z.object({
    type: z.literal('erased'),
    at: z.string(),
    events: z.int().describe('Events that were taken out because documents that they spoke of were deleted'),
  }),
  status: z.object({ type: z.literal('status'), stage: z.enum(stages), ahead: z.int().min(1).optional() }),
  intent: z.object({ type: z.literal('intent'), intent: z.enum(intents), reason: z.string() }),
  complexity: z.object({
    type: z.literal('complexity'),
    score: z.number(),
    needsDecomposition: z.boolean(),
    reasoning: z.string(),
    /** 0..1 */
    confidence: z.number().exactOptional(),
  }),
  decomposition: z.object({
    type: z.literal('decomposition'),
    subQueries: z.array(z.object({ id: z.string(), query: z.string(), dependencies: z.array(z.string()) })),
    synthesisPrompt: z.string(),
  }),
  assessment: z.object({
    type: z.literal('assessment'),
    /** From 1. */
    round: z.int(),
    /** Of which part of a question that was taken apart; absent: of the whole. */
    part: z.string().exactOptional(),
    verdict: z.enum(assessments),
    reason: z.string(),
    /** What is searched for next, where there is a next round. */
    query: z.string().exactOptional(),
  }),
  ...agentEventSchemas,
  evals: evalsEventSchema,
  /** What was recalled of the user before planning; texts are cut to 100 characters. */
  semantic_memory: z.object({
    type: z.literal('semantic_memory'),
    recalled: z.int(),
    memories: z.array(
      z.object({ id: z.string(), type: z.enum(memoryTypes), text: z.string(), similarity: z.number() }),
    ),
  }),
  routing: routingSchema.extend({ type: z.literal('routing') }),
  retrieval: z.object({
    type: z.literal('retrieval'),
    mode: z.string(),
    resultCount: z.int(),
    latencyMs: z.number(),
    /** Another store served than the one that the mode names. */
    usedFallback: z.boolean().optional(),
    /** Scores of the best result and of all, on the scale of the mode; absent where nothing was found. */
    topScore: z.number().optional(),
    avgScore: z.number().optional(),
    /** Names of the sources that results came from. */
    sources: z.array(z.string()).optional(),
  }),
  reranking: z.object({
    type: z.literal('reranking'),
    inputCount: z.int(),
    outputCount: z.int(),
    /** `cross-encoder`, `service` or `language-model`. */
    method: z.string(),
    /** Places that a passage moved on average, and share of the first five that stayed among them. */
    moved: z.number().exactOptional(),
    topKept: z.number().exactOptional(),
    /** Of passages of the web: ids of the first three, as they stood and as they stand. */
    first: z.object({ before: passageIds, after: passageIds }).exactOptional(),
  }),
  /** `marks` have the places that they have in the whole text; absent: the piece has none. */
  delta: z.object({ type: z.literal('delta'), text: z.string(), marks: z.array(markSchema).exactOptional() }),
  citation: z.object({ type: z.literal('citation'), citation: citationSchema }),
  done: z.object({ type: z.literal('done'), answer: answerSchema }),
  error: z.object({ type: z.literal('error'), problem: problemSchema }),
};

type Printed = z.output<(typeof schemas)[keyof typeof schemas]>;
/** Answers, citations and routings are what searches and composers made, and are read by their own types. */
type Made = Extract<Printed, { type: 'done' | 'citation' | 'routing' }>;
export type FootnoteEvent = Made | DeepReadonly<Exclude<Printed, Made>>;
export type EventType = FootnoteEvent['type'];
type EventOf<Type extends EventType> = Extract<FootnoteEvent, { type: Type }>;
export type PortCall = EventOf<'call'>['call'];
export type RecordedError = NonNullable<PortCall['error']>;
export type Environment = Omit<EventOf<'environment'>, 'type'>;
export type TapeEvent = Omit<EventOf<'tape'>, 'type'>;

export const errorEventSchema = schemas.error;

const traced = [
  schemas.request,
  schemas.environment,
  schemas.tape,
  schemas['follow-up'],
  schemas.call,
  schemas.degraded,
  schemas.verdict,
  schemas['left-out'],
  schemas.searched,
  schemas.archive,
  schemas.chatted,
  schemas.housekeeping,
  schemas.erased,
  schemas.evals,
] as const;
const shown = [
  schemas.status,
  schemas.intent,
  schemas.complexity,
  schemas.decomposition,
  schemas.assessment,
  schemas.critic,
  schemas.worker_start,
  schemas.worker_complete,
  schemas.worker_error,
  schemas.semantic_memory,
  schemas.routing,
  schemas.retrieval,
  schemas.reranking,
  schemas.delta,
  schemas.citation,
  schemas.done,
  schemas.error,
] as const;

/** What a client of `POST /v1/ask` and of session messages sees. The last event is always `done` or `error`. */
export const streamEventSchema = z.discriminatedUnion('type', [...shown]).meta({ id: 'StreamEvent' });

export const traceEventSchema = z.discriminatedUnion('type', [...traced, ...shown]).meta({ id: 'TraceEvent' });

export const streamed: ReadonlySet<EventType> = new Set<EventType>(shown.map(({ shape }) => shape.type.value));

/** Those that a stream may begin with: what fails before them is told by a reply with its own status. */
export const beginning: ReadonlySet<EventType> = streamed.difference(new Set<EventType>(['done', 'error']));

/** Its place in the log: `seq` from 1 without gaps, `atMs` since its start. */
export interface LoggedEvent {
  readonly seq: number;
  readonly atMs: number;
  readonly event: FootnoteEvent;
}

export type EventSink = (event: FootnoteEvent) => void;
