// The store inside the record's own database: our engine (docs/engine.md) over segments and vectors that live there. Every
// tenant has an index of its own, because shared document frequencies would leak; writes join the record's transaction, so that the
// two never disagree; access and filters restrict the scan itself, by rows that one query on the record yields.

import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError } from '../../core/errors.ts';
import type { Scope } from '../../core/scope.ts';
import type { Degradation } from '../../core/search.ts';
import { keepJson } from '../../core/traces/kept-json.ts';
import { createRecent } from '../../core/values/recent.ts';
import { abortError, untilAborted } from '../../core/waiting/until-aborted.ts';
import { printFilter } from '../../db/sqlite/documents/filter-sql.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import { countOwn, weighedBy } from '../../engine/own-statistics.ts';
import { ceilingOf } from '../../engine/score.ts';
import type { SearchState } from '../../engine/search-state.ts';
import { countEntries, countLiving } from '../../engine/term-places.ts';
import { type EngineThreads, engineThreads } from '../../engine/threads/engine-threads.ts';
import { analyzeQuery, analyzeText } from '../../text/analyze.ts';
import { checkLimit } from '../check-query.ts';
import { parseCursor, printCursor } from '../cursor.ts';
import type { StoreDocument } from '../delivered.ts';
import type { StoreHit, StorePage, StoreQuery } from '../store.ts';
import type { EngineView } from './engine.ts';
import { printExplanation } from './explanation.ts';
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
import { createSelector, type Selected } from './selection.ts';
import { engineOf, putEntries, removeEntries, vectorsIn } from './shared.ts';
import type { VectorSpace } from './vector-keeping.ts';
import { findSpace, rowsOfChunks, type TenantVectors } from './vectors.ts';

export interface EmbeddedStoreOptions {
  readonly database: SqliteRecordDatabase;
  readonly scope: Scope;
  /** What the vectors are that documents bring with them, and queries that name no space. */
  readonly vectors?: VectorSpace;
  /** Where searches run; by default the threads of the process. */
  readonly threads?: EngineThreads;
}

function check(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** Waits for shared work only as long as somebody wants the result; the work goes on for others. */
async function waitFor<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  check(signal);
  return work instanceof Promise && signal ? untilAborted(work, signal) : work;
}

/** Hits of a search whose rows are remembered, and rows that are remembered in all. */
const rememberedHits = 10;
const rememberedRows = 1000;

interface Planning {
  readonly degraded: Degradation[];
  readonly signal: AbortSignal | undefined;
}

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

