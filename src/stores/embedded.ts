// The store inside the record's own database: our lexical engine (docs/engine.md) over segments that live there. Every tenant
// has an index of its own, because shared document frequencies would leak; writes join the record's transaction, so that the
// two never disagree; access and filters restrict the scan itself, by rows that one query on the record yields.
import type { DatabaseSync } from 'node:sqlite';
import { FootnoteError, toFootnoteError } from '../core/errors.ts';
import type { Scope } from '../core/scope.ts';
import { accessNames } from '../core/scope.ts';
import type { Degradation, Explanation } from '../core/search.ts';
import { prepared } from '../db/connection.ts';
import { accessCondition, printFilter } from '../db/filter-sql.ts';
import { type SqliteRecordDatabase, sqliteOf } from '../db/sqlite.ts';
import { countByField } from '../engine/explain.ts';
import { defaultParameters } from '../engine/lexical.ts';
import { createProximity } from '../engine/proximity.ts';
import type { Selection } from '../engine/query.ts';
import { explainHit, type LexicalHit } from '../engine/score.ts';
import { analyzeQuery } from '../text/analyze.ts';
import { parseCursor, printCursor } from './cursor.ts';
import { createEngine, type Engine, type EngineView } from './embedded-engine.ts';
import { maximumTerms, type ParsedQuery, parseQuery } from './embedded-query.ts';
import { createUpkeep, type Upkeep } from './embedded-upkeep.ts';
import type { Store, StoreHit, StorePage, StoreQuery } from './store.ts';

export interface EmbeddedStoreOptions {
  readonly database: SqliteRecordDatabase;
  readonly scope: Scope;
}

interface Shared {
  readonly engine: Engine;
  readonly upkeep: Upkeep;
}

/** One engine for each tenant of an open record, whoever asks. */
const engines = new WeakMap<SqliteRecordDatabase, Map<string, Shared>>();

function engineOf(database: SqliteRecordDatabase, tenant: string): Shared {
  const known = engines.get(database) ?? new Map<string, Shared>();
  engines.set(database, known);
  const present = known.get(tenant);
  if (present) return present;
  const engine = createEngine(tenant);
  const made = { engine, upkeep: createUpkeep(database, engine) };
  known.set(tenant, made);
  // Opens the index before it is asked for, and clears up what was deleted before the last end.
  made.upkeep.schedule(openingMs);
  return made;
}

/** For tests and measurements: waits until the index of a tenant is sealed, merged and complete. */
export function settleEmbeddedStore(database: SqliteRecordDatabase, tenant: string): Promise<void> {
  return engineOf(database, tenant).upkeep.run();
}

const keptSelections = 32;
const openingMs = 2000;

function check(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const error = toFootnoteError(signal.reason);
  throw error.code === 'internal'
    ? new FootnoteError('cancelled', 'The request was cancelled.', { cause: error })
    : error;
}

