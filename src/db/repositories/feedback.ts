// What people say of answers, as the record keeps it. Invariant: a later word of a person on a thing takes the place of the earlier one, and all
// of them go with the answer.
import type { Feedback, Rating, Vote } from '../../core/feedback.ts';
import type { PageOf, PageRequest } from './page.ts';

/** An admin sees the feedback of the tenant, others their own. */
export interface FeedbackRepository {
  /** Keeps it, in the place of what the same person said of the same thing before. */
  put(feedback: Feedback): Promise<void>;
  /** Questions of a user of the caller, '' where no user was named, whose whole answers the caller found good, newest first. */
  praised(ofUser: string, limit: number): Promise<readonly Praised[]>;
  /** Newest first. */
  list(request: PageRequest & { readonly rating?: Rating; readonly answerId?: string }): Promise<PageOf<Feedback>>;
  /**
   * What anybody of the tenant said of whole answers whose question is known, newest first, by the passages that these cite. What was said of one
   * citation is not among them: an answer keeps which passages it cites, not in which order.
   */
  votes(limit: number): Promise<readonly Vote[]>;
  /** Where the citations stand that people of the tenant found good, of each person and answer about whose citations anything was said. */
  ranks(): Promise<CitationRanks>;
  /** Notes that the caller opened a citation of an answer; again, and of an answer that is gone, nothing happens. */
  open(answerId: string, citation: number): Promise<void>;
  /** Where the citations stand that people of the tenant opened, of each person and answer of which any was. */
  openedRanks(): Promise<CitationRanks>;
}

export interface Praised {
  readonly answerId: string;
  readonly question: string;
  /** When it was said. */
  readonly at: string;
}

export interface CitationRanks {
  /** Of one person, of one answer. */
  readonly judgements: number;
  /** Of the first citation found good (opened), 0 where none was; null without judgements. */
  readonly meanReciprocalRank: number | null;
  readonly good: number;
  /** Of these, those among the first three. */
  readonly goodOfThree: number;
}
