// What reading a folder or a document would bring, found out by a run that writes nothing.
import { z } from 'zod';
import type { DeepReadonly } from '../metadata.ts';
import { ingestionFileSchema, ingestionSchema } from './runs.ts';

/** `never`: is read nowhere (`defaultExcludes`); `special`: a pipe, socket or device; `gitignore`: as a .gitignore file says; `exclude`, `include`: as the globs say; `link`: leads out of the folder, nowhere or to what is read anyway. */
const skipReasons = ['never', 'gitignore', 'exclude', 'include', 'link', 'special'] as const;
export type SkipReason = (typeof skipReasons)[number];

const rateSchema = z.object({ textsPerSecond: z.number(), from: z.enum(['measured', 'assumed']) });

export const ingestPreviewSchema = z
  .object({
    source: z.string(),
    /** What the run would count. */
    counts: ingestionSchema.shape.counts,
    /** Of all files that were found. */
    bytes: z.int(),
    /** Of the chunks that would come in, by o200k_base. */
    tokens: z.int(),
    /** Files that would be read, by kind, as people call it; those inside others count by themselves. */
    kinds: z.array(z.object({ kind: z.string(), files: z.int(), bytes: z.int(), chunks: z.int() })),
    /** Trouble first; at most some megabytes of them. Bytes are of files on their own: what lies in another file counts with that. */
    files: z.array(ingestionFileSchema.extend({ bytes: z.int().exactOptional() })),
    omittedFiles: z.int(),
    /** What lies in the folder and is not looked at; a folder stands for all in it. */
    skipped: z.array(z.object({ path: z.string(), reason: z.enum(skipReasons) })),
    omittedSkipped: z.int(),
    time: z.object({
      /** What the run would take about. */
      seconds: z.number(),
      /** What reading, parsing and cutting took now. */
      readingSeconds: z.number(),
      chunksPerSecond: z.number(),
      /** Whether the rate is that of earlier runs over this data folder. */
      from: z.enum(['measured', 'assumed']),
    }),
    /** What the vectors of the new chunks would take, where a provider makes them. */
    embedding: z
      .object({
        setting: z.string(),
        texts: z.int(),
        truncated: z.int(),
        tokens: z.int(),
        calls: z.int(),
        costUsd: z.number().exactOptional(),
        seconds: z.number(),
        rate: rateSchema,
      })
      .exactOptional(),
  })
  .meta({ id: 'IngestPreview' });
export type IngestPreview = DeepReadonly<z.output<typeof ingestPreviewSchema>>;
export type PreviewFile = IngestPreview['files'][number];
export type PreviewKind = IngestPreview['kinds'][number];