/** The lexical store over the record of `database` for one scope. Vector and hybrid search are `unsupported`. */
export function createEmbeddedStore({ database, scope }: EmbeddedStoreOptions): Store {
  const { engine, upkeep } = engineOf(database, scope.tenant);
  const { tenant } = engine;
  const access = accessCondition(scope, 'd');
  const restricted = scope.principal.role !== 'admin';
  const namesKey = restricted ? JSON.stringify(accessNames(scope.principal)) : '';

  /** Rows that the filter and the access lists leave; undefined where that is all of them. */
  function select(
    connection: DatabaseSync,
    query: Pick<StoreQuery, 'filter'>,
    view: EngineView,
  ): Selection | undefined {
    const { selections } = engine;
    const anyRestricted =
      restricted &&
      prepared(connection, 'SELECT 1 FROM document WHERE tenant = ? AND access IS NOT NULL LIMIT 1').get(scope.tenant);
    if (query.filter === undefined && !anyRestricted) return undefined;
    const filter = query.filter === undefined ? { sql: '1', parameters: [] } : printFilter(query.filter, 'd');
    const key = `${view.version}\n${namesKey}\n${JSON.stringify(query.filter ?? null)}`;
    const known = selections.get(key);
    if (known) return known;
    const statement = connection.prepare(
      `SELECT e.first_row AS first, e.last_row AS last FROM document AS d
       CROSS JOIN lexical_document AS e ON e.tenant = d.tenant AND e.document_id = d.id
       WHERE ${access.sql} AND ${filter.sql}`,
    );
    statement.setReturnArrays(true);
    const ranges = statement.all(...access.parameters, ...filter.parameters) as unknown as readonly [number, number][];
    const made = view.index.selectRows(ranges);
    const [oldest] = selections.keys();
    if (selections.size >= keptSelections && oldest !== undefined) selections.delete(oldest);
    selections.set(key, made);
    return made;
  }

  function explain(view: EngineView, parsed: ParsedQuery, hit: LexicalHit): Explanation {
    const state = view.index.state();
    const terms = explainHit(state, parsed, hit);
    const fields = terms.map(({ term }) => {
      const [title = 0, heading = 0, body = 0] = countByField(state, hit, term);
      return `${term}: ${title} in the title (counted twice), ${heading} in headings, ${body} in the text`;
    });
    const near = (createProximity(state, parsed.pairs)([hit])[0] ?? []).map(({ pair, weight, adjacent }) => {
      const where = adjacent > 0 ? `side by side ${adjacent} times` : 'near each other';
      return `proximity: +${weight.toFixed(4)} for ${pair.join(' ')} (${where})`;
    });
    const { k1, b } = defaultParameters;
    return {
      terms: [...terms],
      notes: [
        `BM25 over ${state.entries} chunks: k1 ${k1}, b ${b}; a term of the query counts as often as it stands there`,
        ...fields,
        ...(hit.score > hit.bm25 ? near : []),
        ...parsed.required.map((phrase) => `holds the phrase “${phrase[0]?.join(' ') ?? ''}”`),
        ...parsed.notes,
      ],
    };
  }

  function find(connection: DatabaseSync, query: StoreQuery): StorePage {
    const { limit } = query;
    if (!Number.isInteger(limit) || limit < 0 || limit > 1000)
      throw new FootnoteError('invalid-request', `limit is ${limit}: it must be a whole number from 0 to 1000.`);
    const after = parseCursor(query);
    const view = engine.sync(connection);
    const degraded: Degradation[] = [];
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
    if (limit === 0 || view.index.count() === 0) return { hits: [], degraded };
    const parsed = parseQuery(query.text, view.index, view.languages);
    if (parsed.terms.length === 0) return { hits: [], degraded };
    const selection = select(connection, query, view);
    const found = view.index.search({
      terms: parsed.terms,
      pairs: parsed.pairs,
      required: parsed.required,
      excluded: parsed.excluded,
      limit: limit + 1,
      ...(after ? { after: { score: after.score, key: after.chunkId, rank: after.rank } } : {}),
      ...(selection ? { selection } : {}),
    });
    const hits: StoreHit[] = found.slice(0, limit).map((hit, place) => ({
      chunkId: hit.key,
      documentId: hit.group,
      score: hit.score,
      scores: { bm25: hit.bm25 },
      rank: (after?.rank ?? 0) + place + 1,
      ...(query.explain ? { explanation: explain(view, parsed, hit) } : {}),
    }));
    const last = hits.at(-1);
    if (found.length <= limit || !last) return { hits, degraded };
    return { hits, nextCursor: printCursor(query, last), degraded };
  }

  return {
    name: 'embedded',
    capabilities: { lexical: true, vector: false, hybrid: false, transactional: true, explain: true },
    async upsert(batch, signal) {
      check(signal);
      await database.write((connection) => tenant.put(connection, batch));
      upkeep.schedule();
    },
    async delete(documentIds, signal) {
      check(signal);
      await database.write((connection) => tenant.remove(connection, documentIds));
      upkeep.schedule();
    },
    async search(query, signal) {
      check(signal);
      if (query.mode !== 'lexical')
        throw new FootnoteError(
          'unsupported',
          `The embedded store searches by words only; ${query.mode} search is not configured. Use mode embedded.`,
        );
      return database.read((connection) => find(connection, query));
    },
    async statistics(text, signal) {
      check(signal);
      return database.read((connection) => {
        const view = engine.sync(connection);
        const { index, languages } = view;
        const terms = [...new Set(analyzeQuery(text, { languages }))].slice(0, maximumTerms);
        // What a caller may not read must not show in numbers either.
        const selection = select(connection, {}, view);
        const frequencies = terms.map((term) => [term, index.frequency(term, selection)] as const);
        return {
          chunks: index.count(selection),
          frequencies: index.count() === 0 ? {} : Object.fromEntries(frequencies),
        };
      });
    },
    async health(signal) {
      check(signal);
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
    within: (transaction) => {
      const connection = sqliteOf(transaction);
      upkeep.schedule();
      return {
        upsert: (batch) => tenant.put(connection, batch),
        delete: (documentIds) => tenant.remove(connection, documentIds),
      };
    },
  };
}
