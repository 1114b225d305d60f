// What the doors may call of stores: how they are, what is on its way to them, and bringing them in order.
import type { RequestCall } from '../../agent/run.ts';
import type { Delivery, DeliveryStatus } from '../../core/document.ts';
import type { AddDocument } from '../../core/documents/add-document.ts';
import type { PageOf, PageRequest } from '../../db/repositories/page.ts';
import type { StoreDrift } from '../../ingest/write/reconcile.ts';
import type { StoreHealth } from '../../stores/store.ts';
import type { EmbedderStatus } from '../../vectors/embedder.ts';
import type { ErasureStatus } from '../record/erasing.ts';
import type { AddedDocument } from './documents.ts';

/** What is still to be brought to a store beside the record, or taken away from it. */
export interface StoreDeliveries {
  readonly pending: number;
  /** Tried in vain; most are tried again. */
  readonly failed: number;
  /** Documents that are gone here and not there yet. */
  readonly deletions: number;
  readonly paused: boolean;
  /** Since the document was recorded that waits longest to be brought. */
  readonly oldestPendingSeconds?: number;
  readonly nextAttemptAt?: string;
  /** Why the store takes nothing now. */
  readonly failure?: string;
}

export interface StoreStatus extends StoreHealth {
  readonly name: string;
  /** Share of the record's documents that this store holds, 0..1. */
  readonly coverage: number;
  /** Seconds since the newest delivery, if there was one. */
  readonly freshnessSeconds?: number;
  /** Where this process keeps the store's vectors: how far they are. */
  readonly vectors?: EmbedderStatus;
  /** What of deletions is still to be taken out of saved answers, traces, the index and the file; absent where nothing is. */
  readonly erasing?: ErasureStatus;
  /** Of a store beside the record. */
  readonly deliveries?: StoreDeliveries;
  /** How it differed from the record when this process compared them last. */
  readonly drift?: StoreDrift;
  readonly modes: readonly string[];
}

/** What comparing a store with the record found, and what bringing it in order did. */
export interface ReconcileReport extends StoreDrift {
  readonly delivered: number;
  /** What the store still lacks. */
  readonly failed: number;
}

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
