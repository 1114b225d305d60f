// What stands in a tenant's vector store at OpenAI, by document: a file that is indexed tells all of its text and of its document by its
// attributes. Invariant: it is listed anew, never told as it is remembered.
import { abortError } from '../../core/waiting/until-aborted.ts';
import type { HeldDocument, Inventory } from '../held.ts';
import { attributesOf, hashOfAttributes } from './attributes.ts';
import { canonicalFileOf } from './canonical-file.ts';
import type { HeldFile, TenantPlace } from './tenant-place.ts';

export function createInventory(place: TenantPlace, tenant: string): Inventory {
  const hashOfFile = ({ status, attributes }: HeldFile): string =>
    status === 'completed' ? hashOfAttributes(attributes) : status;

  return {
    async held(signal) {
      if (signal?.aborted) throw abortError(signal);
      if ((await place.find(signal)) === undefined) return [];
      place.doubt();
      const { held } = await place.open(signal).catch((thrown: unknown) => {
        throw place.gone(thrown);
      });
      return [...held].map(([documentId, files]): HeldDocument => {
        const all = [...files.values()];
        return { documentId, hash: all.map(hashOfFile).toSorted().join(' '), copies: all.length };
      });
    },
    async hashOf({ document, chunks }) {
      const file = canonicalFileOf('', document.id, chunks);
      if (!file) return undefined;
      return hashOfAttributes(attributesOf(tenant, document, { chunks: chunks.length, textHash: file.textHash }));
    },
  };
}
