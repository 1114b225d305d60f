// What requests did and cost, for operators: traces found, read, exported, taken in and pinned; what judges said; what models cost.

import { z } from 'zod';
import { intents } from '../core/answer.ts';
import { replaySchema } from '../core/answers/replays.ts';
import { isFootnoteError } from '../core/errors.ts';
import { evalReportSchema } from '../core/evaluation.ts';
import { requestKinds } from '../core/events.ts';
import { modeSchema } from '../core/search.ts';
import { usageGroups, usageSchema } from '../core/spending.ts';
import {
  mostAsked,
  mostTraceFileBytes,
  savedTraceSchema,
  traceDoubts,
  traceFileSchema,
  traceSummarySchema,
} from '../core/trace-file.ts';
import { damagedSchema, pageQuerySchema } from './contract/contract.ts';
import { type Caller, operationsFor } from './operation.ts';

const amount = z.coerce.number().min(0).optional();

const tracesQuerySchema = pageQuerySchema.extend({
  session: z.string().optional(),
  kind: z.enum(requestKinds).optional(),
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
  doubt: z
    .enum([...traceDoubts, 'any'])
    .optional()
    .describe('What makes it worth a look; `any`: one of these'),
  sort: z.enum(['newest', 'slowest']).optional().describe('Which come first; default `newest`'),
  question: z
    .string()
    .min(1)
    .max(mostAsked)
    .optional()
    .describe('Words that the question, as it is listed, holds as they stand here, in either case'),
});

const tracePageSchema = z
  .object({ data: z.array(traceSummarySchema), damaged: damagedSchema, nextCursor: z.string().optional() })
  .meta({ id: 'TracePage' });

export const traceSchema = savedTraceSchema.meta({ id: 'Trace' });

/** Of a trace, or of all of a session. */
const traceOrSessionSchema = z.union([
  traceSchema,
  z.object({ sessionId: z.string(), traces: z.array(traceSchema) }).meta({ id: 'SessionTraces' }),
]);

const takenTracesSchema = z.object({ data: z.array(traceSummarySchema) }).meta({ id: 'TakenTraces' });

const replayRequestSchema = z
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

/** Whether the day exists is said by the facade, which both doors share. */
const daySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, 'must be a day (UTC) like 2026-11-22');

const usageQuerySchema = z.strictObject({
  from: daySchema.exactOptional(),
  to: daySchema.exactOptional(),
  by: z.enum(usageGroups).exactOptional(),
});

const reader = operationsFor('reader', 'operations');
const admin = operationsFor('admin', 'operations');

const pin = async ({ footnote }: Caller, id: string, isPinned: boolean) => footnote.traces.pin(id, isPinned);

export const traces = {
  list: admin.peculiar(
    'GET /admin/traces',
    'Traces by time, session, outcome, intent, duration, cost, source, doubt or words of the question, newest or slowest first',
    {
      query: tracesQuerySchema,
      reply: tracePageSchema,
      async run({ footnote }, { query: { limit, cursor, sort, session: sessionId, pinned, ...filter } }) {
        const found = await footnote.traces.list({
          ...(limit !== undefined && { limit }),
          ...(cursor !== undefined && { cursor }),
          sort,
          filter: { ...filter, sessionId, ...(pinned !== undefined && { pinned: pinned === 'true' }) },
        });
        return found;
      },
    },
  ),
  get: admin.peculiar(
    'GET /admin/traces/:id',
    'Everything one request did, or all requests of a session: by the id of either',
    {
      reply: traceOrSessionSchema,
      async run({ footnote }, { params: { id } }) {
        const found = await footnote.traces.get(id).catch((thrown: unknown) => {
          if (isFootnoteError(thrown) && thrown.code === 'not-found') return footnote.traces.ofSession(id);
          throw thrown;
        });
        return found;
      },
    },
  ),
  export: admin.call(
    'GET /admin/traces/export/:id',
    'The traces of a request or of a session as one file that needs no record',
    {
      reply: traceFileSchema,
      headers: (_file, { params: { id } }) => ({
        'content-disposition': `attachment; filename="trace-${id.replace(/[^\w.-]/gu, '_')}.json"`,
      }),
    },
  ),
  import: admin.call('POST /admin/traces/import', 'Take in traces that another server exported; they are pinned', {
    bodyLimit: () => mostTraceFileBytes,
    body: traceFileSchema,
    status: 201,
    reply: takenTracesSchema,
    within: 'data',
  }),
  replay: admin.peculiar(
    'POST /admin/traces/:id/replay',
    'Run a recorded request again: from its trace alone, or for real, with what differs. Nothing of it is kept',
    {
      body: replayRequestSchema,
      mayBeEmpty: true,
      reply: replaySchema,
      run: ({ footnote, call }, { params, body }) =>
        footnote.traces.replay(params.id, { ...body, signal: call.signal }),
    },
  ),
  pin: admin.peculiar('PUT /admin/traces/:id/pin', 'Keep a trace for as long as nobody lets it go', {
    reply: traceSchema.shape.trace,
    run: async (caller, { params }) => pin(caller, params.id, true),
  }),
  unpin: admin.peculiar('DELETE /admin/traces/:id/pin', 'Let a trace be pruned when its time comes', {
    reply: traceSchema.shape.trace,
    run: async (caller, { params }) => pin(caller, params.id, false),
  }),
};

export const evals = {
  report: admin.call(
    'GET /admin/evals',
    'What judges said of a sample of answers: averages, the latest, the worst, by day, and beside the critic',
    { reply: evalReportSchema },
  ),
};

export const usage = reader.call(
  'GET /v1/usage',
  'What models cost, by day, session, key, role or model, and how today’s limits stand',
  { query: usageQuerySchema, reply: usageSchema },
);
