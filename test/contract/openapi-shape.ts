// What an OpenAPI 3.1 document must be, as far as clients generated from it depend on it.
import { z } from 'zod';

const media = z.record(z.string(), z.looseObject({ schema: z.looseObject({}) }));
const operation = z.looseObject({
  summary: z.string(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema: z.looseObject({}) }))
    .optional(),
  requestBody: z.looseObject({ content: media }).optional(),
  responses: z.record(
    z.string().regex(/^([1-5]\d\d|default)$/),
    z.looseObject({ description: z.string(), content: media.optional() }),
  ),
});
export const openApiSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'put', 'post', 'delete', 'patch']), operation),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})), securitySchemes: z.looseObject({}) }),
});
