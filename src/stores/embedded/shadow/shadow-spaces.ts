// Embedding models and the vectors behind the documents, of a tenant whose record is on a network. Vectors that were found damaged are dropped, and
// made again as missing ones are.
import { FootnoteError } from '../../../core/errors.ts';
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { checkVectors } from '../../../engine/vectors/prepare-vector.ts';
import { noVectorsOf } from '../held-vectors.ts';
import type { VectorKeeping } from '../vector-keeping.ts';
import { shadowOf } from './shadow-store.ts';

export function openShadowSpaces(record: PostgresRecord, tenant: string): VectorKeeping {
  const shadow = shadowOf(record, tenant);
  const models = record.embeddingModelsOf(tenant);
  const rows = record.vectorsOf(tenant);

  async function forget(names: readonly string[]): Promise<void> {
    for (const name of names) shadow.forget(name);
    await rows.dropLeft();
  }

  return {
    models: models.all,
    modelBytes: models.bytes,
    async begin(model, bytes) {
      await forget(await models.begin(model, bytes));
    },
    missing: rows.missing,
    recall: rows.recall,
    async unknown(space, hashes) {
      const known = await rows.known(space, hashes);
      return hashes.filter((hash) => !known.has(hash));
    },
    async write(name, batch, texts = []) {
      const model = (await models.all()).find(({ space }) => space.name === name);
      if (!model) throw noVectorsOf(name);
      const { dimensions, metric } = model.space;
      // What memory would refuse must not be committed.
      for (const { documentId, firstRow, lastRow, vectors } of batch) {
        checkVectors(vectors, dimensions, metric);
        if (vectors.length !== (lastRow - firstRow + 1) * dimensions)
          throw new FootnoteError(
            'internal',
            `Document ${documentId} came with ${vectors.length / dimensions} vectors.`,
          );
      }
      return rows.write(name, batch, texts);
    },
    async coverage(space) {
      const { view, vectors } = await shadow.follow({ space });
      const damaged = vectors?.damaged() ?? [];
      if (damaged.length > 0) {
        await rows.drop(space, damaged);
        vectors?.repaired();
      }
      const chunks = view.index.count();
      return { chunks, embedded: Math.min(chunks, vectors?.index.count() ?? 0) };
    },
    async activate(name) {
      await forget(await models.activate(name));
    },
    async drop(name) {
      await models.drop(name);
      await forget([name]);
    },
    async indexed() {
      const { view } = await shadow.follow();
      const state = view.index.state();
      return {
        parts: state.parts.map(({ segment, dead }) => ({ bytes: segment.bytes, dead })),
        chunks: state.entries,
        revision: shadow.engine.revision(),
        incomplete: view.incomplete !== undefined,
      };
    },
  };
}
