// What reading files taught: which ones could not be read and how often that was tried, and which ones hold others. It names
// files, so the role `reader` sees none of it.
import { hasRole, mayRead, type Scope } from '../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { ContainerState, ReadItem, ReadingFailure, ReadingRepository } from '../repositories/readings.ts';
import { rowReader } from '../row-reader.ts';
import { run, runEach, type Statements, type StatementValue } from '../statements.ts';
import { insertion, sourcesCondition } from './conditions.ts';
import type { Part } from './uploads.ts';

/** What is known of files, by tenant, source and uri; goes with them. */
export const readingTables = ['reading_failure', 'container', 'source_item'] as const;

const factsOfFailure = rowReader<ReadingFailure>(
  'source',
  'uri',
  'contentHash',
  'kind',
  'readers',
  'tries',
  'failedAt',
);
const errorOf = rowReader<ReadingFailure['error']>('code', 'message');
/** A list that damage left nothing of lets nobody but admins. */
function accessIn(text: unknown): readonly string[] {
  try {
    const list: unknown = JSON.parse(String(text));
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
const toFailure = (row: { readonly access?: unknown }): ReadingFailure => ({
  ...factsOfFailure(row),
  error: errorOf(row),
  ...(typeof row.access === 'string' && { access: accessIn(row.access) }),
});

const factsOfContainer = rowReader<ContainerState>('source', 'uri', 'contentHash', 'readers');
const toContainer = (row: { readonly is_complete?: unknown }): ContainerState => ({
  ...factsOfContainer(row),
  isComplete: row.is_complete === 1,
});

type ReadingTable = (typeof readingTables)[number];
const addSql: Readonly<Record<ReadingTable, string>> = {
  reading_failure: insertion(
    'reading_failure',
    'tenant source uri content_hash kind readers tries code message failed_at access',
  ),
  container: insertion('container', 'tenant source uri content_hash readers is_complete'),
  source_item: insertion('source_item', 'tenant source uri version content_hash'),
};

const isAt = 'tenant = ? AND source = ? AND uri = ANY(?)';

const leastLooked = 500;

/** `access`: of documents `d` that the scope may read. */
export function createReadingRepository(scope: Scope, statements: Statements, access: Part): ReadingRepository {
  const { tenant, principal } = scope;
  /** What was read of the file before, or of an archive around it, may be read. */
  const isReadable = ` AND NOT EXISTS (SELECT 1 FROM document AS x WHERE x.tenant = f.tenant AND x.source = f.source AND x.uri = f.uri
    AND NOT EXISTS (SELECT 1 FROM document AS d WHERE d.tenant = x.tenant AND d.id = x.id AND ${access.sql}))`;
  const isVisible = hasRole(scope.principal, 'writer');
  const only = async <Row>(sql: string, ...values: readonly StatementValue[]): Promise<readonly Row[]> =>
    isVisible ? statements.rows<Row>(sql, ...values) : [];
  /** Of the uris that come first in the rows. */
  const replace = (
    table: ReadingTable,
    source: string,
    written: readonly (readonly [uri: string, ...others: (string | number | null)[]])[],
  ): Promise<void> =>
    statements.write(function* () {
      const uris = written.map(([uri]) => uri);
      yield* run(`DELETE FROM ${table} WHERE ${isAt}`, tenant, source, uris);
      yield* runEach(
        addSql[table],
        written.map((row) => [tenant, source, ...row]),
      );
    });
  return {
    async failure({ source, uri, contentHash, kind, readers }) {
      const sql = `SELECT * FROM reading_failure WHERE tenant = ? AND content_hash = ? AND kind = ? AND readers = ?
        ORDER BY tries DESC, (source = ? AND uri = ?) DESC LIMIT 1`;
      const [row] = await only<object>(sql, tenant, contentHash, kind, readers, source, uri.toWellFormed());
      return row && toFailure(row);
    },
    putFailure: ({ error, access: list, ...failure }) =>
      replace('reading_failure', failure.source, [
        [
          failure.uri.toWellFormed(),
          failure.contentHash,
          failure.kind.toWellFormed(),
          failure.readers,
          failure.tries,
          error.code,
          error.message.toWellFormed(),
          failure.failedAt,
          list === undefined ? null : JSON.stringify(list),
        ],
      ]),
    async failures(request) {
      const limit = toLimit(request);
      const { source, minTries = 1, isShown = false } = request;
      const at = request.at?.toWellFormed();
      const [own, ...sources] = sourcesCondition(principal, 'f.source');
      const found: ReadingFailure[] = [];
      let after = parseCursor(request, ['string', 'string']);
      // Who may read few of many is not to ask for each.
      const looked = Math.max(limit + 1, leastLooked);
      for (let isMore = true; isMore && found.length <= limit; ) {
        const sql = `SELECT f.* FROM reading_failure AS f WHERE f.tenant = ?${own} AND f.tries >= ?${source === undefined ? '' : ' AND f.source = ?'}${at === undefined ? '' : ' AND f.uri >= ? AND f.uri < ?'}${isShown ? isReadable : ''}${after ? ' AND (f.source, f.uri) > (?, ?)' : ''} ORDER BY f.source, f.uri LIMIT ?`;
        const read = await only<object>(
          sql,
          tenant,
          ...sources,
          minTries,
          ...(source === undefined ? [] : [source]),
          // No character of a uri sorts after this one.
          ...(at === undefined ? [] : [at, `${at}\u{10ffff}`]),
          ...(isShown ? access.parameters : []),
          ...(after ?? []),
          looked,
        );
        const failures = read.map(toFailure);
        found.push(...failures.filter((one) => !isShown || mayRead(principal, one.access)));
        isMore = read.length === looked;
        const last = failures.at(-1);
        after = [last?.source ?? '', last?.uri ?? ''];
      }
      return toPage(found, limit, {
        value: (failure) => failure,
        key: (failure) => [failure.source, failure.uri],
      });
    },
    async container(source, uri) {
      const sql = 'SELECT * FROM container WHERE tenant = ? AND source = ? AND uri = ?';
      const [row] = await only<object>(sql, tenant, source, uri.toWellFormed());
      return row && toContainer(row);
    },
    async containers(source) {
      const sql = 'SELECT * FROM container WHERE tenant = ? AND source = ?';
      return (await only<object>(sql, tenant, source)).map(toContainer);
    },
    putContainer: (state) =>
      replace('container', state.source, [
        [state.uri.toWellFormed(), state.contentHash, state.readers, state.isComplete ? 1 : 0],
      ]),
    items: (source) =>
      only<ReadItem>(
        'SELECT uri, version, content_hash AS "contentHash" FROM source_item WHERE tenant = ? AND source = ?',
        tenant,
        source,
      ),
    putItems: (source, items) => {
      const byUri = new Map(items.map((item) => [item.uri.toWellFormed(), item]));
      const written = [...byUri].map(([uri, { version, contentHash }]) => [uri, version, contentHash] as const);
      return replace('source_item', source, written);
    },
    forget: (source, uris) =>
      statements.write(function* () {
        const named = uris.map((uri) => uri.toWellFormed());
        for (const table of readingTables) yield* run(`DELETE FROM ${table} WHERE ${isAt}`, tenant, source, named);
      }),
  };
}
