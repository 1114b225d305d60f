// The one event union of the house, as types and as schemas, and closed here alone: doors print their contracts from it. What streams to
// the client, what a trace keeps and what a replay reads are the same numbered log; `streamed` says which events a client sees.
import { z } from 'zod';
import { type AgentEvent, agentEventSchemas } from './agent-events.ts';
import { type Answer, answerSchema, type Citation, citationSchema, type Intent, intents } from './answer.ts';
import { type EvalsEvent, evalsEventSchema } from './evaluation.ts';
import { type Mark, markSchema } from './marked-text.ts';
import { type MemoryType, memoryTypes } from './memory.ts';
import { jsonValueSchema } from './metadata.ts';
import { type Degradation, degradationSchema, type Routing, routingSchema } from './search.ts';
import { type TapeEvent, tapeSchema } from './traces/tape-event.ts';

export type { TapeEvent } from './traces/tape-event.ts';

/** Of the log that begins with a `request` event; a log without a version is from before there were any. */
export const logVersion = 1;

export const requestKinds = ['ask', 'message', 'search', 'chat', 'analysis'] as const;
export type RequestKind = (typeof requestKinds)[number];

export const stages = ['understanding', 'searching', 'reading', 'waiting', 'answering', 'verifying'] as const;
export type Stage = (typeof stages)[number];

/**
 * What a round of gathering came to. `answer`: enough. `caveat`: an answer that leaves something open. `fill-gap`: something is missing and is
 * searched for. `reconcile`: sources disagree. `unanswerable`: nothing more can be found, or may be.
 */
export const assessments = ['answer', 'caveat', 'fill-gap', 'reconcile', 'unanswerable'] as const;
export type Assessment = (typeof assessments)[number];

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
}

export interface RecordedError {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One call of a port: what went in, what came out. `request` and `response` are JSON. */
export interface PortCall {
  readonly port: string;
  readonly method: string;
  readonly request: unknown;
  readonly response?: unknown;
  readonly error?: RecordedError;
  readonly latencyMs: number;
}

/** What a request met that was decided before it: what a replay needs to build the same program around it. */
export interface Environment {
  /** Version of Footnote, and of Node. */
  readonly program: string;
  readonly node: string;
  /** SHA-256 of all settings with their values, secrets left out. */
  readonly config: string;
  /** Settings that are not as they come, without secrets and paths of the machine. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Switches that are on. */
  readonly flags: readonly string[];
  readonly timeoutMs: number;
  /** What ports looked like: JSON (footnote/replay/environment.ts). */
  readonly ports: unknown;
}

/** Of the archive, as deletions find it: `conversation:<id>`. */
export interface ArchivePlace {
  readonly documentId: string;
}

export type FootnoteEvent =
  | {
      readonly type: 'request';
      readonly kind: RequestKind;
      readonly body: unknown;
      readonly at: string;
      /** `logVersion` when it was written. */
      readonly version?: number;
    }
  | ({ readonly type: 'environment' } & Environment)
  | ({ readonly type: 'tape' } & TapeEvent)
  /** `ahead`: of `waiting`, how many others the model of this machine serves first. */
  | { readonly type: 'status'; readonly stage: Stage; readonly ahead?: number | undefined }
  | { readonly type: 'intent'; readonly intent: Intent; readonly reason: string }
  | { readonly type: 'follow-up'; readonly content: string; readonly resolved: string; readonly reason: string }
  | {
      readonly type: 'complexity';
      /** 0..1 */
      readonly score: number;
      readonly needsDecomposition: boolean;
      readonly reasoning: string;
    }
  | {
      readonly type: 'decomposition';
      readonly subQueries: readonly {
        readonly id: string;
        readonly query: string;
        readonly dependencies: readonly string[];
      }[];
      readonly synthesisPrompt: string;
    }
  | {
      readonly type: 'assessment';
      /** From 1. */
      readonly round: number;
      /** Of which part of a question that was taken apart; absent: of the whole. */
      readonly part?: string;
      readonly verdict: Assessment;
      readonly reason: string;
      /** What is searched for next, where there is a next round. */
      readonly query?: string;
    }
  | AgentEvent
  | EvalsEvent
  /** What was recalled of the user before planning; texts are cut to 100 characters. */
  | {
      readonly type: 'semantic_memory';
      readonly recalled: number;
      readonly memories: readonly {
        readonly id: string;
        readonly type: MemoryType;
        readonly text: string;
        readonly similarity: number;
      }[];
    }
  | ({ readonly type: 'routing' } & Routing)
  | { readonly type: 'call'; readonly call: PortCall }
  | {
      readonly type: 'retrieval';
      readonly mode: string;
      readonly resultCount: number;
      readonly latencyMs: number;
      /** Another store served than the one that the mode names. */
      readonly usedFallback?: boolean | undefined;
      /** Scores of the best result and of all, on the scale of the mode; absent where nothing was found. */
      readonly topScore?: number | undefined;
      readonly avgScore?: number | undefined;
      /** Names of the sources that results came from. */
      readonly sources?: readonly string[] | undefined;
    }
  | {
      readonly type: 'reranking';
      readonly inputCount: number;
      readonly outputCount: number;
      /** `cross-encoder`, `service` or `language-model`. */
      readonly method: string;
      /** Places that a passage moved on average, and share of the first five that stayed among them. */
      readonly moved?: number;
      readonly topKept?: number;
      /** Of passages of the web: ids of the first three, as they stood and as they stand. */
      readonly first?: { readonly before: readonly string[]; readonly after: readonly string[] };
    }
  | { readonly type: 'degraded'; readonly degradation: Degradation }
  | {
      readonly type: 'verdict';
      readonly claim: string;
      readonly support: number;
      readonly kept: boolean;
      readonly reasons: readonly string[];
    }
  /** What was found and goes no further: of a search, or of what is read for an answer. */
  | {
      readonly type: 'left-out';
      readonly stage: 'search' | 'reading';
      readonly passages: readonly { readonly reason: string; readonly chunkIds: readonly string[] }[];
    }
  /** `marks` have the places that they have in the whole text; absent: the piece has none. */
  | { readonly type: 'delta'; readonly text: string; readonly marks?: readonly Mark[] }
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'done'; readonly answer: Answer }
  | {
      readonly type: 'searched';
      readonly results: readonly { readonly chunkId: string; readonly documentId: string; readonly score: number }[];
    }
  /** A step of a chat over the archive, as its stream shows it, and the conversations whose words are in it. */
  | { readonly type: 'archive'; readonly step: unknown; readonly places: readonly ArchivePlace[] }
  /** The end of such a chat: its answer. */
  | { readonly type: 'chatted'; readonly answer: unknown; readonly places: readonly ArchivePlace[] }
  /** Stands in a saved trace for what was taken out of it when documents that it spoke of were deleted. */
  | { readonly type: 'erased'; readonly at: string; readonly events: number }
  | { readonly type: 'error'; readonly problem: Problem };

