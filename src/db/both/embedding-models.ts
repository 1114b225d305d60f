// Embedding models in the record: which one a tenant's searches use, which one is being built, and the bytes of those that were trained here, in
// parts of a megabyte. Invariant: parts count only under their model's row, which comes last and goes first; the row's seal covers everything but
// the state, so bytes that changed on disk are never used.
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import type { EmbeddingModels, KeptModel } from '../repositories/vectors.ts';
import { rows, run, type Statements, type Steps } from '../statements.ts';

interface ModelRow extends KeptModel {
  readonly parts: number;
  readonly seal: string;
}

const partBytes = 1 << 20;

function sealModel(tenant: string, model: Omit<KeptModel, 'state'>, bytes: Uint8Array | undefined): string {
  const { space, kind, facts } = model;
  const content = bytes === undefined ? 'none' : sha256(bytes);
  const { name, dimensions, metric } = space;
  return sha256(JSON.stringify(['embedding', tenant, name, dimensions, metric, kind, JSON.stringify(facts), content]));
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

const toModel = (row: Readonly<Record<string, unknown>>): ModelRow => ({
  space: {
    name: String(row['space']),
    dimensions: Number(row['dimensions']),
    metric: row['metric'] === 'dot' ? 'dot' : 'cosine',
  },
  kind: row['kind'] === 'fixed' ? 'fixed' : 'corpus',
  state: row['state'] === 'active' ? 'active' : 'building',
  facts: toFacts(row['facts']),
  parts: Number(row['parts']),
  seal: String(row['seal']),
});

function* readModels(tenant: string): Steps<readonly ModelRow[]> {
  const sql = 'SELECT * FROM embedding_model WHERE tenant = ? ORDER BY state, space';
  return (yield* rows<Readonly<Record<string, unknown>>>(sql, tenant)).map(toModel);
}

function* dropModel(tenant: string, space: string): Steps<void> {
  for (const table of ['embedding_model', 'embedding_model_part', 'vector_space'])
    yield* run(`DELETE FROM ${table} WHERE tenant = ? AND space = ?`, tenant, space);
}

const putPart = `INSERT INTO embedding_model_part (tenant, space, ordinal, bytes) VALUES (?, ?, ?, ?)
  ON CONFLICT (tenant, space, ordinal) DO UPDATE SET bytes = excluded.bytes`;
const putModel = `INSERT INTO embedding_model (tenant, space, kind, state, dimensions, metric, facts, parts, seal)
  VALUES (?, ?, ?, 'building', ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, space) DO UPDATE SET facts = excluded.facts, parts = excluded.parts, seal = excluded.seal`;
const putSpace = `INSERT INTO vector_space (tenant, space, dimensions, metric, revision) VALUES (?, ?, ?, ?, 0)
  ON CONFLICT (tenant, space) DO NOTHING`;
/** What was left over by a start that did not come to its end. */
const dropLeftParts = `DELETE FROM embedding_model_part WHERE tenant = ?1
  AND NOT EXISTS (SELECT 1 FROM embedding_model AS m WHERE m.tenant = ?1 AND m.space = embedding_model_part.space)`;

const isBuilding = ({ state }: KeptModel): boolean => state === 'building';

export function createEmbeddingModels(tenant: string, statements: Statements): EmbeddingModels {
  const partsOf = (bytes: Uint8Array | undefined): number => Math.ceil((bytes?.length ?? 0) / partBytes);
  const partOf = (bytes: Uint8Array | undefined, part: number): Uint8Array =>
    bytes?.subarray(part * partBytes, (part + 1) * partBytes) ?? new Uint8Array(0);

  return {
    all: () => statements.read(() => readModels(tenant)),

    bytes: (space) =>
      statements.read(function* () {
        const model = (yield* readModels(tenant)).find((one) => one.space.name === space);
        if (!model || model.parts === 0) return undefined;
        const sql = 'SELECT bytes FROM embedding_model_part WHERE tenant = ? AND space = ? ORDER BY ordinal';
        const parts = yield* rows<{ readonly bytes: Uint8Array }>(sql, tenant, space);
        const bytes = Buffer.concat(parts.map((part) => part.bytes));
        return parts.length === model.parts && sealModel(tenant, model, bytes) === model.seal ? bytes : undefined;
      }),

    async begin(model, bytes) {
      const { space, kind, facts } = model;
      const { name, dimensions, metric } = space;
      const seal = sealModel(tenant, model, bytes);
      const present = await statements.read(() => readModels(tenant));
      if (present.some((one) => one.space.name === name && one.seal === seal)) return [];
      await statements.write(() => run(dropLeftParts, tenant));
      const parts = partsOf(bytes);
      for (let part = 0; part < parts; part++)
        await statements.write(() => run(putPart, tenant, name, part, partOf(bytes, part)));
      return statements.write(function* () {
        const replaced = (yield* readModels(tenant)).filter((one) => isBuilding(one) && one.space.name !== name);
        for (const one of replaced) yield* dropModel(tenant, one.space.name);
        yield* run(putModel, tenant, name, kind, dimensions, metric, JSON.stringify(facts), parts, seal);
        yield* run(putSpace, tenant, name, dimensions, metric);
        return replaced.map((one) => one.space.name);
      });
    },

    activate: (name) =>
      statements.write(function* () {
        const models = yield* readModels(tenant);
        if (!models.some(({ space }) => space.name === name))
          throw new FootnoteError('conflict', `There is no embedding model ${name} to search by: it was dropped.`);
        const others = models.filter(({ space }) => space.name !== name);
        for (const { space } of others) yield* dropModel(tenant, space.name);
        yield* run("UPDATE embedding_model SET state = 'active' WHERE tenant = ? AND space = ?", tenant, name);
        return others.map(({ space }) => space.name);
      }),

    drop: (space) => statements.write(() => dropModel(tenant, space)),

    async rewrite(name, { from, to }) {
      const model = (await statements.read(() => readModels(tenant))).find(({ space }) => space.name === name);
      if (!model) return false;
      const [before, after] = [sealModel(tenant, model, from), sealModel(tenant, model, to)];
      return statements.write(function* () {
        const sql = 'UPDATE embedding_model SET seal = ? WHERE tenant = ? AND space = ? AND seal = ?';
        if ((yield* run(sql, after, tenant, name, before)) !== 1) return false;
        const put = `UPDATE embedding_model_part SET bytes = ?1 WHERE tenant = ?2 AND space = ?3 AND ordinal = ?4 AND bytes <> ?1`;
        for (let part = 0; part < partsOf(to); part++) yield* run(put, partOf(to, part), tenant, name, part);
        return true;
      });
    },
  };
}
