// Which documents came out of a file: found by the column that the record keeps for it.
import { describe } from 'vitest';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { insideSuite } from '../../../testkit/record-suite/inside.ts';
import { sqlitePlace } from '../../../testkit/record-suite/place.ts';

const place = recordForEachTest();

describe('what came out of a file', () => {
  insideSuite(sqlitePlace(place));
});