export type EventType = FootnoteEvent['type'];

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

const placeSchema = z.object({ documentId: z.string() });

const schemas = {
  request: z.object({
    type: z.literal('request'),
    kind: z.enum(requestKinds),
    body: jsonValueSchema,
    at: z.string(),
    version: z.int().exactOptional(),
  }),
  environment: z.object({
    type: z.literal('environment'),
    program: z.string(),
    node: z.string(),
    config: z.string().describe('SHA-256 of all settings with their values, secrets left out'),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Those that are not as they come'),
    flags: z.array(z.string()).describe('Switches that are on'),
    timeoutMs: z.number(),
    ports: jsonValueSchema.describe('What stores and models looked like'),
  }),
  tape: tapeSchema,
  'follow-up': z.object({
    type: z.literal('follow-up'),
    content: z.string(),
    resolved: z.string(),
    reason: z.string(),
  }),
  call: z.object({
    type: z.literal('call'),
    call: z.object({
      port: z.string(),
      method: z.string(),
      request: jsonValueSchema,
      response: jsonValueSchema.optional(),
      error: z
        .object({
          code: z.string(),
          message: z.string(),
          details: z.record(z.string(), jsonValueSchema).exactOptional(),
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
    .object({ type: z.literal('archive'), step: jsonValueSchema, places: z.array(placeSchema) })
    .describe('A step of a chat over the archive of conversations'),
  chatted: z.object({ type: z.literal('chatted'), answer: jsonValueSchema, places: z.array(placeSchema) }),
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
  }),
  decomposition: z.object({
    type: z.literal('decomposition'),
    subQueries: z.array(z.object({ id: z.string(), query: z.string(), dependencies: z.array(z.string()) })),
    synthesisPrompt: z.string(),
  }),
  assessment: z.object({
    type: z.literal('assessment'),
    round: z.int(),
    part: z.string().exactOptional(),
    verdict: z.enum(assessments),
    reason: z.string(),
    query: z.string().exactOptional(),
  }),
  ...agentEventSchemas,
  evals: evalsEventSchema,
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
    usedFallback: z.boolean().optional(),
    topScore: z.number().optional(),
    avgScore: z.number().optional(),
    sources: z.array(z.string()).optional(),
  }),
  reranking: z.object({
    type: z.literal('reranking'),
    inputCount: z.int(),
    outputCount: z.int(),
    method: z.string(),
    moved: z.number().exactOptional(),
    topKept: z.number().exactOptional(),
    first: z.object({ before: z.array(z.string()), after: z.array(z.string()) }).exactOptional(),
  }),
  delta: z.object({ type: z.literal('delta'), text: z.string(), marks: z.array(markSchema).exactOptional() }),
  citation: z.object({ type: z.literal('citation'), citation: citationSchema }),
  done: z.object({ type: z.literal('done'), answer: answerSchema }),
  error: z.object({ type: z.literal('error'), problem: problemSchema }),
} satisfies { readonly [Type in EventType]: z.ZodType<Extract<FootnoteEvent, { type: Type }>> };

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

/** Its place in the log: `seq` from 1 without gaps, `atMs` since its start. */
export interface LoggedEvent {
  readonly seq: number;
  readonly atMs: number;
  readonly event: FootnoteEvent;
}

export type EventSink = (event: FootnoteEvent) => void;
