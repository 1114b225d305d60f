// The vectors of the fixed embedding model that is configured, for stores beside the record that are given them: those that the record keeps
// anyway, so that no text is embedded, or paid for, for a second store.
import { toFootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { DeliveryVectors } from '../../ingest/write/delivery.ts';
import type { FixedModel } from '../../models/embedding/semantics.ts';
import type { EmbeddedStore } from '../../stores/embedded/port.ts';
import type { Embedder } from '../../vectors/embedder.ts';

/** Whether MODEL_EMBED names no fixed model: one that is learned from the documents, or none. */
export const isLearnedHere = (setting: string): boolean => setting === 'corpus' || setting === 'none';

export interface GivenVectorsOptions {
  /** Throws where it cannot be opened. */
  readonly model: () => Promise<FixedModel>;
  readonly embedderOf: (tenant: string) => Pick<Embedder, 'settle'>;
  /** The store inside the record. */
  readonly embedded: (scope: Scope) => Pick<EmbeddedStore, 'vectorsOf'>;
  readonly wholeTenant: (tenant: string) => Scope;
}

export function createGivenVectors(options: GivenVectorsOptions): DeliveryVectors {
  const { model, embedderOf, embedded, wholeTenant } = options;
  const stores = new Map<string, Pick<EmbeddedStore, 'vectorsOf'>>();

  function storeOf(tenant: string): Pick<EmbeddedStore, 'vectorsOf'> {
    const present = stores.get(tenant) ?? embedded(wholeTenant(tenant));
    stores.set(tenant, present);
    return present;
  }

  return {
    async settle(tenant, signal) {
      await embedderOf(tenant).settle({ signal });
      return (await model()).id;
    },
    async of({ tenant, space }, chunks, signal) {
      if (chunks.length === 0) return new Float32Array(0);
      const ids = chunks.map(({ id }) => id);
      const found = await storeOf(tenant)
        .vectorsOf(space, ids, signal)
        .catch((thrown: unknown) => {
          // Nothing of this model was written yet.
          if (toFootnoteError(thrown).code === 'conflict') return [undefined];
          throw thrown;
        });
      const dimensions = found[0]?.length ?? 0;
      const all = new Float32Array(chunks.length * dimensions);
      for (const [at, vector] of found.entries()) {
        if (!vector) return undefined;
        all.set(vector, at * dimensions);
      }
      return all;
    },
  };
}
