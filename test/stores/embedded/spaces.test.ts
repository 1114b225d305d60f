// What testkit/record-suite/vectors.ts asks, of the store within a record in SQLite.
import { describe } from 'vitest';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { openEmbeddedErasure } from '../../../src/stores/embedded/erasure.ts';
import { settleEmbeddedStore } from '../../../src/stores/embedded/shared.ts';
import { openEmbeddedSpaces } from '../../../src/stores/embedded/spaces.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { vectorSuite } from '../../../testkit/record-suite/vectors.ts';

describe('the spaces of the embedded store', () => {
  const place = recordForEachTest();
  vectorSuite({
    spaces: (tenant) => openEmbeddedSpaces(place.record, tenant),
    store: (scope, vectors) => createEmbeddedStore({ database: place.record, scope, ...(vectors && { vectors }) }),
    erasure: (tenant) => openEmbeddedErasure(place.record, tenant),
    commit: (scope, changes) => place.record.forScope(scope).commit(changes),
    settle: () => settleEmbeddedStore(place.record, 'default'),
    reopen: () => place.reopen(),
    run: (sql) => place.record.write((database) => database.prepare(sql).all()),
    bytes: (hex) => `x'${hex}'`,
  });
});
