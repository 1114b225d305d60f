// Traces as a file: everything of one request or of one session in one JSON value, to be looked at, replayed or taken in elsewhere.
// Invariant: it names no record: whoever has the file needs nothing else.
import { z } from 'zod';
import { intents } from './answer.ts';
import { FootnoteError } from './errors.ts';
import { type LoggedEvent, requestKinds, traceEventSchema } from './events.ts';
import type { DeepReadonly } from './metadata.ts';
import { modeSchema } from './search.ts';

/** Of the shape of the file. */
export const traceFileVersion = 1;

/** No larger file is written, as none is taken in. */
export const mostTraceFileBytes = 64 << 20;

/** UTF-16 code units of a question that are told beside its trace. */
export const mostAsked = 200;

/** What makes an answer worth a look: none was given, it is hardly sure, something could not serve. */
export const traceDoubts = ['abstained', 'unsure', 'degraded'] as const;
export type TraceDoubt = (typeof traceDoubts)[number];

/** What of a trace it is found by, read from its events when it is saved. Absent where the request never came so far. */
const traceFacts = {
  status: z.string().exactOptional().describe('`done`, or the code of the error that the request ended with'),
  intent: z.enum(intents).exactOptional(),
  mode: modeSchema.exactOptional(),
  costUsd: z.number().exactOptional(),
  sources: z.array(z.string()).exactOptional().describe('Names of sources that were asked for or cited'),
  answerId: z.string().exactOptional(),
  doubts: z
    .array(z.enum(traceDoubts))
    .exactOptional()
    .describe(
      '`abstained`: nothing was answered; `unsure`: with a confidence below 0.5, or only with what comes closest; `degraded`: something could not serve',
    ),
  question: z
    .string()
    .max(mostAsked)
    .exactOptional()
    .describe('What was asked, shortened; not told once something that the trace speaks of was deleted'),
};
const factsSchema = z.object(traceFacts);
export type TraceFacts = DeepReadonly<z.output<typeof factsSchema>>;

export const traceSummarySchema = z.object({
  id: z
    .string()
    .regex(/^\w[\w.-]{0,199}$/u, 'must be 1 to 200 letters, digits, "_", "." and "-", the first one no "." or "-"'),
  kind: z.enum(requestKinds),
  sessionId: z.string().exactOptional(),
  startedAt: z.iso.datetime('must be an instant in UTC such as 2026-11-28T20:52:58.117Z'),
  totalMs: z.number(),
  eventCount: z.int(),
  ...traceFacts,
  pinned: z.literal(true).exactOptional().describe('It is never pruned'),
  bytes: z.int().exactOptional().describe('In lists: on disk, as it stands now'),
});

export type TraceSummary = DeepReadonly<z.output<typeof traceSummarySchema>>;

export const savedTraceSchema = z.object({
  trace: traceSummarySchema,
  events: z.array(z.object({ seq: z.int(), atMs: z.number(), event: traceEventSchema })),
});

export const traceFileSchema = z
  .object({
    format: z.literal('footnote-trace'),
    version: z.int(),
    exportedAt: z.string(),
    /** Version of Footnote that wrote the file. */
    program: z.string(),
    /** Of the trace or of the session. */
    id: z.string(),
    /** In the order in which they began. */
    traces: z.array(savedTraceSchema).min(1),
  })
  .meta({ id: 'TraceFile' });

export interface SavedTrace {
  readonly trace: TraceSummary;
  readonly events: readonly LoggedEvent[];
}

export interface TraceFile extends Readonly<Omit<z.output<typeof traceFileSchema>, 'traces'>> {
  readonly traces: readonly SavedTrace[];
}

/** Throws `invalid-request` for what is no trace file, or one of a newer Footnote. */
export function readTraceFile(value: unknown): TraceFile {
  const parsed = traceFileSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const place = issue?.path.join('.') || 'the value';
    throw new FootnoteError(
      'invalid-request',
      `This is no trace file (${place}: ${issue?.message ?? 'not valid'}). Make one with "footnote trace export ID".`,
    );
  }
  if (parsed.data.version > traceFileVersion)
    throw new FootnoteError(
      'invalid-request',
      `The trace file is of version ${parsed.data.version}, and this Footnote reads up to ${traceFileVersion}. Update Footnote.`,
    );
  // As it was written: the parsed one has its fields in another order.
  return value as TraceFile;
}
