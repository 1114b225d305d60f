// What people say of answers. One word of one person on one answer or one of its citations.

export const ratings = ['up', 'down'] as const;
export type Rating = (typeof ratings)[number];

export interface Feedback {
  readonly id: string;
  readonly answerId: string;
  readonly principal: string;
  readonly rating: Rating;
  readonly comment?: string;
  /** Index of the citation that it is about, from 1; absent: the whole answer. */
  readonly citation?: number;
  /** What was asked, as far as it was still known. */
  readonly question?: string;
  readonly createdAt: string;
}

/** One word on an answer, for one passage that it cites. */
export interface Vote {
  readonly chunkId: string;
  readonly principal: string;
  readonly rating: Rating;
  readonly question: string;
}
