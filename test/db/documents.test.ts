// What a transaction refuses, what a revision replaces, what a list pages through.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../src/db/repositories/changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../testkit/record-fixture.ts';
import { documentSuite } from '../../testkit/record-suite/documents.ts';
import { sqlitePlace } from '../../testkit/record-suite/place.ts';

const place = recordForEachTest();

const put = (write: DocumentWrite): Promise<unknown> => place.tenant.commit([{ kind: 'put-document', write }]);

describe('documents', () => {
  documentSuite(sqlitePlace(place));

  it('never reuses the row of a deleted chunk: an index that kept it would point at another text', async () => {
    await put(createWrite('one', { id: 'd' }));
    await place.tenant.commit([{ kind: 'delete-document', id: 'd' }]);
    await put(createWrite('two', { id: 'e' }));
    expect(place.record.read((database) => database.prepare('SELECT rowid AS row FROM chunk').get())).toEqual({
      row: 2,
    });
  });

  it('leaves nothing of a deleted document in the data folder once it is closed', async () => {
    const canary = 'xylophone-in-the-granary';
    const canaryOf = (): string[] =>
      readdirSync(place.folder).filter((name) => readFileSync(join(place.folder, name)).includes(canary));
    const text = `${'meadow '.repeat(2000)} ${canary} ${'ledger '.repeat(2000)}`;
    await put(
      createWrite(text, { id: 'd', title: canary, metadata: { canary }, file: new TextEncoder().encode(text) }),
    );
    for (let n = 0; n < 20; n += 1) await put(createWrite(`other ${n}`, { id: `o${n}` }));
    await place.reopen(() => expect(canaryOf()).toEqual(['record.sqlite']));
    await place.record.forScope(scopeOf()).commit([{ kind: 'delete-document', id: 'd' }]);
    await place.reopen(() => expect(canaryOf()).toEqual([]));
  });
});
