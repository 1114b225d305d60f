// The record in the data folder: one process owns it.

import { version } from '../../config/version.ts';
import { systemClock } from '../../core/ids.ts';
import { openLocalLeases } from '../../db/servers/leases.ts';
import { openLocalServers } from '../../db/servers/servers.ts';
import { archivePortsOf } from '../../db/sqlite/archive.ts';
import { readLanguages } from '../../db/sqlite/index-log.ts';
import { openSqliteRecord, type SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { createEmbeddedStore } from '../../stores/embedded/embedded-store.ts';
import { openEmbeddedErasure } from '../../stores/embedded/erasure.ts';
import { openEmbeddedSpaces } from '../../stores/embedded/spaces.ts';
import { type ArchiveRecords, createArchiveRecords } from '../keeping/archives.ts';
import { createDeleteElsewhere } from '../record/delete-elsewhere.ts';
import { createErasing } from '../record/erasing.ts';
import { createRecordThread } from '../record/record-thread.ts';
import { repairRecord } from '../record/repair.ts';
import { createEmbedders, type EmbedderPlace } from '../roles/embedders.ts';
import type { RecordOptions, RecordParts } from './record-parts.ts';

export const archivesIn = (database: SqliteRecordDatabase): ArchiveRecords =>
  createArchiveRecords(() => archivePortsOf(database));

export const embedderPlaceIn = (database: SqliteRecordDatabase): EmbedderPlace => ({
  recordOf: database.forScope,
  storeOf: (scope) => createEmbeddedStore({ database, scope }),
  spacesOf: (tenant) => openEmbeddedSpaces(database, tenant),
  languagesOf: (tenant) =>
    database.read((connection) => readLanguages(connection, tenant)).map(({ language }) => language),
  hasRoom: database.hasRoom,
});

export function openSqliteParts(folder: string, { create }: RecordOptions): RecordParts {
  const database = openSqliteRecord({ folder, create });
  const thread = createRecordThread(database);
  const leases = openLocalLeases();
  return {
    database,
    storeOf: (scope) => createEmbeddedStore({ database, scope }),
    openEmbedders: (options) => createEmbedders({ ...options, place: embedderPlaceIn(database), leases }),
    leases,
    servers: openLocalServers(version, systemClock.now),
    archives: archivesIn(database),
    openErasing: (options) =>
      createErasing({
        ...options,
        erasures: database.erasures,
        leases,
        embeddedOf: (tenant) => openEmbeddedErasure(database, tenant),
      }),
    thread,
    deleteElsewhere: (scope) => createDeleteElsewhere(database, thread, scope),
    repair: (ports, signal) => repairRecord({ ...ports, database }, signal),
  };
}
