import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import { createRecentVectors, type VectorShelf, withKeptVectors } from '../../../src/models/encoder/kept-vectors.ts';
import { createStandInEncoder } from './stand-in-encoder.ts';

function createShelf() {
  const vectors = new Map<string, Float32Array>();
  const shelf: VectorShelf = {
    read: async (keys) => new Map([...vectors].filter(([key]) => keys.includes(key))),
    async keep(more) {
      for (const [key, vector] of more) vectors.set(key, vector);
    },
  };
  return { vectors, shelf };
}

describe('kept vectors', () => {
  it('are those of the encoder, in the order of the texts, and asked for once', async () => {
    const [encoder, plain] = [createStandInEncoder(), createStandInEncoder()];
    const kept = withKeptVectors(encoder, { tenant: 't', recent: createRecentVectors() });
    const texts = ['aab', 'c', 'abc', 'aab', 'ba', 'cc', 'acc'];
    expect(await kept.encode(texts)).toEqual(await plain.encode(texts));
    const asked = encoder.calls.flat();
    expect(asked.toSorted()).toEqual([...new Set(texts)].toSorted());
    expect(await kept.encode(texts.toReversed())).toEqual(await plain.encode(texts.toReversed()));
    expect(encoder.calls.flat()).toEqual(asked);
    expect(await kept.encodeQuery('ab')).toEqual(await plain.encodeQuery('ab'));
    await kept.encodeQuery('ab');
    expect(encoder.calls.flat()).toEqual([...asked, 'ab']);
  });

  it('stand on the shelf, but for what was asked', async () => {
    const { vectors, shelf } = createShelf();
    const encoder = createStandInEncoder();
    const open = () => withKeptVectors(encoder, { tenant: 't', recent: createRecentVectors(), shelf });
    await open().encode(['ab', 'c']);
    await open().encodeQuery('abc');
    expect(vectors.size).toBe(2);
    encoder.calls.length = 0;
    expect(await open().encode(['c', 'ab'])).toEqual(await createStandInEncoder().encode(['c', 'ab']));
    expect(encoder.calls).toEqual([]);
  });

  it('are not those of another encoder or another tenant', async () => {
    const { shelf } = createShelf();
    const recent = createRecentVectors();
    await withKeptVectors(createStandInEncoder('one'), { tenant: 't', recent, shelf }).encode(['ab']);
    const other = createStandInEncoder('other');
    await withKeptVectors(other, { tenant: 't', recent, shelf }).encode(['ab']);
    const same = createStandInEncoder('one');
    await withKeptVectors(same, { tenant: 'u', recent }).encode(['ab']);
    expect([other.calls, same.calls]).toEqual([[['ab']], [['ab']]]);
  });

  it('are kept as far as a question that was given up has come', async () => {
    const encoder = createStandInEncoder();
    const leaving = new AbortController();
    const recent = createRecentVectors();
    const leavingAfterOne = {
      ...encoder,
      encode: async (texts: readonly string[], signal?: AbortSignal) => {
        const vectors = await encoder.encode(texts, signal);
        leaving.abort(new FootnoteError('cancelled', 'left'));
        return vectors;
      },
    };
    const texts = ['a', 'b', 'c', 'ab', 'ac', 'bc'];
    const first = withKeptVectors(leavingAfterOne, { tenant: 't', recent }).encode(texts, leaving.signal);
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    encoder.calls.length = 0;
    await withKeptVectors(encoder, { tenant: 't', recent }).encode(texts);
    expect(encoder.calls.flat()).toEqual(['ac', 'bc']);
  });

  it('do without a shelf that fails', async () => {
    const fail = async (): Promise<never> => {
      throw new FootnoteError('storage-full', 'full');
    };
    const encoder = createStandInEncoder();
    const shelf = { read: fail, keep: fail };
    const kept = withKeptVectors(encoder, { tenant: 't', recent: createRecentVectors(), shelf });
    expect(await kept.encode(['ab'])).toEqual(await encoder.encode(['ab']));
  });

  it('leave memory when they were not used for longest', () => {
    const recent = createRecentVectors(2);
    const vector = new Float32Array(1);
    recent.set('one', vector);
    recent.set('two', vector);
    recent.get('one');
    recent.set('three', vector);
    expect(['one', 'two', 'three'].map((key) => recent.get(key) !== undefined)).toEqual([true, false, true]);
  });
});
