// What a model is asked to return when it answers: claims, each with the passages that carry it. The shape says nothing of their
// truth: that is decided by check.ts and the verifier.
import { z } from 'zod';

export const modelQuoteSchema = z.strictObject({
  /** Number of the passage, as shown. */
  id: z.int(),
  /** Copied from it character by character. */
  quote: z.string(),
});

export const modelClaimSchema = z.strictObject({ text: z.string(), quotes: z.array(modelQuoteSchema) });
export type ModelClaim = z.infer<typeof modelClaimSchema>;

/** No limits on lengths and counts: what is too much is dropped one by one and counted, instead of refusing all. */
export const modelAnswerSchema = z.strictObject({
  claims: z.array(modelClaimSchema),
  /** The passages do not answer the question. */
  insufficient: z.boolean(),
});
/** The same after a look at summaries. */
export const modelLookSchema = modelAnswerSchema.extend({
  /** Numbers of passages that it wants to read as they stand. */
  read: z.array(z.int()),
});
/** `read` is of a look at summaries. */
export type ModelAnswer = z.infer<typeof modelAnswerSchema> & { readonly read?: readonly number[] };
