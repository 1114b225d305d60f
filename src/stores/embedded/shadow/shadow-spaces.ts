// Embedding models and the vectors behind the documents, of a tenant whose record is on a network. Vectors that were found damaged are dropped, and
// made again as missing ones are.
import { FootnoteError } from '../../../core/errors.ts';
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { checkVectors } from '../../../engine/vectors/prepare-vector.ts';
import { noVectorsOf } from '../held-vectors.ts';
import { indexedOf, keepModels } from '../kept-models.ts';
import type { VectorKeeping } from '../vector-keeping.ts';
import { shadowOf } from './shadows.ts';

export function openShadowSpaces(record: PostgresRecord, tenant: string): VectorKeeping {
  const shadow = shadowOf(record, tenant);
  const models = record.embeddingModelsOf(tenant);
  const rows = record.vectorsOf(tenant);

  return {
    ...keepModels(models, { forget: shadow.forget, dropLeft: rows.dropLeft, known: rows.known }),
    active: () => record.activeModelOf(tenant),
    missing: rows.missing,
    recall: rows.recall,
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
    async indexed() {
      const { view } = await shadow.follow();
      return indexedOf(view, shadow.engine.revision());
    },
  };
}
