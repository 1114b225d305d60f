// What judges said of one answer while the server ran. Invariant: figures alone, no word of a question, an answer or a document.
import { z } from 'zod';

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
  /** What a critic said of the draft while it was made; absent where none looked. */
  readonly criticCoverage?: number;
  readonly criticGroundedness?: number;
  readonly latencyMs: number;
  /** Code of what went wrong; then there are no scores. */
  readonly error?: string;
}

/** Stands at the end of the trace of an answer that was judged. */
export interface EvalsEvent extends EvaluationScores {
  readonly type: 'evals';
  readonly by: string;
  readonly at: string;
}

export const evalsEventSchema = evaluationScoresSchema
  .extend({ type: z.literal('evals'), by: z.string(), at: z.string() })
  .describe('What judges said of the answer afterwards');
