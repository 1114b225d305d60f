// Puts right what follows from documents in PostgreSQL: the index, out of their chunks, and links of those that say nearly the same, out of their texts.
// Invariant: nothing is guessed; a document that is not as it was recorded is told, with what to do.
import { isFootnoteError } from '../../core/errors.ts';
import { type Scope, tenantScope } from '../../core/scope.ts';
import type { PostgresRecord } from '../../db/postgres/postgres-record.ts';
import type { IndexedDocument } from '../../db/repositories/changes.ts';
import { indexWithin } from '../../stores/embedded/index-within.ts';
import { embeddedName } from '../../stores/embedded/port.ts';
import { areSegmentsSound } from '../../stores/embedded/shadow/sound-segments.ts';
import type { RepairPorts, RepairReport } from './repair.ts';

interface Ports extends Pick<RepairPorts, 'pipelineOf'> {
  readonly database: PostgresRecord;
}

/** Undefined where it is damaged, which the check of the record tells. */
async function readDocument(database: PostgresRecord, scope: Scope, id: string): Promise<IndexedDocument | undefined> {
  const { documents } = database.forScope(scope);
  try {
    const document = await documents.get(id);
    return document && { document, chunks: await documents.chunks(id) };
  } catch (error) {
    if (isFootnoteError(error) && error.code === 'data-corrupt') return undefined;
    throw error;
  }
}

/** How many documents of a tenant were put into its index anew, and whether anything was taken out. */
async function mendIndex(database: PostgresRecord, tenant: string, signal?: AbortSignal) {
  const { repairs } = database;
  const scope = tenantScope(tenant, 'repair');
  const isChanged = await repairs.begin(tenant, indexWithin.version, await areSegmentsSound(database, tenant));
  let count = 0;
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const ids = await repairs.documents(tenant, embeddedName, after);
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
    const read: IndexedDocument[] = [];
    for (const id of ids) read.push(...((await readDocument(database, scope, id).then((one) => one && [one])) ?? []));
    const wrong = new Set(await repairs.wrong(tenant, indexWithin.print(read)));
    const documents = read.filter(({ document }) => wrong.has(document.id));
    if (documents.length > 0)
      await database.forScope(scope).commit([{ kind: 'put-entries', store: embeddedName, documents }]);
    count += documents.length;
  }
  await repairs.end(tenant);
  return { isChanged, count };
}

export async function repairPostgres({ database, pipelineOf }: Ports, signal?: AbortSignal): Promise<RepairReport> {
  const repaired: string[] = [];
  for (const tenant of await database.repairs.tenants()) {
    const { isChanged, count } = await mendIndex(database, tenant, signal);
    if (isChanged || count > 0)
      repaired.push(`The index of tenant ${tenant} was put right: ${count} documents were indexed anew.`);
  }
  for (const { tenant, source } of await database.repairs.dropDamagedLinks()) {
    const linked = await pipelineOf(tenantScope(tenant, 'repair')).link(source, signal);
    repaired.push(`Source ${source}: ${linked} documents were compared with their duplicates again.`);
  }
  const left = (await database.check()).map(
    (fault) => `${fault} A database cannot put that right: ingest the document again, or restore a backup.`,
  );
  return { repaired, left };
}
