// What judges said of one answer while the server ran. Invariant: figures alone, no word of a question, an answer or a document.
import { z } from 'zod';
import type { DeepReadonly } from './metadata.ts';

/** 0..1 each; absent where there was nothing to judge by. */
export const evaluationScoresSchema = z.object({
  groundedness: z.number().exactOptional(),
  relevance: z.number().exactOptional(),
  /** Mean of the precisions at each chunk that was of use, of those that were read. */
  retrieval: z.number().exactOptional(),
  coherence: z.number().exactOptional(),
  citationPrecision: z.number().exactOptional(),
});
export type EvaluationScores = z.infer<typeof evaluationScoresSchema>;

/** Below it an answer counts as low. */
export const lowGroundedness = 0.7;

export interface Evaluation {
  readonly traceId: string;
  readonly answerId: string;
  readonly sessionId?: string;
  /** `rules`, `azure-ai-foundry`, or the model that judged. */
  readonly by: string;
  readonly at: string;
  readonly scores: EvaluationScores;
  /** The chance that the question was taken apart, or left whole, as it was meant; absent where nothing said so. */
  readonly planConfidence?: number;
  /** What a critic said of the draft while it was made; absent where none looked. */
  readonly criticCoverage?: number;
  readonly criticGroundedness?: number;
  readonly latencyMs: number;
  /** Code of what went wrong; then there are no scores. */
  readonly error?: string;
}

/** Stands at the end of the trace of an answer that was judged. */
export const evalsEventSchema = evaluationScoresSchema
  .extend({ type: z.literal('evals'), by: z.string(), at: z.string() })
  .describe('What judges said of the answer afterwards');

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
    planConfidence: scoreSchema.describe(
      'Chance that the question was taken apart, or left whole, as it was meant; null where nothing in it could join two things, or a model planned',
    ),
    criticCoverage: scoreSchema,
    /** `rules`, or who else judged. */
    judge: z.string(),
    /** Code of what went wrong. */
    error: z.string().optional(),
  })
  .meta({ id: 'EvalRow' });
/** One answer that was judged. What there was nothing to judge by is null. */
export type EvalRow = DeepReadonly<z.output<typeof rowSchema>>;

const ranksSchema = (what: string) =>
  z.object({
    judgements: z.int().describe('One for each person and answer'),
    meanReciprocalRank: z.number().describe(`Of the first citation that was ${what}; 0 where none was`),
    recallAtThree: scoreSchema.describe(`Share of the citations ${what} that are among the first three`),
  });

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
    people: ranksSchema('found good')
      .describe('From what people said of single citations; absent while nobody has')
      .optional(),
    opened: ranksSchema('opened').describe('From which citations people opened; absent while nobody has').optional(),
    drift: z
      .object({ recent: z.number(), earlier: z.number(), difference: z.number(), isFalling: z.boolean() })
      .describe(
        'Mean groundedness of the last seven days against those before; absent while there is too little to say',
      )
      .optional(),
  })
  .meta({ id: 'EvalReport' });
export type EvalReport = DeepReadonly<z.output<typeof evalReportSchema>>;
