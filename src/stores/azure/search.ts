// A search of the port as one of the service, and its answer as a page. Invariants: tenant, access and filter stand in every query; what the
// service could not decide is decided over the facts of each row, and a search that had to stop before all were seen says so; scores
// are cosines where a vector was asked for, BM25 where words were, and what the service fused or ranked where both were.
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation, Filter } from '../../core/search.ts';
import { checkLimit, checkVector, type GivenVectors } from '../check-query.ts';
import { parseCursor, printCursor } from '../cursor.ts';
import { type DocumentFacts, factsPass, parseFacts } from '../document-facts.ts';
import type { StoreHit, StorePage, StoreQuery } from '../store.ts';
import { queryTerms, type WeightedTerm } from '../terms.ts';
import {
  type AzureIndex,
  type AzureQuery,
  type AzureRow,
  type FoundPage,
  type FoundRow,
  mostRanked,
} from './connection.ts';
import { semanticConfiguration, vectorFieldOf } from './definition.ts';
import { unreadable } from './errors.ts';
import { and, type PrintedFilter, printFilter, printScope } from './odata.ts';

/** Clauses that one query of words may have. */
const mostTerms = 1000;
/** Rows of one request, and neighbours of one vector. */
const mostRows = 1000;
/** Rows looked through for a filter that the service cannot decide. */
const mostScanned = 10_000;
/** How far a cosine may be beyond 1, as vectors are kept in few bits. */
const roundedBy = 0.05;
/** The ranker reads no more. */
const ranked = 50;

export interface SearchContext {
  readonly scope: Scope;
  readonly index: AzureIndex;
  readonly languages: readonly string[];
  readonly vectors: GivenVectors | undefined;
  readonly semantic: boolean;
}

const component = 'store.azure';

/** Throws `invalid-request` for a query that cannot be asked, `unsupported` for one that this store has no means for. */
export function checkQuery(
  query: StoreQuery,
  { isGiven, vectors }: { readonly isGiven: boolean; readonly vectors: GivenVectors | undefined },
): void {
  checkLimit(query);
  const { mode, vector } = query;
  if (mode === 'lexical') return;
  if (!isGiven)
    throw new FootnoteError(
      'unsupported',
      `The store azure is given no vectors, so it has no mode ${mode}. Name a fixed embedding model in MODEL_EMBED.`,
    );
  if (vectors === undefined || (mode === 'hybrid' && vector === undefined)) return;
  checkVector('azure', query, vectors);
}

export async function searchIn(context: SearchContext, query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
  const printed = query.filter === undefined ? { odata: true, isExact: true } : printFilter(query.filter);
  const after = parseCursor(query);
  const asked = requestOf(context, query, printed);
  if (asked === undefined) return { hits: [], ...(query.count && { total: 0 }), degraded: [] };
  const skip = after?.rank ?? 0;
  const found = printed.isExact
    ? await oneRequest(context, { ...asked, query, skip }, signal)
    : await manyRequests(context, { ...asked, query, skip }, signal);
  const hits = found.rows.map((row, place) => hitOf(row, { context, query, rank: skip + place + 1 }));
  const last = hits.at(query.limit - 1);
  return {
    hits: hits.slice(0, query.limit),
    ...(last && found.hasMore && { nextCursor: printCursor(query, last) }),
    ...(query.count && found.total !== undefined && { total: found.total }),
    degraded: [...asked.degraded, ...found.degraded],
  };
}

interface Asked {
  readonly asking: Omit<AzureQuery, 'top'>;
  readonly degraded: readonly Degradation[];
}

