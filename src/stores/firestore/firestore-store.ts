// Firestore as a backup store, searched by given vectors alone: a document for each chunk, in a collection for each tenant. Its own nearest
// neighbours serve where it has them; where it lacks them, or a filter leaves too few, every chunk that the caller may read is compared
// exactly. Invariant: tenant and access stand in every query as marks of the chunk; other filters are decided over its facts, never left out.
import type { CollectionReference, DocumentData, Query } from '@google-cloud/firestore';
import { FootnoteError, isFootnoteError, toFootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import { limitConcurrency } from '../../core/waiting/limit-concurrency.ts';
import { inPieces } from '../../core/waiting/pieces.ts';
import { abortError } from '../../core/waiting/until-aborted.ts';
import { checkLimit, checkVector, type GivenVectors, givenBy, type VectorsSetting } from '../check-query.ts';
import { parseCursor, printCursor } from '../cursor.ts';
import type { StoreOutcome } from '../delivered.ts';
import { checkFilter, type DocumentFacts, factsPass, parseFacts } from '../document-facts.ts';
import { refusedApart } from '../in-halves.ts';
import { hashOfRows, heldByRows } from '../inventory.ts';
import type { Store, StoreHit, StorePage, StoreQuery } from '../store.ts';
import { type FirestoreAccess, type FirestoreConnection, openConnection } from './connection.ts';
import { failed } from './errors.ts';
import { allRows, listed } from './listing.ts';
import { collectionOf, fieldOf, marksOf, type Row, rowsOf } from './rows.ts';
import { type WritePlace, written } from './write.ts';

export interface FirestoreStoreOptions extends Omit<FirestoreAccess, 'callTimeoutMs'> {
  /** Of the default tenant; those of others begin with it. */
  readonly collection?: string;
  readonly vectors?: VectorsSetting;
  readonly callTimeoutMs?: number;
}

export interface FirestoreStores {
  store(scope: Scope): Store;
  /** Takes away all that stands in the collection of a tenant, and with that the collection: for scratch places alone. */
  drop(tenant: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

interface Prepared {
  readonly documentId: string;
  readonly rows: readonly Row[];
}

interface Replacement {
  readonly wanted: readonly Row[];
  readonly documentIds: readonly string[];
  /** Where vectors go. */
  readonly field: string | undefined;
}

/** Ids of one `in`. */
const mostIds = 30;
/** Requests of deliveries under way at once; each carries megabytes. */
const mostWriting = 8;
/** Neighbours that one search gives. */
const mostNeighbours = 1000;
const scanPage = 500;
const mostScanned = 20_000;
/** Tells how far away a neighbour is; never a field of ours. */
const distanceField = 'distance';
const component = 'store.firestore';

export function openFirestoreStores(options: FirestoreStoreOptions): FirestoreStores {
  const { collection: base = 'footnote', vectors: setting, callTimeoutMs = 10_000, ...access } = options;
  const given = givenBy(setting);
  const connection = openConnection({ ...access, callTimeoutMs });
  const lanes = limitConcurrency(mostWriting);

  function store(scope: Scope): Store {
    const { tenant } = scope;
    const name = collectionOf(base, tenant);
    const place: WritePlace = { connection, name, lanes };

    async function replace(
      { wanted, documentIds, field }: Replacement,
      signal: AbortSignal | undefined,
    ): Promise<void> {
      const held = await lanes(() => listed(connection, name, { documentIds, signal }), signal);
      const stamps = new Map(held.map(({ id, stamp }) => [id, stamp]));
      const fresh = wanted.filter(({ id, stamp }) => stamps.get(id) !== stamp);
      const ids = new Set(wanted.map(({ id }) => id));
      // What is new comes first: a crash in between leaves too much, which the next delivery takes away.
      await written(place, {
        rows: fresh,
        gone: held.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
        field,
        signal,
      });
    }

    return {
      name: 'firestore',
      capabilities: {
        lexical: false,
        vector: given !== undefined,
        hybrid: false,
        vectors: given === undefined ? 'none' : 'given',
        counts: false,
        explain: false,
      },

      async search(query, signal) {
        if (signal?.aborted) throw abortError(signal);
        const space = checkQuery(query, query.mode === 'vector' ? await given?.() : undefined);
        return searched({ connection, name, scope, space }, query, signal);
      },

      async upsert(batch, signal) {
        if (signal?.aborted) throw abortError(signal);
        const vectors = await given?.();
        const errors = new Map<string, FootnoteError>();
        const prepared: Prepared[] = [];
        const pause = inPieces();
        for (const one of batch)
          try {
            prepared.push({ documentId: one.document.id, rows: rowsOf(one, tenant, vectors) });
            await pause();
          } catch (thrown) {
            errors.set(one.document.id, toFootnoteError(thrown));
          }
        const parts = Array.from({ length: Math.ceil(prepared.length / mostIds) }, (_, at) =>
          prepared.slice(at * mostIds, (at + 1) * mostIds),
        );
        const bring = (part: readonly Prepared[]): Promise<void> =>
          replace(
            {
              wanted: part.flatMap(({ rows }) => rows),
              documentIds: part.map(({ documentId }) => documentId),
              field: vectors && fieldOf(vectors),
            },
            signal,
          );
        const note = (some: readonly Prepared[], error: FootnoteError): boolean => {
          if (error.code === 'cancelled' || some.length > 1) return false;
          for (const { documentId } of some) errors.set(documentId, error);
          return true;
        };
        // Of different documents: at the same time.
        const ended = await Promise.allSettled(parts.map((part) => refusedApart(part, { send: bring, isOfOne, note })));
        const thrown = ended.map((one) => (one.status === 'rejected' ? toFootnoteError(one.reason) : undefined));
        const first = thrown.find((error) => error?.code === 'cancelled') ?? thrown[0];
        if (first && (first.code === 'cancelled' || thrown.every(Boolean))) throw first;
        for (const [at, error] of thrown.entries())
          for (const { documentId } of (error && parts[at]) ?? []) errors.set(documentId, error as FootnoteError);
        return batch.map(({ document: { id } }): StoreOutcome => {
          const error = errors.get(id);
          return error ? { documentId: id, error } : { documentId: id };
        });
      },

      async delete(batch, signal) {
        if (signal?.aborted) throw abortError(signal);
        for (let at = 0; at < batch.length; at += mostIds)
          await replace(
            {
              wanted: [],
              documentIds: batch.slice(at, at + mostIds).map(({ documentId }) => documentId),
              field: undefined,
            },
            signal,
          );
        return batch.map(({ documentId }) => ({ documentId }));
      },

      inventory: {
        async held(signal) {
          if (signal?.aborted) throw abortError(signal);
          return heldByRows(await allRows(connection, name, signal));
        },
        async hashOf(document) {
          const rows = rowsOf(document, tenant, await given?.());
          return hashOfRows(rows.map(({ id, stamp }) => ({ key: id, stamp })));
        },
      },

      async health(signal) {
        if (signal?.aborted) throw abortError(signal);
        try {
          return await connection.call(async (collection) => {
            const [chunks, documents] = await Promise.all([
              collection(name).count().get(),
              collection(name).where('ordinal', '==', 0).count().get(),
            ]);
            return {
              status: 'ok',
              detail: 'Firestore answers',
              documents: documents.data().count,
              chunks: chunks.data().count,
            } as const;
          }, signal);
        } catch (thrown) {
          if (signal?.aborted) throw abortError(signal);
          return { status: 'down', detail: toFootnoteError(thrown).message, documents: 0, chunks: 0 };
        }
      },

      close: async () => undefined,
    };
  }

  return {
    store,
    async drop(tenant, signal) {
      const name = collectionOf(base, tenant);
      const gone = (await allRows(connection, name, signal)).map(({ key }) => key);
      await written({ connection, name, lanes }, { rows: [], gone, field: undefined, signal });
    },
    close: connection.close,
  };
}

/** A refusal that one of several documents may be the reason of. */
const isOfOne = ({ code, details }: FootnoteError): boolean =>
  code === 'too-large' || (code === 'upstream-invalid' && details['status'] === 400);

function checkQuery(query: StoreQuery, vectors: GivenVectors | undefined): GivenVectors {
  checkLimit(query);
  const { mode, filter } = query;
  if (mode !== 'vector' || vectors === undefined)
    throw new FootnoteError(
      'unsupported',
      `The store firestore has no mode ${mode}: it is searched by vectors of a fixed embedding model.`,
    );
  checkVector('firestore', query, vectors);
  if (filter !== undefined) checkFilter(filter);
  return vectors;
}

interface Place {
  readonly connection: FirestoreConnection;
  readonly name: string;
  readonly scope: Scope;
  readonly space: GivenVectors;
}

interface Found {
  readonly chunkId: string;
  readonly documentId: string;
  readonly score: number;
}

async function searched(place: Place, query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
  const skip = parseCursor(query)?.rank ?? 0;
  const wanted = skip + query.limit + 1;
  if (query.limit === 0) return { hits: [], degraded: [] };
  const degraded: Degradation[] = [];
  let found = query.filter === undefined ? await nearest(place, query, { wanted, signal }) : undefined;
  if (found === undefined) {
    const scanned = await compared(place, query, signal);
    found = scanned.found;
    if (scanned.isCut)
      degraded.push({
        component,
        code: 'scan-cut',
        detail: `Firestore could not search for this by itself; ${mostScanned} chunks were compared.`,
        effect: 'Chunks beyond these are not found.',
      });
  }
  const hits = found
    .toSorted((left, right) => right.score - left.score || (left.chunkId < right.chunkId ? -1 : 1))
    .slice(skip, wanted)
    .map((one, at): StoreHit => ({ ...one, scores: { vector: one.score }, rank: skip + at + 1 }));
  const last = hits.at(query.limit - 1);
  return {
    hits: hits.slice(0, query.limit),
    ...(last && hits.length > query.limit && { nextCursor: printCursor(query, last) }),
    degraded,
  };
}

/** The queries of what the scope may see: a name in each thirty. */
function visible(collection: CollectionReference, scope: Scope): readonly Query[] {
  const marks = marksOf(scope);
  return Array.from({ length: Math.ceil(marks.length / mostIds) }, (_, at) => {
    const part = marks.slice(at * mostIds, (at + 1) * mostIds);
    return part.length === 1
      ? collection.where('marks', 'array-contains', part[0])
      : collection.where('marks', 'array-contains-any', part);
  });
}

/** By the service's own search; undefined where it has none, lacks its index, or cannot tell apart what is equally near. */
async function nearest(
  { connection, name, scope, space }: Place,
  { vector }: StoreQuery,
  { wanted, signal }: { readonly wanted: number; readonly signal: AbortSignal | undefined },
): Promise<readonly Found[] | undefined> {
  const limit = Math.min(mostNeighbours, wanted + 20);
  try {
    return await connection.call(async (collection) => {
      const merged = new Map<string, Found>();
      for (const query of visible(collection(name), scope)) {
        const { docs } = await query
          // Not their vectors and texts: of a page of hits that would be a megabyte.
          .select('chunkId', 'documentId', 'tenant', distanceField)
          .findNearest({
            vectorField: fieldOf(space),
            queryVector: Array.from(vector as Float32Array),
            limit,
            distanceMeasure: 'COSINE',
            distanceResultField: distanceField,
          })
          .get();
        const found = docs.map((one) => foundOf(one.data(), scope, 1 - Number(one.get(distanceField))));
        // A service without vectors gives any documents, and tells no distance.
        if (found.some(({ score }) => !Number.isFinite(score))) return undefined;
        const worst = found.at(-1)?.score;
        if (found.length === limit && (wanted > limit || found[wanted - 1]?.score === worst)) return undefined;
        for (const one of found) merged.set(one.chunkId, one);
      }
      return [...merged.values()];
    }, signal);
  } catch (thrown) {
    // Without its index, or without such searches at all: what is wrong otherwise is wrong with the comparison too.
    if (isFootnoteError(thrown) && [400, 501].includes(Number(thrown.details['status']))) return undefined;
    throw thrown;
  }
}

function foundOf({ chunkId, documentId, tenant }: DocumentData, scope: Scope, score: number): Found {
  if (typeof chunkId !== 'string' || typeof documentId !== 'string' || tenant !== scope.tenant)
    throw failed('upstream-invalid', 'answered with a document that is none of ours.');
  return { chunkId, documentId, score };
}

/** Exactly, over all that the scope may see and the filter lets pass. */
async function compared(
  { connection, name, scope, space }: Place,
  { vector, filter }: StoreQuery,
  signal: AbortSignal | undefined,
): Promise<{ readonly found: readonly Found[]; readonly isCut: boolean }> {
  const asked = vector as Float32Array;
  const merged = new Map<string, Found>();
  let scanned = 0;
  const parts = Math.ceil(marksOf(scope).length / mostIds);
  for (let part = 0; part < parts; part += 1)
    for (let after: string | undefined, isOver = false; !isOver; ) {
      const rows = await connection.call(async (collection, { FieldPath }) => {
        const query = (visible(collection(name), scope)[part] as Query)
          .orderBy(FieldPath.documentId())
          .select('chunkId', 'documentId', 'tenant', 'facts', fieldOf(space))
          .limit(scanPage);
        const { docs } = await (after === undefined ? query : query.startAfter(after)).get();
        return docs.map((one) => ({ id: one.id, data: one.data() }));
      }, signal);
      for (const { data } of rows) {
        const own = (data[fieldOf(space)] as { toArray?: () => number[] } | undefined)?.toArray?.();
        if (own === undefined || (filter !== undefined && !factsPass(parsedFacts(data['facts']), filter))) continue;
        const one = foundOf(data, scope, cosine(asked, own));
        merged.set(one.chunkId, one);
      }
      scanned += rows.length;
      after = rows.at(-1)?.id;
      isOver = rows.length < scanPage;
      if (scanned >= mostScanned && !isOver) return { found: [...merged.values()], isCut: true };
    }
  return { found: [...merged.values()], isCut: false };
}

function parsedFacts(facts: unknown): DocumentFacts {
  const read = parseFacts(facts);
  if (read === undefined) throw failed('upstream-invalid', 'answered with a document without its facts.');
  return read;
}

function cosine(left: Float32Array, right: readonly number[]): number {
  let [product, ofLeft, ofRight] = [0, 0, 0];
  for (const [at, one] of left.entries()) {
    const other = right[at] ?? 0;
    product += one * other;
    ofLeft += one * one;
    ofRight += other * other;
  }
  const length = Math.sqrt(ofLeft * ofRight);
  return length === 0 ? 0 : product / length;
}
