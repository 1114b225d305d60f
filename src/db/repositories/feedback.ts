// What people say of answers, as the record keeps it. Invariant: a later word of a person on a thing takes the place of the earlier one, and all
// of them go with the answer.
import type { Feedback, Rating, Vote } from '../../core/feedback.ts';
import type { PageOf, PageRequest } from './page.ts';

/** An admin sees the feedback of the tenant, others their own. */
export interface FeedbackRepository {
  /** Keeps it, in the place of what the same person said of the same thing before. */
  put(feedback: Feedback): Promise<void>;
  /** Newest first. */
  list(request: PageRequest & { readonly rating?: Rating; readonly answerId?: string }): Promise<PageOf<Feedback>>;
  /**
   * What anybody of the tenant said of whole answers whose question is known, newest first, by the passages that these cite. What was said of one
   * citation is not among them: an answer keeps which passages it cites, not in which order.
   */
  votes(limit: number): Promise<readonly Vote[]>;
}
