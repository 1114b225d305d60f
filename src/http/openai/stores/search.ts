// The search of a vector store: the passages of a source, with the file that each stands in.

import type { Evidence } from '../../../core/search.ts';
import { searchRequestSchema } from '../../../core/search.ts';
import { defined } from '../../../core/values/defined.ts';
import { type StoreSearch, vectorStores } from '../../../operations/vector-stores.ts';
import { toFilter } from '../../foreign/chat-request.ts';
import { refusal } from '../../foreign/errors.ts';
import type { Door } from '../../wire/http-types.ts';
import { attributesOf, fileNameOf } from '../file-facts.ts';
import { fileIdOf } from './files.ts';
import { type HandledRoutes, type StoreCaller, serving, storeOf } from './store-caller.ts';

/** What any of several questions finds, each passage at its best rank. */
function joined(lists: readonly (readonly Evidence[])[]): readonly Evidence[] {
  const best = new Map<string, { readonly hit: Evidence; readonly rank: number }>();
  for (const list of lists)
    for (const [rank, hit] of list.entries())
      if (rank < (best.get(hit.chunkId)?.rank ?? Number.POSITIVE_INFINITY)) best.set(hit.chunkId, { hit, rank });
  const order = [...best.values()].sort((one, other) => one.rank - other.rank || other.hit.score - one.hit.score);
  return order.map(({ hit }) => hit);
}

async function searchStore({ footnote, call }: StoreCaller, source: string, asked: StoreSearch) {
  const { query, max_num_results: topK, filters, ranking_options } = asked;
  const queries = [query].flat();
  const options = defined({
    sources: [source],
    topK,
    minScore: ranking_options?.score_threshold,
    filter: filters && toFilter(filters),
  });
  const lists: (readonly Evidence[])[] = [];
  for (const one of queries) {
    const request = searchRequestSchema.safeParse({ ...options, query: one });
    if (!request.success) {
      const [issue] = request.error.issues;
      const param = issue?.path[0] === 'filter' ? 'filters' : 'query';
      throw refusal(param, `${param}: ${issue?.message ?? 'is not valid'}`, 'invalid_value');
    }
    lists.push((await footnote.search(request.data, call)).results);
  }
  const hits = joined(lists).slice(0, topK);
  const values = [...new Set(hits.map(({ documentId }) => documentId))];
  const { data: documents } =
    values.length === 0
      ? { data: [] }
      : await footnote.documents.list({ limit: values.length, filter: { op: 'in', field: 'id', values } });
  const byId = new Map(documents.map((document) => [document.id, document]));
  const data = hits.flatMap(({ documentId, score, text }) => {
    const document = byId.get(documentId);
    if (!document) return [];
    return [
      {
        file_id: fileIdOf(document),
        filename: fileNameOf(document),
        score: Math.min(1, Math.max(0, score)),
        attributes: attributesOf(document.metadata),
        content: [{ type: 'text' as const, text }],
      },
    ];
  });
  const object = 'vector_store.search_results.page' as const;
  return { object, search_query: queries, data, has_more: false, next_page: null };
}

export const storeSearchRoutes = (door: Door): HandledRoutes => [
  serving(door)(vectorStores.search, async (caller, { params, body }) =>
    searchStore(caller, (await storeOf(caller, params.id)).source, body),
  ),
];
