// Questions, the answers that were given to them, what people say of those, and what to read next.
import { z } from 'zod';
import { answerSchema, askRequestSchema } from '../core/answer.ts';
import { analysisRequestSchema } from '../core/answers/analysis-request.ts';
import { evidenceReportSchema } from '../core/answers/evidence-report.ts';
import { searchRequestSchema, searchResponseSchema } from '../core/search.ts';
import type { FeedbackCase } from '../footnote/facade/feedback.ts';
import type { PageOf } from '../footnote/facade.ts';
import { reportCheckSchema, reportPageSchema } from './contract/answers.ts';
import { answerCheckSchema } from './contract/contract.ts';
import {
  feedbackCasesQuerySchema,
  feedbackCasesSchema,
  feedbackListSchema,
  feedbackQuerySchema,
  feedbackRequestSchema,
  feedbackSchema,
  recommendationListSchema,
  recommendationRequestSchema,
} from './contract/feedback.ts';
import { answerUsesQuerySchema, answerUsesSchema } from './contract/lineage.ts';
import { operation, peculiar } from './operation.ts';

const reader = { role: 'reader', tag: 'questions' } as const;
const answering = { called: true, reply: answerSchema, answers: true } as const;

export const search = operation('POST /v1/search', {
  ...reader,
  summary: 'Search the documents',
  lane: 'questions',
  body: searchRequestSchema,
  called: true,
  reply: searchResponseSchema,
});

export const ask = operation('POST /v1/ask', {
  ...reader,
  summary: 'Ask a question: every claim of the answer cites a verified span',
  lane: 'questions',
  body: askRequestSchema,
  ...answering,
});

export const analyse = operation('POST /v1/analyses', {
  ...reader,
  summary:
    'Analyse a subject: competitors, strengths and weaknesses, a market; sections of cited claims, and what is missing',
  body: analysisRequestSchema,
  ...answering,
});

export const answers = {
  get: operation('GET /v1/answers/:id', { ...reader, summary: 'An answer that was given', reply: answerSchema }),
  verify: operation('POST /v1/answers/verify', {
    ...reader,
    summary: 'Check a saved answer against the documents as they are now',
    lane: 'questions',
    bodyLimit: ({ bodyBytes }) => 8 * bodyBytes,
    body: answerSchema,
    reply: answerCheckSchema,
  }),
  using: peculiar('GET /v1/documents/:id/answers', {
    role: 'reader',
    tag: 'documents',
    summary: 'Answers that rest on a document, newest first, also after it was changed or deleted',
    query: answerUsesQuerySchema,
    reply: answerUsesSchema,
    run: ({ footnote }, { params, query: { chunk: chunkId, ...page } }) =>
      footnote.answers.using({ documentId: params.id, ...(chunkId !== undefined && { chunkId }) }, page),
  }),
  report: peculiar('GET /v1/answers/:id/report', {
    ...reader,
    summary: 'The evidence of an answer: one self-contained page, or (by Accept) the data that it is made of',
    replies: {
      200: {
        description: 'The evidence report',
        content: {
          'text/html': { schema: z.string() },
          'application/json': { schema: evidenceReportSchema },
        },
      },
    },
  }),
  verifyReport: peculiar('POST /v1/answers/report/verify', {
    ...reader,
    summary: 'Check the page of an evidence report against the record as it is now',
    bodyLimit: ({ bodyBytes }) => 4 * bodyBytes,
    body: reportPageSchema,
    reply: reportCheckSchema,
    run: ({ footnote }, { body }) => footnote.answers.verifyReport(body.page),
  }),
};

const said = { role: 'reader', tag: 'feedback' } as const;

export const feedback = {
  give: operation('POST /v1/answers/:id/feedback', {
    ...said,
    summary:
      'Say whether an answer, or one of its citations, was right; a later word takes the place of the earlier one',
    body: feedbackRequestSchema,
    status: 201,
    reply: feedbackSchema,
  }),
  list: operation('GET /v1/feedback', {
    ...said,
    summary: 'What was said of answers, newest first: an admin sees the tenant’s, others their own',
    query: feedbackQuerySchema,
    reply: feedbackListSchema,
  }),
  cases: operation('GET /v1/feedback/cases', {
    ...said,
    summary: 'The same as cases for evaluations, with the question, and what was praised as what must be found again',
    query: feedbackCasesQuerySchema,
    reply: feedbackCasesSchema,
    shown: (page: PageOf<FeedbackCase>) => ({ ...page, data: page.data.map((one) => ({ ...one })) }),
  }),
};

export const recommend = operation('POST /v1/recommendations', {
  role: 'reader',
  tag: 'documents',
  summary: 'What to read next: related, of the same categories, opened by others; never what was read',
  body: recommendationRequestSchema,
  reply: recommendationListSchema,
  within: 'data',
});
