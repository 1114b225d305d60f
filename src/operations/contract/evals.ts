// The part of the contract that tells what judges said of answers while the server ran.
import { z } from 'zod';

const scoreSchema = z.number().nullable();

const rowSchema = z
  .object({
    sessionId: z.string().nullable(),
    traceId: z.string(),
    answerId: z.string(),
    timestamp: z.string(),
    groundedness: scoreSchema,
    relevance: scoreSchema,
    retrievalPrecision: scoreSchema,
    coherence: scoreSchema,
    citationPrecision: scoreSchema,
    planConfidence: scoreSchema,
    criticCoverage: scoreSchema,
    /** `rules`, or who else judged. */
    judge: z.string(),
    /** Code of what went wrong. */
    error: z.string().optional(),
  })
  .meta({ id: 'EvalRow' });

/** Scores are 0..1, and null where there was nothing to judge by. */
export const evalReportSchema = z
  .object({
    stats: z.object({
      totalEvaluations: z.int(),
      avgGroundedness: scoreSchema,
      avgRelevance: scoreSchema,
      avgRetrievalPrecision: scoreSchema,
      lowGroundednessCount: z.int().describe('Answers with a groundedness below 0.7'),
      criticCorrelation: scoreSchema.describe(
        'Pearson’s r; null with fewer than three answers that a critic looked at',
      ),
      errors: z.int(),
    }),
    recent: z.array(rowSchema).describe('The last 50, newest first'),
    worst: z.array(rowSchema).describe('Of the last seven days, the lowest groundedness first'),
    judges: z
      .array(
        z.object({
          judge: z.string(),
          evaluations: z.int(),
          errors: z.int(),
          avgGroundedness: scoreSchema,
          avgRelevance: scoreSchema,
          avgRetrievalPrecision: scoreSchema,
        }),
      )
      .describe('By who judged: judges differ, so that only the same one compares')
      .optional(),
    days: z.array(
      z.object({
        day: z.string(),
        evaluations: z.int(),
        avgGroundedness: scoreSchema,
        avgRelevance: scoreSchema,
        avgRetrievalPrecision: scoreSchema,
      }),
    ),
    drift: z
      .object({ recent: z.number(), earlier: z.number(), difference: z.number(), isFalling: z.boolean() })
      .describe(
        'Mean groundedness of the last seven days against those before; absent while there is too little to say',
      )
      .optional(),
  })
  .meta({ id: 'EvalReport' });
