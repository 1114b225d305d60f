// What testkit/record-suite/encoded-passages.ts asks, of SQLite.
import { describe, expect, it } from 'vitest';
import { createEncodedPassageRepository } from '../../../../src/db/sqlite/requests/encoded-passages.ts';
import { createWrite, recordForEachTest } from '../../../../testkit/record-fixture.ts';
import { encodedPassageSuite } from '../../../../testkit/record-suite/encoded-passages.ts';
import { sqlitePlace } from '../../../../testkit/record-suite/place.ts';

const at = '2026-11-23T10:00:00.000Z';

describe('vectors of passages', () => {
  const record = recordForEachTest();
  const passagesOf = (tenant = 'default') => record.record.encodedPassagesOf(tenant);
  encodedPassageSuite({
    place: Object.assign(sqlitePlace(record), { reopen: () => record.reopen() }),
    passagesOf,
    bounded: (most) =>
      createEncodedPassageRepository('default', {
        read: async (work) => record.record.read(work),
        write: record.record.write,
        most,
      }),
    damaged: "unhex('ffffff' || substr(hex(vector), 7))",
  });

  it('are kept again after a restart: no request is under way that could have read what was deleted', async () => {
    await record.tenant.commit([
      { kind: 'put-document', write: createWrite('The reservoir holds water.', { id: 'd' }) },
    ]);
    await record.tenant.commit([{ kind: 'delete-document', id: 'd' }]);
    const keep = () => passagesOf().keep(new Map([['k', Float32Array.of(1, 2)]]), [], at);
    await keep();
    expect((await passagesOf().read(['k'])).vectors.size).toBe(0);
    await record.reopen();
    await keep();
    expect((await passagesOf().read(['k'])).vectors.size).toBe(1);
  });
});
