// The part of the contract that takes what people say of answers, and says what to read next.
import { z } from 'zod';
import { ratings } from '../../core/feedback.ts';

const limitSchema = z.coerce.number().int().min(1).max(1000).exactOptional();

export const feedbackRequestSchema = z
  .strictObject({
    rating: z.enum(ratings),
    comment: z.string().min(1).max(4000).optional(),
    /** Index of the citation that it is about, from 1; absent: the whole answer. */
    citation: z.int().min(1).optional(),
  })
  .meta({ id: 'FeedbackRequest' });

export const feedbackSchema = z
  .object({
    id: z.string(),
    answerId: z.string(),
    principal: z.string(),
    rating: z.enum(ratings),
    comment: z.string().optional(),
    citation: z.int().optional(),
    /** What was asked, as far as it was still known. */
    question: z.string().optional(),
    createdAt: z.string(),
  })
  .meta({ id: 'Feedback' });

export const feedbackQuerySchema = z.strictObject({
  rating: z.enum(ratings).exactOptional(),
  answerId: z.string().min(1).exactOptional(),
  limit: limitSchema,
  cursor: z.string().exactOptional(),
});
export const feedbackCasesQuerySchema = feedbackQuerySchema.omit({ answerId: true });

export const feedbackListSchema = z.object({ data: z.array(feedbackSchema), nextCursor: z.string().optional() });
/** Cases as `footnote eval answers` reads them. */
export const feedbackCasesSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), question: z.string(), rating: z.enum(ratings), answerId: z.string() })),
  nextCursor: z.string().optional(),
});

export const recommendationRequestSchema = z
  .strictObject({
    /** What the reader has read, oldest first. */
    readDocumentIds: z.array(z.string().min(1)).max(1000).exactOptional(),
    /** What is open now; it counts most. */
    currentDocumentId: z.string().min(1).exactOptional(),
    limit: z.int().min(1).max(50).exactOptional(),
  })
  .meta({ id: 'RecommendationRequest' });

export const recommendationListSchema = z.object({
  data: z.array(
    z
      .object({ documentId: z.string(), title: z.string(), reason: z.string(), score: z.number() })
      .meta({ id: 'Recommendation' }),
  ),
});
