// What doors may ask of answers that were given.
import type { AnswerCheck } from '../../answer/verify.ts';
import type { Answer } from '../../core/answer.ts';
import type { ReportCheck } from '../../core/answers/evidence-report.ts';
import type { AnswerUse } from '../../db/repositories/answers.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';

export type { AnswerCheck };

export interface Answers {
  get(id: string): Promise<Answer>;
  /** Erases it and its trace. Throws `conflict` for one of a session, which goes with it. */
  delete(id: string): Promise<void>;
  /** Re-checks a saved answer against the record as it is now. */
  verify(answer: Answer): Promise<AnswerCheck>;
  /** Answers that were composed from a document, or from a chunk of it, newest first, also when it was changed or deleted since. */
  using(
    place: { readonly documentId: string; readonly chunkId?: string },
    request: PageRequest,
  ): Promise<PageOf<AnswerUse>>;
  /** One page of HTML that needs nothing else: the answer with its evidence, for whoever has to check. */
  report(id: string): Promise<string>;
  /** Whether such a page says what the record says, and its quotes still stand. Throws `invalid-request` for any other page. */
  verifyReport(html: string): Promise<ReportCheck>;
}
