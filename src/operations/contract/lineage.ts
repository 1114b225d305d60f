// The part of the contract that says which answers rest on a document.
import { z } from 'zod';
import { pageQuerySchema } from './contract.ts';

export const answerUsesQuerySchema = pageQuerySchema.extend({
  chunk: z.string().min(1).optional().describe('Only answers that were composed from this chunk'),
});

export const answerUsesSchema = z.object({
  data: z.array(
    z
      .object({
        answerId: z.string(),
        createdAt: z.string(),
        chunks: z.array(
          z.object({
            chunkId: z.string(),
            cited: z.boolean(),
            isCurrent: z
              .boolean()
              .describe('It stands as it was then; otherwise its document was changed or deleted since'),
          }),
        ),
      })
      .meta({ id: 'AnswerUse' }),
  ),
  nextCursor: z.string().optional(),
});
