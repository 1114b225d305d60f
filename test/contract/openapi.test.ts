// The contract as documents: OpenAPI names every route and every schema, nothing is untyped, and the schemas served are
// the ones that replies are validated with.
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { FootnoteEvent } from '../../src/core/events.ts';
import { mirroredBy } from '../../src/http/foreign/errors.ts';
import { routePolicy } from '../../src/http/policy/policy.ts';
import { publicSchemas } from '../../src/http/routes/server.ts';
import type { HttpApp } from '../../src/http/wire/http-types.ts';
import type { traceSchema } from '../../src/operations/traces.ts';
import { createFakeApp } from './fake-app.ts';
import { openApiSchema } from './openapi-shape.ts';

interface Json {
  [key: string]: unknown;
}
interface Operation {
  summary?: string;
  parameters?: { name: string; in: string; schema: Json; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
}

let app: HttpApp;
let paths: Record<string, Record<string, Operation>>;
let components: Record<string, Json>;
let document: Json;
beforeAll(async () => {
  ({ app } = createFakeApp());
  document = (await app.inject('/openapi.json')).json();
  paths = document['paths'] as typeof paths;
  components = (document['components'] as { schemas: typeof components }).schemas;
});
afterAll(() => app.close());

const operations = (): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );

// The page and its files are no API, and MCP describes itself.
const resource = 'GET /.well-known/oauth-protected-resource';
const pages = ['GET /', 'GET /app', 'GET /app/*', 'GET /assets/*', 'POST /mcp', resource, `${resource}/mcp`];

describe('openapi.json', () => {
  it('is an OpenAPI 3.1 document', () => {
    expect(openApiSchema.safeParse(document).error).toBeUndefined();
  });

  it('names every route of the policy table and no other', () => {
    const expected = Object.keys(routePolicy)
      .filter((route) => !pages.includes(route))
      .map((route) => route.replace(/:(\w+)/g, '{$1}'));
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual(expected.sort());
  });

  it('says of every route what it does, takes and gives, and that it can fail with a problem', () => {
    for (const [name, operation] of operations()) {
      expect(operation.summary, name).toBeTruthy();
      const good = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      expect(good.length, name).toBeGreaterThan(0);
      for (const status of good.filter((code) => code !== '204')) {
        const content = Object.entries(operation.responses[status]?.content ?? {});
        expect(content.length, name).toBeGreaterThan(0);
        for (const [mime, { schema }] of content) expect(untyped(schema), `${name} ${mime}`).toEqual([]);
      }
      // What mirrors another API fails in its shape.
      const by = mirroredBy(name.split(' ')[1] ?? '');
      const [mime, shape] = by
        ? ['application/json', { openai: 'OpenAIError', anthropic: 'AnthropicError' }[by]]
        : ['application/problem+json', 'Problem'];
      expect(operation.responses['default']?.content?.[mime]?.schema, name).toEqual({
        $ref: `#/components/schemas/${shape}`,
      });
      for (const match of name.matchAll(/\{(\w+)\}/g))
        expect(
          operation.parameters?.some((parameter) => parameter.name === match[1] && parameter.in === 'path'),
          name,
        ).toBe(true);
      for (const parameter of operation.parameters ?? [])
        expect(untyped(parameter.schema), `${name} ${parameter.name}`).toEqual([]);
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        expect(untyped(schema), name).toEqual([]);
    }
  });

  it('tells of the key under which what changes something is done once, and of none where no reply is kept', () => {
    const told = operations().filter(([, { parameters = [] }]) =>
      parameters.some(({ name, in: where }) => name === 'Idempotency-Key' && where === 'header'),
    );
    const unkept = ['/chat', '/v1/ui/chat', '/v1/feedback/episodes', '/v1/answers/{id}/feedback'];
    const expected = operations().filter(
      ([name]) => !name.startsWith('GET ') && !unkept.includes(name.replace('POST ', '')),
    );
    expect(told.map(([name]) => name)).toEqual(expected.map(([name]) => name));
    expect(told.length).toBeGreaterThanOrEqual(40);
  });

  it('documents uploads and streams', () => {
    expect(Object.keys(paths['/v1/documents']?.['post']?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
    ]);
    expect(Object.keys(paths['/v1/ask']?.['post']?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/event-stream',
    ]);
  });

  it('has every schema that is referred to, and none untyped', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((name) => !Object.hasOwn(components, name))).toEqual([]);
    // JSON that a caller or a port chose is whatever JSON it is.
    for (const [name, schema] of Object.entries(components)) expect(untyped(schema), name).toEqual([]);
  });

  it('notices an untyped schema', () => {
    expect(untyped({ type: 'object', properties: { a: {} } })).toEqual(['/a']);
    expect(untyped({ type: 'array', items: {} })).toEqual(['/[]']);
    expect(untyped({ type: 'object' })).toEqual(['/']);
  });
});

/** Places where a schema says nothing about the value. */
function untyped(schema: unknown, path = ''): string[] {
  const node = schema as Json | undefined;
  if (typeof node !== 'object') return [path || '/'];
  if ('$ref' in node || 'enum' in node || 'const' in node) return [];
  for (const list of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (Array.isArray(node[list])) return node[list].flatMap((item, at) => untyped(item, `${path}/${at}`));
  switch (node['type']) {
    case undefined:
      return [path || '/'];
    case 'array':
      return untyped(node['items'], `${path}/[]`);
    case 'object': {
      const properties = Object.entries((node['properties'] ?? {}) as Json);
      const open = node['additionalProperties'];
      if (properties.length === 0 && open === undefined) return [path || '/'];
      return [
        ...properties.flatMap(([name, value]) => untyped(value, `${path}/${name}`)),
        // `{}` on top of named properties says "and whatever else", which is a type.
        ...(typeof open === 'object' && Object.keys(open as Json).length > 0 ? untyped(open, `${path}/*`) : []),
      ];
    }
    default:
      return [];
  }
}

describe('schemas', () => {
  it('exist for every event, or this file does not compile', () => {
    type Described = z.infer<typeof traceSchema>['events'][number]['event']['type'];
    expectTypeOf<FootnoteEvent['type']>().toEqualTypeOf<Described>();
  });

  it('are served as JSON Schema by name', async () => {
    for (const name of Object.keys(publicSchemas)) {
      const reply = await app.inject(`/v1/schemas/${name}`);
      expect(reply.statusCode).toBe(200);
      expect(reply.json<Json>()['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    }
    const answer = (await app.inject('/v1/schemas/answer')).json<{
      required: string[];
      additionalProperties: unknown;
    }>();
    expect(answer.required).toEqual(
      expect.arrayContaining(['id', 'claims', 'citations', 'degraded', 'routing', 'usage']),
    );
    expect(answer.additionalProperties).toBe(false);
  });
});

describe('health', () => {
  it('lives and is ready', async () => {
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok', version: '1.2.3' });
    expect((await app.inject('/readyz')).statusCode).toBe(200);
  });
  it('is not ready when down', async () => {
    const { app: sick, system } = createFakeApp();
    system.healthStatus = 'down';
    expect((await sick.inject('/readyz')).statusCode).toBe(503);
    system.health = async () => {
      throw new Error('disk');
    };
    expect((await sick.inject('/readyz')).json()).toMatchObject({ status: 'down', stores: [] });
    await sick.close();
  });
});
