// What testkit/record-suite/uploads.ts asks, of SQLite.
import { recordForEachTest } from '../../../../testkit/record-fixture.ts';
import { sqlitePlace } from '../../../../testkit/record-suite/place.ts';
import { uploadSuite } from '../../../../testkit/record-suite/uploads.ts';

const record = recordForEachTest();
uploadSuite(
  Object.assign(sqlitePlace(record), {
    reopen: () => record.reopen(),
    markInterrupted: () => record.record.markInterrupted(),
    bytes: (hex: string) => `x'${hex}'`,
  }),
);
