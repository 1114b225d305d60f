// What a deletion leaves beside the index of a record on a network. The log loses rows with their document; segments
// that hold its entries are rewritten.
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { type EmbeddedErasure, forgetTerms, forgetTexts } from '../erasure.ts';
import { shadowOf, sweepSegments } from './shadows.ts';

export function openShadowErasure(record: PostgresRecord, tenant: string): EmbeddedErasure {
  const { texts } = record.vectorsOf(tenant);
  return {
    async purgeIndex() {
      const isPure = await shadowOf(record, tenant).upkeep.purge();
      await sweepSegments(record);
      return isPure;
    },
    forgetTexts: (...given) => forgetTexts(texts, ...given),
    forgetTerms: (...given) =>
      forgetTerms(
        record.embeddingModelsOf(tenant),
        async () => (await shadowOf(record, tenant).follow()).view.index.state(),
        given,
      ),
  };
}
