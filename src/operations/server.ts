// Operations of the server itself, for operators and tools: keys, liveness, readiness, figures, the contract. The door serves them.
import { z } from 'zod';
import { jsonSchemaSchema, livenessSchema, readinessSchema } from './contract/contract.ts';
import { createdKeySchema, keyListSchema, keyRequestSchema } from './contract/keys.ts';
import { modelsHealthSchema } from './contract/models.ts';
import { peculiar } from './operation.ts';

const tag = 'operations';
const admin = { role: 'admin', tag } as const;

export const server = {
  healthz: peculiar('GET /healthz', { role: 'open', tag, summary: 'The process lives', reply: livenessSchema }),
  // Names and states only: this route asks for no key.
  readyz: peculiar('GET /readyz', {
    role: 'open',
    tag,
    summary: 'The server can answer (503: it cannot, or is stopping)',
    reply: readinessSchema,
    replies: { 200: readinessSchema, 503: readinessSchema },
  }),
  models: peculiar('GET /admin/models', {
    ...admin,
    summary: 'How the models that somebody else runs stand, as calls have shown; nothing is called',
    reply: modelsHealthSchema,
  }),
  openapi: peculiar('GET /openapi.json', {
    role: 'reader',
    tag,
    summary: 'This contract as OpenAPI 3.1',
    reply: z.looseObject({ openapi: z.string() }),
  }),
  schema: peculiar('GET /v1/schemas/:name', {
    role: 'reader',
    tag,
    summary: 'A JSON Schema of the contract',
    lane: 'none',
    reply: jsonSchemaSchema,
  }),
  metrics: peculiar('GET /metrics', {
    ...admin,
    summary: 'What has been counted since the start, in the text format of Prometheus',
    replies: { 200: { content: { 'text/plain': { schema: z.string() } } } },
  }),
};

export const keys = {
  create: peculiar('POST /admin/keys', {
    role: 'admin',
    tag: 'keys',
    summary: 'Make an API key; its secret is shown this once',
    body: keyRequestSchema,
    status: 201,
    reply: createdKeySchema,
  }),
  list: peculiar('GET /admin/keys', {
    role: 'admin',
    tag: 'keys',
    summary: 'API keys, without their secrets',
    reply: keyListSchema,
  }),
  revoke: peculiar('DELETE /admin/keys/:id', { role: 'admin', tag: 'keys', summary: 'Revoke an API key' }),
};
