// The part of the contract that speaks of traces.
import { z } from 'zod';
import { intents } from '../../core/answer.ts';
import { savedTraceSchema, traceSummarySchema } from '../../core/trace-file.ts';
import { pageQuerySchema } from './contract.ts';

const amount = z.coerce.number().min(0).optional();

export const tracesQuerySchema = pageQuerySchema.extend({
  session: z.string().optional(),
  kind: z.enum(['ask', 'message', 'search']).optional(),
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
  .object({ data: z.array(traceSummarySchema), nextCursor: z.string().optional() })
  .meta({ id: 'TracePage' });

export const traceSchema = savedTraceSchema.meta({ id: 'Trace' });

/** Of a trace, or of all of a session. */
export const traceOrSessionSchema = z.union([
  traceSchema,
  z.object({ sessionId: z.string(), traces: z.array(traceSchema) }).meta({ id: 'SessionTraces' }),
]);

export const takenTracesSchema = z.object({ data: z.array(traceSummarySchema) }).meta({ id: 'TakenTraces' });
