// A search of the port over the tables: by words, by a vector, or by both, joined by their ranks. Everything of one search is of one moment.
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import type { Connection } from '../../db/postgres/client/client.ts';
import { checkLimit, checkVector, type GivenVectors } from '../check-query.ts';
import { type CursorPlace, parseCursor, printCursor } from '../cursor.ts';
import { readOperators } from '../embedded/query.ts';
import type { StoreHit, StorePage, StoreQuery } from '../store.ts';
import { queryTerms, type WeightedTerm } from '../terms.ts';
import { nearestTo } from './near.ts';
import { unitVector } from './rows.ts';
import { type Found, type Reach, type Seeing, type SeenTenant, see, tenantIn } from './seeing.ts';
import { bare, bareSql } from './spaces.ts';
import type { Tables, VectorTypes } from './tables.ts';
import { spaceName } from './vectors.ts';
import { bestByWords, countByWords } from './words.ts';

/** Different words that one query is searched by. */
const mostTerms = 128;
/** What a list counts less the further down it is (Cormack et al. 2009), and how much of each is joined, whatever page is asked for: pages are of one ranking. */
const [rankOffset, joinedOfEach] = [60, 300];
const component = 'store.postgres';

export interface SearchContext {
  readonly tables: Tables;
  readonly scope: Scope;
  /** Which vectors the store is given. */
  readonly given: GivenVectors | undefined;
  /** A sentence where there are none: why. */
  readonly vectors: VectorTypes | string;
  /** So many chunks are compared with a vector one by one. */
  readonly exactRows: number;
  /** Called where so many vectors of a tenant have no index of neighbours that they need one. */
  readonly unindexed?: (tenant: number) => unknown;
}

/** Throws `invalid-request` for a query that cannot be asked, `unsupported` for one that the store has no means for. */
export function checkQuery(query: StoreQuery, { given, vectors }: Pick<SearchContext, 'given' | 'vectors'>): void {
  checkLimit(query);
  const { mode, vector } = query;
  if (mode === 'lexical') return;
  if (given === undefined)
    throw new FootnoteError(
      'unsupported',
      `The store postgres is given no vectors, so it has no mode ${mode}. Name a fixed embedding model in MODEL_EMBED.`,
    );
  // Who brings a vector took the store for one that has vectors: it is told, and served by words.
  if (typeof vectors === 'string' && mode === 'hybrid' && vector !== undefined) return;
  if (typeof vectors === 'string')
    throw new FootnoteError('unsupported', `The store postgres has no mode ${mode}. ${vectors}`, {
      details: { lacks: 'pgvector' },
    });
  if (mode === 'hybrid' && vector === undefined) return;
  checkVector('postgres', query, given);
}

interface Lists {
  readonly words: readonly Found[];
  readonly near: readonly Found[];
  readonly degraded: readonly Degradation[];
}

/** What a query is about, and how far its page reaches. */
interface Asked {
  readonly isByWords: boolean;
  readonly isNear: boolean;
  readonly rank: number;
  readonly reach: Reach;
}

function askedOf({ mode, vector, limit }: StoreQuery, after: CursorPlace | undefined, hasVectors: boolean): Asked {
  const [isByWords, isNear] = [mode !== 'vector', mode !== 'lexical' && vector !== undefined && hasVectors];
  const rank = after?.rank ?? 0;
  const isJoined = isByWords && isNear;
  const reach = isJoined ? { after: undefined, wanted: joinedOfEach } : { after, wanted: limit + 1 };
  return { isByWords, isNear, rank, reach };
}

export async function searchIn(connection: Connection, context: SearchContext, query: StoreQuery): Promise<StorePage> {
  const { tables, scope } = context;
  const asked = askedOf(query, parseCursor(query), typeof context.vectors !== 'string');
  const { isByWords, isNear, rank } = asked;
  const tenant = (await tenantIn(connection, tables, scope.tenant)) ?? noTenant;
  const seeing = () => see(tenant, { tables, scope, filter: query.filter });
  // A filter that cannot be is refused, whatever is there.
  seeing();
  const { terms, left } = queryTerms(query, { languages: languagesOf(tenant), most: mostTerms });
  const { words, near, degraded } = await listsOf(connection, context, { asked, query, terms, seeing });
  const hits =
    isByWords && isNear
      ? joined(words, near).slice(rank)
      : (isByWords ? words : near).map((one, at) => hitOf(one, { query, rank: rank + at + 1 }));
  const isCounted = query.count === true && query.mode === 'lexical';
  const last = hits.at(query.limit - 1);
  return {
    hits: hits.slice(0, query.limit),
    ...(last && hits.length > query.limit && { nextCursor: printCursor(query, last) }),
    ...(isCounted && { total: await countByWords(connection, seeing(), { terms }) }),
    degraded: [...toldOf(query, { words: isByWords && left > 0 ? terms.length + left : 0, context }), ...degraded],
  };
}

