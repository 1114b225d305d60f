// Analyses: what documents say of a subject, by sections. One that was made is read again as the answer that it is.
import { analysisRequestSchema } from '../../core/answers/analysis-request.ts';
import { wantsEventStream } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { streamAnswer } from '../wire/stream-answer.ts';
import { answerReplies } from './ask.ts';

export function registerAnalysisRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/v1/analyses',
    {
      schema: {
        summary:
          'Analyse a subject: competitors, strengths and weaknesses, a market; sections of cited claims, and what is missing',
        tags: ['questions'],
        body: analysisRequestSchema,
        response: answerReplies,
      },
    },
    async (request, reply) => {
      const footnote = door.footnoteOf(request);
      if (wantsEventStream(request))
        return streamAnswer(door, { request, reply }, (options) => footnote.analyse(request.body, options));
      return footnote.analyse(request.body, door.callOf(request, reply));
    },
  );
}
