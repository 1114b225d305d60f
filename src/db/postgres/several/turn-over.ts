// Segments of an index in PostgreSQL: written in parts of a megabyte, each in a transaction of its own, and put in the place of others, or of rows of the
// log, in a short commit of the tenant. Invariants: parts count only under a row of ix_segment; a segment takes the place of exactly what it was made
// of, or of nothing; a kill at any moment leaves what was there, or what came, and at most parts, rows and removals that `tidyIndex` deletes.
import { FootnoteError } from '../../../core/errors.ts';
import { bytesInParts, type StoredSegment, type TurnOver, type Unsealed } from '../../repositories/index-log.ts';
import type { Connection, PostgresClient } from '../client/client.ts';

/** The index of one tenant. */
export interface TurnOverPorts {
  readonly client: PostgresClient;
  /** Work in a commit that takes the next revision of the tenant, which has its row. */
  inCommit(
    work: (connection: Connection, state: { purged: number }) => Promise<{ readonly areChanged: boolean }>,
  ): Promise<unknown>;
  /** Until the transaction ends nobody else commits. */
  lock(connection: Connection): Promise<unknown>;
}

const partBytes = 1 << 20;
/** What one statement deletes. */
const partsTogether = 8;
const rowsTogether = 2000;
/** Read in one go: a few milliseconds each. */
const partsRead = 2;

const stageSql = `INSERT INTO ix_part (tenant, seal, ordinal, bytes, owner) VALUES ($1, $2, $3, $4, coalesce(current_setting('footnote.server', true), ''))
  ON CONFLICT (tenant, seal, ordinal) DO UPDATE SET bytes = excluded.bytes, owner = excluded.owner, staged_at = excluded.staged_at`;
const stagedSql =
  'SELECT count(*) AS parts, coalesce(sum(length(bytes)), 0) AS length FROM ix_part WHERE tenant = $1 AND seal = $2';
const overlapSql = 'SELECT 1 FROM ix_segment WHERE tenant = $1 AND first_row <= $3 AND last_row >= $2 LIMIT 1';
const lastRemovedSql = 'SELECT max(revision) AS revision FROM ix_removed WHERE tenant = $1 AND revision <= $2';
/** Whoever has not seen them loads everything, and nothing that is left to be loaded holds their rows. */
const tidyRemovedSql = `WITH slice AS (SELECT revision, first_row FROM ix_removed WHERE tenant = $1 AND (revision, first_row) > ($2, $3)
    AND revision <= (SELECT purged FROM tenant_state WHERE tenant = $1) ORDER BY revision, first_row LIMIT ${rowsTogether}),
  gone AS (DELETE FROM ix_removed AS r USING slice WHERE r.tenant = $1 AND r.revision = slice.revision AND r.first_row = slice.first_row AND NOT EXISTS (
    SELECT 1 FROM ix_segment AS s WHERE s.tenant = $1 AND s.first_row <= r.last_row AND s.last_row >= r.first_row AND s.revision < r.revision))
  SELECT revision, first_row AS first, count(*) OVER () AS count FROM slice ORDER BY revision DESC, first_row DESC LIMIT 1`;
const tidyLogSql = `DELETE FROM ix_log WHERE tenant = $1 AND row IN (SELECT row FROM ix_log WHERE tenant = $1
  AND row <= (SELECT max(last_row) FROM ix_segment WHERE tenant = $1) ORDER BY row LIMIT ${rowsTogether})`;
const tidyPartsSql = `DELETE FROM ix_part WHERE tenant = $1 AND (seal, ordinal) IN (SELECT seal, ordinal FROM ix_part AS p WHERE p.tenant = $1
  AND NOT EXISTS (SELECT 1 FROM ix_segment AS s WHERE s.tenant = p.tenant AND s.seal = p.seal) LIMIT ${partsTogether})`;

const changed = (): FootnoteError =>
  new FootnoteError('conflict', 'The segments of the index changed while some of them were merged.');
/** Whatever is written here may be written twice. */
const again = { isDone: async () => false };

type Slices = Pick<TurnOverPorts, 'client'> & { readonly tenant: string; readonly lock?: TurnOverPorts['lock'] };
async function inSlices({ client, tenant, lock }: Slices, sql: string, together: number): Promise<void> {
  for (let left = together; left === together; )
    left = await client.write(async (connection) => {
      await lock?.(connection);
      return (await connection.ask(sql, [tenant])).changes;
    }, again);
}

