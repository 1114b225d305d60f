// The part of the contract that speaks of evidence reports.
import { z } from 'zod';

export const reportPageSchema = z
  .strictObject({ page: z.string().min(1).describe('The whole page of HTML, as it was written') })
  .meta({ id: 'ReportPage' });

export const reportCheckSchema = z
  .object({
    answerId: z.string(),
    ok: z.boolean(),
    reasons: z
      .array(z.string())
      .describe('Where the page says something else than the record, and what does not hold any more'),
    citationsHeld: z.int(),
    citations: z.int(),
  })
  .meta({ id: 'ReportCheck' });
