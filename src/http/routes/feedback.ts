// What people say of answers, and what to read next.
import { idParamsSchema } from '../../operations/contract/contract.ts';
import {
  feedbackCasesQuerySchema,
  feedbackCasesSchema,
  feedbackListSchema,
  feedbackQuerySchema,
  feedbackRequestSchema,
  feedbackSchema,
  recommendationListSchema,
  recommendationRequestSchema,
} from '../../operations/contract/feedback.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { pageOf } from '../wire/paging.ts';

export function registerFeedbackRoutes(app: HttpApp, door: Door): void {
  const tags = ['feedback'];
  app.post(
    '/v1/answers/:id/feedback',
    {
      schema: {
        summary:
          'Say whether an answer, or one of its citations, was right; a later word takes the place of the earlier one',
        tags,
        params: idParamsSchema,
        body: feedbackRequestSchema,
        response: { 201: feedbackSchema },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await door.footnoteOf(request).feedback.give(request.params.id, request.body)),
  );

  app.get(
    '/v1/feedback',
    {
      schema: {
        summary: 'What was said of answers, newest first: an admin sees the tenant’s, others their own',
        tags,
        querystring: feedbackQuerySchema,
        response: { 200: feedbackListSchema },
      },
    },
    async (request) => {
      const { rating, answerId } = request.query;
      return door.footnoteOf(request).feedback.list({
        ...pageOf(request.query),
        ...(rating !== undefined && { rating }),
        ...(answerId !== undefined && { answerId }),
      });
    },
  );

  app.get(
    '/v1/feedback/cases',
    {
      schema: {
        summary:
          'The same as cases for evaluations, with the question, and what was praised as what must be found again',
        tags,
        querystring: feedbackCasesQuerySchema,
        response: { 200: feedbackCasesSchema },
      },
    },
    async (request) => {
      const { rating } = request.query;
      const page = await door
        .footnoteOf(request)
        .feedback.cases({ ...pageOf(request.query), ...(rating !== undefined && { rating }) });
      return { ...page, data: page.data.map((one) => ({ ...one })) };
    },
  );

  app.post(
    '/v1/recommendations',
    {
      schema: {
        summary: 'What to read next: related, of the same categories, opened by others; never what was read',
        tags: ['documents'],
        body: recommendationRequestSchema,
        response: { 200: recommendationListSchema },
      },
    },
    async (request) => {
      const { readDocumentIds, currentDocumentId, limit } = request.body;
      const data = await door.footnoteOf(request).recommend({
        ...(readDocumentIds && { readDocumentIds }),
        ...(currentDocumentId !== undefined && { currentDocumentId }),
        ...(limit !== undefined && { limit }),
      });
      return { data: [...data] };
    },
  );
}
