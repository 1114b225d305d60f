// What a trace says of work that nobody asked a question with: documents taken in, sources read, vectors made, deliveries, judgements. Part of
// the event union of core/events.ts. Invariant: no text of a document stands in it, only names, hashes and counts, each beside the id of
// the document that it is of, so that an erasure finds it.
import { z } from 'zod';

/**
 * `ingestion`: documents that were handed over. `sync`: a run over a source. `embedding`: vectors of a model that is given. `learning`: a model
 * learned of the documents, and its vectors. `delivery`: what stores beside the record were given. `evaluation`: answers that were judged.
 */
export const jobKinds = ['ingestion', 'sync', 'embedding', 'learning', 'delivery', 'evaluation'] as const;
export type JobKind = (typeof jobKinds)[number];

export const isJobKind = (kind: string): kind is JobKind => (jobKinds as readonly string[]).includes(kind);

export type JobFacts = Readonly<Record<string, string | number | boolean>>;

/** One thing that went in. */
export interface NamedDocument {
  readonly documentId: string;
  readonly uri?: string;
  /** What was said of it, where something was wrong. */
  readonly detail?: string;
}

export type JobEvent =
  | {
      readonly type: 'job';
      readonly kind: JobKind;
      /** What it was about: names, numbers, switches. */
      readonly about: JobFacts;
      readonly at: string;
      readonly version: number;
      /** Version of Footnote, and the SHA-256 of its settings. */
      readonly program: string;
      readonly config: string;
    }
  /** Things with the same end, the first ones by name. */
  | {
      readonly type: 'items';
      readonly outcome: string;
      /** Why, where it is not as wished. */
      readonly reason?: string;
      readonly count: number;
      readonly documents: readonly NamedDocument[];
    }
  /** All calls, also those that were not kept whole. */
  | {
      readonly type: 'calls';
      readonly port: string;
      readonly method: string;
      readonly count: number;
      readonly failed: number;
      readonly totalMs: number;
    }
  | {
      readonly type: 'ended';
      /** `done`, or the code of the error that it ended with. */
      readonly status: string;
      readonly detail?: string;
      readonly counts: Readonly<Record<string, number>>;
    };

export const jobEventSchemas = {
  job: z.object({
    type: z.literal('job'),
    kind: z.enum(jobKinds),
    about: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    at: z.string(),
    version: z.int(),
    program: z.string(),
    config: z.string().describe('SHA-256 of all settings with their values, secrets left out'),
  }),
  items: z
    .object({
      type: z.literal('items'),
      outcome: z.string(),
      reason: z.string().exactOptional(),
      count: z.int(),
      documents: z.array(
        z.object({ documentId: z.string(), uri: z.string().exactOptional(), detail: z.string().exactOptional() }),
      ),
    })
    .describe('Things of a job with the same end, the first ones by name'),
  calls: z
    .object({
      type: z.literal('calls'),
      port: z.string(),
      method: z.string(),
      count: z.int(),
      failed: z.int(),
      totalMs: z.number(),
    })
    .describe('All calls of a job to one method, also those that are not kept whole'),
  ended: z.object({
    type: z.literal('ended'),
    status: z.string().describe('`done`, or the code of the error that the job ended with'),
    detail: z.string().exactOptional(),
    counts: z.record(z.string(), z.number()),
  }),
};

export const jobSchemas = [
  jobEventSchemas.job,
  jobEventSchemas.items,
  jobEventSchemas.calls,
  jobEventSchemas.ended,
] as const;
