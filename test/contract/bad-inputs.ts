// Bad inputs of runs, feedback, recommendations and memories, for the table of problems.test.ts.
import type { InjectOptions } from 'fastify';
import { multipart } from './fake-app.ts';

/** What it is, the request, and the status, code and detail that must come back. */
export type BadInput = readonly [
  what: string,
  call: InjectOptions & { url: string },
  status: number,
  code: string,
  detail?: RegExp,
];

const refused = (
  what: string,
  {
    method = 'POST',
    url,
    payload,
  }: { readonly method?: 'POST' | 'GET' | 'PATCH' | 'DELETE'; readonly url: string; readonly payload?: object },
  detail: RegExp,
): BadInput => [what, { method, url, ...(payload && { payload }) }, 400, 'invalid-request', detail];

const longExport = (what: string, sent: Pick<InjectOptions, 'headers' | 'payload'>): BadInput => [
  `a long export ${what}`,
  { method: 'POST', url: '/v1/conversations/import', ...sent },
  413,
  'too-large',
  /larger than 6000 bytes/,
];

export const casesOfNewGroups: readonly BadInput[] = [
  longExport('as it is', { headers: { 'content-type': 'application/x-ndjson' }, payload: 'x'.repeat(6_001) }),
  longExport('in a form', multipart([{ file: 'a.jsonl', bytes: 'x'.repeat(6_001) }])),
  refused('a run without a document', { url: '/v1/ingestions', payload: { source: 'x' } }, /body\.text/),
  refused(
    'answers of a document, none of them',
    { method: 'GET', url: '/v1/documents/doc_1/answers?limit=0' },
    /limit/,
  ),
  refused('episodes of nothing', { url: '/v1/feedback/episodes', payload: { query: ' ' } }, /body\.query/),
  refused(
    'a citation that has no number',
    { url: '/v1/answers/ans_1/opened', payload: { citation: 0 } },
    /body\.citation/,
  ),
  refused(
    'feedback of another kind',
    { url: '/v1/answers/ans_1/feedback', payload: { rating: 'meh' } },
    /body\.rating/,
  ),
  refused(
    'a page that is no report',
    { url: '/v1/answers/report/verify', payload: { page: '<p>x</p>' } },
    /no evidence report/,
  ),
  refused('a check of no page', { url: '/v1/answers/report/verify', payload: {} }, /body\.page/),
  refused('recommendations beyond the most', { url: '/v1/recommendations', payload: { limit: 51 } }, /body\.limit/),
  refused('analysis of another kind', { url: '/v1/analyses', payload: { kind: 'pest', subject: 'x' } }, /body\.kind/),
  refused('analysis of nothing', { url: '/v1/analyses', payload: { kind: 'swot', subject: ' ' } }, /body\.subject/),
  refused(
    'analysis with marks of citations in a name',
    { url: '/v1/analyses', payload: { kind: 'swot', subject: 'Acme [1]' } },
    /body\.subject/,
  ),
  refused(
    'analysis beside too many',
    { url: '/v1/analyses', payload: { kind: 'competitors', subject: 'x', items: Array.from({ length: 9 }, String) } },
    /body\.items/,
  ),
  refused('memory without a text', { url: '/v1/memories', payload: { text: ' ' } }, /body\.text/),
  refused('recall of nothing', { url: '/v1/memories/recall', payload: { k: 3 } }, /body\.query/),
  refused('prune by a negative age', { url: '/v1/memories/prune', payload: { maxAgeDays: -1 } }, /body\.maxAgeDays/),
  refused(
    'memory changed to another type',
    { method: 'PATCH', url: '/v1/memories/mem_1', payload: { type: 'rumour' } },
    /body\.type/,
  ),
  ['store to compare that is not there', { method: 'POST', url: '/v1/stores/nowhere/reconcile' }, 422, 'unsupported'],
  ['report of an answer that is not there', { method: 'GET', url: '/v1/answers/none/report' }, 404, 'not-found'],
  ['memory that is not there', { method: 'GET', url: '/v1/memories/mem_none' }, 404, 'not-found'],
  ['memory to delete that is not there', { method: 'DELETE', url: '/v1/memories/mem_none' }, 404, 'not-found'],
];
