// Stores: health, coverage, deliveries; deliver one document to one store, retry what is missing, pause and go on.
import {
  deliveryListQuerySchema,
  deliveryListSchema,
  storeListSchema,
  storeParamsSchema,
  storeReconcileBodySchema,
  storeReconcileSchema,
  storeStatusSchema,
  storeSyncSchema,
} from '../../operations/contract/contract.ts';
import type { Door, HttpApp } from '../wire/http-types.ts';
import { pageOf } from '../wire/paging.ts';
import { addDocuments, documentIntake, sendAdded, takeUpload } from './documents.ts';

const tags = ['stores'];

export function registerStoreRoutes(app: HttpApp, door: Door): void {
  app.get(
    '/v1/stores',
    { schema: { summary: 'Stores: health, coverage and freshness', tags, response: { 200: storeListSchema } } },
    async (request) => ({ data: await door.footnoteOf(request).stores.list() }),
  );

  app.get(
    '/v1/stores/:store/deliveries',
    {
      schema: {
        summary: 'The state of each document in this store',
        tags,
        params: storeParamsSchema,
        querystring: deliveryListQuerySchema,
        response: { 200: deliveryListSchema },
      },
    },
    async (request) => {
      const { status } = request.query;
      const page = { ...pageOf(request.query), ...(status === undefined ? {} : { status }) };
      return door.footnoteOf(request).stores.deliveries(request.params.store, page);
    },
  );

  app.post(
    '/v1/stores/:store/documents',
    {
      bodyLimit: door.limits.documentBytes,
      preValidation: (request) => takeUpload(request, door),
      schema: {
        summary: 'Record a document once and deliver it to this store alone',
        ...documentIntake,
        tags,
        params: storeParamsSchema,
      },
    },
    async (request, reply) => {
      const footnote = door.footnoteOf(request);
      const added = await addDocuments(request, {
        add: (document, options) => footnote.stores.add(request.params.store, document, options),
        footnote,
        signal: door.signalOf(reply),
      });
      await sendAdded(reply, added);
      return reply;
    },
  );

  app.post(
    '/v1/stores/:store/sync',
    {
      schema: {
        summary: 'Deliver what this store misses',
        tags,
        params: storeParamsSchema,
        response: { 200: storeSyncSchema },
      },
    },
    async (request, reply) => door.footnoteOf(request).stores.sync(request.params.store, door.signalOf(reply)),
  );

  app.post(
    '/v1/stores/:store/reconcile',
    {
      schema: {
        summary: 'Compare what this store holds with the record, and mend what differs',
        tags,
        params: storeParamsSchema,
        body: storeReconcileBodySchema,
        response: { 200: storeReconcileSchema },
      },
    },
    async (request, reply) => {
      const { dryRun = false } = request.body;
      const options = { dryRun, signal: door.signalOf(reply) };
      return door.footnoteOf(request).stores.reconcile(request.params.store, options);
    },
  );

  const switches = [
    ['pause', 'Bring nothing to this store until it is resumed'],
    ['resume', 'Go on bringing documents to this store'],
  ] as const;
  for (const [verb, summary] of switches)
    app.post(
      `/v1/stores/:store/${verb}`,
      { schema: { summary, tags, params: storeParamsSchema, response: { 200: storeStatusSchema } } },
      async (request) => door.footnoteOf(request).stores[verb](request.params.store),
    );
}
