// Long-term memories over HTTP: a caller lists, edits, exports and erases what is remembered of them, and nobody else's.
import { idParamsSchema, isSet } from '../../operations/contract/contract.ts';
import {
  erasedMemoriesSchema,
  memoryChangeSchema,
  memoryListQuerySchema,
  memoryListSchema,
  memoryRequestSchema,
  memorySchema,
  memoryStatsSchema,
  memoryUserQuerySchema,
  prunedSchema,
  pruneRequestSchema,
  recalledMemoriesSchema,
  recallRequestSchema,
  writtenMemorySchema,
} from '../../operations/contract/memories.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { emptySchema, pageOf } from '../wire/paging.ts';

const tags = ['memories'];
const exportedTogether = 1000;

const userOf = ({ user }: { readonly user?: string | undefined }) => (user === undefined ? {} : { user });

// oxlint-disable-next-line house/own-lines -- One route stands after another, each with its schema.
export function registerMemoryRoutes(app: HttpApp, door: Door): void {
  app.post(
    '/v1/memories',
    {
      schema: {
        summary: 'Remember something; what says the same is merged, what contradicts supersedes',
        tags,
        body: memoryRequestSchema,
        response: { 200: writtenMemorySchema, 201: writtenMemorySchema },
      },
    },
    async (request, reply) => {
      const { memory, change, superseded } = await door.footnoteOf(request).memories.add(request.body);
      return reply.code(change === 'created' ? 201 : 200).send({ ...memory, change, superseded });
    },
  );

  app.get(
    '/v1/memories',
    {
      schema: {
        summary: 'What is remembered, newest first',
        tags,
        querystring: memoryListQuerySchema,
        response: { 200: memoryListSchema },
      },
    },
    async (request) => {
      const { type, tag, history, ...query } = request.query;
      return door.footnoteOf(request).memories.list({
        ...pageOf(query),
        ...userOf(query),
        ...(type !== undefined && { type }),
        ...(tag !== undefined && { tag }),
        history: isSet(history),
      });
    },
  );

  app.delete(
    '/v1/memories',
    {
      schema: {
        summary: 'Erase everything that is remembered of a user, with its history',
        tags,
        querystring: memoryUserQuerySchema,
        response: { 200: erasedMemoriesSchema },
      },
    },
    async (request) => {
      const erased = await door.footnoteOf(request).memories.erase(userOf(request.query));
      door.forgetStreams(request);
      return { erased };
    },
  );

  app.get(
    '/v1/memories/export',
    {
      schema: {
        summary: 'Everything that is remembered, with its history, in pages of a thousand',
        tags,
        querystring: memoryListQuerySchema.pick({ user: true, limit: true, cursor: true }),
        response: { 200: memoryListSchema },
      },
    },
    async (request) => {
      const { query } = request;
      return door
        .footnoteOf(request)
        .memories.list({ limit: exportedTogether, ...pageOf(query), ...userOf(query), history: true });
    },
  );

  app.get(
    '/v1/memories/stats',
    {
      schema: {
        summary: 'How much is remembered, by type',
        tags,
        querystring: memoryUserQuerySchema,
        response: { 200: memoryStatsSchema },
      },
    },
    async (request) => door.footnoteOf(request).memories.stats(userOf(request.query)),
  );

  app.post(
    '/v1/memories/recall',
    {
      schema: {
        summary: 'The memories that cover most of a query; each counts as used',
        tags,
        body: recallRequestSchema,
        response: { 200: recalledMemoriesSchema },
      },
    },
    async (request) => ({ data: await door.footnoteOf(request).memories.recall(request.body) }),
  );

  app.post(
    '/v1/memories/prune',
    {
      // Pruning by the defaults needs no body.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        summary: 'Forget memories that are old and were hardly used; a dry run only tells which',
        tags,
        body: pruneRequestSchema,
        response: { 200: prunedSchema },
      },
    },
    async (request) => door.footnoteOf(request).memories.prune(request.body),
  );

  app.get(
    '/v1/memories/:id',
    {
      schema: {
        summary: 'A memory',
        tags,
        params: idParamsSchema,
        querystring: memoryUserQuerySchema,
        response: { 200: memorySchema },
      },
    },
    async (request) => door.footnoteOf(request).memories.get(request.params.id, userOf(request.query)),
  );

  app.patch(
    '/v1/memories/:id',
    {
      schema: {
        summary: 'Edit a memory',
        tags,
        params: idParamsSchema,
        querystring: memoryUserQuerySchema,
        body: memoryChangeSchema,
        response: { 200: memorySchema },
      },
    },
    async (request) => door.footnoteOf(request).memories.edit(request.params.id, request.body, userOf(request.query)),
  );

  app.delete(
    '/v1/memories/:id',
    {
      schema: {
        summary: 'Forget a memory: answers and traces that speak of it lose it',
        tags,
        params: idParamsSchema,
        querystring: memoryUserQuerySchema,
        response: { 204: emptySchema },
      },
    },
    async (request, reply) => {
      await door.footnoteOf(request).memories.delete(request.params.id, userOf(request.query));
      door.forgetStreams(request);
      return reply.code(204).send();
    },
  );
}
