// The rows behind deliveries: they outlive their documents, and settle only the wish that was tried.
import { describe, expect, it } from 'vitest';
import type { DeliveryQueue, DueDelivery } from '../../../src/db/repositories/delivery-queue.ts';
import { putAll } from '../../../testkit/record-changes.ts';
import { createWrite, recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';

const place = recordForEachTest();
const at = '2026-01-01T00:00:00.000Z';
const none: ReadonlySet<string> = new Set();
const queue = (): DeliveryQueue => place.record.deliveriesOf('default');
const dueNow = (without = none): Promise<readonly DueDelivery[]> =>
  queue().due('far', { nowMs: 0, limit: 10, without });

async function put(id: string, { revision = 1, stores }: { revision?: number; stores?: string[] } = {}): Promise<void> {
  const write = createWrite(`Text ${revision} of ${id}.`, { id, uri: `${id}.md`, revision });
  await place.tenant.commit([
    { kind: 'put-document', write: stores ? { ...write, stores } : write },
    { kind: 'queue-delivery', wanted: { documentId: id, store: 'far', revision, updatedAt: at } },
  ]);
}

describe('the delivery queue', () => {
  it('holds one wish for a document, the latest, and settles no other', async () => {
    await put('a');
    const [first] = await dueNow();
    expect(first).toMatchObject({ documentId: 'a', operation: 'upsert', revision: 1, attempts: 0 });
    await put('a', { revision: 2 });
    await queue().settle([{ delivery: first!, storeDocumentId: 'file-1' }], at);
    const [second, ...others] = await dueNow();
    expect(others).toEqual([]);
    expect(second).toMatchObject({ revision: 2, storeDocumentId: 'file-1' });
    await queue().settle([{ delivery: second!, storeDocumentId: 'file-2' }], at);
    expect(await dueNow()).toEqual([]);
    expect(await place.tenant.documents.deliveries('a')).toMatchObject([{ status: 'delivered', revision: 2 }]);
  });

  it('keeps a deletion when the document is gone, with the name that the store gave it, and shows it to nobody', async () => {
    await put('a');
    await queue().settle([{ delivery: (await dueNow())[0]!, storeDocumentId: 'file-1' }], at);
    await place.tenant.commit([{ kind: 'delete-document', id: 'a' }]);
    await place.reopen();
    const [deletion] = await dueNow();
    expect(deletion).toMatchObject({ operation: 'delete', revision: 1, storeDocumentId: 'file-1' });
    expect((await place.tenant.documents.listDeliveries({})).data).toEqual([]);
    expect(await place.record.tenantsToDeliver()).toEqual(['default']);
    await put('a');
    await queue().settle([{ delivery: deletion! }], at);
    const [again] = await dueNow();
    expect(again).toMatchObject({ operation: 'upsert', revision: 1 });
    expect(again?.storeDocumentId).toBeUndefined();
    await queue().settle([{ delivery: again! }], at);
    expect(await place.record.tenantsToDeliver()).toEqual([]);
  });

  it('tells when the store took a document last, whichever that was', async () => {
    for (const id of ['a', 'b']) await put(id);
    expect(await queue().newest('far')).toBeUndefined();
    const [a, b] = await dueNow();
    await queue().settle([{ delivery: a! }], '2026-01-02T00:00:00.000Z');
    await queue().settle([{ delivery: b! }], '2026-01-03T00:00:00.000Z');
    expect(await queue().newest('far')).toBe('2026-01-03T00:00:00.000Z');
  });

  it('leaves out what is in hand, and what is not due yet', async () => {
    for (const id of ['a', 'b', 'c']) await put(id);
    expect((await dueNow(new Set(['a']))).map(({ documentId }) => documentId)).toEqual(['b', 'c']);
    const [first] = await dueNow();
    await queue().settle([{ delivery: first!, error: 'Down.', nextAttemptMs: 500 }], at);
    expect((await dueNow()).map(({ documentId }) => documentId)).toEqual(['b', 'c']);
    const later = await queue().due('far', { nowMs: 500, limit: 10, without: none });
    expect(later.at(-1)).toMatchObject({ documentId: 'a', attempts: 1 });
    expect(await queue().counts('far')).toEqual({
      pending: 2,
      failed: 1,
      deletions: 0,
      nextAttemptMs: 0,
      isPaused: false,
    });
  });

  it('queues what a store was meant to hold and was never asked to, of all readers, and nothing else', async () => {
    for (let index = 0; index < 12; index += 1) {
      const write = createWrite(`Text ${index}.`, { uri: `${index}.md`, ...(index === 1 && { access: ['nobody'] }) });
      await place.tenant.commit(putAll([index === 0 ? { ...write, stores: ['embedded'] } : write]));
    }
    await queue().queueMissing('far', at);
    expect(await queue().counts('far')).toMatchObject({ pending: 11 });
    await queue().queueMissing('far', at);
    expect(await queue().counts('far')).toMatchObject({ pending: 11 });
    expect(await place.record.deliveriesOf('other').counts('far')).toMatchObject({ pending: 0 });
    const reader = place.record.forScope(scopeOf('default', 'key:eve', 'reader'));
    expect(await reader.documents.undelivered('far', undefined, 100)).toHaveLength(10);
  });

  it('knows whether a store lacks a document, whyever, but for sources that stay here', async () => {
    const lacks = (): Promise<boolean> => queue().lacks('far', { besides: ['here', 'pages'] });
    const settle = async (error?: string): Promise<void> =>
      queue().settle(
        (await queue().due('far', { nowMs: 0, limit: 10, without: none })).map((delivery) => ({
          delivery,
          ...(error !== undefined && { error }),
        })),
        at,
      );
    expect(await lacks()).toBe(false);
    await put('a');
    expect(await lacks()).toBe(true);
    await settle('refused');
    expect(await lacks()).toBe(true);
    await queue().queueMissing('far', at);
    await settle();
    expect(await lacks()).toBe(false);
    for (const [source, stores] of Object.entries({ pages: [], here: ['embedded'] })) {
      const write = createWrite(`Text of ${source}.`, { uri: `${source}.md`, source });
      await place.tenant.commit(putAll([{ ...write, stores }]));
      expect(await lacks()).toBe(false);
    }
    const elsewhere = createWrite('For another store alone.', { id: 'b', uri: 'b.md' });
    await place.tenant.commit(putAll([{ ...elsewhere, stores: ['embedded'] }]));
    expect(await lacks()).toBe(true);
    await place.tenant.commit([{ kind: 'delete-document', id: 'b' }]);
    expect(await lacks()).toBe(false);
    await place.tenant.commit([{ kind: 'delete-document', id: 'a' }]);
    expect(await lacks()).toBe(false);
  });
});
