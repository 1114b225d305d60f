// For operators: what judges said of the answers that were given.
import type { z } from 'zod';
import { evalReportSchema } from '../../operations/contract/evals.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';

export function registerEvalRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/admin/evals',
    {
      schema: {
        summary:
          'What judges said of a sample of answers: averages, the latest, the worst, by day, and beside the critic',
        tags: ['operations'],
        response: { 200: evalReportSchema },
      },
    },
    async (request) => (await door.footnoteOf(request).evals.report()) as z.output<typeof evalReportSchema>,
  );
}
