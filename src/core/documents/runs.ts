// Runs that read documents in, what became of each of their files, and what such a run would bring.
import { z } from 'zod';
import type { DeepReadonly } from '../metadata.ts';
import { duplicateKinds } from './fingerprint.ts';

/** `reason`: for programs, where the code does not say it all (`password-needed`, `wrong-password`, `unknown-kind`, `no-text`, …). */
export const faultSchema = z.object({ code: z.string(), message: z.string(), reason: z.string().exactOptional() });

export const duplicateSchema = z
  .object({
    documentId: z.string(),
    title: z.string(),
    uri: z.string(),
    kind: z.enum(duplicateKinds),
    similarity: z
      .number()
      .min(0)
      .max(1)
      .describe("Share of the shorter text's runs of five words that stand in the other"),
  })
  .meta({ id: 'Duplicate' });
export type DuplicateLink = DeepReadonly<z.output<typeof duplicateSchema>>;

export const fileStates = ['pending', 'done', 'unchanged', 'failed', 'parked', 'deleted'] as const;
export const ingestionFileSchema = z
  .object({
    uri: z.string(),
    state: z.enum(fileStates),
    /** Of a document that was read: whether it was there before. */
    change: z.enum(['added', 'changed']).exactOptional(),
    /** What it turned out to be, as people call it: `PDF`. */
    kind: z.string().exactOptional(),
    documentId: z.string().exactOptional(),
    chunks: z.int().exactOptional(),
    error: faultSchema.exactOptional(),
    warnings: z.array(z.string()).exactOptional(),
    /** Other documents that say the same, most similar first; those of the moment, not of the run. */
    duplicates: z.array(duplicateSchema).exactOptional(),
  })
  .meta({ id: 'IngestionFile' });
export type IngestionFile = DeepReadonly<z.output<typeof ingestionFileSchema>>;

/** A file that is not read again until it changes, or until somebody asks for it. */
export const parkedFileSchema = z
  .object({ source: z.string(), uri: z.string(), tries: z.int(), error: faultSchema, failedAt: z.string() })
  .meta({ id: 'ParkedFile' });
export type ParkedFile = DeepReadonly<z.output<typeof parkedFileSchema>>;

/** `doubtful`: all was read, and what would have been deleted or overwritten on doubtful evidence stays; `error.reason` says why. */
export const ingestionStates = ['running', 'done', 'doubtful', 'cancelled', 'interrupted', 'failed'] as const;
export const ingestionSchema = z
  .object({
    id: z.string(),
    source: z.string(),
    state: z.enum(ingestionStates),
    startedAt: z.string(),
    finishedAt: z.string().exactOptional(),
    counts: z.object({
      found: z.int(),
      done: z.int(),
      unchanged: z.int(),
      failed: z.int(),
      deleted: z.int(),
      chunks: z.int(),
      /** Unchanged files that were read again because what reads them was improved; absent: none. */
      readAgain: z.int().exactOptional(),
      /** Documents that stay as an earlier edition of their reader read them, or one that is not known; absent: none. */
      readBefore: z.int().exactOptional(),
    }),
    error: faultSchema.exactOptional(),
  })
  .meta({ id: 'Ingestion' });
/** One run of reading a source. Survives a restart: `running` at start-up means that it was interrupted. */
export type Ingestion = DeepReadonly<z.output<typeof ingestionSchema>>;
export type IngestionCounts = Ingestion['counts'];
