// What a stream is told while a draft is looked at once more and while workers work, as schemas: part of the event union of
// core/events.ts. Invariant: no event holds what a model wrote, but for the words that are searched next.
import { z } from 'zod';

/** What a critic said of a draft. `release`: it may go out. `revise`: something is looked for, taken away or worded anew first. */
export const criticVerdicts = ['release', 'revise'] as const;
export type CriticVerdict = (typeof criticVerdicts)[number];

export const agentEventSchemas = {
  critic: z.object({
    type: z.literal('critic'),
    /** From 1. */
    round: z.int(),
    verdict: z.enum(criticVerdicts),
    /** Share of what is asked that the draft answers, 0..1. */
    coverage: z.number(),
    /** How far the quotes carry what the draft says, 0..1. */
    groundedness: z.number(),
    reason: z.string(),
    /** `provider:model` that said it; absent in traces of a version whose rules criticised. */
    model: z.string().exactOptional(),
    /** Claims that it wants taken away, and worded anew. */
    removed: z.int(),
    revised: z.int(),
    /** What is searched for next. */
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
