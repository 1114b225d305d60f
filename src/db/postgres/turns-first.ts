// The turn of a message goes first, and its answer after it: both are asked for together, and on their own connections either could come first. So an answer
// is kept only where its turn was, and whoever deletes the session finds it by its turn.
import { isFootnoteError } from '../../core/errors.ts';
import type { AnswerRepository } from '../repositories/answers.ts';
import type { SessionRepository } from '../repositories/sessions.ts';

interface UnderWay {
  readonly since: string | undefined;
  /** False: its session was deleted meanwhile. */
  readonly isKept: Promise<boolean>;
}

/** `save`: with the mark of the deletions from which on the session must not have been deleted. */
interface Answers extends AnswerRepository {
  save(answer: Parameters<AnswerRepository['save']>[0], createdAt: string, since?: string): Promise<void>;
}

/** By the ids of their answers, of one open record. */
export function createTurnsFirst() {
  const underWay = new Map<string, UnderWay>();
  return {
    sessions: (sessions: SessionRepository): SessionRepository => ({
      ...sessions,
      appendTurn(turn, options) {
        const appended = sessions.appendTurn(turn, options);
        const isKept = appended.then(
          () => true,
          (error: unknown) => !(isFootnoteError(error) && error.code === 'not-found'),
        );
        underWay.set(turn.answer.id, { since: options?.since, isKept });
        void isKept.then(() => underWay.delete(turn.answer.id));
        return appended;
      },
    }),
    answers: (answers: Answers): AnswerRepository => ({
      ...answers,
      async save(answer, createdAt) {
        const turn = underWay.get(answer.id);
        if (turn && !(await turn.isKept)) return;
        await answers.save(answer, createdAt, turn?.since);
      },
    }),
  };
}
