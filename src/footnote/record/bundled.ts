// The documents about Footnote that come with it: there is something to ask before anybody put documents in. Invariants: once a tenant has
// anything of its own (documents, past conversations, memories, files of the request) they are no evidence beside it, and no provider is sent
// their text; they are never counted among what a store holds.
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Searcher } from '../../stores/store.ts';

export const bundledSource = 'about-footnote';

export interface SetAside {
  readonly documentIds: ReadonlySet<string>;
  readonly chunks: number;
}

/**
 * The bundled documents of a tenant that has anything else; undefined where there are none, or nothing else. `isAlone`: also where the
 * record has nothing else.
 */
export async function findSetAside(
  record: { readonly sources: Pick<TenantRecord['sources'], 'besideOthers'> },
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): Promise<SetAside | undefined> {
  const { sources } = record;
  const found = await (isAlone
    ? sources.besideOthers(bundledSource, { isAlone })
    : sources.besideOthers(bundledSource));
  return found && { documentIds: new Set(found.documentIds), chunks: found.chunks };
}

/** Whether a request asks for the bundled documents and for nothing else: then they are not beside anything. */
export const asksForBundled = (sources: readonly string[] | undefined): boolean =>
  sources !== undefined && sources.length > 0 && sources.every((name) => name === bundledSource);

const mostHits = 1000;

/** The same store without the documents that are set aside. A filter would have to select all the others, anew after every change. */
export function withoutSetAside<S extends Searcher>(store: S, { documentIds, chunks }: SetAside): S {
  return {
    ...store,
    async search(query, signal) {
      const page = await store.search({ ...query, limit: Math.min(mostHits, query.limit + chunks) }, signal);
      const hits = page.hits.filter(({ documentId }) => !documentIds.has(documentId)).slice(0, query.limit);
      return { ...page, hits: hits.map((hit, at) => ({ ...hit, rank: at + 1 })) };
    },
  };
}
