// The evidence of one answer as one value: what was said, what it rests on as it was read, what was left out and why. It stands in a page for
// whoever has to check, and the page is checked against the record by making it again. Invariant: made twice of the same record, it is the same.

import { z } from 'zod';
import { answerSchema } from '../answer.ts';
import { sourceTypes } from '../document.ts';
import { requestKinds } from '../events.ts';
import type { DeepReadonly } from '../metadata.ts';

/** Of the shape of the data. */
export const reportVersion = 1;

const documentFacts = z.strictObject({
  id: z.string(),
  title: z.string(),
  uri: z.string(),
  source: z.string(),
  /** `memory`: what the user said; it stands in no document. Absent: nothing is known of it any more. */
  kind: z.enum([...sourceTypes, 'memory']).optional(),
  mime: z.string().optional(),
  /** The edition that was read: how often it was recorded anew, the label it came with, and when. */
  revision: z.int().optional(),
  version: z.string().optional(),
  publishedAt: z.string().optional(),
  updatedAt: z.string().optional(),
  /** SHA-256 of the bytes and of the text, hex. */
  contentHash: z.string().optional(),
  textHash: z.string().optional(),
  /**
   * `same`: the record holds this edition. `changed`: it holds another one. `gone`: whoever made the report cannot read it there, or it was
   * deleted. `passing`: it came with the request, or from a search of the web, and was never kept.
   */
  standing: z.enum(['same', 'changed', 'gone', 'passing']),
});
export type ReportDocument = z.infer<typeof documentFacts>;

const passageFacts = z.strictObject({
  /** Of the citation. */
  index: z.int().min(1),
  /** SHA-256 of the chunk that the quote was read in, hex. */
  chunkHash: z.string().optional(),
  headings: z.array(z.string()),
  /** What stands around the quote; empty where nothing does, or where it is not kept. */
  before: z.string(),
  after: z.string(),
});
export type ReportPassage = z.infer<typeof passageFacts>;

/** What the trace of the answer tells; it is pruned in its time. */
const traceFacts = z.strictObject({
  id: z.string(),
  kind: z.enum(requestKinds),
  startedAt: z.string(),
  /** Absent: it was erased with documents that it spoke of. */
  question: z.string().optional(),
  /** As it was searched, where it was a follow-up. */
  resolved: z.string().optional(),
  /** Of Footnote and Node, and SHA-256 of the settings. */
  program: z.string().optional(),
  node: z.string().optional(),
  config: z.string().optional(),
  flags: z.array(z.string()),
  intentReason: z.string().optional(),
  /** When each stage began. */
  stages: z.array(z.strictObject({ stage: z.string(), atMs: z.number() })),
  searches: z.array(
    z.strictObject({
      store: z.string(),
      mode: z.string().optional(),
      query: z.string(),
      hits: z.int().optional(),
      latencyMs: z.number(),
      error: z.string().optional(),
    }),
  ),
  modelCalls: z.array(
    z.strictObject({ role: z.string(), model: z.string(), latencyMs: z.number(), error: z.string().optional() }),
  ),
  /** Claims that were proposed and did not hold. */
  droppedClaims: z.array(z.strictObject({ text: z.string(), support: z.number(), reasons: z.array(z.string()) })),
  /** What was found and not read, or not shown. */
  leftOut: z.array(
    z.strictObject({ chunkId: z.string(), title: z.string().optional(), stage: z.string(), reason: z.string() }),
  ),
  /** Events that went with documents that were deleted. */
  erasedEvents: z.int().optional(),
});
export type ReportTrace = z.infer<typeof traceFacts>;

export const evidenceReportSchema = z
  .strictObject({
    format: z.literal('footnote-report'),
    version: z.int(),
    /** Of what the page around it looks like. */
    layout: z.int(),
    program: z.string(),
    writtenAt: z.string(),
    answer: answerSchema,
    documents: z.array(documentFacts),
    passages: z.array(passageFacts),
    /** Absent: the trace is gone. */
    trace: traceFacts.optional(),
  })
  .meta({ id: 'EvidenceReport' });
export type EvidenceReport = z.infer<typeof evidenceReportSchema>;

export const reportCheckSchema = z
  .object({
    answerId: z.string(),
    ok: z.boolean(),
    reasons: z
      .array(z.string())
      .describe('Where the page says something else than the record, and what does not hold any more'),
    /** Its answer, checked again like any other. */
    citationsHeld: z.int(),
    citations: z.int(),
  })
  .meta({ id: 'ReportCheck' });
/** What became of checking a page against the record. */
export type ReportCheck = DeepReadonly<z.output<typeof reportCheckSchema>>;
