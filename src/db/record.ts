// The record: the system of record of all tenants, opened for one scope at a time. Writes happen in one transaction at a time.
import type { Source } from '../core/document.ts';
import type { Scope } from '../core/scope.ts';
import type { KeyRepository } from './repositories/api-keys.ts';
import type { AuditLog } from './repositories/audit.ts';
import type { DeliveryQueue } from './repositories/delivery-queue.ts';
import type { EncodedPassageRepository } from './repositories/encoded-passages.ts';
import type { TraceUpkeep } from './repositories/traces.ts';
import type { OtherServers } from './servers/servers.ts';
import type { TenantRecord } from './tenant-record.ts';

export interface RecordDatabase {
  forScope(scope: Scope): TenantRecord;
  /** What is to be delivered in a tenant, whoever may read it. */
  deliveriesOf(tenant: string): DeliveryQueue;
  /** Vectors of passages of a tenant. */
  encodedPassagesOf(tenant: string): EncodedPassageRepository;
  /** Tenants in which something is to be delivered; `all`: or was. */
  tenantsToDeliver(which?: 'due' | 'all'): Promise<readonly string[]>;
  /** Sources of any tenant with a schedule or a watch. */
  keptSources(): Promise<readonly { readonly tenant: string; readonly source: Source }[]>;
  readonly keys: KeyRepository;
  readonly audit: AuditLog;
  /** Of the traces of all tenants. */
  readonly traceUpkeep: TraceUpkeep;
  /** Memories that hold, of everybody. */
  memoriesHeld(): Promise<number>;
  /** Present where several servers work on the record. */
  readonly others?: OtherServers;
  /** Ingestions of any tenant that were running when their process ended are marked `interrupted`; returns how many. */
  markInterrupted(): Promise<number>;
  info(): Promise<{
    path: string;
    schemaVersion: number;
    sqliteVersion: string;
    synchronous: string;
    journalMode: string;
  }>;
  /** `PRAGMA integrity_check` and the hashes of every text and chunk. Empty: sound. */
  check(): Promise<readonly string[]>;
  close(): Promise<void>;
}
