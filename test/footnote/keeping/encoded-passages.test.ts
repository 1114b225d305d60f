// What was encoded once is encoded by no later process: the record has it, and no child is started for it.
import { describe, expect, it } from 'vitest';
import { createPassageShelves } from '../../../src/footnote/keeping/encoded-passages.ts';
import { createRecentVectors, withKeptVectors } from '../../../src/models/encoder/kept-vectors.ts';
import { openLocalEncoder } from '../../../src/models/encoder/local-encoder.ts';
import { recordForEachTest } from '../../../testkit/record-fixture.ts';
import { hasLocalRuntime } from '../../models/local-runtime.ts';

const place = recordForEachTest();
const at = (day: string) => ({ now: () => `2026-11-${day}T10:00:00.000Z` });
const openShelves = (day = '23') => createPassageShelves((tenant) => place.record.encodedPassagesOf(tenant), at(day));

describe('vectors on the shelf of a tenant', () => {
  it.skipIf(!hasLocalRuntime())('need no process of the encoder any more', async () => {
    const texts = ['The reservoir holds water.', 'A pump fills it.'];
    const encoder = await openLocalEncoder();
    const shelves = openShelves();
    const open = (shelf = shelves.of('t')) =>
      withKeptVectors(encoder, { tenant: 't', recent: createRecentVectors(), shelf });
    const vectors = await open().encode(texts);
    await shelves.close();
    await encoder.close();
    await place.reopen();
    expect(await open(openShelves().of('t')).encode(texts.toReversed())).toEqual(vectors.toReversed());
    await expect(open().encode(['It was encoded by nobody.'])).rejects.toMatchObject({ code: 'upstream-unavailable' });
  });

  it('are written some time later, all together, and noted as used once a day', async () => {
    const key = 'k'.repeat(64);
    const shelves = openShelves();
    await shelves.of('t').keep(new Map([[key, Float32Array.of(1)]]));
    expect((await shelves.of('t').read([key])).size).toBe(0);
    await shelves.close();
    const later = openShelves('24');
    expect((await later.of('t').read([key])).size).toBe(1);
    await later.close();
    const { usedBefore } = await place.record.encodedPassagesOf('t').read([key]);
    expect(usedBefore(at('24').now())).toEqual([]);
  });
});
