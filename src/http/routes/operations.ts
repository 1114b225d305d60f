// For operators and tools: liveness, readiness, the contract itself.

import { z } from 'zod';
import {
  answerSchema,
  askRequestSchema,
  citationSchema,
  claimSchema,
  messageRequestSchema,
} from '../../core/answer.ts';
import { FootnoteError } from '../../core/errors.ts';
import { problemSchema, streamEventSchema } from '../../core/events.ts';
import { evidenceSchema, filterSchema, searchRequestSchema, searchResponseSchema } from '../../core/search.ts';
import {
  addedDocumentsSchema,
  documentDetailSchema,
  documentRequestSchema,
  ingestionDetailSchema,
  jsonSchemaSchema,
  livenessSchema,
  nameParamsSchema,
  readinessSchema,
  sourceRequestSchema,
} from '../../operations/contract/contract.ts';
import { modelsHealthSchema } from '../../operations/contract/models.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { toJsonSchema } from '../wire/openapi.ts';

/** Schemas by the name under which they are served. */
export const publicSchemas: Readonly<Record<string, { schema: z.ZodType; io: 'input' | 'output' }>> = {
  answer: { schema: answerSchema, io: 'output' },
  citation: { schema: citationSchema, io: 'output' },
  claim: { schema: claimSchema, io: 'output' },
  evidence: { schema: evidenceSchema, io: 'output' },
  'search-response': { schema: searchResponseSchema, io: 'output' },
  'stream-event': { schema: streamEventSchema, io: 'output' },
  document: { schema: documentDetailSchema, io: 'output' },
  'added-documents': { schema: addedDocumentsSchema, io: 'output' },
  ingestion: { schema: ingestionDetailSchema, io: 'output' },
  problem: { schema: problemSchema, io: 'output' },
  filter: { schema: filterSchema, io: 'input' },
  'ask-request': { schema: askRequestSchema, io: 'input' },
  'message-request': { schema: messageRequestSchema, io: 'input' },
  'search-request': { schema: searchRequestSchema, io: 'input' },
  'document-request': { schema: documentRequestSchema, io: 'input' },
  'source-request': { schema: sourceRequestSchema, io: 'input' },
};

const tags = ['operations'];

export function registerOperationRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/healthz',
    { schema: { summary: 'The process lives', tags, security: [], response: { 200: livenessSchema } } },
    async () => ({ status: 'ok' as const, version: door.version }),
  );

  // Names and states only: this route asks for no key.
  app.get(
    '/readyz',
    {
      schema: {
        summary: 'The server can answer (503: it cannot, or is stopping)',
        tags,
        security: [],
        response: { 200: readinessSchema, 503: readinessSchema },
      },
    },
    async (_request, reply) => {
      const health = await door.system.health().catch(() => undefined);
      const status = door.isDraining() || !health ? 'down' : health.status;
      const stores = (health?.stores ?? []).map((store) => ({ name: store.name, status: store.status }));
      const models = health?.models?.roles;
      return reply
        .code(status === 'down' ? 503 : 200)
        .send({ status, version: door.version, stores, ...(models && { models }) });
    },
  );

  app.get(
    '/admin/models',
    {
      schema: {
        summary: 'How the models that somebody else runs stand, as calls have shown; nothing is called',
        tags,
        response: { 200: modelsHealthSchema },
      },
    },
    async () => (await door.system.health()).models ?? { roles: [], models: [] },
  );

  app.get(
    '/openapi.json',
    {
      schema: {
        summary: 'This contract as OpenAPI 3.1',
        tags,
        response: { 200: z.looseObject({ openapi: z.string() }) },
      },
    },
    async () => app.swagger() as unknown as { openapi: string },
  );

  app.get(
    '/v1/schemas/:name',
    {
      schema: {
        summary: 'A JSON Schema of the contract',
        tags,
        params: nameParamsSchema,
        response: { 200: jsonSchemaSchema },
      },
    },
    async (request) => {
      const { name } = request.params;
      const entry = Object.hasOwn(publicSchemas, name) ? publicSchemas[name] : undefined;
      if (!entry)
        throw new FootnoteError(
          'not-found',
          `There is no schema "${name}". There are: ${Object.keys(publicSchemas).join(', ')}.`,
        );
      return toJsonSchema(entry.schema, entry.io);
    },
  );
}
