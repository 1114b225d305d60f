// Answers with their evidence: a page for whoever has to check, and its check.
import { z } from 'zod';
import { evidenceReportSchema } from '../../core/answers/evidence-report.ts';
import { readReport } from '../../footnote/report/check-report.ts';
import { reportPolicy } from '../../footnote/report/report-page.ts';
import { reportCheckSchema, reportPageSchema } from '../../operations/contract/answers.ts';
import { idParamsSchema } from '../../operations/contract/contract.ts';
import { preferredMime } from '../wire/content-negotiation.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';

const tags = ['questions'];

export function registerAnswerRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/v1/answers/:id/report',
    {
      schema: {
        summary: 'The evidence of an answer: one self-contained page, or (by Accept) the data that it is made of',
        tags,
        params: idParamsSchema,
        response: {
          200: {
            description: 'The evidence report',
            content: {
              'text/html': { schema: z.string() },
              'application/json': { schema: evidenceReportSchema },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
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
  );

  app.post(
    '/v1/answers/report/verify',
    {
      bodyLimit: 4 * door.limits.bodyBytes,
      schema: {
        summary: 'Check the page of an evidence report against the record as it is now',
        tags,
        body: reportPageSchema,
        response: { 200: reportCheckSchema },
      },
    },
    async (request) => {
      const check = await door.footnoteOf(request).answers.verifyReport(request.body.page);
      return { ...check, reasons: [...check.reasons] };
    },
  );
}
