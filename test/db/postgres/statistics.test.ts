// The planner of a database that is being filled knows how large its tables are, before PostgreSQL's own upkeep has looked at them.
import { describe, expect, it } from 'vitest';
import { createShadowStore } from '../../../src/stores/embedded/shadow/shadow-store.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { putAll } from '../../../testkit/record-changes.ts';
import { createWrite } from '../../../testkit/record-fixture.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('a database that is filled (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');

  it('has statistics once two thousand chunks are in', async () => {
    const { record, tenant } = place;
    const store = createShadowStore({ record, scope: tenant.scope });
    const known = async () => {
      const sql = "SELECT bool_and(reltuples > 0) AS known FROM pg_class WHERE relname IN ('ix_log', 'ix_document')";
      return (await place.run(sql))[0];
    };
    for (let first = 0; first < 2_000; first += 500) {
      if (first === 1_500) expect(await known()).toEqual({ known: false });
      const writes = Array.from({ length: 500 }, (_, at) =>
        createWrite(`otter ${first + at}`, { id: `d${first + at}` }),
      );
      await tenant.commit(putAll(writes, store));
    }
    await expect.poll(known, { timeout: 60_000 }).toEqual({ known: true });
  });
});
