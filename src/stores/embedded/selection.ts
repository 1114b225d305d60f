// The rows that a filter and the access lists leave, as a selection of the engine; one query on the record. In a large
// collection it takes seconds: then it runs in pieces on a connection of its own, whose transaction is opened in the same
// turn as the state that is searched was taken, so that both are of one moment whatever is written meanwhile.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { accessNames, type Scope } from '../../core/scope.ts';
import type { Filter } from '../../core/search.ts';
import { nextTurn } from '../../core/waiting/pieces.ts';
import { createPieceSize } from '../../db/piece-size.ts';
import { accessCondition, isLight, printFilter, type SqlParameter } from '../../db/sqlite/documents/filter-sql.ts';
import { openReader, prepared } from '../../db/sqlite/file/connection.ts';
import { translated } from '../../db/sqlite/file/sqlite-errors.ts';
import type { SqliteRecordDatabase } from '../../db/sqlite/sqlite.ts';
import type { Selection } from '../../engine/query.ts';
import { createRowSelection } from '../../engine/select-rows.ts';
import { sliceMs } from '../../engine/threads/slices.ts';
import type { Engine, EngineView } from './engine.ts';

const keptSelections = 32;
/** Chunks of a collection that a light filter looks through at once: some 10 ms. */
const chunksAtOnce = 5000;

export interface Selector {
  /** Undefined where nothing is left out. Call in one synchronous piece with the `sync` that gave the view. */
  select(connection: DatabaseSync, filter: Filter | undefined, wanted: Wanted): Selected;
}

export interface Wanted {
  readonly view: EngineView;
  /** Of the request that waits. When all who wait have gone, nobody looks on for them. */
  readonly signal?: AbortSignal | undefined;
}

export type Selected = Selection | undefined | Promise<Selection>;

type Range = readonly [first: number, last: number];
interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlParameter[];
}

/** By the selection: those who may read the same share it. */
const waiters = new WeakMap<Promise<Selection>, Waiters>();

export function createSelector(database: SqliteRecordDatabase, engine: Engine, scope: Scope): Selector {
  const access = accessCondition(scope, 'd');
  const restricted = scope.principal.role !== 'admin';
  const { sources } = scope.principal;
  const namesKey = restricted ? JSON.stringify([accessNames(scope.principal), sources]) : '';
  const { selections } = engine;

  const remember = (key: string, made: Selection | Promise<Selection>): void => {
    const [oldest] = selections.keys();
    if (selections.size >= keptSelections && oldest !== undefined) selections.delete(oldest);
    selections.set(key, made);
  };

  return {
    select(connection, filter, { view, signal }) {
      const anyRestricted =
        restricted &&
        (sources !== undefined ||
          prepared(connection, 'SELECT 1 FROM document WHERE tenant = ? AND access IS NOT NULL LIMIT 1').get(
            scope.tenant,
          ));
      if (filter === undefined && !anyRestricted) return undefined;
      const key = `${view.version}\n${namesKey}\n${JSON.stringify(filter ?? null)}`;
      const known = selections.get(key);
      if (known instanceof Promise) waiters.get(known)?.join(signal);
      if (known) return known;
      const printed = filter === undefined ? { sql: '1', parameters: [] } : printFilter(filter, 'd');
      const statement = {
        sql: `SELECT e.first_row AS first, e.last_row AS last ${fromDocuments}
          CROSS JOIN lexical_document AS e ON e.tenant = d.tenant AND e.document_id = d.id
          WHERE ${access.sql} AND ${printed.sql}`,
        parameters: [...access.parameters, ...printed.parameters],
      };
      const rows = createRowSelection(view.index.state());
      const light = filter === undefined || isLight(filter);
      if (light && view.index.count() <= chunksAtOnce) {
        for (const [first, last] of rangesOf(connection.prepare(statement.sql), statement)) rows.add(first, last);
        remember(key, rows.selection);
        return rows.selection;
      }
      const { path } = database;
      const reader = translated(path, () => openReader(path));
      // The first statement of the transaction fixes what it sees; the only writer is this thread, so that is the view.
      const steps = translated(path, () => {
        reader.exec('BEGIN');
        return pieces(reader, statement, { tenant: scope.tenant, light });
      });
      const gone = createWaiters();
      const made = gather(steps, rows.add, gone.signal)
        .then(() => rows.selection)
        .finally(() => reader.close());
      waiters.set(made, gone);
      remember(key, made);
      // Who comes later than the last who left begins anew.
      const forget = (): boolean => selections.get(key) === made && selections.delete(key);
      gone.signal.addEventListener('abort', forget, { once: true });
      gone.join(signal);
      made.then(
        () => selections.get(key) === made && selections.set(key, rows.selection),
        () => selections.get(key) === made && selections.delete(key),
      );
      return made;
    },
  };
}

