// The part of the contract that speaks of traces.
import { z } from 'zod';
import { answerSchema, intents } from '../../core/answer.ts';
import { traceKinds } from '../../core/events.ts';
import { modeSchema } from '../../core/search.ts';
import { savedTraceSchema, traceSummarySchema } from '../../core/trace-file.ts';
import { damagedSchema, pageQuerySchema } from './contract.ts';

const amount = z.coerce.number().min(0).optional();

export const tracesQuerySchema = pageQuerySchema.extend({
  session: z.string().optional(),
  kind: z.enum(traceKinds).optional(),
  from: z.iso.datetime({ offset: true }).optional().describe('Begun at or after this instant'),
  to: z.iso.datetime({ offset: true }).optional().describe('Begun before this instant'),
  status: z.string().max(64).optional().describe('`done`, `error` (any), or the code of an error'),
  intent: z.enum(intents).optional(),
  minMs: amount,
  maxMs: amount,
  minCostUsd: amount,
  maxCostUsd: amount,
  source: z.string().optional().describe('Name of a source that was asked for or cited'),
  pinned: z.enum(['true', 'false']).optional(),
});

export const tracePageSchema = z
  .object({ data: z.array(traceSummarySchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'TracePage' });

export const traceSchema = savedTraceSchema.meta({ id: 'Trace' });

/** Of a trace, or of all of a session. */
export const traceOrSessionSchema = z.union([
  traceSchema,
  z.object({ sessionId: z.string(), traces: z.array(traceSchema) }).meta({ id: 'SessionTraces' }),
]);

export const takenTracesSchema = z.object({ data: z.array(traceSummarySchema) }).meta({ id: 'TakenTraces' });

export const replayRequestSchema = z
  .strictObject({
    against: z
      .enum(['record', 'current'])
      .optional()
      .describe(
        '`record`: from the trace alone. `current`: for real, against what there is now. Default: `current` where anything else is given',
      ),
    settings: z.record(z.string(), z.string().max(1000)).optional().describe('Other settings, by their names'),
    model: z.string().max(200).optional().describe('Another answering model: MODEL_ANSWER'),
    mode: modeSchema.optional(),
  })
  .meta({ id: 'ReplayRequest' });

const outcomeSchema = z
  .object({
    status: z.string().describe('`done`, or the code of the error'),
    intent: z.string().optional(),
    mode: z.string().optional(),
    route: z.string(),
    sources: z.array(z.string()),
    abstained: z.boolean().optional(),
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
    recordedBy: z.string(),
    replayedBy: z.string(),
    divergences: z.array(z.string()),
    answer: answerSchema.optional(),
    difference: z.object({ at: z.string(), recorded: z.string(), replayed: z.string() }).optional(),
  })
  .meta({ id: 'Replay' });

const trialSchema = z
  .object({
    against: z.literal('current'),
    traceId: z.string(),
    recordedBy: z.string().optional(),
    replayedBy: z.string(),
    settings: z.record(z.string(), z.string()),
    before: outcomeSchema,
    now: outcomeSchema,
    diff: z.object({
      saysTheSame: z.boolean().describe('Claims, citations, abstention and status are the same'),
      changed: z.array(z.string()),
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
