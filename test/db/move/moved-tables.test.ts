// What a move carries follows from the schemas: a table or a column that comes into one of them is accounted for, or this fails.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Columns, movedTables } from '../../../src/db/move/moved-tables.ts';
import { postgresColumns, readPostgres } from '../../../src/db/move/postgres-side.ts';
import { tablesMoved } from '../../../src/db/move/sqlite-side.ts';
import { createPostgresClient } from '../../../src/db/postgres/client/client.ts';
import { migrate } from '../../../src/db/postgres/migrations.ts';
import { openPostgresServer, type PostgresServer, postgresPrograms } from '../../../testkit/postgres/server.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('what a move carries (skipped where no PostgreSQL is installed)', () => {
  let server: PostgresServer;
  let address: string;
  let postgres: Columns;
  beforeAll(async () => {
    server = await openPostgresServer(programs ?? '');
    address = await server.createDatabase();
    const client = createPostgresClient(address);
    await migrate(client);
    postgres = await postgresColumns(client);
    await client.close();
  });
  afterAll(() => server?.remove());

  it('is every table of both schemas, with each of its columns', () => {
    const tables = tablesMoved(postgres);
    const document = tables.find(({ name }) => name === 'document');
    expect(document).toMatchObject({
      key: ['tenant', 'id'],
      columns: expect.arrayContaining(['uri', 'stores']) as object,
    });
    expect(document?.columns).not.toContain('container');
    expect(tables.every(({ key, columns }) => key.length > 0 && columns.length > 0)).toBe(true);
  });

  it('is asked for a few megabytes at a time, and large files one by one', async () => {
    const megabyte = 1024 * 1024;
    const sizes = [3, 3, 0, 0, 1, 3, 0, 3, 3, 3, 3, 3, 0].map((size) => size * megabyte);
    for (const [at, size] of sizes.entries())
      await server.run(
        address,
        `INSERT INTO upload SELECT 't', '${String(at + 10)}', 'p', '', 'n', 'm', 'u', ${size}, 'h', convert_to(repeat('x', ${size}), 'UTF8')`,
      );
    const slices = await readPostgres(address, { isServed: true }, async (side, tables) => {
      const found: number[][] = [];
      for (const table of tables)
        if (table.name === 'upload')
          for await (const slice of side.slices(table)) found.push(slice.map((row) => Number(row['size'])));
      return found;
    });
    expect(slices.flat()).toEqual(sizes);
    for (const slice of slices) expect(slice.filter((size) => size > 2 * megabyte).length).toBeLessThanOrEqual(1);
  });

  it('lets no table and no column of either be forgotten', () => {
    const other = { name: 'other', type: 'text', isCounted: false, key: null };
    const sqlite = new Map([['other_table', [other]]]);
    expect(() => movedTables(sqlite, postgres, () => [])).toThrow('The table other_table of SQLite');
    expect(() => tablesMoved(new Map([...postgres, ['other_table', [other]]]))).toThrow(
      'The table other_table of PostgreSQL',
    );
    const more = new Map([...postgres, ['chunk', [...(postgres.get('chunk') ?? []), other]]]);
    expect(() => tablesMoved(more)).toThrow('The column chunk.other of PostgreSQL');
    const less = new Map([
      ...postgres,
      ['turn', (postgres.get('turn') ?? []).filter(({ name }) => name !== 'content')],
    ]);
    expect(() => tablesMoved(less)).toThrow('The column turn.content of SQLite');
  });
});
