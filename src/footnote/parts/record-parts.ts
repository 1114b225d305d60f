// The record with what is built upon its database: the store within it, search by meaning, the archive, erasing, and work that goes elsewhere. What they
// take of a database is theirs to know; whoever puts a Footnote together asks for them here.
import type { Scope } from '../../core/scope.ts';
import type { RecordDatabase } from '../../db/record.ts';
import type { Leases } from '../../db/servers/leases.ts';
import type { Servers } from '../../db/servers/servers.ts';
import type { DeleteElsewhere } from '../../ingest/write/writer.ts';
import type { EmbeddedStore } from '../../stores/embedded/port.ts';
import type { ArchiveRecords } from '../keeping/archives.ts';
import type { Erasing, ErasingOptions } from '../record/erasing.ts';
import type { RecordThread } from '../record/record-thread.ts';
import type { RepairPorts, RepairReport } from '../record/repair.ts';
import type { Embedders, EmbeddersOptions } from '../roles/embedders.ts';

export interface RecordParts {
  readonly database: RecordDatabase;
  storeOf(scope: Scope): EmbeddedStore;
  openEmbedders(options: Omit<EmbeddersOptions, 'place' | 'leases'>): Embedders;
  /** What one of all who work on the record does at a time. */
  readonly leases: Leases;
  /** All that work on the record. */
  readonly servers: Servers;
  readonly archives: ArchiveRecords;
  openErasing(options: Omit<ErasingOptions, 'erasures' | 'embeddedOf' | 'leases'>): Erasing;
  readonly thread: RecordThread;
  deleteElsewhere(scope: Scope): DeleteElsewhere;
  repair(ports: Omit<RepairPorts, 'database'>, signal?: AbortSignal): Promise<RepairReport>;
}

export interface RecordOptions {
  /** Whether to make a data folder that is not there. */
  readonly create: boolean;
}
