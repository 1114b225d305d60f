// The evidence of an answer as HTTP alone has it: a page for whoever has to check, or the data that it is made of.
import { readReport } from '../../footnote/report/check-report.ts';
import { reportPolicy } from '../../footnote/report/report-page.ts';
import { answers } from '../../operations/questions.ts';
import { preferredMime } from '../wire/content-negotiation.ts';
import type { Door } from '../wire/http-types.ts';
import { askedOf, type OwnRoutes } from './routes.ts';

export const answerRoutes = (door: Door): OwnRoutes => [
  [
    answers.report,
    async ({ request, reply }) => {
      const { id } = askedOf(answers.report, request).params;
      const page = await door.footnoteOf(request).answers.report(id);
      void reply.header('vary', 'Accept');
      if (preferredMime(request.headers.accept, ['text/html', 'application/json']) === 'application/json')
        return reply.header('content-type', 'application/json; charset=utf-8').send(await readReport(page));
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-disposition', `inline; filename="evidence-${id.replace(/[^\w.-]/gu, '_')}.html"`)
        .header('content-security-policy', `${reportPolicy}; frame-ancestors 'none'; sandbox`)
        .serializer(String)
        .send(page);
    },
  ],
];
