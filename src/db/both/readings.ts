// What reading files taught: which ones could not be read and how often that was tried, and which ones hold others. It names
// files, so the role `reader` sees none of it.
import { hasRole, type Scope } from '../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../paging.ts';
import type { ContainerState, ReadItem, ReadingFailure, ReadingRepository } from '../repositories/readings.ts';
import { rowReader } from '../row-reader.ts';
import { run, runEach, type Statements, type StatementValue } from '../statements.ts';
import { insertion, sourcesCondition } from './conditions.ts';

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
const toFailure = (row: object): ReadingFailure => ({ ...factsOfFailure(row), error: errorOf(row) });

const factsOfContainer = rowReader<ContainerState>('source', 'uri', 'contentHash', 'readers');
const toContainer = (row: { readonly is_complete?: unknown }): ContainerState => ({
  ...factsOfContainer(row),
  isComplete: row.is_complete === 1,
});

type ReadingTable = (typeof readingTables)[number];
const addSql: Readonly<Record<ReadingTable, string>> = {
  reading_failure: insertion(
    'reading_failure',
    'tenant source uri content_hash kind readers tries code message failed_at',
  ),
  container: insertion('container', 'tenant source uri content_hash readers is_complete'),
  source_item: insertion('source_item', 'tenant source uri version content_hash'),
};

const isAt = 'tenant = ? AND source = ? AND uri = ANY(?)';

export function createReadingRepository(scope: Scope, statements: Statements): ReadingRepository {
  const { tenant } = scope;
  const isVisible = hasRole(scope.principal, 'writer');
  const only = async <Row>(sql: string, ...values: readonly StatementValue[]): Promise<readonly Row[]> =>
    isVisible ? statements.rows<Row>(sql, ...values) : [];
  /** Of the uris that come first in the rows. */
  const replace = (
    table: ReadingTable,
    source: string,
    written: readonly (readonly [uri: string, ...others: (string | number)[]])[],
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
    putFailure: ({ error, ...failure }) =>
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
        ],
      ]),
    async failures(request) {
      const limit = toLimit(request);
      const cursor = parseCursor(request, ['string', 'string']);
      const { source, minTries = 1 } = request;
      const at = request.at?.toWellFormed();
      const [own, ...sources] = sourcesCondition(scope.principal, 'source');
      const sql = `SELECT * FROM reading_failure WHERE tenant = ?${own} AND tries >= ?${source === undefined ? '' : ' AND source = ?'}${at === undefined ? '' : ' AND uri >= ? AND uri < ?'}${cursor ? ' AND (source, uri) > (?, ?)' : ''} ORDER BY source, uri LIMIT ?`;
      const found = await only<object>(
        sql,
        tenant,
        ...sources,
        minTries,
        ...(source === undefined ? [] : [source]),
        // No character of a uri sorts after this one.
        ...(at === undefined ? [] : [at, `${at}\u{10ffff}`]),
        ...(cursor ?? []),
        limit + 1,
      );
      return toPage(found.map(toFailure), limit, {
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
