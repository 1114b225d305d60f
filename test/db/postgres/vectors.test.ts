// What testkit/record-suite/vectors.ts asks, of an index that follows a record in PostgreSQL.
import { describe } from 'vitest';
import { openShadowErasure } from '../../../src/stores/embedded/shadow/shadow-erasure.ts';
import { openShadowSpaces } from '../../../src/stores/embedded/shadow/shadow-spaces.ts';
import { createShadowStore } from '../../../src/stores/embedded/shadow/shadow-store.ts';
import { postgresPrograms } from '../../../testkit/postgres/server.ts';
import { postgresForEachTest } from '../../../testkit/record-suite/place.ts';
import { vectorSuite } from '../../../testkit/record-suite/vectors.ts';

const programs = postgresPrograms();

describe.skipIf(programs === undefined)('vectors in PostgreSQL (skipped where no server is installed)', () => {
  const place = postgresForEachTest(programs ?? '');
  vectorSuite({
    spaces: (tenant) => openShadowSpaces(place.record, tenant),
    store: (scope, vectors) => createShadowStore({ record: place.record, scope, ...(vectors && { vectors }) }),
    erasure: (tenant) => openShadowErasure(place.record, tenant),
    commit: (scope, changes) => place.record.forScope(scope).commit(changes),
    settle: async () => undefined,
    reopen: () => place.reopen(),
    run: place.run,
    bytes: (hex) => `'\\x${hex}'`,
  });
});
