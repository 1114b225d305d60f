// What a stream is told while a draft is looked at once more and while workers work, as types and as schemas: part of the event union of
// core/events.ts. Invariant: no event holds what a model wrote, but for the words that are searched next.
import { z } from 'zod';

/** What a critic said of a draft. `release`: it may go out. `revise`: something is looked for, taken away or worded anew first. */
export const criticVerdicts = ['release', 'revise'] as const;
export type CriticVerdict = (typeof criticVerdicts)[number];

export type AgentEvent =
  | {
      readonly type: 'critic';
      /** From 1. */
      readonly round: number;
      readonly verdict: CriticVerdict;
      /** Share of what is asked that the draft answers, 0..1. */
      readonly coverage: number;
      /** How far the quotes carry what the draft says, 0..1. */
      readonly groundedness: number;
      readonly reason: string;
      /** `provider:model` that said it; absent in traces of a version whose rules criticised. */
      readonly model?: string;
      /** Claims that it wants taken away, and worded anew. */
      readonly removed: number;
      readonly revised: number;
      /** What is searched for next. */
      readonly queries: readonly string[];
    }
  | { readonly type: 'worker_start'; readonly taskId: string; readonly agent: string; readonly kind: string }
  | { readonly type: 'worker_complete'; readonly taskId: string; readonly agent: string; readonly tokensUsed: number }
  | { readonly type: 'worker_error'; readonly taskId: string; readonly agent: string; readonly error: string };

export const agentEventSchemas = {
  critic: z.object({
    type: z.literal('critic'),
    round: z.int(),
    verdict: z.enum(criticVerdicts),
    coverage: z.number(),
    groundedness: z.number(),
    reason: z.string(),
    model: z.string().exactOptional(),
    removed: z.int(),
    revised: z.int(),
    queries: z.array(z.string()),
  }),
  worker_start: z.object({
    type: z.literal('worker_start'),
    taskId: z.string(),
    agent: z.string(),
    kind: z.string().describe('What it does: retrieve, web, synthesize or check'),
  }),
  worker_complete: z.object({
    type: z.literal('worker_complete'),
    taskId: z.string(),
    agent: z.string(),
    tokensUsed: z.int().describe('Tokens of its context'),
  }),
  worker_error: z.object({
    type: z.literal('worker_error'),
    taskId: z.string(),
    agent: z.string(),
    error: z.string().describe('Code of what went wrong'),
  }),
};
