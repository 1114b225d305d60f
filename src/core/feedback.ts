// What people say of answers. One word of one person on one answer or one of its citations.
import { z } from 'zod';
import type { DeepReadonly } from './metadata.ts';

export const ratings = ['up', 'down'] as const;
export type Rating = (typeof ratings)[number];

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
    user: z.string().optional().describe('Who asked, where a key serves several people'),
    createdAt: z.string(),
  })
  .meta({ id: 'Feedback' });
export type Feedback = DeepReadonly<z.output<typeof feedbackSchema>>;

/** One word on an answer, for one passage that it cites. */
export interface Vote {
  readonly chunkId: string;
  readonly principal: string;
  readonly rating: Rating;
  readonly question: string;
}
