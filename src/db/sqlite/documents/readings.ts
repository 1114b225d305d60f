// What reading files taught: which ones could not be read and how often that was tried, and which ones hold others. It names
// files, so the role `reader` sees none of it.
import { hasRole, type Scope } from '../../../core/scope.ts';
import { parseCursor, toLimit, toPage } from '../../paging.ts';
import type { ContainerState, ReadItem, ReadingFailure, ReadingRepository } from '../../repositories/readings.ts';
import { prepared, type Reader } from '../file/connection.ts';
import { rowReader } from '../file/row-reader.ts';
import type { Writer } from '../requests/sessions.ts';
import { sourcesCondition } from './filter-sql.ts';

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

export function createReadingRepository(scope: Scope, read: Reader, write: Writer): ReadingRepository {
  const { tenant } = scope;
  const visible = hasRole(scope.principal, 'writer') ? 1 : 0;
  return {
    failure: ({ source, uri, contentHash, kind, readers }) =>
      read((database) => {
        const sql =
          'SELECT * FROM reading_failure WHERE tenant = ? AND content_hash = ? AND kind = ? AND readers = ? AND ? ORDER BY tries DESC, (source = ? AND uri = ?) DESC LIMIT 1';
        const row = prepared(database, sql).get(
          tenant,
          contentHash,
          kind,
          readers,
          visible,
          source,
          uri.toWellFormed(),
        );
        return row && toFailure(row);
      }),
    putFailure: ({ error, ...failure }) =>
      write((database) => {
        prepared(database, 'INSERT OR REPLACE INTO reading_failure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
          tenant,
          failure.source,
          failure.uri.toWellFormed(),
          failure.contentHash,
          failure.kind.toWellFormed(),
          failure.readers,
          failure.tries,
          error.code,
          error.message.toWellFormed(),
          failure.failedAt,
        );
      }),
    failures: (request) =>
      read((database) => {
        const limit = toLimit(request);
        const cursor = parseCursor(request, ['string', 'string']);
        const { source, minTries = 1 } = request;
        const at = request.at?.toWellFormed();
        const [own, ...sources] = sourcesCondition(scope.principal, 'source');
        const sql = `SELECT * FROM reading_failure WHERE tenant = ? AND ?${own} AND tries >= ?${source === undefined ? '' : ' AND source = ?'}${at === undefined ? '' : ' AND uri >= ? AND uri < ?'}${cursor ? ' AND (source, uri) > (?, ?)' : ''} ORDER BY source, uri LIMIT ?`;
        const rows = prepared(database, sql).all(
          tenant,
          visible,
          ...sources,
          minTries,
          ...(source === undefined ? [] : [source]),
          // No character of a uri sorts after this one.
          ...(at === undefined ? [] : [at, `${at}\u{10ffff}`]),
          ...(cursor ?? []),
          limit + 1,
        );
        return toPage(rows.map(toFailure), limit, {
          value: (failure) => failure,
          key: (failure) => [failure.source, failure.uri],
        });
      }),
    container: (source, uri) =>
      read((database) => {
        const sql = 'SELECT * FROM container WHERE tenant = ? AND source = ? AND uri = ? AND ?';
        const row = prepared(database, sql).get(tenant, source, uri.toWellFormed(), visible);
        return row && toContainer(row);
      }),
    containers: (source) =>
      read((database) => {
        const sql = 'SELECT * FROM container WHERE tenant = ? AND source = ? AND ?';
        const rows = prepared(database, sql).all(tenant, source, visible);
        return rows.map(toContainer);
      }),
    putContainer: (state) =>
      write((database) => {
        prepared(database, 'INSERT OR REPLACE INTO container VALUES (?, ?, ?, ?, ?, ?)').run(
          tenant,
          state.source,
          state.uri.toWellFormed(),
          state.contentHash,
          state.readers,
          state.isComplete ? 1 : 0,
        );
      }),
    items: (source) =>
      read((database) => {
        const sql =
          'SELECT uri, version, content_hash AS contentHash FROM source_item WHERE tenant = ? AND source = ? AND ?';
        return prepared(database, sql).all(tenant, source, visible) as unknown as ReadItem[];
      }),
    putItems: (source, items) =>
      write((database) => {
        for (const { uri, version, contentHash } of items)
          prepared(database, 'INSERT OR REPLACE INTO source_item VALUES (?, ?, ?, ?, ?)').run(
            tenant,
            source,
            uri.toWellFormed(),
            version,
            contentHash,
          );
      }),
    forget: (source, uris) =>
      write((database) => {
        for (const table of readingTables)
          for (const uri of uris)
            prepared(database, `DELETE FROM ${table} WHERE tenant = ? AND source = ? AND uri = ?`).run(
              tenant,
              source,
              uri.toWellFormed(),
            );
      }),
  };
}
