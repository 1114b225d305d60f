// The record in PostgreSQL does with documents what the one in SQLite does.
import { describe } from 'vitest';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { documentSuite } from '../../../testkit/record-suite/documents.ts';
import { duplicateSuite } from '../../../testkit/record-suite/duplicates.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('documents in PostgreSQL (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  documentSuite(place);
  duplicateSuite(place);
});
