// The store over an index in memory, wherever that is kept: questions by words, with access and filters as the rows that are left, and by vectors.
// Writes are told by the place.
import { FootnoteError } from '../../core/errors.ts';
import type { Degradation } from '../../core/search.ts';
import { keepJson } from '../../core/traces/kept-json.ts';
import { createRecent } from '../../core/values/recent.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import { printFilter } from '../../db/sqlite/documents/filter-sql.ts';
import { countOwn, weighedBy } from '../../engine/own-statistics.ts';
import { ceilingOf } from '../../engine/score.ts';
import type { SearchState } from '../../engine/search-state.ts';
import { countEntries, countLiving } from '../../engine/term-places.ts';
import type { EngineThreads } from '../../engine/threads/engine-threads.ts';
import { analyzeQuery, analyzeText } from '../../text/analyze.ts';
import { checkLimit } from '../check-query.ts';
import { parseCursor, printCursor } from '../cursor.ts';
import type { StoreDocument } from '../delivered.ts';
import type { StoreHit, StorePage, StoreQuery } from '../store.ts';
import { printExplanation } from './explanation.ts';
import type { HeldVectors } from './held-vectors.ts';
import type { IndexPlace, Looked } from './index-place.ts';
import { findNearest, missingVectors } from './nearest.ts';
import { type EmbeddedStore, embeddedName } from './port.ts';
import { prepareDocuments } from './prepare.ts';
import {
  checkTexts,
  maximumTerms,
  type ParsedQuery,
  type ReadQuery,
  readQuery,
  wantedTerms,
  withGuesses,
  withTexts,
} from './query.ts';
import type { Selected } from './selection.ts';
import type { VectorSpace } from './vector-keeping.ts';

export function check(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** Waits for shared work only as long as somebody wants the result; the work goes on for others. */
export async function waitFor<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  check(signal);
  return work instanceof Promise && signal ? untilAborted(work, signal) : work;
}

/** Hits of a search whose rows are remembered, and how many are. */
const toldHits = 10;
const rememberedRows = 1000;

interface Plan {
  readonly state: SearchState;
  readonly read: ReadQuery;
  /** Of the index, most frequent first. */
  readonly languages: readonly string[];
  readonly selection: Selected;
}

function* wordsOf({ terms, pairs }: ParsedQuery): Generator<string> {
  for (const { term } of terms) yield term;
  for (const pair of pairs) yield* pair;
}

/** A reading of a word that nothing holds is not missing where another one is held. */
function ceilingOfWords(state: SearchState, parsed: ParsedQuery): number {
  const isHeld = (term: string): boolean =>
    (state.frequencies ? (state.frequencies[term.toWellFormed()] ?? 0) : countLiving(state, term)) > 0;
  return ceilingOf(state, { terms: wantedTerms(parsed, isHeld) });
}

/** Why a query of a form of its own found nothing. */
function nothingFor(text: string, { excluded, terms }: ParsedQuery): readonly Degradation[] {
  const told = (code: string, detail: string, effect: string) => [{ component: embeddedName, code, detail, effect }];
  if (excluded.length > 0) {
    const named = excluded.map(([reading = []]) => `“${reading.join(' ')}”`).join(', ');
    const detail = `Nothing that matches is without ${named}, which the dash before it leaves out.`;
    return told('excluded', detail, 'Nothing was found by words; without the dash the word is searched as text.');
  }
  if (terms.length === 0 || analyzeText(text).length > 0) return [];
  const detail = 'Nearly every text has each word of the query; such words are found in titles and names alone.';
  return told('stop-words', detail, 'Nothing was found by words.');
}

/** What an index that lacks something adds to an answer. Throws for a filter that cannot be, whether or not there is anything to find. */
export function tellState(place: IndexPlace, { view }: Looked, query: StoreQuery): readonly Degradation[] {
  if (query.filter !== undefined) printFilter(query.filter, 'd');
  if (view.incomplete === undefined) return [];
  place.upkeep.schedule(0);
  return [
    {
      component: 'embedded',
      code: 'index-incomplete',
      detail: `${view.incomplete}; it is being built from the record`,
      effect: 'Documents that are not indexed yet are not found.',
    },
  ];
}

