// What testkit/record-suite/memories.ts asks, of PostgreSQL.
import { describe } from 'vitest';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { memorySuite } from '../../../testkit/record-suite/memories.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('memories in PostgreSQL (skipped where no server is installed)', () => {
  memorySuite(postgresForEachTest(programs ?? ''));
});
