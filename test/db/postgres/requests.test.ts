// The record in PostgreSQL does with traces, answers, costs, runs, keys and the audit log what the one in SQLite does.
import { describe } from 'vitest';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { erasureSuite } from '../../../testkit/record-suite/erasures.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';
import { spendingSuite, traceSuite } from '../../../testkit/record-suite/requests.ts';
import { runSuite } from '../../../testkit/record-suite/runs.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)(
  'requests and runs in PostgreSQL (skipped where no server is installed)',
  () => {
    const place = postgresForEachTest(programs ?? '');
    traceSuite(place);
    spendingSuite(place);
    runSuite(place);
    erasureSuite(place);
  },
);
