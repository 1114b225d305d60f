// Stores: health, coverage, deliveries; deliver one document to one store, retry what is missing, pause and go on.

import { z } from 'zod';
import { storeReconcileSchema, storeStatusSchema } from '../core/store-query.ts';
import {
  addedDocumentsSchema,
  deliveryListQuerySchema,
  deliveryListSchema,
  documentRequestSchema,
  waitQuerySchema,
} from './contract/contract.ts';
import { operationsFor } from './operation.ts';

const storeReconcileBodySchema = z
  .strictObject({ dryRun: z.boolean().optional() })
  .nullish()
  .transform((body) => body ?? {});
const storeListSchema = z.object({ data: z.array(storeStatusSchema) }).meta({ id: 'StoreList' });
const storeSyncSchema = z.object({ delivered: z.int(), failed: z.int() }).meta({ id: 'StoreSync' });

const reader = operationsFor('reader', 'stores');
const writer = operationsFor('writer', 'stores');
const admin = operationsFor('admin', 'stores');

export const stores = {
  list: reader.call('GET /v1/stores', 'Stores: health, coverage and freshness', {
    reply: storeListSchema,
    within: 'data',
  }),
  deliveries: reader.call('GET /v1/stores/:store/deliveries', 'The state of each document in this store', {
    query: deliveryListQuerySchema,
    reply: deliveryListSchema,
  }),
  add: writer.peculiar(
    'POST /v1/stores/:store/documents',
    'Record a document once and deliver it to this store alone',
    {
      lane: 'documents',
      files: 'documents',
      bodyLimit: ({ documentBytes }) => documentBytes,
      query: waitQuerySchema,
      body: documentRequestSchema,
      status: 202,
      reply: addedDocumentsSchema,
    },
  ),
  sync: writer.peculiar('POST /v1/stores/:store/sync', 'Deliver what this store misses', {
    lane: 'none',
    reply: storeSyncSchema,
    run: ({ footnote, call }, { params }) => footnote.stores.sync(params.store, call.signal),
  }),
  reconcile: admin.peculiar(
    'POST /v1/stores/:store/reconcile',
    'Compare what this store holds with the record, and mend what differs',
    {
      body: storeReconcileBodySchema,
      reply: storeReconcileSchema,
      run: ({ footnote, call }, { params, body: { dryRun = false } }) =>
        footnote.stores.reconcile(params.store, { dryRun, signal: call.signal }),
    },
  ),
  pause: admin.call('POST /v1/stores/:store/pause', 'Bring nothing to this store until it is resumed', {
    reply: storeStatusSchema,
  }),
  resume: admin.call('POST /v1/stores/:store/resume', 'Go on bringing documents to this store', {
    reply: storeStatusSchema,
  }),
};
