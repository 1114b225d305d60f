// What a deletion leaves beside the index of a record on a network. The log loses rows with their document, and the index is in memory alone.
import type { PostgresRecord } from '../../../db/postgres/postgres-record.ts';
import { type EmbeddedErasure, forgetTerms, forgetTexts } from '../erasure.ts';
import { shadowOf } from './shadow-store.ts';

export function openShadowErasure(record: PostgresRecord, tenant: string): EmbeddedErasure {
  const { texts } = record.vectorsOf(tenant);
  return {
    purgeIndex: async () => true,
    forgetTexts: (...given) => forgetTexts(texts, ...given),
    forgetTerms: (...given) =>
      forgetTerms(
        record.embeddingModelsOf(tenant),
        async () => (await shadowOf(record, tenant).follow()).view.index.state(),
        given,
      ),
  };
}
