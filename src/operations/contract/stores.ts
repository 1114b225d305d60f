// The part of the contract that speaks of stores: their health, how far their vectors are, and what a synchronisation did.
import { z } from 'zod';

const driftFields = {
  checkedAt: z.string(),
  checked: z.int(),
  missing: z.int(),
  stale: z.int(),
  duplicates: z.int(),
  orphans: z.int(),
  examples: z.array(z.string()).describe('Ids of some of the documents'),
  isMended: z.boolean(),
};

export const storeReconcileBodySchema = z
  .strictObject({ dryRun: z.boolean().optional() })
  .nullish()
  .transform((body) => body ?? {});
export const storeReconcileSchema = z
  .object({ ...driftFields, delivered: z.int(), failed: z.int() })
  .meta({ id: 'StoreReconcile' });

export const storeStatusSchema = z
  .object({
    name: z.string(),
    status: z.enum(['ok', 'degraded', 'down']),
    detail: z.string(),
    documents: z.int(),
    chunks: z.int(),
    coverage: z.number(),
    freshnessSeconds: z.number().optional(),
    vectors: z
      .object({
        state: z.enum(['off', 'waiting', 'training', 'embedding', 'ready', 'failed']),
        model: z.string().optional(),
        chunks: z.int(),
        embedded: z.int(),
        failure: z.string().optional(),
      })
      .optional(),
    erasing: z
      .object({
        documents: z.int(),
        sessions: z.int(),
        since: z.string(),
        failure: z.string().optional(),
      })
      .describe('Deletions whose words are still being taken out of what else is kept; absent where nothing is left')
      .optional(),
    deliveries: z
      .object({
        pending: z.int(),
        failed: z.int(),
        deletions: z.int(),
        paused: z.boolean(),
        oldestPendingSeconds: z.number().optional(),
        nextAttemptAt: z.string().optional(),
        failure: z.string().optional(),
      })
      .describe('What is still to be brought to a store beside the record, or taken away from it')
      .optional(),
    drift: z
      .object(driftFields)
      .describe('How the store differed from the record when they were compared last; absent until then')
      .optional(),
    modes: z.array(z.string()),
  })
  .meta({ id: 'StoreStatus' });
export const storeListSchema = z.object({ data: z.array(storeStatusSchema) }).meta({ id: 'StoreList' });
export const storeSyncSchema = z.object({ delivered: z.int(), failed: z.int() }).meta({ id: 'StoreSync' });
