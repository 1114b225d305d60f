// A small store that keeps everything in memory and makes vectors itself: the second subject of the store port's promises, and what
// stands at the far end where delivery is tested. It is asked by text alone.
import type { Chunk } from '../src/core/document.ts';
import { FootnoteError } from '../src/core/errors.ts';
import { mayRead, type Scope } from '../src/core/scope.ts';
import { abortError } from '../src/core/waiting/until-aborted.ts';
import { printFilter } from '../src/db/sqlite/documents/filter-sql.ts';
import { parseCursor, printCursor } from '../src/stores/cursor.ts';
import type { StoreDocument } from '../src/stores/delivered.ts';
import type { Store, StoreHit, StoreQuery } from '../src/stores/store.ts';
import { analyzeQuery, analyzeText } from '../src/text/analyze.ts';
import { matchesFilter } from './matches-filter.ts';

export interface MemoryStoreOptions {
  readonly name?: string;
  /** Whether pages tell how many chunks match in all. */
  readonly counts?: boolean;
  /** True: hits name pieces of its own and carry their text, as of a store that cuts documents itself. */
  readonly ownPieces?: boolean;
}

/** One document as the store holds it. */
export interface HeldDocument extends StoreDocument {
  readonly storeDocumentId: string;
}

export interface MemoryStores {
  store(scope: Scope): Store;
  /** What a tenant has there, by id of the document. */
  held(tenant: string): Map<string, HeldDocument>;
}

interface Entry {
  readonly document: StoreDocument['document'];
  readonly chunk: Chunk;
  readonly counts: ReadonlyMap<string, number>;
}

const languageOf = ({ document }: StoreDocument): string => document.language ?? 'en';

function countTerms(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** BM25 without length: enough to rank by, and never 0 for a match. */
function lexicalScore(
  asked: readonly string[],
  { counts }: Entry,
  { rarity }: { readonly rarity: (term: string) => number },
): number {
  return sum(
    asked.map((term) => {
      const tf = counts.get(term) ?? 0;
      return tf === 0 ? 0 : (rarity(term) * (2.2 * tf)) / (tf + 1.2);
    }),
  );
}

/** The cosine of two bags of words: what this store calls meaning. */
function vectorScore(asked: ReadonlyMap<string, number>, { counts }: Entry): number {
  const product = sum([...asked].map(([term, count]) => count * (counts.get(term) ?? 0)));
  const length = (of: ReadonlyMap<string, number>): number =>
    Math.sqrt(sum([...of.values()].map((count) => count ** 2)));
  return product === 0 ? 0 : product / (length(asked) * length(counts));
}

export function createMemoryStores({
  name = 'memory',
  counts = false,
  ownPieces = false,
}: MemoryStoreOptions = {}): MemoryStores {
  const tenants = new Map<string, Map<string, HeldDocument>>();
  let named = 0;
  const held = (tenant: string): Map<string, HeldDocument> => {
    const present = tenants.get(tenant) ?? new Map<string, HeldDocument>();
    tenants.set(tenant, present);
    return present;
  };

  function entriesOf(documents: readonly HeldDocument[]): Entry[] {
    return documents.flatMap((one) =>
      one.chunks.map((chunk) => {
        const language = languageOf(one);
        const title = analyzeText(one.document.title, { language, keepStopWords: true });
        const body = analyzeText(`${chunk.headingPath.join(' ')} ${chunk.text}`, { language });
        return { document: one.document, chunk, counts: countTerms([...title, ...body]) };
      }),
    );
  }

  function rank(documents: readonly HeldDocument[], { text, mode, filter }: StoreQuery, scope: Scope): StoreHit[] {
    const all = entriesOf(documents);
    const languages = [...new Set(documents.map(languageOf))];
    const asked = analyzeQuery(text, { languages }).slice(0, 2000);
    const bag = countTerms(asked);
    const frequency = new Map(
      [...bag.keys()].map((term) => [term, all.filter((entry) => entry.counts.has(term)).length]),
    );
    const rarity = (term: string): number => Math.log(1 + all.length / (1 + (frequency.get(term) ?? 0)));
    const hits = all
      .filter(({ document }) => mayRead(scope.principal, document.access))
      .filter(({ document }) => filter === undefined || matchesFilter(document, filter))
      .map((entry) => {
        const bm25 = mode === 'vector' ? 0 : lexicalScore(asked, entry, { rarity });
        const vector = mode === 'lexical' ? 0 : vectorScore(bag, entry);
        const scores = { ...(mode !== 'vector' && { bm25 }), ...(mode !== 'lexical' && { vector }) };
        return { entry, score: bm25 + vector, scores };
      })
      .filter(({ score }) => score > 0)
      .map(({ entry: { document, chunk }, score, scores }) => ({
        chunkId: ownPieces ? `piece-${chunk.id}` : chunk.id,
        documentId: document.id,
        score,
        scores,
        rank: 0,
        ...(ownPieces && { passage: { text: chunk.text } }),
      }));
    hits.sort((left, right) => right.score - left.score || (left.chunkId < right.chunkId ? -1 : 1));
    return hits.map((hit, place) => ({ ...hit, rank: place + 1 }));
  }

  const check = (signal: AbortSignal | undefined): void => {
    if (signal?.aborted) throw abortError(signal);
  };

  return {
    held,
    store: (scope) => ({
      name,
      capabilities: { lexical: true, vector: true, hybrid: true, vectors: 'own', counts, explain: false },
      async upsert(batch, signal) {
        check(signal);
        return batch.map((one) => {
          const { id } = one.document;
          named += 1;
          const storeDocumentId = held(scope.tenant).get(id)?.storeDocumentId ?? `${name}-${named}`;
          held(scope.tenant).set(id, { ...one, storeDocumentId });
          return { documentId: id, storeDocumentId };
        });
      },
      async delete(batch, signal) {
        check(signal);
        for (const { documentId } of batch) held(scope.tenant).delete(documentId);
        return batch.map(({ documentId }) => ({ documentId }));
      },
      async search(query, signal) {
        check(signal);
        const { limit } = query;
        if (!Number.isInteger(limit) || limit < 0 || limit > 1000)
          throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 0 to 1000.`);
        if (query.vector)
          throw new FootnoteError('unsupported', `The store ${name} makes vectors itself: it is asked by text.`);
        if (query.filter !== undefined) printFilter(query.filter, 'd');
        const after = parseCursor(query);
        const all = rank([...held(scope.tenant).values()], query, scope);
        const hits = all.slice(after?.rank ?? 0, (after?.rank ?? 0) + limit);
        const last = hits.at(-1);
        return {
          hits,
          ...(last && last.rank < all.length && { nextCursor: printCursor(query, last) }),
          ...(counts && query.count && { total: all.length }),
          degraded: [],
        };
      },
      async health(signal) {
        check(signal);
        const documents = [...held(scope.tenant).values()];
        return {
          status: 'ok',
          detail: 'in memory',
          documents: documents.length,
          chunks: sum(documents.map(({ chunks }) => chunks.length)),
        };
      },
      close: async () => undefined,
    }),
  };
}
