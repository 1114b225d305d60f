// Operations of the server itself, for operators and tools: keys, liveness, readiness, figures, the contract. The door serves them.

import { z } from 'zod';
import { doors, roles } from '../core/scope.ts';
import { keyLimitsSchema } from '../core/spending.ts';
import { nameSchema } from '../core/values/name.ts';
import { operationsFor } from './operation.ts';

/** What a key is limited to; what is not named is not limited. */
const grantFields = {
  sources: z
    .array(nameSchema)
    .min(1)
    .max(100)
    .exactOptional()
    .describe('The sources that there are for it; an admin has all'),
  doors: z
    .array(z.enum(doors))
    .min(1)
    .exactOptional()
    .describe(
      '`api`: our own API and its pages; `openai`: what mirrors OpenAI’s; `anthropic`: what mirrors Anthropic’s; `mcp`. What citations lead to is open to all',
    ),
  limits: keyLimitsSchema.exactOptional(),
};
const keyRequestSchema = z
  .strictObject({
    name: nameSchema,
    role: z.enum(roles),
    tenant: nameSchema.exactOptional(),
    groups: z.array(nameSchema).max(100).exactOptional(),
    ...grantFields,
    expiresAt: z.iso.datetime({ offset: true }).exactOptional().describe('From then on it opens nothing'),
  })
  .meta({ id: 'KeyRequest' });
const keySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    tenant: z.string(),
    role: z.enum(roles),
    groups: z.array(z.string()),
    createdAt: z.string(),
    revokedAt: z.string().optional(),
    ...grantFields,
    expiresAt: z.string().optional(),
    lastUsedAt: z.string().optional().describe('To the minute'),
    previousUntil: z.string().optional().describe('Until then the secret from before its rotation opens, too'),
  })
  .meta({ id: 'Key' });
const keyListSchema = z.object({ data: z.array(keySchema) }).meta({ id: 'KeyList' });
/** `secret` is missing when the reply is given again under an Idempotency-Key: it is shown once. */
const createdKeySchema = z.object({ key: keySchema, secret: z.string().optional() }).meta({ id: 'CreatedKey' });

const meSchema = z
  .object({
    tenant: z.string(),
    role: z.enum(roles),
    key: z.object({ id: z.string(), name: z.string(), expiresAt: z.string().optional() }).optional(),
    owner: z.literal(true).optional().describe('The owner of the data folder, at this machine'),
    ...grantFields,
    features: z.object({
      models: z.array(z.string()).describe('Steps that a language model does: `answer` writes'),
      webSearch: z.boolean(),
      metrics: z.boolean().optional().describe('For admins'),
      keys: z.boolean().optional().describe('For admins: whether keys are made over HTTP'),
    }),
  })
  .meta({ id: 'Me' });

const loginSchema = z.strictObject({ key: z.string().min(1).max(512) }).meta({ id: 'Login' });

const rotationSchema = z
  .strictObject({
    overlapSeconds: z.int().min(0).max(7_776_000).default(86_400).describe('How long both secrets are valid'),
  })
  .meta({ id: 'KeyRotation' });

const roleHealthSchema = z
  .object({
    role: z.string(),
    /** `degraded`: a model of its list fails and another stands behind it. `down`: all fail, and the step is done without. */
    status: z.enum(['ok', 'degraded', 'down']),
    code: z.string().optional(),
  })
  .meta({ id: 'RoleHealth' });

export const modelsHealthSchema = z
  .object({
    roles: z.array(roleHealthSchema),
    models: z.array(
      z.object({
        /** `provider:model`. */
        model: z.string(),
        state: z.enum(['untried', 'serving', 'failing']),
        /** Whether calls are kept away from it for a while. */
        circuit: z.enum(['closed', 'open', 'half-open']),
        failuresInRow: z.int(),
        lastServedAt: z.string().optional(),
        lastFailure: z
          .object({ code: z.string(), reason: z.string(), at: z.string(), status: z.int().optional() })
          .optional(),
      }),
    ),
  })
  .meta({ id: 'ModelsHealth' });

const livenessSchema = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'Liveness' });

const readinessSchema = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    version: z.string(),
    stores: z.array(z.object({ name: z.string(), status: z.enum(['ok', 'degraded', 'down']) })),
    /** Roles of models that somebody else runs, as calls have shown; `code` says why one fails, such as a key that is refused. */
    models: z.array(roleHealthSchema).optional(),
  })
  .meta({ id: 'Readiness' });

const jsonSchemaSchema = z.looseObject({ $schema: z.string() }).meta({ id: 'JsonSchema' });

const tag = 'operations';
const open = operationsFor('open', 'operations');
const reader = operationsFor('reader', 'operations');
const adminKeys = operationsFor('admin', 'keys');
const admin = operationsFor('admin', tag);

export const server = {
  healthz: open.peculiar('GET /healthz', 'The process lives', { reply: livenessSchema }),
  // Names and states only: this route asks for no key.
  readyz: open.peculiar('GET /readyz', 'The server can answer (503: it cannot, or is stopping)', {
    reply: readinessSchema,
    replies: { 200: readinessSchema, 503: readinessSchema },
  }),
  models: admin.peculiar(
    'GET /admin/models',
    'How the models that somebody else runs stand, as calls have shown; nothing is called',
    { reply: modelsHealthSchema },
  ),
  openapi: reader.peculiar('GET /openapi.json', 'This contract as OpenAPI 3.1', {
    reply: z.looseObject({ openapi: z.string() }),
  }),
  schema: reader.peculiar('GET /v1/schemas/:name', 'A JSON Schema of the contract', {
    lane: 'none',
    reply: jsonSchemaSchema,
  }),
  metrics: admin.peculiar('GET /metrics', 'What has been counted since the start, in the text format of Prometheus', {
    replies: { 200: { content: { 'text/plain': { schema: z.string() } } } },
  }),
};

export const access = {
  me: reader.peculiar('GET /v1/me', 'Who calls, what it is limited to, and which parts are switched on for it', {
    reply: meSchema,
  }),
  login: open.peculiar('POST /v1/login', 'Keep a key in a cookie that no script reads, for pages of this server', {
    body: loginSchema,
    reply: meSchema,
  }),
  logout: open.peculiar('POST /v1/logout', 'Forget the key of the cookie'),
};

export const keys = {
  create: adminKeys.peculiar('POST /admin/keys', 'Make an API key; its secret is shown this once', {
    body: keyRequestSchema,
    status: 201,
    reply: createdKeySchema,
  }),
  rotate: adminKeys.peculiar(
    'POST /admin/keys/:id/rotate',
    'Give an API key another secret, shown this once; the one before it is valid beside it for a while',
    { body: rotationSchema, mayBeEmpty: true, status: 201, reply: createdKeySchema },
  ),
  list: adminKeys.peculiar('GET /admin/keys', 'API keys, without their secrets', { reply: keyListSchema }),
  revoke: adminKeys.peculiar('DELETE /admin/keys/:id', 'Revoke an API key'),
};
