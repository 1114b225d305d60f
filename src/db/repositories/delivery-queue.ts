// The port of the delivery queue: what is still to be brought to stores outside the record, or taken away from them, in one tenant. A row
// holds the latest wish for one document and store; `change` counts the wishes. Invariant: what became of an attempt settles only the wish
// that it was made for, so that no earlier version ever counts as a later one.
export interface DueDelivery {
  readonly store: string;
  readonly documentId: string;
  /** A deletion outlives its document. */
  readonly operation: 'upsert' | 'delete';
  /** Of the document as it was to be delivered last. */
  readonly revision: number;
  readonly attempts: number;
  readonly change: number;
  /** What the store itself called the document when it last took it. */
  readonly storeDocumentId?: string;
}

/** What became of one attempt. */
export interface DeliveryAttempt {
  readonly delivery: DueDelivery;
  readonly storeDocumentId?: string | undefined;
  /** Why it failed. */
  readonly error?: string;
  /** When it is tried again, in milliseconds of the wall clock; absent after a failure: when somebody asks for it. */
  readonly nextAttemptMs?: number | undefined;
  /** There was no document to deliver any more: the store is to drop it. */
  readonly isGone?: boolean;
}

/** A wish as it stands. */
export interface DeliveryWish {
  readonly documentId: string;
  readonly change: number;
  /** Whether the store is to hold the document, and took it. */
  readonly isDelivered: boolean;
}

export interface DeliveryDrift {
  readonly again: readonly DeliveryWish[];
  /** Documents that nothing was ever wished of. */
  readonly orphans: readonly string[];
}

export interface DeliveryCounts {
  /** To be brought, not tried yet. */
  readonly pending: number;
  /** To be brought, tried in vain. */
  readonly failed: number;
  /** To be taken away. */
  readonly deletions: number;
  /** Milliseconds of the wall clock; absent where nothing waits. */
  readonly nextAttemptMs?: number;
  readonly isPaused: boolean;
}

/** How much of a tenant's documents a store holds as they are now. */
export interface DeliveryCoverage {
  readonly documents: number;
  readonly delivered: number;
  /** When the document was recorded that waits longest to be brought. */
  readonly oldestPendingAt?: string;
}

export interface DeliveryQueue {
  /** What is due, longest waiting first, without documents that are in hand. */
  due(
    store: string,
    options: {
      readonly nowMs: number;
      readonly limit: number;
      readonly without: ReadonlySet<string>;
      /** Default: whatever is due. */
      readonly only?: 'delete';
    },
  ): Promise<readonly DueDelivery[]>;
  /** In one transaction. */
  settle(attempts: readonly DeliveryAttempt[], at: string): Promise<void>;
  /** Queues what the store was meant to hold and does not, and makes everything due that waits. */
  queueMissing(store: string, at: string): Promise<void>;
  /** Vectors of this space go with documents from now on: where they were of another, or of none, everything is queued again. */
  expectVectors(store: string, space: string, at: string): Promise<void>;
  /** Every wish of a store, settled or not. */
  wishes(store: string): Promise<readonly DeliveryWish[]>;
  /** Documents that the store does not hold as it should are brought again, others that it holds are taken away, where nothing was wished since. */
  mend(store: string, drift: DeliveryDrift, at: string): Promise<void>;
  counts(store: string): Promise<DeliveryCounts>;
  coverage(store: string): Promise<DeliveryCoverage>;
  /** Whether it lacks a document of another source than these: one waits to be brought, could not be, or is meant for other stores alone. */
  lacks(store: string, options: { readonly besides: readonly string[] }): Promise<boolean>;
  /** When the store took a document last; undefined: never. */
  newest(store: string): Promise<string | undefined>;
  /** Lasts until it is resumed, also over restarts. */
  pause(store: string, at: string): Promise<void>;
  resume(store: string): Promise<void>;
}