/** As `IndexLog.turnOver`. */
export async function turnOver(
  { client, inCommit }: TurnOverPorts,
  tenant: string,
  { first, last, made, replaced, revision, signal }: TurnOver,
): Promise<void> {
  const bytes = made?.bytes ?? new Uint8Array();
  const parts = Math.ceil(bytes.length / partBytes);
  for (let part = 0; made && part < parts; part++) {
    signal?.throwIfAborted();
    const values = [tenant, made.seal, part, bytes.subarray(part * partBytes, (part + 1) * partBytes)];
    const staged = client.write((connection) => connection.rows(stageSql, values), again);
    await staged.catch(async (error: unknown) => {
      // On a full disk whoever writes or deletes needs their room.
      await inSlices({ client, tenant }, tidyPartsSql, partsTogether).catch(() => undefined);
      throw error;
    });
  }
  await inCommit(async (connection, state) => {
    // A repair, or a turn-over that came between, took out what this one was made of.
    if (state.purged > revision) throw changed();
    const drop = 'DELETE FROM ix_segment WHERE tenant = $1 AND seal = ANY($2)';
    if ((await connection.ask(drop, [tenant, replaced])).changes !== replaced.length) throw changed();
    if ((await connection.rows(overlapSql, [tenant, first, last])).length > 0) throw changed();
    if (made) {
      const [there] = await connection.rows<{ parts: number; length: number }>(stagedSql, [tenant, made.seal]);
      if (there?.parts !== parts || there.length !== bytes.length) throw changed();
      const insert =
        'INSERT INTO ix_segment (tenant, first_row, last_row, seal, parts, revision) VALUES ($1, $2, $3, $4, $5, $6)';
      await connection.rows(insert, [tenant, first, last, made.seal, parts, revision]);
    }
    // Whoever has seen all removals that this one was made with has nothing to load.
    const [removed] = await connection.rows<{ readonly revision: number | null }>(lastRemovedSql, [tenant, revision]);
    state.purged = Math.max(state.purged, removed?.revision ?? 0);
    return { areChanged: false };
  });
}

const unsealedSql = `WITH sealed AS (SELECT coalesce(max(last_row), 0) AS upto FROM ix_segment WHERE tenant = $1)
  SELECT (SELECT count(*) FROM (SELECT 1 FROM ix_log, sealed WHERE tenant = $1 AND row > upto LIMIT $2) AS counted) AS rows,
  EXISTS (SELECT 1 FROM ix_segment AS s JOIN ix_removed AS r ON r.tenant = s.tenant AND r.first_row <= s.last_row AND r.last_row >= s.first_row
    AND r.revision > s.revision WHERE s.tenant = $1) AS "hasDeleted",
  EXISTS (SELECT 1 FROM ix_log, sealed WHERE tenant = $1 AND row <= upto) OR EXISTS (SELECT 1 FROM ix_part AS p WHERE p.tenant = $1
    AND NOT EXISTS (SELECT 1 FROM ix_segment AS s WHERE s.tenant = p.tenant AND s.seal = p.seal)) AS "hasLeft"`;

/** As `IndexLog.unsealed`. */
export async function countUnsealed(client: PostgresClient, tenant: string, most: number): Promise<Unsealed> {
  const [found] = await client.rows<Unsealed>(unsealedSql, [tenant, most]);
  return found ?? { rows: 0, hasDeleted: false, hasLeft: false };
}

/** As `IndexLog.tidy`. A commit that deletes rows of the log holds the tenant, too: neither waits for half of the other. */
export async function tidyIndex({ client, lock }: TurnOverPorts, tenant: string): Promise<number> {
  await inSlices({ client, tenant, lock }, tidyLogSql, rowsTogether);
  await inSlices({ client, tenant }, tidyPartsSql, partsTogether);
  type Slice = { readonly revision: number; readonly first: number; readonly count: number };
  for (let last: Slice | undefined = { revision: -1, first: 0, count: rowsTogether }; last?.count === rowsTogether; ) {
    const { revision, first }: Slice = last;
    [last] = await client.write(async (connection) => {
      await lock(connection);
      return connection.rows<Slice>(tidyRemovedSql, [tenant, revision, first]);
    }, again);
  }
  const sql = 'SELECT count(*) AS count FROM ix_segment WHERE tenant = $1';
  return (await client.rows<{ readonly count: number }>(sql, [tenant]))[0]?.count ?? 0;
}

async function* readParts(client: PostgresClient, tenant: string, seal: string): AsyncGenerator<Uint8Array> {
  const sql = 'SELECT bytes FROM ix_part WHERE tenant = $1 AND seal = $2 AND ordinal >= $3 ORDER BY ordinal LIMIT $4';
  for (let read = 0, isMore = true; isMore; read += partsRead) {
    const rows = await client.rows<{ readonly bytes: Uint8Array }>(sql, [tenant, seal, read, partsRead]);
    for (const { bytes } of rows) yield bytes;
    isMore = rows.length === partsRead;
  }
}

/** As `IndexLog.bytesOf`. In several statements: a segment that goes meanwhile is not what was sealed. */
export const readSealed = (
  client: PostgresClient,
  tenant: string,
  segment: StoredSegment,
): Promise<Uint8Array | undefined> => bytesInParts(tenant, segment, readParts(client, tenant, segment.seal));
