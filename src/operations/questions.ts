// Questions, the answers that were given to them, what people say of those, and what to read next.

import { z } from 'zod';
import { answerSchema, askRequestSchema } from '../core/answer.ts';
import { analysisRequestSchema } from '../core/answers/analysis-request.ts';
import { evidenceReportSchema, reportCheckSchema } from '../core/answers/evidence-report.ts';
import { feedbackSchema, ratings } from '../core/feedback.ts';
import { episodeSchema, findEpisodesSchema } from '../core/memory.ts';
import { type SearchResponse, searchRequestSchema, searchResponseSchema } from '../core/search.ts';
import type { FeedbackCase } from '../footnote/facade/feedback.ts';
import type { PageOf } from '../footnote/facade.ts';
import { pageQuerySchema } from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const reportPageSchema = z
  .strictObject({ page: z.string().min(1).describe('The whole page of HTML, as it was written') })
  .meta({ id: 'ReportPage' });

const limitSchema = z.coerce.number().int().min(1).max(1000).exactOptional();

const feedbackRequestSchema = z
  .strictObject({
    rating: z.enum(ratings),
    comment: z.string().min(1).max(4000).optional(),
    /** Index of the citation that it is about, from 1; absent: the whole answer. */
    citation: z.int().min(1).optional(),
  })
  .meta({ id: 'FeedbackRequest' });

const openedSchema = z
  .strictObject({ citation: z.int().min(1).describe('Index of the citation, from 1') })
  .meta({ id: 'OpenedCitation' });

const episodesSchema = z.object({ data: z.array(episodeSchema) }).meta({ id: 'Episodes' });

const feedbackQuerySchema = z.strictObject({
  rating: z.enum(ratings).exactOptional(),
  answerId: z.string().min(1).exactOptional(),
  limit: limitSchema,
  cursor: z.string().exactOptional(),
});
const feedbackCasesQuerySchema = feedbackQuerySchema.omit({ answerId: true });

const feedbackListSchema = z.object({ data: z.array(feedbackSchema), nextCursor: z.string().optional() });
/** Cases as `footnote eval answers` reads them. */
const feedbackCasesSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), question: z.string(), rating: z.enum(ratings), answerId: z.string() })),
  nextCursor: z.string().optional(),
});

const recommendationRequestSchema = z
  .strictObject({
    /** What the reader has read, oldest first. */
    readDocumentIds: z.array(z.string().min(1)).max(1000).exactOptional(),
    /** What is open now; it counts most. */
    currentDocumentId: z.string().min(1).exactOptional(),
    limit: z.int().min(1).max(50).exactOptional(),
  })
  .meta({ id: 'RecommendationRequest' });

const recommendationListSchema = z.object({
  data: z.array(
    z
      .object({ documentId: z.string(), title: z.string(), reason: z.string(), score: z.number() })
      .meta({ id: 'Recommendation' }),
  ),
});

const answerUsesQuerySchema = pageQuerySchema.extend({
  chunk: z.string().min(1).optional().describe('Only answers that were composed from this chunk'),
});

const answerUsesSchema = z.object({
  data: z.array(
    z
      .object({
        answerId: z.string(),
        createdAt: z.string(),
        chunks: z.array(
          z.object({
            chunkId: z.string(),
            cited: z.boolean(),
            isCurrent: z
              .boolean()
              .describe('It stands as it was then; otherwise its document was changed or deleted since'),
          }),
        ),
      })
      .meta({ id: 'AnswerUse' }),
  ),
  nextCursor: z.string().optional(),
});

const answerCheckSchema = z
  .object({
    answerId: z.string(),
    ok: z.boolean(),
    citations: z.array(z.object({ index: z.int(), ok: z.boolean(), reasons: z.array(z.string()) })),
    claims: z.array(z.object({ text: z.string(), ok: z.boolean(), support: z.number(), reasons: z.array(z.string()) })),
    reasons: z.array(z.string()),
  })
  .meta({ id: 'AnswerCheck' });

const readerDocuments = operationsFor('reader', 'documents');
const reader = operationsFor('reader', 'questions');
const answering = { called: true, reply: answerSchema, answers: true } as const;

/** What models of Anthropic take as content of a message or of a tool's result, and cite by themselves. */
const blocksSchema = z
  .strictObject({
    content: z.array(
      z.strictObject({
        type: z.literal('search_result'),
        /** Opens the passage. */
        source: z.string(),
        title: z.string(),
        content: z.array(z.strictObject({ type: z.literal('text'), text: z.string() })),
        citations: z.strictObject({ enabled: z.literal(true) }),
      }),
    ),
    degraded: searchResponseSchema.shape.degraded,
    traceId: z.string(),
  })
  .meta({ id: 'SearchResultBlocks' });

