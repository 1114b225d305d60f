// What many documents in one transaction may and may not do, and what many are looked up by.
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../../src/core/document.ts';
import { sha256 } from '../../../src/core/ids.ts';
import { turnsWhile } from '../../../testkit/event-loop-turns.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();

const delivery = (documentId: string): Delivery => ({
  documentId,
  store: 'embedded',
  status: 'delivered',
  revision: 1,
  attempts: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
});

describe('transaction', () => {
  it('counts what is added once in each commit, and replaces one that was there under revision 1 too', async () => {
    const revisionOf = (): unknown =>
      place.record.read((database) => database.prepare('SELECT revision FROM document_change').get()?.['revision']);
    await place.tenant.commit([
      { kind: 'put-document', write: createWrite('one', { id: 'a', uri: 'a.md' }) },
      { kind: 'put-document', write: createWrite('two', { id: 'b', uri: 'b.md' }) },
    ]);
    expect(revisionOf()).toBe(1);
    const again = createWrite('one, again', { id: 'a', uri: 'a.md' });
    await place.tenant.commit([{ kind: 'put-document', write: again }]);
    expect(await place.tenant.documents.text('a')).toBe('one, again');
    expect(await place.tenant.documents.chunks('a')).toEqual(again.chunks);
    expect(await place.tenant.documents.count()).toEqual({ documents: 2, chunks: 2 });
    expect(await place.record.check()).toEqual([]);
  });

  it('takes a delivery of what it wrote, and none of what it deleted or never had', async () => {
    await place.tenant.commit([
      { kind: 'put-document', write: createWrite('one', { id: 'a' }) },
      { kind: 'put-delivery', delivery: delivery('a') },
    ]);
    expect(await place.tenant.documents.deliveries('a')).toEqual([delivery('a')]);
    await expect(
      place.tenant.commit([
        { kind: 'put-document', write: createWrite('two', { id: 'b' }) },
        { kind: 'delete-document', id: 'b' },
        { kind: 'put-delivery', delivery: delivery('b') },
      ]),
    ).rejects.toMatchObject({ code: 'not-found' });
    await expect(place.tenant.commit([{ kind: 'put-delivery', delivery: delivery('c') }])).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await place.tenant.documents.count()).toEqual({ documents: 1, chunks: 1 });
  });

  it('leaves what another key may not change as it is, also where the revision says it is new', async () => {
    const hidden = createWrite('secret', { id: 'a', uri: 'a.md', access: ['board'] });
    await place.tenant.commit([{ kind: 'put-document', write: hidden }]);
    const other = place.record.forScope(scopeOf('default', 'key_1', 'writer', []));
    for (const write of [createWrite('mine', { id: 'a', uri: 'x.md' }), createWrite('mine', { id: 'x', uri: 'a.md' })])
      await expect(other.commit([{ kind: 'put-document', write }])).rejects.toMatchObject({
        code: 'conflict',
      });
    expect(await place.tenant.documents.text('a')).toBe('secret');
  });
});

describe('a long document that was prepared', () => {
  const long = () => {
    const write = createWrite('A line of a long text.\n'.repeat(8000), { id: 'long', uri: 'long.md' });
    expect(write.chunks.length).toBeGreaterThan(900);
    return write;
  };

  it('is written as one that was not, for whatever tenant, after others had their turn', async () => {
    const write = long();
    const { turns } = await turnsWhile(() => place.tenant.prepare([write, createWrite('short', { id: 'short' })]));
    // At most 150 chunks are checked and sealed in one go.
    expect(turns).toBeGreaterThanOrEqual(6);
    const other = place.record.forScope(scopeOf('another'));
    for (const record of [place.tenant, other]) {
      await record.commit([{ kind: 'put-document', write }]);
      expect(await record.documents.chunks('long')).toEqual(write.chunks);
    }
    expect(await place.record.check()).toEqual([]);
  });

  it('is refused all the same where it does not hold together', async () => {
    const write = long();
    const chunks = write.chunks.map((chunk, at) => (at === 700 ? { ...chunk, hash: sha256('another') } : chunk));
    const unsound = { ...write, chunks };
    await place.tenant.prepare([unsound]);
    await expect(place.tenant.commit([{ kind: 'put-document', write: unsound }])).rejects.toMatchObject({
      code: 'internal',
    });
    await place.tenant.prepare([write]);
    const renamed = { ...write, document: { ...write.document, id: 'renamed' } };
    await expect(place.tenant.commit([{ kind: 'put-document', write: renamed }])).rejects.toMatchObject({
      code: 'internal',
    });
    expect(await place.tenant.documents.count()).toEqual({ documents: 0, chunks: 0 });
  });
});

describe('lookups of many', () => {
  it('finds by uri and by id what is there and may be read', async () => {
    await place.tenant.commit([
      { kind: 'put-document', write: createWrite('one', { id: 'a', uri: 'a "quoted" \ud800.md' }) },
      { kind: 'put-document', write: createWrite('two', { id: 'b', uri: 'b.md', access: ['board'] }) },
      { kind: 'put-document', write: createWrite('three', { id: 'c', uri: 'c.md', source: 'other' }) },
    ]);
    const uris = ['c.md', 'a "quoted" \ud800.md', 'nothing.md', 'b.md'];
    const { sound: found } = await place.tenant.documents.findByUris('notes', uris);
    expect(found.size).toBe(2);
    expect(found.get(uris[1] ?? '')?.id).toBe('a');
    expect(found.get('b.md')?.id).toBe('b');
    expect(found.get('b.md')).toEqual(await place.tenant.documents.findByUri('notes', 'b.md'));
    expect([...(await place.tenant.documents.knownIds(['a', 'b', 'c', 'd']))].sort()).toEqual(['a', 'b', 'c']);
    const other = place.record.forScope(scopeOf('default', 'key_1', 'reader', []));
    expect([...(await other.documents.findByUris('notes', uris)).sound.keys()]).toEqual([uris[1]]);
    expect([...(await other.documents.knownIds(['a', 'b', 'c', 'd']))].sort()).toEqual(['a', 'c']);
    expect(await place.record.forScope(scopeOf('elsewhere')).documents.knownIds(['a'])).toEqual(new Set());
  });
});
