// What to read next, over the record and the search; and how often documents are opened, which it goes by.
import { recommend } from '../../agent/recommend.ts';
import { toFootnoteError } from '../../core/errors.ts';
import type { SearchRequest, SearchResponse } from '../../core/search.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { Recommend } from '../facade/feedback.ts';
import { findSetAside } from '../record/bundled.ts';

export function createRecommend(
  record: TenantRecord,
  search: (request: SearchRequest) => Promise<SearchResponse>,
): Recommend {
  const { documents, documentOpens } = record;
  return async (request) => {
    const aside = (await findSetAside(record))?.documentIds ?? new Set<string>();
    return recommend(request, {
      document: (id) => documents.get(id).catch(unlessDamaged),
      text: (id) => documents.text(id).catch(unlessDamaged),
      search: async (query, topK) => (await search({ query, topK, minScore: 0 })).results,
      among: async ({ field, name }, limit) =>
        (await documents.list({ limit, filter: { op: 'eq', field, value: name } })).data.filter(
          ({ id }) => !aside.has(id),
        ),
      mostOpened: async (limit, of) =>
        (await documentOpens.most(limit + aside.size, of))
          .filter(({ documentId }) => !aside.has(documentId))
          .slice(0, limit),
      duplicates: async (id) => (await documents.duplicates(id).catch(() => [])).map(({ documentId }) => documentId),
    });
  };
}

/** One that is damaged is nothing to read. */
function unlessDamaged(thrown: unknown): undefined {
  if (toFootnoteError(thrown).code !== 'data-corrupt') throw thrown;
}
