// The server itself, for operators and tools: liveness, readiness, figures, the contract.

import type { z } from 'zod';
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
  sourceRequestSchema,
} from '../../operations/contract/contract.ts';
import { server } from '../../operations/server.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { toJsonSchema } from '../wire/openapi.ts';
import { askedOf, type OwnRoutes } from './routes.ts';

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

export function serverRoutes(app: HttpApp, door: Door): OwnRoutes {
  const { system, version } = door;
  return [
    [server.healthz, () => ({ status: 'ok', version })],
    [
      server.readyz,
      async ({ reply }) => {
        const health = await system.health().catch(() => undefined);
        const status = door.isDraining() || !health ? 'down' : health.status;
        const stores = (health?.stores ?? []).map((store) => ({ name: store.name, status: store.status }));
        const models = health?.models?.roles;
        return reply.code(status === 'down' ? 503 : 200).send({ status, version, stores, ...(models && { models }) });
      },
    ],
    [server.models, async () => (await system.health()).models ?? { roles: [], models: [] }],
    [server.openapi, () => app.swagger()],
    [
      server.schema,
      ({ request }) => {
        const { name } = askedOf(server.schema, request).params;
        const entry = Object.hasOwn(publicSchemas, name) ? publicSchemas[name] : undefined;
        if (!entry)
          throw new FootnoteError(
            'not-found',
            `There is no schema "${name}". There are: ${Object.keys(publicSchemas).join(', ')}.`,
          );
        return toJsonSchema(entry.schema, entry.io);
      },
    ],
    [
      server.metrics,
      async ({ reply }) => {
        if (!system.telemetry)
          throw new FootnoteError('unsupported', 'This server counts nothing: it was opened without telemetry.');
        void reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8');
        return reply.send(await system.telemetry.text());
      },
    ],
  ];
}
