// What the doors may call of stores: how they are, what is on its way to them, and bringing them in order.

import type { RequestCall } from '../../agent/run.ts';
import type { Delivery, DeliveryStatus } from '../../core/document.ts';
import type { AddDocument } from '../../core/documents/add-document.ts';
import type { ReconcileReport, StoreDrift, StoreStatus } from '../../core/store-query.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';
import type { AddedDocument } from './documents.ts';

export interface StoreReconciler {
  /** Throws `unsupported` for a store that cannot tell what it holds. */
  run(
    tenant: string,
    name: string,
    options: { readonly dryRun: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<ReconcileReport>;
  /** The last time that this process looked. */
  last(tenant: string, name: string): StoreDrift | undefined;
}

export interface StoreCalls {
  list(): Promise<readonly StoreStatus[]>;
  deliveries(store: string, request: PageRequest & { status?: DeliveryStatus }): Promise<PageOf<Delivery>>;
  /**
   * Retries what is missing; returns how many documents were delivered. For a store whose vectors this process keeps, it resolves
   * when every chunk has its vector of the model that this corpus gives.
   */
  sync(store: string, signal?: AbortSignal): Promise<{ delivered: number; failed: number }>;
  /** Compares what a store beside the record holds with the record, and mends what differs unless `dryRun`. */
  reconcile(
    store: string,
    options?: { readonly dryRun?: boolean; readonly signal?: AbortSignal },
  ): Promise<ReconcileReport>;
  /** Nothing is brought to a store beside the record, or taken away from it, until it is resumed, also over restarts. */
  pause(store: string): Promise<StoreStatus>;
  resume(store: string): Promise<StoreStatus>;
  /** Delivers one recorded document to this store again (contract: POST /v1/stores/{store}/documents). */
  add(store: string, document: AddDocument, options?: RequestCall): Promise<readonly AddedDocument[]>;
}
