// Feedback as the fake facade takes it: of answers that there are, kept nowhere.
import { FootnoteError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { FeedbackPart } from '../../src/footnote/facade/feedback.ts';

export function fakeFeedback(scope: Scope, hasAnswer: (id: string) => boolean): FeedbackPart {
  return {
    async give(answerId, { rating, comment }) {
      if (!hasAnswer(answerId)) throw new FootnoteError('not-found', `There is no answer "${answerId}".`);
      const createdAt = '2026-01-01T00:00:00.000Z';
      const principal = scope.principal.id;
      return { id: 'fbk_1', answerId, principal, rating, ...(comment !== undefined && { comment }), createdAt };
    },
    episodes: async () => [],
    async opened(answerId) {
      if (!hasAnswer(answerId)) throw new FootnoteError('not-found', `There is no answer "${answerId}".`);
    },
    take: async () => undefined,
    list: async () => ({ data: [] }),
    cases: async () => ({ data: [] }),
  };
}
