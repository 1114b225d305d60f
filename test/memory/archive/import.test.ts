// What testkit/record-suite/archive-imports.ts asks, of SQLite.
import { archivePortsOf } from '../../../src/db/sqlite/archive.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { archiveImportSuite } from '../../../testkit/record-suite/archive-imports.ts';

const place = recordForEachTest();
archiveImportSuite({
  get folder() {
    return place.folder;
  },
  ports: () => archivePortsOf(place.record),
});
