// What people say of answers, as the record keeps it. Invariant: a later word of a person on a thing takes the place of the earlier one, and all
// of them go with the answer.
import type { Feedback, Rating } from '../core/feedback.ts';
import type { PageOf, PageRequest } from './page.ts';

/** An admin sees the feedback of the tenant, others their own. */
export interface FeedbackRepository {
  /** Keeps it, in the place of what the same person said of the same thing before. */
  put(feedback: Feedback): Promise<void>;
  /** Newest first. */
  list(request: PageRequest & { readonly rating?: Rating; readonly answerId?: string }): Promise<PageOf<Feedback>>;
}
