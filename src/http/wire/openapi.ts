// OpenAPI 3.1 from the schemas in the code: what the server validates is what it documents.

import fastifySwagger from '@fastify/swagger';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problemSchema } from '../../core/events.ts';
import type { Operation } from '../../operations/operation.ts';
import { operations } from '../../operations/table.ts';
import type { HttpApp } from './http-types.ts';

const pathsOf = (isMeant: (operation: Operation) => boolean): readonly string[] =>
  operations.flatMap(({ operation }) => (isMeant(operation) ? [operation.route.split(' ')[1] ?? ''] : []));
const pathsWith = (kind: Operation['files']): readonly string[] => pathsOf(({ files }) => files === kind);

/** Routes that take files beside the fields of a document. */
const documentRoutes = pathsWith('documents');
const formRoutes = pathsWith('upload');

/** Routes that take files as a form. */
export const uploadRoutes = [...documentRoutes, ...formRoutes];

/** Routes that take one export, as a form or as bytes. */
export const importRoutes = pathsWith('export');

interface JsonSchemaContext {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: Record<string, unknown>;
}

/** Filter fields are checked by code; to a reader they are strings. */
function describeCustom({ zodSchema, jsonSchema }: JsonSchemaContext): void {
  const { type } = zodSchema._zod.def;
  if (type === 'custom') jsonSchema['type'] = 'string';
  if (type === 'undefined') jsonSchema['type'] = 'null';
}

/** A schema of the contract as JSON Schema 2020-12, self-contained, its root in place and not behind a reference. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): { $schema: string; [key: string]: unknown } {
  const { $schema, $ref, $defs, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: describeCustom,
  }) as { $schema: string; $ref?: string; $defs?: Record<string, object>; [key: string]: unknown };
  const target = $ref === undefined ? undefined : $defs?.[$ref.replace('#/$defs/', '')];
  return { $schema, ...root, ...target, ...($defs ? { $defs } : {}) };
}

/** As the document writes a path. */
const asWritten = (path: string): string => path.replaceAll(/:(\w+)/gu, '{$1}');

/** Routes of which no reply is kept under an Idempotency-Key: asked again, they answer again. */
const unkeptRoutes = pathsOf(({ unkept }) => unkept === true).map(asWritten);

interface OpenApiOperation {
  parameters?: object[];
  requestBody?: { content: Record<string, { schema: unknown }> };
}

/** Must be registered before the routes, so that it sees them. */
export function registerOpenApi(app: HttpApp, version: string): void {
  // Every route can fail, and always in the same shape, but for those that mirror another API.
  app.addHook('onRoute', (route) => {
    const schema = route.schema as { hide?: boolean; response?: Record<string, unknown> } | undefined;
    if (!schema || schema.hide) return;
    schema.response = {
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: problemSchema } },
      },
      ...schema.response,
    };
  });
  const config = { zodToJsonConfig: { override: describeCustom } };
  const describeComponents = createJsonSchemaTransformObject(config);
  void app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Footnote',
        version,
        description: 'Answers you can check: a verified citation for every claim.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key; not asked for until the first one exists.' },
        },
      },
      security: [{ key: [] }],
    },
    transform: createJsonSchemaTransform(config),
    transformObject: (document) => {
      const described = describeComponents(document) as unknown as {
        paths?: Record<string, Record<string, OpenApiOperation>>;
      };
      for (const route of documentRoutes) addMultipart(described.paths?.[asWritten(route)]?.post);
      for (const route of formRoutes) asForm(described.paths?.[route]?.post);
      for (const route of importRoutes) addExport(described.paths?.[route]?.post);
      for (const [path, operations] of Object.entries(described.paths ?? {}))
        for (const [method, operation] of Object.entries(operations))
          if (method !== 'get' && !unkeptRoutes.includes(path)) addKey(operation);
      return described as ReturnType<typeof describeComponents>;
    },
  });
}

/** Read from the request by the hook that keeps replies, so no schema of Fastify's describes it. */
function addKey(operation: OpenApiOperation): void {
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'What is asked under one key is done once within 24 hours: the same request again gets the first reply, with Idempotency-Replayed: true, and another body is refused (422).',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  };
  operation.parameters = [...(operation.parameters ?? []), key];
}

/** Read as it comes, so no schema of Fastify's describes it. */
function addExport(operation: OpenApiOperation | undefined): void {
  if (!operation) return;
  const binary = { type: 'string', contentMediaType: 'application/octet-stream' };
  operation.requestBody = {
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: {
            file: binary,
            ...Object.fromEntries(
              ['format', 'time_zone', 'shared', 'redact', 'name'].map((field) => [
                field,
                { type: 'string', description: 'As in the query.' },
              ]),
            ),
          },
        },
      },
      'application/x-ndjson': {
        schema: {
          type: 'string',
          description: 'A line for each message: {conversation_id, turn_id, role, text, timestamp, title?}.',
        },
      },
      'application/zip': { schema: binary },
      'application/octet-stream': { schema: binary },
    },
  };
}

/** The fields of the body beside one file, and no other form of the request. */
function asForm(operation: OpenApiOperation | undefined): void {
  const [body] = Object.values(operation?.requestBody?.content ?? {});
  if (!operation || !body) return;
  const file = {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  };
  operation.requestBody = { content: { 'multipart/form-data': { schema: { allOf: [body.schema, file] } } } };
}

// Fastify knows one body schema per route; the upload has the same fields, as text, and files beside them.
function addMultipart(operation: OpenApiOperation | undefined): void {
  const body = operation?.requestBody;
  if (!body) return;
  const text = (description: string) => ({ type: 'string', description });
  body.content['multipart/form-data'] = {
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: { type: 'array', items: { type: 'string', contentMediaType: 'application/octet-stream' } },
        ...Object.fromEntries(
          ['title', 'mime', 'uri', 'source', 'sourceType', 'category', 'version', 'publishedAt', 'password'].map(
            (field) => [field, text(`As in DocumentRequest.`)],
          ),
        ),
        metadata: text('A JSON object.'),
        passwords: text('A JSON array.'),
        access: text('Names separated by commas, or a JSON array.'),
        stores: text('Names separated by commas, or a JSON array.'),
      },
    },
  };
}
