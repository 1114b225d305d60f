// What people say of answers: kept beside the question, so that it can become a case of an evaluation.
import type { Answer } from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import type { Feedback } from '../../core/feedback.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import { isOwner } from '../../core/scope.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { createFindEpisodes } from '../../memory/episodes.ts';
import type { Meaning } from '../../memory/facts/fitted/meaning.ts';
import type { FeedbackCase, FeedbackPart } from '../facade/feedback.ts';
import { found } from './found.ts';

export interface FeedbackOptions {
  readonly record: TenantRecord;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly meaning: Meaning;
}

export function createFeedbackPart({ record, clock, ids, meaning }: FeedbackOptions): FeedbackPart {
  /** As it was asked, and whose question it was, from the log of the request; nothing once that is gone. */
  async function askedOf({
    traceId,
  }: Answer): Promise<{ readonly question?: string | undefined; readonly user?: string | undefined }> {
    const first = (await record.traces.get(traceId).catch(() => undefined))?.events[0]?.event;
    if (first?.type !== 'request') return {};
    const { question, content, user } = first.body as Partial<Record<'question' | 'content' | 'user', string>>;
    return { question: question ?? content, user };
  }

  async function toCase(feedback: Awaited<ReturnType<typeof record.feedback.list>>['data'][number]) {
    const { id, answerId, rating, comment, question } = feedback;
    const answer = await record.answers.get(answerId).catch(() => undefined);
    if (question === undefined || !answer) return undefined;
    const cited = answer.citations.map(({ quote, documentId }) => ({ document: documentId, text: quote }));
    const [best] = answer.citations;
    const made: FeedbackCase = {
      id,
      question,
      answerId,
      rating,
      ...(comment !== undefined && { comment }),
      // What somebody praised is what the next version must find, too.
      ...(rating === 'up' && answer.abstained && { unanswerable: true }),
      ...(rating === 'up' &&
        best && { answers: answer.claims.map(({ text }) => text), document: best.documentId, supporting: cited }),
    };
    return made;
  }

  async function answerOf(answerId: string, citation: number | undefined): Promise<Answer> {
    const answer = await found('answer', answerId, record.answers.get(answerId));
    if (citation !== undefined && !answer.citations.some(({ index }) => index === citation))
      throw new FootnoteError(
        'invalid-request',
        `The answer has no citation ${citation}: it has ${answer.citations.length}.`,
      );
    return answer;
  }

  return {
    async give(answerId, { rating, comment, citation }) {
      const answer = await answerOf(answerId, citation);
      const { question, user } = await askedOf(answer);
      const feedback: Feedback = {
        id: ids.next('fbk'),
        answerId,
        principal: record.scope.principal.id,
        rating,
        ...(comment !== undefined && { comment }),
        ...(citation !== undefined && { citation }),
        ...(question !== undefined && { question }),
        ...(user !== undefined && { user }),
        createdAt: clock.now(),
      };
      await record.feedback.put(feedback);
      return feedback;
    },
    episodes: createFindEpisodes({ record, meaning }),
    async opened(answerId, { citation }) {
      await answerOf(answerId, citation);
      await record.feedback.open(answerId, citation);
    },
    async take({ feedback, answer }) {
      if (!isOwner(record.scope.principal))
        throw new FootnoteError('forbidden', 'Feedback of others is taken over by the owner of the data folder alone.');
      if (!(await record.answers.get(answer.id))) await record.answers.save(answer, feedback.createdAt);
      await record.feedback.put(feedback);
    },
    list: (request) => record.feedback.list(request),
    async cases(request) {
      const page = await record.feedback.list(request);
      const cases = await Promise.all(page.data.map(toCase));
      return { ...page, data: cases.filter((one) => one !== undefined) };
    },
  };
}
