// What a deletion leaves in segments of the embedded store is taken out of them.
import { describe, expect, it } from 'vitest';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { createEngine } from '../../../src/stores/embedded/engine.ts';
import { createUpkeep } from '../../../src/stores/embedded/upkeep.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { putText } from '../put-text.ts';

const place = recordForEachTest();

async function remove(id: string): Promise<void> {
  const store = createEmbeddedStore({ database: place.record, scope: scopeOf() });
  await place.tenant.commit([store.entries.delete([id]), { kind: 'delete-document', id }]);
}

const segmentsHold = (word: string): boolean =>
  place.record.read((database) =>
    database
      .prepare('SELECT bytes FROM lexical_part')
      .all()
      .some(({ bytes }) => Buffer.from(bytes as Uint8Array).includes(word)),
  );

describe('erasing in the embedded store', () => {
  it('rewrites segments at once, however busy the index is and however little of them is deleted', async () => {
    for (let n = 0; n < 20; n += 1)
      await putText(place.record, { id: `d${n}`, text: `Otters swim with heron${n} and lantern${n}.` });
    // It is never quiet: nothing else would rewrite one entry of twenty.
    const upkeep = createUpkeep(place.record, createEngine('default'), { sealFrom: 10, quietMs: 1e9 });
    await upkeep.run();
    expect(segmentsHold('heron7')).toBe(true);
    await remove('d7');
    await upkeep.run();
    expect(segmentsHold('heron7')).toBe(true);
    expect(await upkeep.purge()).toBe(true);
    expect([segmentsHold('heron7'), segmentsHold('heron8')]).toEqual([false, true]);
    const store = createEmbeddedStore({ database: place.record, scope: scopeOf() });
    const page = await store.search({ text: 'heron8', mode: 'lexical', limit: 5 });
    expect(page.hits.map(({ documentId }) => documentId)).toEqual(['d8']);
  });
});
