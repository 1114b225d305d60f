// What widening the leg by words does to the join of both legs, as mode hybrid makes it: the query is moved towards its best hits
// of the widened leg, meaning is searched, and the legs are fused. For queries as they were asked, and by the other name.
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import type { QueryMetrics } from '../../src/evals/metrics.ts';
import { defaultFeedback, feedbackVector } from '../../src/models/embedding/feedback-vector.ts';
import { createExpander, type ExpansionName } from '../../src/retrieval/expand/expand.ts';
import { corpusFusion, fuse } from '../../src/retrieval/fusion/fuse.ts';
import { analyzeQuery } from '../../src/text/analyze.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem } from '../../testkit/store-system.ts';
import { measureHits, readJudgedSet, trainSet } from '../embedding/semantics-sets.ts';
import { readNames, swapName } from './swapped-queries.ts';

export interface HybridRow {
  readonly asked: 'as asked' | 'other name';
  readonly expansion: ExpansionName | 'none';
  readonly queries: number;
  readonly embedded: readonly QueryMetrics[];
  readonly hybrid: readonly QueryMetrics[];
}

const depth = 1000;

/** An English set; undefined where the data is not beside this checkout. */
export async function measureHybrid(
  name: string,
  expansions: readonly HybridRow['expansion'][],
): Promise<readonly HybridRow[] | undefined> {
  const [folderName = name, split = 'test'] = name.split('/');
  const folder = sharedData(folderName);
  const set = await readJudgedSet(name);
  if (folder === undefined || !set) return undefined;
  const vectors = trainSet(set);
  const dataset = await openRetrievalDataset(folder, split);
  const names = await readNames(dataset.documents());
  const system = await openStoreSystem();
  try {
    await system.ingest(dataset.documents());
    const rows: HybridRow[] = [];
    for (const asked of ['as asked', 'other name'] as const)
      for (const expansion of expansions) {
        const expander = createExpander({
          store: system.store,
          documents: system.documents,
          expansion: expansion === 'none' ? [] : [expansion],
        });
        const embedded: QueryMetrics[] = [];
        const hybrid: QueryMetrics[] = [];
        for (const { id, text: own } of dataset.queries) {
          const text = asked === 'as asked' ? own : swapName(own, names);
          if (text === undefined) continue;
          const { also } = await expander.expand(text, {});
          const { hits } = await system.store.search({ text, mode: 'lexical', limit: depth, also });
          const lexical = hits.map(({ chunkId, score }) => ({ chunkId, score }));
          const judgments = dataset.judgments.get(id) ?? new Map<string, number>();
          const query = { id, terms: analyzeQuery(text, { languages: ['en'] }), judgments, lexical };
          const best = lexical.slice(0, defaultFeedback.hits).map(({ chunkId, score }) => {
            return { vector: vectors.at(set.placeOf.get(chunkId) ?? 0), score };
          });
          const nearest = vectors.nearest(feedbackVector(vectors.ofQuery(query), best), depth);
          const fused = fuse({ lexical, vector: nearest }, corpusFusion(set.chunks.length)).hits;
          embedded.push(measureHits(set, query, lexical));
          hybrid.push(measureHits(set, query, fused));
        }
        rows.push({ asked, expansion, queries: embedded.length, embedded, hybrid });
      }
    return rows;
  } finally {
    await system.close();
  }
}
