// Puts right what is damaged in a record, the surest way first: from what the record keeps twice, from the bytes that it kept of a file,
// from the folder of the source. Invariant: nothing is guessed; what could not be put right is said, with what to do.

import { type Source, sourceTypes } from '../../core/document.ts';
import type { Ingestion } from '../../core/documents/runs.ts';
import { toFootnoteError } from '../../core/errors.ts';
import { localScope, type Scope } from '../../core/scope.ts';
import { toDocument } from '../../db/document-rows.ts';
import {
  dropDamagedLinks,
  dropOrphans,
  type FoundDamage,
  findDamage,
  keptBytes,
  restoreAnswers,
  restoreTexts,
} from '../../db/sqlite/restore.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { Pipeline } from '../../ingest/pipeline.ts';

export interface RepairReport {
  /** What was put right, in sentences. */
  readonly repaired: readonly string[];
  /** What was not, each with what to do. */
  readonly left: readonly string[];
}

interface RepairedSources {
  get(name: string): Promise<Source>;
  sync(name: string, options: { readonly signal?: AbortSignal }): Promise<Ingestion>;
}

export interface RepairPorts {
  readonly database: SqliteRecordDatabase;
  pipelineOf(scope: Scope): Pipeline;
  /** What the owner may call of sources. */
  footnoteOf(scope: Scope): { readonly sources: RepairedSources };
}

/** Whoever repairs is the owner of the data folder, who may have every folder read again. */
const scopeOf = (tenant: string): Scope => ({ ...localScope(), tenant });
const nameOf = ({ entry }: FoundDamage): string => `Document ${entry.id} (${entry.source}: ${entry.uri})`;

export async function repairRecord(ports: RepairPorts, signal?: AbortSignal): Promise<RepairReport> {
  const { database } = ports;
  const repaired: string[] = [];
  const problems = await database.check();
  if (problems.some((one) => one.startsWith('integrity_check'))) {
    // Rows are what was written; their indexes can be made from them at any time.
    await database.write((connection) => connection.exec('REINDEX'));
    repaired.push('The indexes of the record were made anew.');
  }

  const reasons = new Map<string, string>();
  const folders = new Map<string, { readonly tenant: string; readonly source: string }>();
  for (const damage of await findDamage(database.read)) {
    signal?.throwIfAborted();
    const told = await repairDocument(ports, damage, signal).catch((thrown: unknown) => toFootnoteError(thrown));
    if (typeof told === 'string') repaired.push(told);
    else {
      reasons.set(nameOf(damage), told.message);
      const { tenant, source } = damage.entry;
      if (told.details['folder'] === true) folders.set(JSON.stringify([tenant, source]), { tenant, source });
    }
  }
  for (const { tenant, source } of folders.values()) {
    signal?.throwIfAborted();
    const { state, counts, error } = await ports
      .footnoteOf(scopeOf(tenant))
      .sources.sync(source, signal ? { signal } : {})
      .catch((thrown: unknown) => ({ state: 'failed', counts: undefined, error: toFootnoteError(thrown) }));
    repaired.push(
      state === 'done'
        ? `Source ${source} was read again from its folder: ${counts?.done ?? 0} written, ${counts?.deleted ?? 0} deleted.`
        : `Source ${source} could not be read again: ${error?.message ?? state}`,
    );
  }
  const answers = await database.write(restoreAnswers);
  if (answers > 0) repaired.push(`${answers} saved answers were restored from their copies.`);
  for (const { tenant, source } of await database.write(dropDamagedLinks)) {
    const linked = await ports.pipelineOf(scopeOf(tenant)).link(source, signal);
    repaired.push(`Source ${source}: ${linked} documents were compared with their duplicates again.`);
  }

  const still = await findDamage(database.read);
  // Parts that nobody owns may be all that is left of a document whose entry is damaged: then they stay.
  if (still.every(({ isEntrySound }) => isEntrySound)) {
    const dropped = await database.write(dropOrphans);
    if (dropped > 0) repaired.push(`${dropped} rows that belonged to no document were removed.`);
  }
  const left = still.map((damage) => {
    const reason = reasons.get(nameOf(damage));
    return `${nameOf(damage)} could not be repaired${reason === undefined ? '' : `: ${reason}`} Ingest it again, or remove it with "footnote documents delete ${damage.entry.id}".`;
  });
  return { repaired, left };
}

/** Returns what was done. Throws why nothing could be; `folder` in the details says that reading its source again may help. */
async function repairDocument(
  { database, pipelineOf, footnoteOf }: RepairPorts,
  damage: FoundDamage,
  signal?: AbortSignal,
): Promise<string> {
  const { entry, isEntrySound, parts, stores } = damage;
  const { tenant, id, uri } = entry;
  if (await database.write((connection) => restoreTexts(connection, entry))) {
    const [other] = (await findDamage(database.read)).filter(
      (one) => one.entry.tenant === tenant && one.entry.id === id,
    );
    if (other === undefined) return `${nameOf(damage)}: the ${parts.join(' and ')} restored from what is kept twice.`;
  }
  const source = await footnoteOf(scopeOf(tenant)).sources.get(entry.source);
  const folder = source.connector !== undefined;
  const kept = database.read((connection) => keptBytes(connection, entry));
  try {
    // What the entry said cannot be made up, and a folder says all of it.
    if (kept === undefined || (folder && !isEntrySound))
      throw toFootnoteError(new Error('Nothing of it that is kept can be trusted.'));
    await pipelineOf(scopeOf(tenant)).rewrite(
      {
        id,
        source: { name: source.name, type: sourceTypes.find((type) => type === entry.source_type) ?? source.type },
        uri,
        bytes: kept.bytes,
        contentHash: isEntrySound ? entry.content_hash : 'damaged',
        ...((isEntrySound || kept.isText) && { mime: isEntrySound ? entry.mime : 'text/plain' }),
        ...(isEntrySound && { entry: toDocument(entry) }),
        ...(stores && { stores }),
      },
      signal,
    );
    return isEntrySound
      ? `${nameOf(damage)}: written anew from its kept file (damaged: ${parts.join(', ')}).`
      : `${nameOf(damage)}: its entry was made anew from its kept file. Its title, metadata and access list are lost: only admins read it until it is ingested again.`;
  } catch (thrown) {
    const error = toFootnoteError(thrown);
    if (error.code === 'cancelled') throw error;
    throw Object.assign(error, { details: { ...error.details, folder } });
  }
}
