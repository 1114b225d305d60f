// What the facade of one scope is made of.

import type { createRunner } from '../../agent/run.ts';
import type { Clock, Ids } from '../../core/ids.ts';
import type { ErasureStatus } from '../../core/store-query.ts';
import type { Demand } from '../../core/waiting/demand.ts';
import type { Servers } from '../../db/servers/servers.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Connectors } from '../../ingest/connectors/connectors.ts';
import type { Visitor } from '../../ingest/connectors/web/visit.ts';
import type { Pipeline } from '../../ingest/pipeline.ts';
import type { Previews } from '../../ingest/preview.ts';
import type { Delivery } from '../../ingest/write/delivery.ts';
import type { Meaning } from '../../memory/facts/fitted/meaning.ts';
import type { Sessions } from '../../memory/sessions.ts';
import type { WrittenStore } from '../../stores/embedded/port.ts';
import type { Embedder } from '../../vectors/embedder.ts';
import type { AuditCalls } from '../facade/audit.ts';
import type { Memories } from '../facade/memories.ts';
import type { StoreReconciler } from '../facade/stores.ts';
import type { UsageReport, UsageRequest } from '../facade/usage.ts';
import type { RecordThread } from '../record/record-thread.ts';
import type { createTrials } from '../replay/against.ts';
import type { ConversationParts } from './conversations.ts';
import type { IngestionRuns } from './ingestion-runs.ts';

export type CountBytes = (amount: number) => Promise<() => void>;

export interface HandleOptions {
  readonly record: TenantRecord;
  /** Which folders may be read for this principal. */
  readonly connectors: Connectors;
  /** Told when a source was declared or removed. */
  readonly onDeclared?: () => void;
  /** Visits pages that are added by their address. */
  readonly openVisitor: () => Visitor;
  readonly stores: readonly WrittenStore[];
  /** To those of them that are beside the record. */
  readonly delivery: Delivery;
  /** Compares these with the record. */
  readonly reconciler: StoreReconciler;
  /** Those who keep the vectors of stores, by name of the store. */
  readonly embedders: Readonly<Record<string, Embedder>>;
  readonly pipeline: Pipeline;
  /** Counts bytes against the limit of the caller; what it gives takes them back. Absent: there is none. */
  readonly countBytes?: CountBytes;
  readonly previews: Previews;
  readonly runs: IngestionRuns;
  readonly sessions: Sessions;
  readonly requests: ReturnType<typeof createRunner>;
  readonly memories: Memories;
  readonly meaning: Meaning;
  /** Runs recorded requests for real. */
  readonly runTrial: ReturnType<typeof createTrials>;
  readonly usage: (request?: UsageRequest) => Promise<UsageReport>;
  readonly audit: AuditCalls;
  readonly servers: Pick<Servers, 'list'>;
  readonly conversations: ConversationParts;
  /** Where this server is found: links of saved answers begin with it. */
  readonly addressOf: () => string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What is open of them is saved before traces are looked for. */
  /** Told of each document that somebody opens. */
  readonly countOpen?: (documentId: string) => void;
  /** Time that looking through all documents may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  /** Told of those who wait for results; work that is long lets them go first. */
  readonly demand: Demand;
  /** What is left to do of deletions. */
  readonly erasing?: () => Promise<ErasureStatus | undefined>;
  /** Where long documents are read; absent: here. */
  readonly thread?: RecordThread;
}
