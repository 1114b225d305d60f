// What a deletion leaves in the embedded store and is taken out of it: entries of segments, vectors kept by text, terms of models
// that were learned here. What still stands in a document stays.
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/core/ids.ts';
import { blankTerms, latentFromBytes, latentToBytes } from '../../../src/models/corpus/latent-bytes.ts';
import { createEmbeddedStore } from '../../../src/stores/embedded/embedded-store.ts';
import { createEngine } from '../../../src/stores/embedded/engine.ts';
import { openEmbeddedErasure } from '../../../src/stores/embedded/erasure.ts';
import { openEmbeddedSpaces } from '../../../src/stores/embedded/spaces.ts';
import { createUpkeep } from '../../../src/stores/embedded/upkeep.ts';
import { recordForEachTest, scopeOf } from '../../../testkit/record-fixture.ts';
import { putText } from '../put-text.ts';

const place = recordForEachTest();
const pause = (): undefined => undefined;

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

  it('forgets vectors of texts that no chunk has any more, of this tenant alone', async () => {
    const hash = (text: string): string => sha256(text).slice(0, 32);
    await putText(place.record, { id: 'kept', text: 'A heron waits.' });
    await putText(place.record, { id: 'gone', text: 'An otter swims.' });
    const texts = ['A heron waits.', 'An otter swims.'];
    for (const tenant of ['default', 'other']) {
      const spaces = openEmbeddedSpaces(place.record, tenant);
      await spaces.begin({ space: { name: 'm', dimensions: 2, metric: 'dot' }, kind: 'fixed', facts: { source: 'm' } });
      const vectors = texts.map((text) => ({ hash: hash(text), vector: Float32Array.of(1, 2) }));
      await spaces.write('m', [], vectors);
    }
    await remove('gone');
    await openEmbeddedErasure(place.record, 'default').forgetTexts((_, { text }) => hash(text), pause);
    const left = async (tenant: string) =>
      (await openEmbeddedSpaces(place.record, tenant).recall('m', texts.map(hash))).keys().toArray();
    expect(await left('default')).toEqual([hash('A heron waits.')]);
    expect(await left('other')).toEqual(texts.map(hash));
  });

  it('takes terms that no chunk has any more out of a model that was learned, and leaves it usable', async () => {
    const terms = ['heron', 'lantern', 'otter'];
    const weights = {
      dimensions: 2,
      chunks: 40,
      terms,
      idf: Float32Array.of(1, 2, 3),
      scales: Float32Array.of(0.5, 0.5, 0.5),
      steps: Int8Array.of(1, 2, 3, 4, 5, 6),
    };
    const spaces = openEmbeddedSpaces(place.record, 'default');
    const space = { name: 'learned', dimensions: 2, metric: 'cosine' } as const;
    await spaces.begin({ space, kind: 'corpus', facts: {} }, latentToBytes(weights));
    await spaces.activate('learned');
    await putText(place.record, { id: 'kept', text: 'A heron waits by the lantern.' });
    await putText(place.record, { id: 'gone', text: 'An otter swims.' });
    const erasure = openEmbeddedErasure(place.record, 'default');
    expect(await erasure.forgetTerms(blankTerms, pause)).toBe(false);
    await remove('gone');
    expect(await erasure.forgetTerms(blankTerms, pause)).toBe(true);
    const bytes = (await spaces.modelBytes('learned')) as Uint8Array;
    expect(Buffer.from(bytes).includes('otter')).toBe(false);
    const left = latentFromBytes(bytes);
    expect(left).toEqual({ ...weights, terms: ['heron', 'lantern', '\u0000'.repeat(5)] });
    expect(await erasure.forgetTerms(blankTerms, pause)).toBe(false);
  });
});