/** Undefined where nothing can be found. */
function requestOf(context: SearchContext, query: StoreQuery, { odata, isExact }: PrintedFilter): Asked | undefined {
  const filter = and(printScope(context.scope), odata);
  if (filter === false) return undefined;
  const { mode, vector } = query;
  const degraded: Degradation[] = [];
  const { terms, left } =
    mode === 'vector' ? { terms: [], left: 0 } : queryTerms(query, { languages: context.languages, most: mostTerms });
  if (left > 0)
    degraded.push({
      component,
      code: 'query-cut',
      detail: `The query has ${terms.length + left} different words; Azure AI Search takes ${mostTerms}.`,
      effect: 'It is searched by the words that weigh most.',
    });
  const isNear = mode !== 'lexical' && vector !== undefined && context.vectors !== undefined;
  if (mode === 'hybrid' && vector === undefined)
    degraded.push({
      component,
      code: 'no-vector',
      detail: 'The query came without a vector.',
      effect: 'It is searched by its words alone.',
    });
  if (terms.length === 0 && !isNear) return undefined;
  const isRanked = context.semantic && mode === 'hybrid' && query.text.trim() !== '' && terms.length > 0;
  return {
    asking: {
      ...(terms.length > 0 && { text: terms.map(printTerm).join(' ') }),
      filter: String(filter),
      select: ['chunkId', 'documentId', 'tenant', ...(isExact ? [] : ['facts'])],
      // Only scores of words may be followed by an order of our own.
      ...(!isNear && !isRanked && { orderBy: ['search.score() desc', 'chunkId asc'] }),
      ...(isRanked && {
        ranker: {
          configuration: semanticConfiguration,
          query: query.text.toWellFormed().slice(0, 2000).toWellFormed(),
        },
      }),
    },
    degraded,
  };
}

