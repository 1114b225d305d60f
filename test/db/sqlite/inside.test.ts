// Which documents came out of a file: found by the column that the record keeps for it, also in records of before there was one.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { steps } from '../../../src/db/sqlite/schema-steps.ts';
import { putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { takeBackFrom } from './take-back.ts';

const place = recordForEachTest();

const documents: readonly (readonly [uri: string, container?: string, access?: readonly string[]])[] = [
  ['x.zip/a.md', 'x.zip'],
  ['x.zip/inner.zip/b.md', 'x.zip'],
  ['x.zip/é.md', 'x.zip'],
  ['x.zip/closed.md', 'x.zip', ['others']],
  // Written by hand below the name, and by a client that named a file in which it does not lie.
  ['x.zip/own.md'],
  ['elsewhere.md', 'x.zip'],
  ['x.zipped/c.md', 'x.zip'],
  ['y.zip/a.md', 'y.zip'],
];

async function fill(): Promise<void> {
  const writes = documents.map(([uri, container, access]) =>
    createWrite(`The text of ${uri}.`, {
      source: 's',
      uri,
      metadata: container === undefined ? {} : { container },
      ...(access && { access }),
    }),
  );
  await place.tenant.commit([{ kind: 'put-source', source: { name: 's', type: 'docs' } }, ...putAll(writes)]);
}

async function inside(uri: string, container = 'x.zip', tenant = place.tenant): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const batch of tenant.documents.inside({ source: 's', uri, container }))
    found.push(...batch.map((document) => document.uri));
  return found;
}

const all = ['x.zip/a.md', 'x.zip/closed.md', 'x.zip/inner.zip/b.md', 'x.zip/é.md'];

describe('what came out of a file', () => {
  it('is what says so and lies below it, as far as the caller may read it', async () => {
    await fill();
    expect(await inside('x.zip')).toEqual(all);
    expect(await inside('x.zip/inner.zip')).toEqual(['x.zip/inner.zip/b.md']);
    expect(await inside('x.zi')).toEqual([]);
    expect(await inside('x.zip', 'y.zip')).toEqual([]);
    const reader = place.record.forScope(scopeOf('default', 'r', 'reader', ['team']));
    expect(await inside('x.zip', 'x.zip', reader)).toEqual(all.filter((uri) => uri !== 'x.zip/closed.md'));
    expect(await inside('x.zip', 'x.zip', place.record.forScope(scopeOf('other')))).toEqual([]);
  });

  it('is found in a record of before, damaged facts and all', async () => {
    await fill();
    const { path } = place.record;
    await place.reopen(() => {
      const database = new DatabaseSync(path);
      database.exec("UPDATE document SET metadata = '{' WHERE uri = 'y.zip/a.md'");
      const version = steps.findIndex((step) => step.includes('COLUMN container'));
      takeBackFrom(database, version);
      database.close();
    });
    expect(await inside('x.zip')).toEqual(all);
    expect(await inside('y.zip', 'y.zip')).toEqual([]);
  });
});
