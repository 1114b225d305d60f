// Which documents came out of a file. Run over each database by test/db.
import { expect, it } from 'vitest';
import type { TenantRecord } from '../../src/db/tenant-record.ts';
import { putAll } from '../record-changes.ts';
import { createWrite, scopeOf } from '../record-fixture.ts';
import type { SuitePlace } from './place.ts';

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

export async function fill(tenant: TenantRecord): Promise<void> {
  const writes = documents.map(([uri, container, access]) =>
    createWrite(`The text of ${uri}.`, {
      source: 's',
      uri,
      metadata: container === undefined ? {} : { container },
      ...(access && { access }),
    }),
  );
  await tenant.commit([{ kind: 'put-source', source: { name: 's', type: 'docs' } }, ...putAll(writes)]);
}

export async function inside(tenant: TenantRecord, uri: string, container = 'x.zip'): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const batch of tenant.documents.inside({ source: 's', uri, container }))
    found.push(...batch.map((document) => document.uri));
  return found;
}

export const all = ['x.zip/a.md', 'x.zip/closed.md', 'x.zip/inner.zip/b.md', 'x.zip/é.md'];

export function insideSuite(place: SuitePlace): void {
  it('what came out of a file is what says so and lies below it, as far as the caller may read it', async () => {
    const { tenant } = place;
    await fill(tenant);
    expect(await inside(tenant, 'x.zip')).toEqual(all);
    expect(await inside(tenant, 'x.zip/inner.zip')).toEqual(['x.zip/inner.zip/b.md']);
    expect(await inside(tenant, 'x.zi')).toEqual([]);
    expect(await inside(tenant, 'x.zip', 'y.zip')).toEqual([]);
    const reader = place.forScope(scopeOf('default', 'r', 'reader', ['team']));
    expect(await inside(reader, 'x.zip')).toEqual(all.filter((uri) => uri !== 'x.zip/closed.md'));
    expect(await inside(place.forScope(scopeOf('other')), 'x.zip')).toEqual([]);
  });
}
