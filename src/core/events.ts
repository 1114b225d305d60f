// The one event union of the house. What streams to the client, what a trace keeps and what a replay reads are the same
// numbered log; `streamed` says which events a client sees.
import type { Answer, Citation, Intent } from './answer.ts';
import type { Degradation, Routing } from './search.ts';

export const stages = ['understanding', 'searching', 'reading', 'answering', 'verifying'] as const;
export type Stage = (typeof stages)[number];

/** RFC 9457 problem details with our stable `code`. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
}

/** One call of a port: what went in, what came out. `request` and `response` are JSON. */
export interface PortCall {
  readonly port: string;
  readonly method: string;
  readonly request: unknown;
  readonly response?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly latencyMs: number;
}

export type FootnoteEvent =
  | {
      readonly type: 'request';
      readonly kind: 'ask' | 'message' | 'search';
      readonly body: unknown;
      readonly at: string;
    }
  | { readonly type: 'status'; readonly stage: Stage }
  | { readonly type: 'intent'; readonly intent: Intent; readonly reason: string }
  | { readonly type: 'follow-up'; readonly content: string; readonly resolved: string; readonly reason: string }
  | ({ readonly type: 'routing' } & Routing)
  | { readonly type: 'call'; readonly call: PortCall }
  | { readonly type: 'retrieval'; readonly mode: string; readonly resultCount: number; readonly latencyMs: number }
  | {
      readonly type: 'reranking';
      readonly inputCount: number;
      readonly outputCount: number;
      /** `cross-encoder`, `service` or `language-model`. */
      readonly method: string;
    }
  | { readonly type: 'degraded'; readonly degradation: Degradation }
  | {
      readonly type: 'verdict';
      readonly claim: string;
      readonly support: number;
      readonly kept: boolean;
      readonly reasons: readonly string[];
    }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'citation'; readonly citation: Citation }
  | { readonly type: 'done'; readonly answer: Answer }
  | {
      readonly type: 'searched';
      readonly results: readonly { readonly chunkId: string; readonly documentId: string; readonly score: number }[];
    }
  /** Stands in a saved trace for what was taken out of it when documents that it spoke of were deleted. */
  | { readonly type: 'erased'; readonly at: string; readonly events: number }
  | { readonly type: 'error'; readonly problem: Problem };

export type EventType = FootnoteEvent['type'];

/** Event types that a client of a stream sees; the others stay in the trace. */
export const streamed: ReadonlySet<EventType> = new Set<EventType>([
  'status',
  'intent',
  'routing',
  'retrieval',
  'reranking',
  'delta',
  'citation',
  'done',
  'error',
]);

/** An event with its place in the log of one request: `seq` from 1 without gaps, `atMs` since its start. */
export interface LoggedEvent {
  readonly seq: number;
  readonly atMs: number;
  readonly event: FootnoteEvent;
}

/** Where events go as they happen. */
export type EventSink = (event: FootnoteEvent) => void;
