// What running a recorded request again comes to: from its trace alone, or for real with what differs.
import { z } from 'zod';
import { answerSchema } from '../answer.ts';
import type { DeepReadonly } from '../metadata.ts';

/** What of an outcome is one value, and may differ. */
export const comparedFacts = ['status', 'intent', 'mode', 'route', 'abstained'] as const;

const outcomeSchema = z
  .object({
    status: z.string().describe('`done`, or the code of the error'),
    intent: z.string().exactOptional(),
    mode: z.string().exactOptional(),
    /** Why it was searched where it was. */
    route: z.string(),
    sources: z.array(z.string()),
    abstained: z.boolean().exactOptional(),
    evidence: z.array(z.string()).describe('Ids of chunks, best first'),
    claims: z.array(z.string()),
    citations: z.array(z.string()).describe('Document and span'),
    models: z.array(z.string()),
    degraded: z.array(z.string()),
    costUsd: z.number(),
    totalMs: z.number(),
  })
  .meta({ id: 'Outcome' });

const listDiffSchema = z
  .object({ same: z.int(), added: z.array(z.string()), lost: z.array(z.string()) })
  .meta({ id: 'ListDiff' });

const replayedSchema = z
  .object({
    against: z.literal('record'),
    traceId: z.string(),
    same: z.boolean().describe('What came out is what was given then, byte for byte'),
    sameCalls: z.boolean().describe('Every call of a port was made again, with the same request, and no other'),
    /** Versions of Footnote: of the trace, and of this replay. */
    recordedBy: z.string(),
    replayedBy: z.string(),
    /** What was asked otherwise than then, the first ones. */
    divergences: z.array(z.string()),
    answer: answerSchema.exactOptional(),
    /** Where something differs: the first place, and what stood there then and stands there now. */
    difference: z.object({ at: z.string(), recorded: z.string(), replayed: z.string() }).exactOptional(),
  })
  .meta({ id: 'Replay' });

const trialSchema = z
  .object({
    against: z.literal('current'),
    traceId: z.string(),
    recordedBy: z.string().exactOptional(),
    replayedBy: z.string(),
    /** Settings that were others than those of the server. */
    settings: z.record(z.string(), z.string()),
    before: outcomeSchema,
    now: outcomeSchema,
    diff: z.object({
      saysTheSame: z.boolean().describe('Claims, citations, abstention and status are the same'),
      changed: z.array(z.enum(comparedFacts)),
      sources: listDiffSchema,
      evidence: listDiffSchema,
      claims: listDiffSchema,
      citations: listDiffSchema,
      models: listDiffSchema,
      degraded: listDiffSchema,
      costUsd: z.number(),
      totalMs: z.number(),
    }),
  })
  .meta({ id: 'ReplayTrial' });

export const replaySchema = z.discriminatedUnion('against', [replayedSchema, trialSchema]);

/** What a request came to, as far as two of them can be compared. */
export type Outcome = DeepReadonly<z.output<typeof outcomeSchema>>;
export type ListDiff = DeepReadonly<z.output<typeof listDiffSchema>>;
export type Replay = Readonly<z.output<typeof replayedSchema>>;
export type Trial = DeepReadonly<z.output<typeof trialSchema>>;
export type OutcomeDiff = Trial['diff'];
