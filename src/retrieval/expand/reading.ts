// Reads the best passages of a query, from which other names are learned. Invariant: they come from the scope's
// own store and record, so nothing is learned from a document that the caller may not read.
import type { Filter } from '../../core/search.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';
import type { Searcher, StoreHit } from '../../stores/store.ts';
import { readChunks } from './read-chunks.ts';

export interface BestPassage {
  readonly documentId: string;
  readonly text: string;
  readonly title: string;
  /** ISO 639-1, where the document's is known. */
  readonly language: string | undefined;
}

export interface PassageReading {
  readonly store: Pick<Searcher, 'search'>;
  readonly documents: Pick<DocumentRepository, 'chunksById'>;
  readonly filter: Filter | undefined;
}

/** At most `limit` passages, best first; one that is gone or damaged is left out (retrieval discloses what it cannot show). */
export async function readBest(
  { store, documents, filter }: PassageReading,
  {
    text,
    limit,
    found,
  }: { readonly text: string; readonly limit: number; readonly found?: readonly StoreHit[] | undefined },
  signal?: AbortSignal,
): Promise<readonly BestPassage[]> {
  const search = async (): Promise<readonly StoreHit[]> =>
    (await store.search({ text, mode: 'lexical', limit, ...(filter && { filter }) }, signal)).hits;
  const hits = (found ?? (await search())).slice(0, limit);
  const rows = await readChunks(
    documents,
    hits.map((hit) => hit.chunkId),
  );
  const byChunk = new Map(rows.map((row) => [row.chunk.id, row]));
  return hits.flatMap(({ chunkId, documentId }) => {
    const row = byChunk.get(chunkId);
    if (!row) return [];
    const { title, language } = row.document;
    return [{ documentId, text: row.chunk.text, title, language }];
  });
}
