// What an analysis is asked for: a kind, the subject that it is of, and what it sets beside the subject or looks at most.
import { z } from 'zod';
import { searchOptionFields } from '../search.ts';

export const analysisKinds = ['competitors', 'swot', 'market'] as const;
export type AnalysisKind = (typeof analysisKinds)[number];

/** Others that are set beside the subject, and focus areas. */
export const mostItems = 8;

/** The name of a thing: it becomes a heading, so it is one line without marks of citations. */
const nameSchema = z
  .string()
  .max(200)
  .regex(/^(?=.*\S)[^\p{Cc}[\]]*$/u, 'must be one line, not empty, and without square brackets');

export const analysisRequestSchema = z
  .strictObject({
    kind: z.enum(analysisKinds),
    subject: nameSchema.describe('What is analysed: a company, a product, a market'),
    items: z.array(nameSchema).max(mostItems).optional().describe('Others that are set beside it: each has a section'),
    focusAreas: z.array(nameSchema).max(mostItems).optional().describe('What is looked at of each of them'),
    ...searchOptionFields,
    stream: z.boolean().optional(),
  })
  .meta({ id: 'AnalysisRequest' });
export type AnalysisRequest = z.infer<typeof analysisRequestSchema>;