const toBlocks = ({ results, degraded, traceId }: SearchResponse) => ({
  content: results.map(({ url: source, title, text }) => ({
    ...{ type: 'search_result' as const, source, title },
    content: [{ type: 'text' as const, text }],
    citations: { enabled: true as const },
  })),
  degraded,
  traceId,
});

export const search = reader.peculiar('POST /v1/search', 'Search the documents', {
  lane: 'questions',
  query: z.strictObject({
    as: z.enum(['search_result']).optional().describe('Blocks to hand to a model, in the place of hits'),
  }),
  body: searchRequestSchema,
  reply: z.union([searchResponseSchema, blocksSchema]),
  async run({ footnote, call }, { body, query }) {
    const found = await footnote.search(body, call);
    return query.as === undefined ? found : toBlocks(found);
  },
});

export const ask = reader.call('POST /v1/ask', 'Ask a question: every claim of the answer cites a verified span', {
  lane: 'questions',
  body: askRequestSchema,
  ...answering,
});

export const analyse = reader.call(
  'POST /v1/analyses',
  'Analyse a subject: competitors, strengths and weaknesses, a market; sections of cited claims, and what is missing',
  { body: analysisRequestSchema, ...answering },
);

export const answers = {
  get: reader.call('GET /v1/answers/:id', 'An answer that was given', { reply: answerSchema }),
  delete: reader.call('DELETE /v1/answers/:id', 'Erase an answer and its trace; one of a session goes with that', {
    forgets: true,
  }),
  verify: reader.call('POST /v1/answers/verify', 'Check a saved answer against the documents as they are now', {
    lane: 'questions',
    bodyLimit: ({ bodyBytes }) => 8 * bodyBytes,
    body: answerSchema,
    reply: answerCheckSchema,
  }),
  using: readerDocuments.peculiar(
    'GET /v1/documents/:id/answers',
    'Answers that rest on a document, newest first, also after it was changed or deleted',
    {
      query: answerUsesQuerySchema,
      reply: answerUsesSchema,
      run: ({ footnote }, { params, query: { chunk: chunkId, ...page } }) =>
        footnote.answers.using({ documentId: params.id, ...(chunkId !== undefined && { chunkId }) }, page),
    },
  ),
  report: reader.peculiar(
    'GET /v1/answers/:id/report',
    'The evidence of an answer: one self-contained page, or (by Accept) the data that it is made of',
    {
      replies: {
        200: {
          description: 'The evidence report',
          content: {
            'text/html': { schema: z.string() },
            'application/json': { schema: evidenceReportSchema },
          },
        },
      },
    },
  ),
  verifyReport: reader.peculiar(
    'POST /v1/answers/report/verify',
    'Check the page of an evidence report against the record as it is now',
    {
      bodyLimit: ({ bodyBytes }) => 4 * bodyBytes,
      body: reportPageSchema,
      reply: reportCheckSchema,
      run: ({ footnote }, { body }) => footnote.answers.verifyReport(body.page),
    },
  ),
};

const said = operationsFor('reader', 'feedback');

export const feedback = {
  give: said.call(
    'POST /v1/answers/:id/feedback',
    'Say whether an answer, or one of its citations, was right; a later word takes the place of the earlier one',
    { body: feedbackRequestSchema, status: 201, reply: feedbackSchema, unkept: true },
  ),
  episodes: said.call(
    'POST /v1/feedback/episodes',
    'Answers that the caller found good to questions like this one, nearest first',
    { body: findEpisodesSchema, reply: episodesSchema, within: 'data', unkept: true },
  ),
  opened: said.call(
    'POST /v1/answers/:id/opened',
    'Note that the source of a citation was opened: online evaluation counts where those stand that people open',
    { body: openedSchema },
  ),
  list: said.call(
    'GET /v1/feedback',
    'What was said of answers, newest first: an admin sees the tenant’s, others their own',
    { query: feedbackQuerySchema, reply: feedbackListSchema },
  ),
  cases: said.call(
    'GET /v1/feedback/cases',
    'The same as cases for evaluations, with the question, and what was praised as what must be found again',
    {
      query: feedbackCasesQuerySchema,
      reply: feedbackCasesSchema,
      shown: (page: PageOf<FeedbackCase>) => ({ ...page, data: page.data.map((one) => ({ ...one })) }),
    },
  ),
};

export const recommend = readerDocuments.call(
  'POST /v1/recommendations',
  'What to read next: related, of the same categories, opened by others; never what was read',
  { body: recommendationRequestSchema, reply: recommendationListSchema, within: 'data' },
);
