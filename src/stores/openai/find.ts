// Searches a tenant's vector store by text. Invariants: tenant, document access and as much of the filter as the dialect has stand in the
// vendor's query; what the vendor returns is shown to the record all the same, which alone knows who may read a document now and the rest
// of the filter, so that nothing more is ever let through; where that may have cost hits, it is told.
import { FootnoteError } from '../../core/errors.ts';
import { sha256 } from '../../core/ids.ts';
import { accessNames, type Scope } from '../../core/scope.ts';
import { allOf, type Degradation, type Filter } from '../../core/search.ts';
import type { DocumentRepository } from '../../db/repositories/documents.ts';
import { checkLimit } from '../check-query.ts';
import { parseCursor, printCursor } from '../cursor.ts';
import type { HostedPiece, HostedPlace, HostedQuery } from '../hosted-search.ts';
import type { Searcher, StoreHit, StorePage, StoreQuery } from '../store.ts';
import { accessFilter, attributeNames, encodeText } from './attributes.ts';
import { stretchOf } from './canonical-file.ts';
import type { FoundPieces, NativeFilter, VectorStoreClient } from './client.ts';
import { byIds, printFilter } from './print-filter.ts';
import type { TenantPlace } from './tenant-place.ts';

export interface FindOptions {
  readonly name: string;
  readonly scope: Scope;
  readonly client: VectorStoreClient;
  readonly place: TenantPlace;
  /** Of the same scope: which documents there are, that the caller may read and that pass a filter. */
  readonly documents: Pick<DocumentRepository, 'list'>;
}

/** The vendor returns no more for one query, and has no second page. */
const mostFound = 50;
/** Longer queries are refused there. */
const longestQuery = 4096;
/** Where the record decides, so many documents that pass are named to the vendor; of more it is asked again without those that do not. */
const mostNamed = 100;
const mostRounds = 6;

interface Found {
  readonly hits: readonly Omit<StoreHit, 'rank'>[];
  /** Whether the vendor may have more that would count. */
  readonly isCut: boolean;
}

export interface Find {
  search(query: StoreQuery, signal?: AbortSignal): Promise<StorePage>;
  readonly hostedSearch: NonNullable<Searcher['hostedSearch']>;
  readonly hostedHits: NonNullable<Searcher['hostedHits']>;
}

