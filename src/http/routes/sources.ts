// Sources: declare, list, remove, sync. What reads the server's own disk only an admin may declare or sync; pages of the web any writer may.
import type { FastifyRequest } from 'fastify';
import { readsThisMachine } from '../../core/connector.ts';
import type { Source } from '../../core/document.ts';
import { FootnoteError } from '../../core/errors.ts';
import { hasRole } from '../../core/scope.ts';
import { toConnector } from '../../operations/contract/connector.ts';
import {
  ingestionSchema,
  isSet,
  nameParamsSchema,
  removedSchema,
  sourceListSchema,
  sourceRequestSchema,
  sourceSchema,
  syncQuerySchema,
} from '../../operations/contract/contract.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';

const tags = ['sources'];

export function registerSourceRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/v1/sources',
    { schema: { summary: 'Declare a source', tags, body: sourceRequestSchema, response: { 201: sourceSchema } } },
    async (request, reply) => {
      const { connector: given, ...rest } = request.body;
      const connector = given && toConnector(given);
      if (connector && readsThisMachine(connector)) requireAdmin(request);
      const source: Source = { ...rest, ...(connector && { connector }) };
      return reply.code(201).send(visibleTo(request, await door.footnoteOf(request).sources.put(source)));
    },
  );

  app.get(
    '/v1/sources',
    { schema: { summary: 'Sources with their number of documents', tags, response: { 200: sourceListSchema } } },
    async (request) => {
      const sources = await door.footnoteOf(request).sources.list();
      return { data: sources.map((source) => visibleTo(request, source)) };
    },
  );

  app.get(
    '/v1/sources/:name',
    { schema: { summary: 'A source', tags, params: nameParamsSchema, response: { 200: sourceSchema } } },
    async (request) => visibleTo(request, await door.footnoteOf(request).sources.get(request.params.name)),
  );

  app.delete(
    '/v1/sources/:name',
    {
      schema: {
        summary: 'Remove a source with all its documents',
        tags,
        params: nameParamsSchema,
        response: { 200: removedSchema },
      },
    },
    async (request) => {
      const removedDocuments = await door.footnoteOf(request).sources.remove(request.params.name);
      door.forgetStreams(request);
      return { removedDocuments };
    },
  );

  app.post(
    '/v1/sources/:name/sync',
    {
      schema: {
        summary: 'Read the source anew; follow it at /v1/ingestions/{id}',
        tags,
        params: nameParamsSchema,
        querystring: syncQuerySchema,
        response: { 202: ingestionSchema },
      },
    },
    async (request, reply) => {
      const { sources } = door.footnoteOf(request);
      const source = await sources.get(request.params.name);
      if (source.connector && readsThisMachine(source.connector)) requireAdmin(request);
      const { retry, reread, confirm } = request.query;
      const ingestion = await sources.startSync(source.name, {
        retry: isSet(retry),
        ...(reread !== undefined && { reread: isSet(reread) }),
        ...(isSet(confirm) && { confirm: true }),
      });
      return reply
        .code(202)
        .header('location', `/v1/ingestions/${encodeURIComponent(ingestion.id)}`)
        .send(ingestion);
    },
  );
}

type Scoped = Pick<FastifyRequest, 'scope'>;

const isAdmin = ({ scope }: Scoped): boolean => scope !== undefined && hasRole(scope.principal, 'admin');

/** Where on the server's disk a source reads from is for admins to know. */
function visibleTo<Seen extends Source>(request: Scoped, source: Seen): Seen | Omit<Seen, 'connector'> {
  if (isAdmin(request) || !source.connector || !readsThisMachine(source.connector)) return source;
  const { connector: _hidden, ...rest } = source;
  return rest;
}

function requireAdmin(request: Scoped): void {
  if (isAdmin(request)) return;
  throw new FootnoteError('forbidden', 'A folder connector reads the disk of the server: it needs the role admin.');
}