export interface IndexedStoreOptions {
  readonly place: IndexPlace;
  readonly threads: EngineThreads;
  /** What the vectors are that documents bring with them. */
  readonly space?: VectorSpace | undefined;
  /** Writes that come with no commit of documents. */
  readonly write: {
    put(batch: readonly StoreDocument[]): Promise<void>;
    remove(documentIds: readonly string[]): Promise<void>;
  };
}

/** Hybrid search is `unsupported`: retrieval fuses the two modes. */
export function createIndexedStore(options: IndexedStoreOptions): EmbeddedStore {
  const { place, threads, space, write } = options;
  const { upkeep } = place;
  /** Rows of the hits that were found last: whoever asks for vectors asks for those, and the record takes long to find them. */
  const lastRows = createRecent<string, number>(rememberedRows);
  /** Those that were searched last, as long as anybody else holds them. */
  let latest: WeakRef<HeldVectors> | undefined;

  const put = (documents: readonly StoreDocument[]) => ({ documents, ...(space && { space }) });

  /** The state to search and what the query asks of it; undefined where there is nothing to search. */
  function plan(looked: Looked, query: StoreQuery, signal: AbortSignal | undefined): Plan | undefined {
    const { view } = looked;
    if (query.limit === 0 || view.index.count() === 0) return undefined;
    const { languages } = view;
    const read = readQuery(query.text, view.index, languages);
    if (withTexts(read.parsed, query.also, languages).terms.length === 0) return undefined;
    return { state: view.index.state(), read, languages, selection: looked.select(query.filter, signal) };
  }

  async function find(query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
    const { limit } = query;
    const after = parseCursor(query);
    checkTexts(query.also);
    const { degraded, planned } = await place.look(
      (looked) => ({ degraded: [...tellState(place, looked, query)], planned: plan(looked, query, signal) }),
      { filter: query.filter, signal },
    );
    if (!planned) return { hits: [], degraded };
    const { state, read, languages } = planned;
    const selection = await waitFor(planned.selection, signal);
    const on = { index: place.threaded, state };
    const guessed =
      read.unknown.length === 0 ? read.parsed : withGuesses(read, await threads.expand(on, read.unknown, signal));
    const parsed = withTexts(guessed, query.also, languages);
    const own = query.statistics === 'own' && selection ? countOwn(state, selection, wordsOf(parsed)) : undefined;
    const { hits: found, explanations } = await threads.find(
      on,
      {
        terms: parsed.terms,
        pairs: parsed.pairs,
        required: parsed.required,
        excluded: parsed.excluded,
        limit: limit + 1,
        ...(after ? { after: { score: after.score, key: after.chunkId, rank: after.rank } } : {}),
        ...(selection ? { selection } : {}),
        ...(own ? { own } : {}),
      },
      { explained: query.explain ? limit : 0, signal },
    );
    if (found.length === 0 && !after) degraded.push(...nothingFor(query.text, parsed));
    const hits: StoreHit[] = found.slice(0, limit).map((hit, at) => {
      const explained = explanations[at];
      const row = at < toldHits ? state.parts[hit.part]?.segment.rows[hit.slot] : undefined;
      if (row !== undefined) lastRows.set(hit.key, row);
      return {
        chunkId: hit.key,
        documentId: hit.group,
        score: hit.score,
        scores: { bm25: hit.bm25 },
        rank: (after?.rank ?? 0) + at + 1,
        ...(explained
          ? { explanation: printExplanation(weighedBy(state, own), parsed, { hit, found: explained }) }
          : {}),
      };
    });
    const last = hits.at(-1);
    const ceiling = query.statistics === 'own' ? { ceiling: ceilingOfWords(weighedBy(state, own), parsed) } : {};
    const more = found.length <= limit || !last ? {} : { nextCursor: printCursor(query, last) };
    const page: StorePage = { hits, ...more, degraded, ...ceiling };
    // Nobody changes a page: its trace prints it when the reply has left.
    return keepJson(page, () => JSON.stringify(page));
  }

  async function findByVector(query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
    const name = query.space ?? space?.name;
    if (name === undefined)
      throw new FootnoteError('invalid-request', 'A search by vector names the space that its vector belongs to.');
    const { degraded, planned } = await place.look(
      (looked) => {
        const { view, vectors } = looked;
        const degraded = [...tellState(place, looked, query)];
        if (vectors) degraded.push(...missingVectors(vectors, view.index.count()));
        if (query.limit === 0 || !vectors || vectors.index.count() === 0) return { degraded };
        const on = { index: place.threaded, state: view.index.state(), snapshot: vectors.index.snapshot() };
        return { degraded, planned: { on, vectors, selected: looked.select(query.filter, signal) } };
      },
      { filter: query.filter, signal, space: name },
    );
    if (!planned) return { hits: [], degraded };
    const { on, vectors } = planned;
    const selection = await waitFor(planned.selected, signal);
    latest = new WeakRef(vectors);
    const page = await findNearest(query, { on, selection, vectors }, { threads, signal, told: lastRows.set });
    return { ...page, degraded };
  }

  async function vectorsOf(...[name, chunkIds, signal]: Parameters<EmbeddedStore['vectorsOf']>) {
    const vectorIn = (held: HeldVectors | undefined, row: number | undefined): Float32Array | undefined =>
      row === undefined ? undefined : held?.index.vectorOf(row);
    // The vector of a row is never another one.
    const last = latest?.deref();
    const present = last?.space.name === name ? last : undefined;
    const found = chunkIds.map((id) => vectorIn(present, lastRows.get(id)));
    const others = chunkIds.filter((_, at) => found[at] === undefined);
    if (others.length === 0) return found;
    const held = await place.look(({ vectors }) => vectors, { signal, space: name });
    const rows = await place.rowsOf(others);
    return chunkIds.map((id, at) => found[at] ?? vectorIn(held, rows.get(id)));
  }

  return {
    name: embeddedName,
    capabilities: {
      lexical: true,
      vector: true,
      hybrid: false,
      vectors: 'given',
      counts: false,
      explain: true,
    },
    prepare: (batch, signal) => prepareDocuments(batch, threads, signal),
    async upsert(batch, signal) {
      check(signal);
      await prepareDocuments(batch, threads, signal);
      await write.put(batch);
      upkeep.schedule();
      return batch.map(({ document }) => ({ documentId: document.id }));
    },
    async delete(batch, signal) {
      check(signal);
      const documentIds = batch.map(({ documentId }) => documentId);
      await write.remove(documentIds);
      upkeep.schedule();
      return documentIds.map((documentId) => ({ documentId }));
    },
    async search(query, signal) {
      check(signal);
      checkLimit(query);
      const { mode } = query;
      if (mode === 'lexical') return find(query, signal);
      if (mode === 'vector') return findByVector(query, signal);
      throw new FootnoteError(
        'unsupported',
        'The embedded store searches by words or by a vector, one at a time: retrieval joins the two.',
      );
    },
    vectorsOf,
    async statistics(text, signal) {
      const { state, terms, selected, languages } = await place.look(
        (looked) => {
          const { view } = looked;
          const found = [...new Set(analyzeQuery(text, { languages: view.languages }))].slice(0, maximumTerms);
          // What a caller may not read must not show in numbers either.
          const selected = looked.select(undefined, signal);
          return { state: view.index.state(), terms: found, selected, languages: view.languageCounts };
        },
        { signal },
      );
      const selection = await waitFor(selected, signal);
      const frequencies = terms.map((term) => [term, countLiving(state, term, selection)] as const);
      return {
        chunks: countEntries(state, selection),
        frequencies: state.entries === 0 ? {} : Object.fromEntries(frequencies),
        languages: selection ? [] : languages,
      };
    },
    async health(signal) {
      const counts = await place.count();
      return place.look(
        ({ view }) => {
          if (view.incomplete !== undefined) upkeep.schedule(0);
          const failure = upkeep.failure();
          const state = failure === undefined ? view.incomplete : `${view.incomplete ?? 'upkeep failed'}: ${failure}`;
          return {
            status: view.incomplete === undefined ? 'ok' : 'degraded',
            detail: `BM25 in this process, ${view.index.segments().length} segments${state === undefined ? '' : `; ${state}`}`,
            ...counts,
          };
        },
        { signal },
      );
    },
    // Its index is the record's, which is closed after it.
    close: async () => undefined,
    entries: {
      put: (documents) => ({ kind: 'put-entries', store: embeddedName, ...put(documents) }),
      delete: (documentIds) => ({ kind: 'delete-entries', store: embeddedName, documentIds }),
    },
  };
}
