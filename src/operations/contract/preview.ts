// What reading a folder or a document would bring, on the wire: the shape of ingest/preview.ts, whose run writes nothing.

import { z } from 'zod';
import { ingestionFileSchema, ingestionSchema } from '../../core/documents/runs.ts';
import { problemSchema } from '../../core/events.ts';

const rateSchema = z.object({ textsPerSecond: z.number(), from: z.enum(['measured', 'assumed']) });

export const ingestPreviewSchema = z
  .object({
    source: z.string(),
    /** What the run would count. */
    counts: ingestionSchema.shape.counts,
    bytes: z.int(),
    tokens: z.int(),
    kinds: z.array(z.object({ kind: z.string(), files: z.int(), bytes: z.int(), chunks: z.int() })),
    /** Trouble first. */
    files: z.array(ingestionFileSchema.extend({ bytes: z.int().optional() })),
    omittedFiles: z.int(),
    skipped: z.array(
      z.object({ path: z.string(), reason: z.enum(['never', 'gitignore', 'exclude', 'include', 'link', 'special']) }),
    ),
    omittedSkipped: z.int(),
    time: z.object({
      seconds: z.number(),
      readingSeconds: z.number(),
      chunksPerSecond: z.number(),
      from: z.enum(['measured', 'assumed']),
    }),
    /** Where a provider makes the vectors. */
    embedding: z
      .object({
        setting: z.string(),
        texts: z.int(),
        truncated: z.int(),
        tokens: z.int(),
        calls: z.int(),
        costUsd: z.number().optional(),
        seconds: z.number(),
        rate: rateSchema,
      })
      .optional(),
  })
  .meta({ id: 'IngestPreview' });

/** What a client that follows such a run sees. The last event is always `done` or `error`. */
export const previewEventSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('progress'), ingestion: ingestionSchema }),
    z.object({ type: z.literal('done'), preview: ingestPreviewSchema }),
    z.object({ type: z.literal('error'), problem: problemSchema }),
  ])
  .meta({ id: 'PreviewEvent' });