const fromDocuments = 'FROM document AS d';
const withIndex = ({ sql }: Statement, index: string): string =>
  sql.replace(fromDocuments, `${fromDocuments} ${index}`);

function* rangesOf(statement: StatementSync, { parameters }: Statement): Generator<Range> {
  statement.setReturnArrays(true);
  yield* statement.iterate(...parameters) as unknown as Iterable<Range>;
}

/** The ranges of a statement, and undefined between its pieces. Reads once before it returns. */
function pieces(
  reader: DatabaseSync,
  statement: Statement,
  { tenant, light }: { readonly tenant: string; readonly light: boolean },
): Iterator<Range | undefined> {
  const plan = reader.prepare(`EXPLAIN QUERY PLAN ${statement.sql}`).all(...statement.parameters);
  reader.prepare('SELECT 1 FROM document LIMIT 1').get();
  // An index of the filter's own leads to the rows it leaves; without one all are looked at, and those left may be far between.
  const byKey = plan.some((row) =>
    /^(SCAN d\b|SEARCH d USING (PRIMARY KEY|INDEX \S+) \(tenant=\?\))/u.test(String(row['detail'])),
  );
  return byKey || !light ? inPieces(reader, statement, tenant) : rangesOf(reader.prepare(statement.sql), statement);
}

function* inPieces(reader: DatabaseSync, statement: Statement, tenant: string): Generator<Range | undefined> {
  const ends = reader.prepare('SELECT id FROM document WHERE tenant = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ?');
  const size = createPieceSize();
  // The planner would look through a whole source for each piece of it.
  const byId = 'INDEXED BY sqlite_autoindex_document_1';
  const inside = reader.prepare(`${withIndex(statement, byId)} AND d.id > ? AND d.id <= ?`);
  const behind = reader.prepare(`${withIndex(statement, byId)} AND d.id > ?`);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const end: unknown = ends.get(tenant, after, size.documents - 1)?.['id'];
    const upTo: string | undefined = typeof end === 'string' ? end : undefined;
    const bounds = upTo === undefined ? [after] : [after, upTo];
    const from = performance.now();
    const parameters = [...statement.parameters, ...bounds];
    // Whole, so that the time of whoever takes the ranges is not counted.
    yield* [...rangesOf(upTo === undefined ? behind : inside, { ...statement, parameters })];
    size.took(performance.now() - from);
    yield undefined;
    after = upTo;
  }
}

async function gather(
  steps: Iterator<Range | undefined>,
  add: (first: number, last: number) => void,
  gone: AbortSignal,
): Promise<void> {
  let started = performance.now();
  for (let count = 1; ; count++) {
    const { done, value } = steps.next();
    if (done === true) return;
    if (value) add(value[0], value[1]);
    if ((value && count % 64 !== 0) || performance.now() - started < sliceMs) continue;
    await nextTurn();
    gone.throwIfAborted();
    started = performance.now();
  }
}

/** Those who wait for one selection: its signal aborts when the last of them has gone. One without a signal never goes. */
interface Waiters {
  readonly signal: AbortSignal;
  join(signal: AbortSignal | undefined): void;
}

function createWaiters(): Waiters {
  const controller = new AbortController();
  let waiting = 0;
  return {
    signal: controller.signal,
    join(signal) {
      waiting += 1;
      const leave = (): void => {
        waiting -= 1;
        if (waiting === 0) controller.abort(signal?.reason);
      };
      if (signal?.aborted) leave();
      else signal?.addEventListener('abort', leave, { once: true });
    },
  };
}
