// Embedding models in the record's database: which one a tenant's searches use, which one is being built, and the bytes of those
// that were trained here, in parts of a megabyte. Invariant: parts count only under their model's row, which comes last and goes
// first; the row's seal covers everything but the state, so bytes that changed on disk are never used.
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../core/ids.ts';
import { prepared } from '../../db/sqlite/file/connection.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { KeptModel } from './vector-keeping.ts';

export interface ModelRow extends KeptModel {
  readonly parts: number;
  readonly seal: string;
}

const partBytes = 1 << 20;

function sealModel(tenant: string, model: Omit<KeptModel, 'state'>, bytes: Uint8Array | undefined): string {
  const { space, kind, facts } = model;
  const content = bytes === undefined ? 'none' : sha256(bytes);
  return sha256(
    JSON.stringify([
      'embedding',
      tenant,
      space.name,
      space.dimensions,
      space.metric,
      kind,
      JSON.stringify(facts),
      content,
    ]),
  );
}

/** Damaged facts are none: the seal is not theirs then, and the model is made again. */
function toFacts(text: unknown): KeptModel['facts'] {
  try {
    const facts: unknown = JSON.parse(String(text));
    return typeof facts === 'object' && facts !== null ? (facts as KeptModel['facts']) : {};
  } catch {
    return {};
  }
}

/** The models of a tenant, the one in use first. Rows that are not as they were written are left out. */
export function readModels(database: DatabaseSync, tenant: string): readonly ModelRow[] {
  return prepared(database, 'SELECT * FROM embedding_model WHERE tenant = ? ORDER BY state, space')
    .all(tenant)
    .map((row) => ({
      space: {
        name: String(row['space']),
        dimensions: Number(row['dimensions']),
        metric: row['metric'] === 'dot' ? ('dot' as const) : ('cosine' as const),
      },
      kind: row['kind'] === 'fixed' ? ('fixed' as const) : ('corpus' as const),
      state: row['state'] === 'active' ? ('active' as const) : ('building' as const),
      facts: toFacts(row['facts']),
      parts: Number(row['parts']),
      seal: String(row['seal']),
    }));
}

/** Takes a model and its space away; the vectors of a space that is gone are left to be dropped in pieces. */
export function dropModel(database: DatabaseSync, tenant: string, space: string): void {
  for (const table of ['embedding_model', 'embedding_model_part', 'vector_space'])
    prepared(database, `DELETE FROM ${table} WHERE tenant = ? AND space = ?`).run(tenant, space);
}

export async function modelBytes(
  database: SqliteRecordDatabase,
  tenant: string,
  space: string,
): Promise<Uint8Array | undefined> {
  return database.read((connection) => {
    const model = readModels(connection, tenant).find((one) => one.space.name === space);
    if (!model || model.parts === 0) return undefined;
    const parts = prepared(
      connection,
      'SELECT bytes FROM embedding_model_part WHERE tenant = ? AND space = ? ORDER BY ordinal',
    )
      .all(tenant, space)
      .map((row) => row['bytes'] as Uint8Array);
    const bytes = Buffer.concat(parts);
    return parts.length === model.parts && sealModel(tenant, model, bytes) === model.seal ? bytes : undefined;
  });
}

/** Returns the spaces that made room for it. */
export async function beginModel(
  database: SqliteRecordDatabase,
  tenant: string,
  { model, bytes }: { readonly model: Omit<KeptModel, 'state'>; readonly bytes: Uint8Array | undefined },
): Promise<readonly string[]> {
  const { space, kind, facts } = model;
  const present = database.read((connection) => readModels(connection, tenant));
  const seal = sealModel(tenant, model, bytes);
  if (present.some((one) => one.space.name === space.name && one.seal === seal)) return [];
  const parts = bytes === undefined ? 0 : Math.ceil(bytes.length / partBytes);
  await database.write((connection) => {
    // What was left over by a start that did not come to its end.
    prepared(
      connection,
      `DELETE FROM embedding_model_part WHERE tenant = ?1
       AND NOT EXISTS (SELECT 1 FROM embedding_model AS m WHERE m.tenant = ?1 AND m.space = embedding_model_part.space)`,
    ).run(tenant);
  });
  for (let part = 0; part < parts; part++)
    await database.write((connection) => {
      prepared(connection, 'INSERT OR REPLACE INTO embedding_model_part VALUES (?, ?, ?, ?)').run(
        tenant,
        space.name,
        part,
        bytes?.subarray(part * partBytes, (part + 1) * partBytes) ?? new Uint8Array(0),
      );
    });
  return database.write((connection) => {
    const replaced = readModels(connection, tenant).filter(
      (one) => one.state === 'building' && one.space.name !== space.name,
    );
    for (const one of replaced) dropModel(connection, tenant, one.space.name);
    const { dimensions, metric, name } = space;
    prepared(
      connection,
      `INSERT INTO embedding_model VALUES (?, ?, ?, 'building', ?, ?, ?, ?, ?)
       ON CONFLICT (tenant, space) DO UPDATE SET facts = excluded.facts, parts = excluded.parts, seal = excluded.seal`,
    ).run(tenant, name, kind, dimensions, metric, JSON.stringify(facts), parts, seal);
    prepared(connection, 'INSERT OR IGNORE INTO vector_space VALUES (?, ?, ?, ?, 0)').run(
      tenant,
      name,
      dimensions,
      metric,
    );
    return replaced.map((one) => one.space.name);
  });
}

/**
 * Writes other bytes of the same length under a model, only the parts that differ, in one transaction. False where the model is another
 * by now.
 */
export function rewriteModel(
  database: SqliteRecordDatabase,
  tenant: string,
  { model, bytes }: { readonly model: ModelRow; readonly bytes: Uint8Array },
): Promise<boolean> {
  const seal = sealModel(tenant, model, bytes);
  const { name } = model.space;
  return database.write((connection) => {
    const changed = prepared(
      connection,
      'UPDATE embedding_model SET seal = ? WHERE tenant = ? AND space = ? AND seal = ?',
    ).run(seal, tenant, name, model.seal).changes;
    if (changed !== 1) return false;
    for (let part = 0; part * partBytes < bytes.length; part++)
      prepared(
        connection,
        'UPDATE embedding_model_part SET bytes = ?1 WHERE tenant = ?2 AND space = ?3 AND ordinal = ?4 AND bytes <> ?1',
      ).run(bytes.subarray(part * partBytes, (part + 1) * partBytes), tenant, name, part);
    return true;
  });
}
