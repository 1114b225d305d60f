// The documents of the record with those of one request before them, which stand in no record: whoever reads by id sees both alike.
import type { DocumentWrite } from '../../db/repositories/changes.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { RankedRow } from '../../retrieval/rank.ts';

type Documents = TenantRecord['documents'];

/** A document, and of its text what is known. */
export type OwnDocument = Pick<DocumentWrite, 'document'> &
  Partial<Pick<DocumentWrite, 'text' | 'chunks' | 'structure'>>;

/** Documents and chunks of a request; there may be more of them with time. */
export interface OwnDocuments {
  document(id: string): OwnDocument | undefined;
  chunk(id: string): RankedRow | undefined;
}

export function overlaid(documents: Documents, own: OwnDocuments): Documents {
  /** Of what is own and what is recorded, in the order asked. */
  async function inOrder<T>(
    ids: readonly string[],
    ofOwn: (row: RankedRow) => T,
    { ask, idOf }: { ask: (others: readonly string[]) => Promise<readonly T[]>; idOf: (one: T) => string },
  ): Promise<readonly T[]> {
    const others = ids.filter((id) => !own.chunk(id));
    if (others.length === ids.length) return ask(ids);
    const found = new Map((others.length > 0 ? await ask(others) : []).map((one) => [idOf(one), one]));
    return ids.flatMap((id) => {
      const row = own.chunk(id);
      return row ? ofOwn(row) : (found.get(id) ?? []);
    });
  }

  return {
    ...documents,
    get: async (id) => own.document(id)?.document ?? documents.get(id),
    text: async (id) => own.document(id)?.text ?? documents.text(id),
    chunks: async (id) => own.document(id)?.chunks ?? documents.chunks(id),
    async places(id) {
      const structure = own.document(id)?.structure;
      return structure ? { pages: structure.pages, places: structure.places ?? [] } : documents.places(id);
    },
    chunksById: (ids) =>
      inOrder<RankedRow>(ids, (row) => row, { ask: documents.chunksById, idOf: ({ chunk }) => chunk.id }),
    hashes: (ids) =>
      inOrder(ids, ({ chunk }) => ({ chunkId: chunk.id, documentId: chunk.documentId, hash: chunk.hash }), {
        ask: documents.hashes,
        idOf: ({ chunkId }) => chunkId,
      }),
  };
}
