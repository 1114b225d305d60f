// The record in PostgreSQL does with sessions what the one in SQLite does.
import { describe } from 'vitest';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';
import { sessionSuite } from '../../../testkit/record-suite/sessions.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('sessions in PostgreSQL (skipped where no server is installed)', () => {
  sessionSuite(postgresForEachTest(programs ?? ''));
});