/** The store over the record of `database` for one scope. Hybrid search is `unsupported`: retrieval fuses the two modes. */
export function createEmbeddedStore({
  database,
  scope,
  threads = engineThreads,
  ...options
}: EmbeddedStoreOptions): EmbeddedStore {
  const shared = engineOf(database, scope.tenant);
  const { engine, upkeep, spaces } = shared;
  const { tenant } = engine;
  const vectors = options.vectors && vectorsIn(spaces, scope.tenant, options.vectors);
  const { select } = createSelector(database, engine, scope);
  /** Rows of the hits that were found last: whoever asks for vectors asks for those, and the record takes long to find them. */
  const lastRows = createRecent<string, number>(rememberedRows);
  const remember = (chunkId: string, row: number | undefined): void => {
    if (row !== undefined) lastRows.set(chunkId, row);
  };

  const put = (documents: readonly StoreDocument[]) => ({
    documents,
    ...(options.vectors && { space: options.vectors }),
  });

  /** The index as of now, and what it lacks. */
  function look(connection: DatabaseSync, query: StoreQuery, degraded: Degradation[]): EngineView {
    const view = engine.sync(connection);
    if (view.incomplete !== undefined) {
      upkeep.schedule(0);
      degraded.push({
        component: 'embedded',
        code: 'index-incomplete',
        detail: `${view.incomplete}; it is being built from the record`,
        effect: 'Documents that are not indexed yet are not found.',
      });
    }
    // A filter that cannot be is refused whether or not there is anything to find.
    if (query.filter !== undefined) printFilter(query.filter, 'd');
    return view;
  }

  /** The state to search and what the query asks of it; undefined where there is nothing to search. */
  function plan(connection: DatabaseSync, query: StoreQuery, { degraded, signal }: Planning): Plan | undefined {
    const view = look(connection, query, degraded);
    if (query.limit === 0 || view.index.count() === 0) return undefined;
    const { languages } = view;
    const read = readQuery(query.text, view.index, languages);
    if (withTexts(read.parsed, query.also, languages).terms.length === 0) return undefined;
    return {
      state: view.index.state(),
      read,
      languages,
      selection: select(connection, query.filter, { view, signal }),
    };
  }

  /** Vectors of a space that the record knows. */
  function vectorsNamed(name: string | undefined): TenantVectors {
    if (name === undefined)
      throw new FootnoteError('invalid-request', 'A search by vector names the space that its vector belongs to.');
    const held = vectors?.space.name === name ? vectors : spaces.get(name);
    if (held) return held;
    const space = database.read((connection) => findSpace(connection, scope.tenant, name));
    if (space) return vectorsIn(spaces, scope.tenant, space);
    throw new FootnoteError('conflict', `There are no vectors of ${name}: they were dropped, or never made.`);
  }

  async function findByVector(query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
    const held = vectorsNamed(query.space ?? vectors?.space.name);
    const degraded: Degradation[] = [];
    await waitFor(engine.opening(database, threads), signal);
    await waitFor(held.opening(database), signal);
    const planned = database.read((connection) => {
      const view = look(connection, query, degraded);
      held.sync(connection);
      degraded.push(...missingVectors(held, view.index.count()));
      if (query.limit === 0 || held.index.count() === 0) return undefined;
      const on = { index: engine.threaded, state: view.index.state(), snapshot: held.index.snapshot() };
      return { on, selected: select(connection, query.filter, { view, signal }) };
    });
    if (!planned) return { hits: [], degraded };
    const selection = await waitFor(planned.selected, signal);
    const page = await findNearest(query, { on: planned.on, selection, vectors: held }, { threads, signal });
    return { ...page, degraded };
  }

  async function find(query: StoreQuery, signal?: AbortSignal): Promise<StorePage> {
    const { limit } = query;
    const after = parseCursor(query);
    checkTexts(query.also);
    const degraded: Degradation[] = [];
    await waitFor(engine.opening(database, threads), signal);
    const planned = database.read((connection) => plan(connection, query, { degraded, signal }));
    if (!planned) return { hits: [], degraded };
    const { state, read, languages } = planned;
    const selection = await waitFor(planned.selection, signal);
    const on = { index: engine.threaded, state };
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
    const hits: StoreHit[] = found.slice(0, limit).map((hit, place) => {
      const explained = explanations[place];
      if (place < rememberedHits) remember(hit.key, state.parts[hit.part]?.segment.rows[hit.slot]);
      return {
        chunkId: hit.key,
        documentId: hit.group,
        score: hit.score,
        scores: { bm25: hit.bm25 },
        rank: (after?.rank ?? 0) + place + 1,
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

  return {
    name: embeddedName,
    capabilities: { lexical: true, vector: true, hybrid: false, vectors: 'given', counts: false, explain: true },
    prepare: (batch, signal) => prepareDocuments(batch, threads, signal),
    async upsert(batch, signal) {
      check(signal);
      await prepareDocuments(batch, threads, signal);
      await database.write((connection) => putEntries(connection, shared, put(batch)));
      upkeep.schedule();
      return batch.map(({ document }) => ({ documentId: document.id }));
    },
    async delete(batch, signal) {
      check(signal);
      const documentIds = batch.map(({ documentId }) => documentId);
      await database.write((connection) => removeEntries(connection, shared, documentIds));
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
    async vectorsOf(space, chunkIds, signal) {
      const held = vectorsNamed(space);
      await waitFor(held.opening(database), signal);
      return database.read((connection) => {
        held.sync(connection);
        const found = chunkIds.map((id) => {
          const row = lastRows.get(id);
          return row === undefined ? undefined : held.index.vectorOf(row);
        });
        const others = chunkIds.filter((_, at) => found[at] === undefined);
        if (others.length === 0) return found;
        const rows = rowsOfChunks(connection, scope.tenant, others);
        return chunkIds.map((id, at) => found[at] ?? held.index.vectorOf(rows.get(id) ?? -1));
      });
    },
    async statistics(text, signal) {
      await waitFor(engine.opening(database, threads), signal);
      const { state, terms, selected, languages } = database.read((connection) => {
        const view = engine.sync(connection);
        const found = [...new Set(analyzeQuery(text, { languages: view.languages }))].slice(0, maximumTerms);
        // What a caller may not read must not show in numbers either.
        const selected = select(connection, undefined, { view, signal });
        return { state: view.index.state(), terms: found, selected, languages: tenant.languageCounts(connection) };
      });
      const selection = await waitFor(selected, signal);
      const frequencies = terms.map((term) => [term, countLiving(state, term, selection)] as const);
      return {
        chunks: countEntries(state, selection),
        frequencies: state.entries === 0 ? {} : Object.fromEntries(frequencies),
        languages: selection ? [] : languages,
      };
    },
    async health(signal) {
      await waitFor(engine.opening(database, threads), signal);
      return database.read((connection) => {
        const view = engine.sync(connection);
        if (view.incomplete !== undefined) upkeep.schedule(0);
        const failure = upkeep.failure();
        const state = failure === undefined ? view.incomplete : `${view.incomplete ?? 'upkeep failed'}: ${failure}`;
        return {
          status: view.incomplete === undefined ? 'ok' : 'degraded',
          detail: `BM25 in this process, ${view.index.segments().length} segments${state === undefined ? '' : `; ${state}`}`,
          ...tenant.count(connection),
        };
      });
    },
    // Its index is the record's, which is closed after it.
    close: async () => undefined,
    entries: {
      put: (documents) => ({ kind: 'put-entries', store: embeddedName, ...put(documents) }),
      delete: (documentIds) => ({ kind: 'delete-entries', store: embeddedName, documentIds }),
    },
  };
}
