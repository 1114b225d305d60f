// What others commit between two statements of a read or of a transaction: a read is of one moment, with its access condition, and a transaction sees
// what it was told.
import { describe, expect, it } from 'vitest';
import { type Connection, createPostgresClient, type PostgresClient } from '../../../src/db/postgres/client/client.ts';
import { createDocumentRepository } from '../../../src/db/postgres/documents.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { createWrite, scopeOf } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

interface Step {
  /** The statement after which it happens, once. */
  readonly after: RegExp;
  readonly work: () => Promise<unknown>;
}

function interleaved(client: PostgresClient, given: readonly Step[]): PostgresClient {
  const steps = [...given];
  const rowsOf =
    (connection: Pick<Connection, 'rows'>): Connection['rows'] =>
    async <Row>(sql: string, values?: Parameters<Connection['rows']>[1]) => {
      const rows = await connection.rows<Row>(sql, values);
      if (steps[0]?.after.test(sql)) await steps.shift()?.work();
      return rows;
    };
  return {
    ...client,
    rows: rowsOf(client),
    read: (work) => client.read((connection) => work({ ...connection, rows: rowsOf(connection) })),
    write: (work, options) => client.write((connection) => work({ ...connection, rows: rowsOf(connection) }), options),
  };
}

describe.skipIf(programs === undefined)('what others commit meanwhile (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  const put = (write: ReturnType<typeof createWrite>) => place.tenant.commit([{ kind: 'put-document', write }]);
  const facts = { id: 'd', uri: 'd.md' };

  it.each([
    ['of as many chunks', 'secret '.repeat(100)],
    ['of another number of chunks', 'secret '.repeat(200)],
  ])('brings a reader no text of a narrower revision %s, and no damage', async (_, text) => {
    const open = createWrite('public '.repeat(100), facts);
    const narrower = createWrite(text, { ...facts, revision: 2, access: ['board'] });
    const first = createPostgresClient(place.address);
    const reads = (scope = scopeOf()) => {
      const client = interleaved(first, [{ after: /FROM (document AS d|unnest)/u, work: () => put(narrower) }]);
      return createDocumentRepository(client, scope);
    };
    await put(open);
    expect(await reads(scopeOf('default', 'key:r', 'reader')).chunks('d')).toEqual(open.chunks);
    await put(open);
    expect(await reads().isSound('d')).toBe(true);
    await put(open);
    const ids = open.chunks.map(({ id }) => id);
    expect(await reads().chunksById(ids)).toEqual(open.chunks.map((chunk) => ({ chunk, document: open.document })));
    expect((await place.tenant.documents.get('d'))?.revision).toBe(2);
    await first.close();
  });
});