/** Lucene's own words and marks stand for themselves behind a backslash. */
function printTerm({ term, weight }: WeightedTerm): string {
  const text = term
    .toWellFormed()
    .replace(/[+\-&|!(){}[\]^"~*?:\\/]/gu, '\\$&')
    .replace(/^(AND|OR|NOT)$/u, '\\$1');
  return weight === 1 ? text : `${text}^${Number(weight.toFixed(6))}`;
}

interface Scanning extends Asked {
  readonly query: StoreQuery;
  readonly skip: number;
}

interface Found {
  readonly rows: readonly FoundRow[];
  readonly hasMore: boolean;
  readonly total?: number;
  readonly degraded: readonly Degradation[];
}

/** The neighbours wanted of a vector: as many as the page reaches, never more than the service gives. */
function near({ vectors }: SearchContext, { mode, vector }: StoreQuery, reach: number): Pick<AzureQuery, 'near'> {
  if (mode === 'lexical' || vector === undefined || vectors === undefined) return {};
  const neighbours = Math.min(mode === 'hybrid' ? Math.max(reach, ranked) : reach, mostRows);
  return { near: { field: vectorFieldOf(vectors), vector, neighbours } };
}

async function oneRequest(context: SearchContext, scanning: Scanning, signal?: AbortSignal): Promise<Found> {
  const { asking, query, skip } = scanning;
  const { limit } = query;
  const byWords = query.mode === 'lexical' || query.vector === undefined;
  const counts = byWords && (query.count === true || limit === mostRows);
  if (limit === 0 && !counts) return { rows: [], hasMore: false, degraded: [] };
  const top = limit === 0 ? 0 : Math.min(limit + 1, mostRows);
  const page = await context.index.search(
    { ...asking, ...near(context, query, skip + top), top, skip, count: counts },
    signal,
  );
  const rows = inOrder(page.rows);
  return {
    rows,
    hasMore: rows.length > limit || (limit === mostRows && skip + limit < (page.count ?? 0)),
    ...(byWords && page.count !== undefined && { total: page.count }),
    degraded: rankerOf(page),
  };
}

/** Goes through all that may pass, best first, and leaves out what does not. */
async function manyRequests(context: SearchContext, scanning: Scanning, signal?: AbortSignal): Promise<Found> {
  const { asking, query, skip } = scanning;
  const filter = query.filter as Filter;
  const byWords = query.mode === 'lexical' || query.vector === undefined;
  const enough = skip + query.limit + 1;
  const rows: FoundRow[] = [];
  const degraded: Degradation[] = [];
  let scanned = 0;
  for (let isOver = false; !isOver; ) {
    const page = await context.index.search(
      { ...asking, ...near(context, query, mostRows), top: mostRows, skip: scanned },
      signal,
    );
    scanned += page.rows.length;
    rows.push(...page.rows.filter(({ row }) => factsPass(factsOf(row), filter)));
    degraded.push(...rankerOf(page));
    isOver = page.rows.length < mostRows || (rows.length >= enough && query.count !== true);
    // Of a vector no more neighbours than these are given.
    if (isOver || (byWords && scanned < mostScanned)) continue;
    isOver = true;
    degraded.push({
      component,
      code: 'filter-cut',
      detail: `Azure AI Search cannot decide this filter by itself; the best ${scanned} chunks were looked through.`,
      effect: 'What passes the filter and ranks lower is not found.',
    });
  }
  const isCut = degraded.some(({ code }) => code === 'filter-cut');
  if (rows.length === 0 && scanned > 0 && !isCut)
    degraded.push({
      component,
      code: 'filter-dropped-all',
      detail: `Azure AI Search cannot decide this filter by itself; of ${scanned} chunks that it found none passes.`,
      effect: 'Nothing of what it found is left.',
    });
  const sorted = inOrder(rows);
  return {
    rows: sorted.slice(skip, enough),
    hasMore: sorted.length >= enough,
    ...(byWords && query.count === true && !isCut && { total: sorted.length }),
    degraded,
  };
}

function rankerOf({ semanticReason }: FoundPage): readonly Degradation[] {
  if (semanticReason === undefined) return [];
  return [
    {
      component,
      code: 'semantic-ranker',
      detail: 'The semantic ranker of Azure AI Search did not rank this query in full.',
      effect: 'The order is that of words and vectors.',
    },
  ];
}

/** The ranker gives 0 to 4; what it did not read follows what it did. */
function scoreOf({ score, rerankerScore }: FoundRow, lowest: number): number {
  return rerankerScore === undefined ? Math.min(score, lowest) : rerankerScore / mostRanked;
}

function inOrder(rows: readonly FoundRow[]): readonly FoundRow[] {
  const lowest = Math.min(
    ...rows.flatMap(({ rerankerScore }) => rerankerScore ?? []).map((score) => score / mostRanked),
  );
  return rows
    .map((one) => ({ ...one, score: scoreOf(one, lowest) }))
    .sort(
      (left, right) =>
        right.score - left.score || (String(left.row['chunkId']) < String(right.row['chunkId']) ? -1 : 1),
    );
}

interface HitContext {
  readonly context: SearchContext;
  readonly query: StoreQuery;
  readonly rank: number;
}

function hitOf({ score, row }: FoundRow, { context, query, rank }: HitContext): StoreHit {
  const { chunkId, documentId, tenant } = row;
  if (typeof chunkId !== 'string' || typeof documentId !== 'string') throw unreadable('a hit without its ids');
  // Whatever answered did not heed the query.
  if (tenant !== context.scope.tenant) throw unreadable('a hit of another tenant');
  const hit = { chunkId, documentId, rank };
  if (query.mode === 'vector') {
    // The service tells 1 / (1 + distance), where the distance is 1 minus the cosine. What it ranked otherwise is no likeness.
    const told = 2 - 1 / score;
    if (!(Math.abs(told) <= 1 + roundedBy)) throw unreadable(`a score that is none of a vector (${score})`);
    const cosine = Math.max(-1, Math.min(1, told));
    return { ...hit, score: cosine, scores: { vector: cosine } };
  }
  if (query.mode === 'hybrid' && query.vector !== undefined) return { ...hit, score, scores: {} };
  return { ...hit, score, scores: { bm25: score } };
}

function factsOf({ facts }: AzureRow): DocumentFacts {
  const read = parseFacts(facts);
  if (read === undefined) throw unreadable('a row without its facts');
  return read;
}
