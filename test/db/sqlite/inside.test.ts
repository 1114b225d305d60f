// Which documents came out of a file: found by the column that the record keeps for it, also in records of before there was one.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { steps } from '../../../src/db/sqlite/schema-steps.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { all, fill, inside, insideSuite } from '../../../testkit/record-suite/inside.ts';
import { sqlitePlace } from '../../../testkit/record-suite/place.ts';
import { takeBackFrom } from './take-back.ts';

const place = recordForEachTest();

describe('what came out of a file', () => {
  insideSuite(sqlitePlace(place));

  it('is found in a record of before, damaged facts and all', async () => {
    await fill(place.tenant);
    const { path } = place.record;
    await place.reopen(() => {
      const database = new DatabaseSync(path);
      database.exec("UPDATE document SET metadata = '{' WHERE uri = 'y.zip/a.md'");
      const version = steps.findIndex((step) => step.includes('COLUMN container'));
      takeBackFrom(database, version);
      database.close();
    });
    expect(await inside(place.tenant, 'x.zip')).toEqual(all);
    expect(await inside(place.tenant, 'y.zip', 'y.zip')).toEqual([]);
  });
});
