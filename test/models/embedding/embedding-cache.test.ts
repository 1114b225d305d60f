import { describe, expect, it } from 'vitest';
import {
  createEmbeddingCache,
  type EmbeddingCacheOptions,
  withEmbeddingCache,
} from '../../../src/models/embedding/embedding-cache.ts';
import type { FixedModel } from '../../../src/models/embedding/semantics.ts';

function scene(options: Partial<EmbeddingCacheOptions> = {}) {
  let nowMs = 0;
  const clock = { now: () => '', elapsedMs: () => nowMs };
  const cache = createEmbeddingCache({ clock, queryTtlSeconds: 60, ...options });
  const asked: string[][] = [];
  const create = (id: string): FixedModel =>
    withEmbeddingCache(
      {
        id,
        kind: 'fixed',
        dimensions: 2,
        metric: 'cosine',
        embed: async (texts, { kind }) => {
          asked.push([id, kind, ...texts]);
          return texts.map((text) => Float32Array.of(text.length, kind === 'query' ? 1 : 0));
        },
      },
      cache,
    );
  return { create, asked, pass: (ms: number) => (nowMs += ms) };
}

describe('the embedding cache', () => {
  it('embeds a text once, and gives it to everyone in their order', async () => {
    const { create, asked } = scene();
    const model = create('m');
    const first = await model.embed(['a', 'bb', 'a'], { kind: 'document' });
    expect(first.map(([length]) => length)).toEqual([1, 2, 1]);
    const second = await model.embed(['ccc', 'bb', 'a'], { kind: 'document' });
    expect(second.map(([length]) => length)).toEqual([3, 2, 1]);
    expect(asked).toEqual([
      ['m', 'document', 'a', 'bb'],
      ['m', 'document', 'ccc'],
    ]);
  });

  it('keeps models, queries and documents apart', async () => {
    const { create, asked } = scene();
    const [one, other] = [create('one'), create('other')];
    await one.embed(['a'], { kind: 'query' });
    expect(await one.embed(['a'], { kind: 'document' })).toEqual([Float32Array.of(1, 0)]);
    expect(await one.embed(['a'], { kind: 'query' })).toEqual([Float32Array.of(1, 1)]);
    await other.embed(['a'], { kind: 'query' });
    expect(asked.map(([id, kind]) => `${id} ${kind}`)).toEqual(['one query', 'one document', 'other query']);
  });

  it('forgets queries in time, however often they were asked, and documents never', async () => {
    const { create, asked, pass } = scene();
    const model = create('m');
    for (const kind of ['query', 'document'] as const) await model.embed(['a'], { kind });
    pass(59_000);
    for (const kind of ['query', 'document'] as const) await model.embed(['a'], { kind });
    expect(asked).toHaveLength(2);
    pass(1000);
    for (const kind of ['query', 'document'] as const) await model.embed(['a'], { kind });
    expect(asked.slice(2)).toEqual([['m', 'query', 'a']]);
  });

  it('keeps no query where its life is 0', async () => {
    const { create, asked } = scene({ queryTtlSeconds: 0 });
    const model = create('m');
    await model.embed(['a'], { kind: 'query' });
    await model.embed(['a'], { kind: 'query' });
    expect(asked).toHaveLength(2);
  });

  it('lets go what was used longest ago when the room is full', async () => {
    // An entry takes 200 bytes and 4 for each dimension: there is room for two.
    const { create, asked } = scene({ maxBytes: 450 });
    const model = create('m');
    for (const text of ['a', 'b', 'a', 'c']) await model.embed([text], { kind: 'document' });
    await model.embed(['a', 'c'], { kind: 'document' });
    expect(asked).toHaveLength(3);
    await model.embed(['b'], { kind: 'document' });
    expect(asked).toHaveLength(4);
  });

  it('gives vectors that may be changed without harm', async () => {
    const { create } = scene();
    const model = create('m');
    const [first, twin] = await model.embed(['a', 'a'], { kind: 'document' });
    first?.fill(9);
    expect(twin).toEqual(Float32Array.of(1, 0));
    const [again] = await model.embed(['a'], { kind: 'document' });
    again?.fill(7);
    expect(await model.embed(['a'], { kind: 'document' })).toEqual([Float32Array.of(1, 0)]);
  });

  it('keeps nothing of what failed', async () => {
    const { create } = scene();
    let fails = true;
    const model = create('m');
    const shaky = withEmbeddingCache(
      {
        ...model,
        embed: (texts, options) => (fails ? Promise.reject(new Error('down')) : model.embed(texts, options)),
      },
      createEmbeddingCache({ clock: { now: () => '', elapsedMs: () => 0 }, queryTtlSeconds: 60 }),
    );
    await expect(shaky.embed(['a'], { kind: 'query' })).rejects.toThrow('down');
    fails = false;
    expect(await shaky.embed(['a'], { kind: 'query' })).toEqual([Float32Array.of(1, 1)]);
  });
});
