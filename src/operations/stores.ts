// Stores: health, coverage, deliveries; deliver one document to one store, retry what is missing, pause and go on.
import {
  addedDocumentsSchema,
  deliveryListQuerySchema,
  deliveryListSchema,
  documentRequestSchema,
  storeListSchema,
  storeReconcileBodySchema,
  storeReconcileSchema,
  storeStatusSchema,
  storeSyncSchema,
  waitQuerySchema,
} from './contract/contract.ts';
import { operation, peculiar } from './operation.ts';

const tag = 'stores';

export const stores = {
  list: operation('GET /v1/stores', {
    role: 'reader',
    tag,
    summary: 'Stores: health, coverage and freshness',
    reply: storeListSchema,
    within: 'data',
  }),
  deliveries: operation('GET /v1/stores/:store/deliveries', {
    role: 'reader',
    tag,
    summary: 'The state of each document in this store',
    query: deliveryListQuerySchema,
    reply: deliveryListSchema,
  }),
  add: peculiar('POST /v1/stores/:store/documents', {
    role: 'writer',
    tag,
    summary: 'Record a document once and deliver it to this store alone',
    lane: 'documents',
    files: 'documents',
    bodyLimit: ({ documentBytes }) => documentBytes,
    query: waitQuerySchema,
    body: documentRequestSchema,
    status: 202,
    reply: addedDocumentsSchema,
  }),
  sync: peculiar('POST /v1/stores/:store/sync', {
    role: 'writer',
    tag,
    summary: 'Deliver what this store misses',
    lane: 'none',
    reply: storeSyncSchema,
    run: ({ footnote, call }, { params }) => footnote.stores.sync(params.store, call.signal),
  }),
  reconcile: peculiar('POST /v1/stores/:store/reconcile', {
    role: 'admin',
    tag,
    summary: 'Compare what this store holds with the record, and mend what differs',
    body: storeReconcileBodySchema,
    reply: storeReconcileSchema,
    run: ({ footnote, call }, { params, body: { dryRun = false } }) =>
      footnote.stores.reconcile(params.store, { dryRun, signal: call.signal }),
  }),
  pause: operation('POST /v1/stores/:store/pause', {
    role: 'admin',
    tag,
    summary: 'Bring nothing to this store until it is resumed',
    reply: storeStatusSchema,
  }),
  resume: operation('POST /v1/stores/:store/resume', {
    role: 'admin',
    tag,
    summary: 'Go on bringing documents to this store',
    reply: storeStatusSchema,
  }),
};
