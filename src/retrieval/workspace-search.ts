// A retriever that searches the files of a request beside everything else. Nothing of them is kept when the request ends.
import type { Evidence } from '../core/search.ts';
import { toEvidence } from './evidence.ts';
import type { Retrieval, Retriever } from './retrieve.ts';
import type { RowSearch } from './row-search.ts';

export interface WorkspaceOptions {
  readonly search: RowSearch;
  readonly spanUrl: (documentId: string, span: { start: number; end: number }) => string;
}

/** The name of the list, of the store and of the source. */
export const workspaceName = 'workspace';

/**
 * A retriever that searches the files of the request, too. Its best hit is worth as much of the best of the others as of the query it says:
 * scores of different statistics do not compare.
 */
export function withWorkspace(retriever: Retriever, { search, spanUrl }: WorkspaceOptions): Retriever {
  return {
    ...retriever,
    async retrieve(request, options): Promise<Retrieval> {
      const [found, own] = await Promise.all([
        retriever.retrieve(request, options),
        search.search(request.query, request.topK),
      ]);
      if (own.hits.length === 0) return found;
      const top = found.evidence[0]?.score ?? 1;
      const best = own.hits[0]?.score ?? 1;
      const mine = own.hits.map(({ row, score }, place): Evidence => {
        const worth = (top > 0 ? top : 1) * own.reach * (score / best);
        const hit = {
          chunkId: row.chunk.id,
          score: worth,
          scores: { bm25: score },
          ranks: { [workspaceName]: place + 1 },
        };
        return toEvidence({ ...row, hit, stores: [workspaceName], spanUrl, explain: false });
      });
      const evidence = [...found.evidence, ...mine]
        .sort((left, right) => right.score - left.score)
        .slice(0, request.topK);
      return {
        ...found,
        evidence,
        routing: { ...found.routing, reason: `${found.routing.reason}; the files of the request` },
      };
    },
  };
}