interface Listing {
  readonly asked: Asked;
  readonly query: StoreQuery;
  readonly terms: readonly WeightedTerm[];
  readonly seeing: () => Seeing;
}

async function listsOf(
  connection: Connection,
  context: SearchContext,
  { asked: { isByWords, isNear, reach }, query, terms, seeing }: Listing,
): Promise<Lists> {
  if (query.limit === 0) return { words: [], near: [], degraded: [] };
  const words = isByWords ? await bestByWords(connection, seeing, { terms, ...reach }) : [];
  const near = isNear ? await nearIn(connection, context, { ...reach, query, seeing: seeing() }) : undefined;
  return { words, near: near?.found ?? [], degraded: near?.degraded ?? [] };
}

const noTenant: SeenTenant = { number: -1, documents: 0, closed: 0, chunks: 0, length: 0, languages: {} };

/** Most frequent first. */
const languagesOf = ({ languages }: SeenTenant): readonly string[] =>
  Object.entries(languages)
    .sort(([, left], [, right]) => right - left)
    .map(([language]) => language);

interface Told {
  /** Different ones, where they were too many. */
  readonly words: number;
  readonly context: SearchContext;
}

function toldOf({ text, mode, vector }: StoreQuery, { words, context: { vectors } }: Told): readonly Degradation[] {
  const told: Degradation[] = [];
  const { required, excluded } = mode === 'vector' ? { required: [], excluded: [] } : readOperators(text);
  if (required.length + excluded.length > 0)
    told.push({
      component,
      code: 'operators-ignored',
      detail: 'The store postgres keeps no places of words, so it knows no phrases in quotes and leaves no words out.',
      effect: 'It is searched by all words of the query, wherever they stand.',
    });
  if (words > 0)
    told.push({
      component,
      code: 'query-cut',
      detail: `The query has ${words} different words; the store postgres is searched by ${mostTerms}.`,
      effect: 'It is searched by the words that weigh most.',
    });
  if (mode === 'hybrid' && (vector === undefined || typeof vectors === 'string'))
    told.push({
      component: typeof vectors === 'string' ? 'postgres' : component,
      code: typeof vectors === 'string' ? 'unsupported' : 'no-vector',
      detail: typeof vectors === 'string' ? vectors : 'The query came without a vector.',
      effect: 'It is searched by its words alone.',
    });
  return told;
}

interface NearIn extends Reach {
  readonly query: StoreQuery;
  readonly seeing: Seeing;
}

async function nearIn(connection: Connection, context: SearchContext, { query, seeing, ...reach }: NearIn) {
  const { tables, given, exactRows, vectors: types } = context;
  const vector = unitVector(query.vector as Float32Array);
  if (vector === undefined || given === undefined || typeof types === 'string') return undefined;
  const name = spaceName(seeing.tenant.number, given);
  const [there] = await connection.rows<{
    readonly found: boolean;
    readonly indexed: boolean;
    readonly lacking: boolean;
  }>(
    `SELECT ${bareSql(tables)} AS lacking, to_regclass($2) IS NOT NULL AS found, to_regclass($3) IS NOT NULL AS indexed`,
    [seeing.tenant.number, tables.named(name), tables.named(`${name}_near`)],
  );
  const lacking = there?.lacking === true ? [bare] : [];
  if (there?.found !== true) return { found: [], degraded: lacking };
  if (!there.indexed && seeing.tenant.chunks > exactRows) context.unindexed?.(seeing.tenant.number);
  const { found, degraded } = await nearestTo(connection, seeing, {
    ...reach,
    vector,
    table: tables.named(name),
    types,
    isIndexed: there.indexed,
    exactRows,
  });
  return { found, degraded: [...lacking, ...degraded] };
}

/** By reciprocal ranks. */
function joined(words: readonly Found[], near: readonly Found[]): readonly StoreHit[] {
  const hits = new Map<string, Omit<StoreHit, 'rank'>>();
  const add = (list: readonly Found[], name: 'bm25' | 'vector'): void => {
    for (const [at, { chunkId, documentId, score }] of list.entries()) {
      const before = hits.get(chunkId);
      hits.set(chunkId, {
        chunkId,
        documentId,
        score: (before?.score ?? 0) + 1 / (rankOffset + at + 1),
        scores: { ...before?.scores, [name]: score },
      });
    }
  };
  add(words, 'bm25');
  add(near, 'vector');
  return [...hits.values()]
    .sort((left, right) => right.score - left.score || (left.chunkId < right.chunkId ? -1 : 1))
    .map((hit, at) => ({ ...hit, rank: at + 1 }));
}

function hitOf(
  { chunkId, documentId, score }: Found,
  { query, rank }: { readonly query: StoreQuery; readonly rank: number },
): StoreHit {
  if (query.mode !== 'vector') return { chunkId, documentId, score, scores: { bm25: score }, rank };
  const cosine = Math.max(-1, Math.min(1, score));
  return { chunkId, documentId, score: cosine, scores: { vector: cosine }, rank };
}
