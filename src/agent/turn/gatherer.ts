// The port of whoever finds evidence for a question, and its first implementation: one search. A question taken apart, a team of workers
// or an explorer of an archive is another gatherer. Invariant: whatever gathers stays under the
// sources, the filter, the scope and the budget of the request.

import type { RequestContext } from '../../core/context.ts';
import { searchOptionsOf } from '../../core/search.ts';
import type { CollectionStatistics } from '../../passages/frame.ts';
import type { Retriever } from '../../retrieval/retrieve.ts';
import { type IntentDepths, usualDepth } from '../intent/depths.ts';
import { budgetedSearch } from './budgeted-search.ts';
import type { Gathering, TurnRequest, Understood } from './turn-state.ts';

export interface Gatherer {
  /** What there is to answer a question from. Throws like a retriever. */
  gather(state: Understood, context: RequestContext): Promise<Gathering>;
  /** One more look, for one claim that names what it needs. Throws like a retriever. */
  gatherMore(query: string, state: Understood, context: RequestContext): Promise<Gathering>;
  /** How rare the words of the question are in the collection; undefined where nobody knows. */
  statistics(state: Understood, context: RequestContext): Promise<CollectionStatistics | undefined>;
}

/** Hits of a search for one claim: it names what it looks for. */
const targetedDepth = 5;

/** A question is one search, and so is each further look. `depths`: hits that are read where the request does not say, by intent. */
export function createSearchGatherer(retriever: Retriever, depths: IntentDepths['hits'] = {}): Gatherer {
  const search = async (
    query: string,
    { request, ...more }: { readonly request: TurnRequest; readonly topK: number; readonly isForAnswer?: boolean },
    context: RequestContext,
  ): Promise<Gathering> => {
    const asked = { ...searchOptionsOf(request), mode: request.mode, query, ...more };
    const { legs: _, ...found } = await budgetedSearch(retriever, asked, context);
    return found;
  };
  return {
    gather: ({ request, intent }, context) =>
      search(
        request.question,
        { request, topK: request.topK ?? depths[intent] ?? usualDepth, isForAnswer: true },
        context,
      ),
    gatherMore: (query, { request }, context) => search(query, { request, topK: targetedDepth }, context),
    statistics: async ({ request }, { deadline }) => retriever.statistics?.(request.question, deadline.signal),
  };
}
