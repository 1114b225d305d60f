// What testkit/record-suite/duplicates.ts asks, of SQLite.
import { describe } from 'vitest';
import { recordForEachTest } from '../../testkit/record-fixture.ts';
import { duplicateSuite } from '../../testkit/record-suite/duplicates.ts';
import { sqlitePlace } from '../../testkit/record-suite/place.ts';

describe('duplicates', () => {
  duplicateSuite(sqlitePlace(recordForEachTest()));
});
