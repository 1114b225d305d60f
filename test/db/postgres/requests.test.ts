// The record in PostgreSQL does with traces, answers, costs, runs, keys and the audit log what the one in SQLite does.
import { afterEach, describe } from 'vitest';
import { createPostgresClient, type PostgresClient } from '../../../src/db/postgres/client/client.ts';
import { createEncodedPassageRepository } from '../../../src/db/postgres/encoded-passages.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { effectSuite } from '../../../testkit/record-suite/effects.ts';
import { encodedPassageSuite } from '../../../testkit/record-suite/encoded-passages.ts';
import { erasureSuite } from '../../../testkit/record-suite/erasures.ts';
import { insideSuite } from '../../../testkit/record-suite/inside.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';
import { spendingSuite, traceSuite } from '../../../testkit/record-suite/requests.ts';
import { runSuite } from '../../../testkit/record-suite/runs.ts';
import { uploadSuite } from '../../../testkit/record-suite/uploads.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)(
  'requests and runs in PostgreSQL (skipped where no server is installed)',
  () => {
    const place = postgresForEachTest(programs ?? '');
    traceSuite(place);
    spendingSuite(place);
    runSuite(place);
    erasureSuite(place);
    effectSuite(Object.assign(place, { markInterrupted: () => place.record.markInterrupted() }));

    insideSuite(place);
    uploadSuite(
      Object.assign(place, {
        markInterrupted: () => place.record.markInterrupted(),
        bytes: (hex: string) => `'\\x${hex}'`,
      }),
    );

    const clients: PostgresClient[] = [];
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.close();
    });
    encodedPassageSuite({
      place,
      passagesOf: (tenant) => place.record.encodedPassagesOf(tenant),
      bounded(most) {
        const client = createPostgresClient(place.address);
        clients.push(client);
        return createEncodedPassageRepository(client, 'default', most);
      },
      damaged: 'set_byte(vector, 2, 255 - get_byte(vector, 2))',
    });
  },
);
