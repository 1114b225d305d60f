// The record in PostgreSQL, as far as it goes.
import { join } from 'node:path';
import { version } from '../../config/version.ts';
import type { Config } from '../../config.ts';
import { openPostgresRecord, type PostgresRecord } from '../../db/postgres/postgres-record.ts';
import { checkFilter, factsOf, factsPass } from '../../stores/document-facts.ts';
import { openShadowErasure } from '../../stores/embedded/shadow/shadow-erasure.ts';
import { openShadowSpaces } from '../../stores/embedded/shadow/shadow-spaces.ts';
import { createShadowStore } from '../../stores/embedded/shadow/shadow-store.ts';
import { keepShadows } from '../../stores/embedded/shadow/shadows.ts';
import { createArchiveRecords } from '../keeping/archives.ts';
import { createErasing } from '../record/erasing.ts';
import { notDone } from '../record/record-thread.ts';
import { repairPostgres } from '../record/repair-postgres.ts';
import { createEmbedders, type EmbedderPlace } from '../roles/embedders.ts';
import type { RecordParts } from './record-parts.ts';

const embedderPlaceIn = (record: PostgresRecord): EmbedderPlace => ({
  recordOf: record.forScope,
  storeOf: (scope) => createShadowStore({ record, scope }),
  spacesOf: (tenant) => openShadowSpaces(record, tenant),
  languagesOf: async (tenant) => (await record.indexLogOf(tenant).languages()).map(({ language }) => language),
  // Its disk is looked after by whoever runs the database.
  hasRoom: () => true,
});

/** The data folder is of this server alone. */
export async function openPostgresParts(
  address: string,
  { data, indexMemoryMb }: Pick<Config, 'data' | 'indexMemoryMb'>,
): Promise<RecordParts> {
  const database = await openPostgresRecord(address, (filter) => {
    checkFilter(filter);
    return (document) => factsPass(factsOf(document), filter);
  });
  await database.join({ version }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const closeShadows = keepShadows(database, {
    folder: join(data, 'segments'),
    memoryBytes: indexMemoryMb && indexMemoryMb * 1e6,
  });
  const elsewhere = async (): Promise<typeof notDone> => notDone;
  return {
    database: {
      ...database,
      async close() {
        await closeShadows();
        await database.close();
      },
    },
    storeOf: (scope) => createShadowStore({ record: database, scope }),
    openEmbedders: (options) =>
      createEmbedders({ ...options, place: embedderPlaceIn(database), leases: database.leases }),
    leases: database.leases,
    servers: database.servers,
    archives: createArchiveRecords(database.archivePortsOf, database.archiveIndexOf),
    openErasing: (options) =>
      createErasing({
        ...options,
        erasures: database.erasures,
        leases: database.leases,
        embeddedOf: (tenant) => openShadowErasure(database, tenant),
      }),
    thread: {
      part: elsewhere,
      view: elsewhere,
      boxes: elsewhere,
      slice: elsewhere,
      delete: elsewhere,
      close: async () => undefined,
    },
    deleteElsewhere: () => async () => undefined,
    repair: (ports, signal) => repairPostgres({ ...ports, database }, signal),
  };
}
