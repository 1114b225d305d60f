// What testkit/record-suite/memories.ts asks, of SQLite.
import { describe } from 'vitest';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { memorySuite } from '../../../testkit/record-suite/memories.ts';
import { sqlitePlace } from '../../../testkit/record-suite/place.ts';

describe('createLongTermMemory', () => {
  const record = recordForEachTest();
  memorySuite(Object.assign(sqlitePlace(record), { reopen: () => record.reopen() }));
});