export function createFind(options: FindOptions): Find {
  const { name, scope, client, place, documents } = options;
  const told = (code: string, detail: string, effect: string): Degradation => ({
    component: name,
    code,
    detail,
    effect,
  });

  const bounds: readonly NativeFilter[] = [
    { type: 'eq', key: attributeNames.tenant, value: encodeText(scope.tenant) },
    ...(scope.principal.role === 'admin' ? [] : [accessFilter(accessNames(scope.principal))]),
  ];

  /** What the vendor is asked, and whether the record has to look at the filter too; `none` where nothing can match. */
  async function narrow(filter: Filter | undefined, signal?: AbortSignal): Promise<NativeFilter | 'none'> {
    if (filter === undefined) return { type: 'and', filters: bounds };
    const { native, exact } = printFilter(filter);
    if (native === 'none') return 'none';
    const printed = native === 'all' ? [] : [native];
    if (exact) return { type: 'and', filters: [...bounds, ...printed] };
    const few = await documents.list({ filter, limit: mostNamed, ...(signal && { signal }) });
    if (few.nextCursor !== undefined) return { type: 'and', filters: [...bounds, ...printed] };
    const ids = few.data.map(({ id }) => id);
    return ids.length === 0 ? 'none' : { type: 'and', filters: [...bounds, byIds('in', ids)] };
  }

  /** Of these documents, those that there are, that may be read and that pass. */
  async function allowed(
    ids: ReadonlySet<string>,
    filter: Filter | undefined,
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    if (ids.size === 0) return ids;
    const only = allOf([{ op: 'in', field: 'id', values: [...ids] }, filter]);
    const passing = new Set<string>();
    // A page of documents with much metadata is shorter than its limit.
    for (let cursor: string | undefined; ; ) {
      const page = await documents.list({
        ...(only && { filter: only }),
        limit: ids.size,
        ...(cursor !== undefined && { cursor }),
        ...(signal && { signal }),
      });
      for (const { id } of page.data) passing.add(id);
      cursor = page.nextCursor;
      if (cursor === undefined) return passing;
    }
  }

  /** Asks until enough of what came passes, without the documents that did not. */
  async function find(
    { text, filter }: StoreQuery,
    storeId: string,
    { needed, signal }: { readonly needed: number; readonly signal: AbortSignal | undefined },
  ): Promise<Found> {
    const native = await narrow(filter, signal);
    if (native === 'none') return { hits: [], isCut: false };
    const refused = new Set<string>();
    for (let round = 1; ; round += 1) {
      const without = refused.size === 0 ? [] : [byIds('nin', refused)];
      // Always as many as there can be: which of several equal ones a shorter list would end with, nobody says, and pages would differ.
      const asked = { text, most: mostFound, filter: { type: 'and' as const, filters: [native, ...without] } };
      const { data, has_more: hasMore } = await client.search(storeId, asked, signal);
      const pieces = data.flatMap((piece) => toPieces(piece, scope.tenant));
      const passing = await allowed(new Set(pieces.map(({ documentId }) => documentId)), filter, signal);
      const hits = newestOf(pieces.filter(({ documentId }) => passing.has(documentId)));
      const isCut = data.length >= mostFound || hasMore === true;
      if (!isCut || hits.length >= needed || round === mostRounds) return { hits, isCut };
      const known = refused.size;
      for (const { documentId } of pieces) if (!passing.has(documentId)) refused.add(documentId);
      if (refused.size === known) return { hits, isCut };
    }
  }

  async function hostedSearch(filter: Filter | undefined, signal?: AbortSignal): Promise<HostedPlace | undefined> {
    const native = await narrow(filter, signal);
    const storeId = native === 'none' ? undefined : await place.find(signal);
    return native === 'none' || storeId === undefined ? undefined : { storeId, filter: native };
  }

  async function hostedHits(
    found: readonly HostedPiece[],
    { filter, limit }: HostedQuery,
    signal?: AbortSignal,
  ): Promise<StorePage> {
    const pieces = found.flatMap(({ fileId: file_id, score, text, attributes }) =>
      toPieces({ file_id, score, attributes, content: [{ type: 'text', text }] }, scope.tenant),
    );
    const passing = await allowed(new Set(pieces.map(({ documentId }) => documentId)), filter, signal);
    const hits = newestOf(pieces.filter(({ documentId }) => passing.has(documentId))).slice(0, limit);
    // What is no document of ours is told; what this caller may not read is not.
    const strange = found.filter(({ attributes }) => !isOurs(attributes, scope.tenant)).length;
    const detail = `${strange} of ${found.length} pieces that a model found at OpenAI are of no document of ours.`;
    return {
      hits: hits.map((hit, at) => ({ ...hit, rank: at + 1 })),
      degraded: strange === 0 ? [] : [told('not-located', detail, 'They were left out.')],
    };
  }

  async function search(query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
    checkLimit(query);
    const { limit } = query;
    if (query.mode !== 'vector')
      throw new FootnoteError(
        'unsupported',
        `The store ${name} searches by meaning: mode ${query.mode} is not its own.`,
      );
    if (query.vector)
      throw new FootnoteError('unsupported', `The store ${name} makes vectors itself: it is asked by text.`);
    if (query.filter !== undefined) printFilter(query.filter);
    const after = parseCursor(query)?.rank ?? 0;
    const text = query.text.toWellFormed().trim();
    if (text === '' || limit === 0) return { hits: [], degraded: [] };
    const degraded: Degradation[] = [];
    if (text.length > longestQuery)
      degraded.push(
        told(
          'cut',
          `The query has ${text.length} characters; OpenAI takes ${longestQuery}.`,
          'Searched by its beginning.',
        ),
      );
    const storeId = await place.find(signal);
    if (storeId === undefined) return { hits: [], degraded };
    const asked = { ...query, text: text.slice(0, longestQuery).toWellFormed() };
    const found = await find(asked, storeId, { needed: after + limit + 1, signal }).catch(async (thrown: unknown) => {
      throw await place.expired(thrown, signal);
    });
    const hits = found.hits.slice(after, after + limit).map((hit, at) => ({ ...hit, rank: after + at + 1 }));
    const last = hits.at(-1);
    const hasNext = found.hits.length > after + limit;
    if (found.isCut && !hasNext && after + limit > found.hits.length)
      degraded.push(
        told(
          'truncated',
          `OpenAI returns at most ${mostFound} pieces for a query; ${found.hits.length} of them count here.`,
          'There may be more that match.',
        ),
      );
    return { hits, ...(last && hasNext && { nextCursor: printCursor(query, last) }), degraded };
  }

  return { search, hostedSearch, hostedHits };
}

interface Piece extends Omit<StoreHit, 'rank'> {
  readonly revision: number;
  readonly fileId: string;
}

/** As the vendor tells it; what it says of itself is not believed further than it is read here. */
type ToldPiece = Omit<FoundPieces['data'][number], 'attributes'> & {
  readonly attributes: Readonly<Record<string, unknown>>;
};

const isOurs = (attributes: ToldPiece['attributes'], tenant: string): boolean =>
  typeof attributes[attributeNames.documentId] === 'string' && attributes[attributeNames.tenant] === encodeText(tenant);

function toPieces({ file_id: fileId, score, attributes, content }: ToldPiece, tenant: string): Piece[] {
  const documentId = attributes[attributeNames.documentId];
  const revision = attributes[attributeNames.revision];
  // Whatever the vendor makes of the query: what is not this tenant's is not shown.
  if (!isOurs(attributes, tenant) || typeof documentId !== 'string') return [];
  const within = Math.min(1, Math.max(0, score));
  return content.flatMap(({ type, text }) => {
    const stretch = type === 'text' && typeof text === 'string' ? stretchOf(text) : '';
    if (stretch === '') return [];
    return {
      chunkId: `piece_${sha256(`${documentId}\u0000${stretch}`).slice(0, 24)}`,
      documentId,
      score: within,
      scores: { vector: within },
      passage: { text: stretch },
      revision: typeof revision === 'number' ? revision : 0,
      fileId,
    };
  });
}

/** While a document is being replaced both of its files are in the index: the newer one counts. Best first, each piece once. */
function newestOf(pieces: readonly Piece[]): Found['hits'] {
  const newest = new Map<string, Piece>();
  for (const piece of pieces) {
    const known = newest.get(piece.documentId);
    if (!known || piece.revision > known.revision) newest.set(piece.documentId, piece);
  }
  const once = new Map<string, Omit<StoreHit, 'rank'>>();
  const current = pieces.filter(({ documentId, fileId }) => newest.get(documentId)?.fileId === fileId);
  current.sort((left, right) => right.score - left.score || (left.chunkId < right.chunkId ? -1 : 1));
  for (const { revision: _, fileId: __, ...hit } of current) if (!once.has(hit.chunkId)) once.set(hit.chunkId, hit);
  return [...once.values()];
}
