// Answers as they were given, and which of them rest on what.
import type { Answer } from '../../core/answer.ts';
import type { PageOf, PageRequest } from './page.ts';

export interface AnswerRepository {
  save(answer: Answer, createdAt: string): Promise<void>;
  get(id: string): Promise<Answer | undefined>;
  /** With its trace. False where there is none. Throws `conflict` for one of a session, which goes with it. */
  delete(id: string): Promise<boolean>;
  /** Answers that were composed from a document, or from a chunk of it, newest first, whether the document is there or not. */
  using(
    place: { readonly documentId: string; readonly chunkId?: string },
    request: PageRequest,
  ): Promise<PageOf<AnswerUse>>;
}

/** An answer and what of one document it was composed from. */
export interface AnswerUse {
  readonly answerId: string;
  readonly createdAt: string;
  readonly chunks: readonly {
    readonly chunkId: string;
    readonly cited: boolean;
    /** The chunk stands in the record as it was then; otherwise its document was changed or deleted since. */
    readonly isCurrent: boolean;
  }[];
}
