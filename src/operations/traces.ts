// What requests did and cost, for operators: traces found, read, exported, taken in and pinned; what judges said; what models cost.
import type { z } from 'zod';
import { isFootnoteError } from '../core/errors.ts';
import { mostTraceFileBytes, type TraceFile, traceFileSchema } from '../core/trace-file.ts';
import { evalReportSchema } from './contract/evals.ts';
import {
  replayRequestSchema,
  replaySchema,
  takenTracesSchema,
  traceOrSessionSchema,
  tracePageSchema,
  traceSchema,
  tracesQuerySchema,
} from './contract/traces.ts';
import { usageQuerySchema, usageSchema } from './contract/usage.ts';
import { type Caller, operation, peculiar } from './operation.ts';

const admin = { role: 'admin', tag: 'operations' } as const;

const pin = async ({ footnote }: Caller, id: string, isPinned: boolean) => footnote.traces.pin(id, isPinned);

export const traces = {
  list: peculiar('GET /admin/traces', {
    ...admin,
    summary: 'Traces by time, session, outcome, intent, duration, cost or source, newest first',
    query: tracesQuerySchema,
    reply: tracePageSchema,
    async run({ footnote }, { query: { limit, cursor, session: sessionId, pinned, ...filter } }) {
      const found = await footnote.traces.list({
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
        filter: { ...filter, sessionId, ...(pinned !== undefined && { pinned: pinned === 'true' }) },
      });
      return found as z.output<typeof tracePageSchema>;
    },
  }),
  get: peculiar('GET /admin/traces/:id', {
    ...admin,
    summary: 'Everything one request did, or all requests of a session: by the id of either',
    reply: traceOrSessionSchema,
    async run({ footnote }, { params: { id } }) {
      const found = await footnote.traces.get(id).catch((thrown: unknown) => {
        if (isFootnoteError(thrown) && thrown.code === 'not-found') return footnote.traces.ofSession(id);
        throw thrown;
      });
      return found as z.output<typeof traceOrSessionSchema>;
    },
  }),
  export: operation('GET /admin/traces/export/:id', {
    ...admin,
    summary: 'The traces of a request or of a session as one file that needs no record',
    reply: traceFileSchema,
    shown: (file: TraceFile) => file as z.output<typeof traceFileSchema>,
    headers: (_file, { params: { id } }) => ({
      'content-disposition': `attachment; filename="trace-${id.replace(/[^\w.-]/gu, '_')}.json"`,
    }),
  }),
  import: operation('POST /admin/traces/import', {
    ...admin,
    summary: 'Take in traces that another server exported; they are pinned',
    bodyLimit: () => mostTraceFileBytes,
    body: traceFileSchema,
    status: 201,
    reply: takenTracesSchema,
    within: 'data',
  }),
  replay: peculiar('POST /admin/traces/:id/replay', {
    ...admin,
    summary:
      'Run a recorded request again: from its trace alone, or for real, with what differs. Nothing of it is kept',
    body: replayRequestSchema,
    mayBeEmpty: true,
    reply: replaySchema,
    run: async ({ footnote, call }, { params, body }) =>
      (await footnote.traces.replay(params.id, { ...body, signal: call.signal })) as z.output<typeof replaySchema>,
  }),
  pin: peculiar('PUT /admin/traces/:id/pin', {
    ...admin,
    summary: 'Keep a trace for as long as nobody lets it go',
    reply: traceSchema.shape.trace,
    run: async (caller, { params }) => pin(caller, params.id, true),
  }),
  unpin: peculiar('DELETE /admin/traces/:id/pin', {
    ...admin,
    summary: 'Let a trace be pruned when its time comes',
    reply: traceSchema.shape.trace,
    run: async (caller, { params }) => pin(caller, params.id, false),
  }),
};

export const evals = {
  report: operation('GET /admin/evals', {
    ...admin,
    summary: 'What judges said of a sample of answers: averages, the latest, the worst, by day, and beside the critic',
    reply: evalReportSchema,
  }),
};

export const usage = operation('GET /v1/usage', {
  role: 'reader',
  tag: 'operations',
  summary: 'What models cost, by day, session, key, role or model, and how today’s limits stand',
  query: usageQuerySchema,
  reply: usageSchema,
});
