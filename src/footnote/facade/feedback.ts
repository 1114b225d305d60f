// The part of the facade that takes what people say of answers, and says what to read next.
import type { Recommendation, RecommendationRequest } from '../../agent/recommend.ts';
import type { Answer } from '../../core/answer.ts';
import type { Feedback, Rating } from '../../core/feedback.ts';
import type { Episode, FindEpisodes } from '../../core/memory.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';
import type { AnswerCase } from '../../evals/answers.ts';

export type { Recommendation, RecommendationRequest } from '../../agent/recommend.ts';
export type { Feedback, Rating } from '../../core/feedback.ts';

export interface FeedbackRequest {
  readonly rating: Rating;
  readonly comment?: string | undefined;
  /** Index of the citation that it is about, from 1. */
  readonly citation?: number | undefined;
}

export interface OpenedCitation {
  /** Its index, from 1. */
  readonly citation: number;
}

/** A case for evaluations, with what people said of the answer that it came from. */
export interface FeedbackCase extends AnswerCase {
  readonly rating: Rating;
  readonly answerId: string;
  readonly comment?: string;
}

export interface FeedbackPart {
  /** Throws `not-found` for an answer that is not there, `invalid-request` for a citation that it does not have. */
  give(answerId: string, feedback: FeedbackRequest): Promise<Feedback>;
  /** What the caller found good among answers to questions like this one, nearest first. */
  episodes(request: FindEpisodes): Promise<readonly Episode[]>;
  /** Notes that the caller opened the source of a citation. Throws as `give` does. */
  opened(answerId: string, opened: OpenedCitation): Promise<void>;
  /** Takes over what was said elsewhere, with the answer that it is about. For the owner of the data folder, in this process alone. */
  take(given: { readonly feedback: Feedback; readonly answer: Answer }): Promise<void>;
  /** Newest first: an admin sees the tenant's, others their own. */
  list(request: PageRequest & { readonly rating?: Rating; readonly answerId?: string }): Promise<PageOf<Feedback>>;
  /** As cases for `footnote eval answers`: what was praised must be found again, what was found wrong must not be the answer. */
  cases(request: PageRequest & { readonly rating?: Rating }): Promise<PageOf<FeedbackCase>>;
}

export type Recommend = (request: RecommendationRequest) => Promise<readonly Recommendation[]>;
