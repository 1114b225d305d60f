// Several legs at the same time: how their lists are joined and told, what a leg that fails costs, and which of them is asked.
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../../../src/core/errors.ts';
import type { Mode } from '../../../src/core/search.ts';
import { searchLegs } from '../../../src/retrieval/legs/join-legs.ts';
import type { Leg, LegQuery } from '../../../src/retrieval/legs/leg.ts';

type Listed = readonly (readonly [chunkId: string, score: number])[];

function legOf(name: string, listed: Listed, more: Partial<Leg> = {}): Leg & { readonly asked: LegQuery[] } {
  const asked: LegQuery[] = [];
  return {
    name,
    kind: 'vector',
    store: name,
    modes: ['hybrid', 'vector'],
    asked,
    async search(query) {
      asked.push(query);
      const hits = listed.slice(0, query.limit).map(([chunkId, score], place) => ({
        chunkId,
        score,
        scores: { vector: score },
        ranks: { [name]: place + 1 },
        ...(query.explain && { explanation: { terms: [], notes: [`${name} note`] } }),
      }));
      return { hits, degraded: [] };
    },
    ...more,
  };
}

const near = legOf('near', [
  ['a', 0.9],
  ['b', 0.8],
  ['c', 0.1],
]);
const far = legOf('far', [
  ['c', 21],
  ['a', 20],
  ['d', 3],
]);
const broken = legOf('broken', [], {
  search: () => Promise.reject(new FootnoteError('upstream-unavailable', 'Down.')),
});

const query = (more: Partial<LegQuery> & { sources?: readonly string[] } = {}) => ({
  text: 'q',
  mode: 'hybrid' as Mode,
  limit: 10,
  explain: false,
  ...more,
});

describe('searchLegs', () => {
  it('joins lists by reciprocal ranks, whatever their scores are, and names each in the ranks', async () => {
    const { hits, degraded } = await searchLegs([near, far], query());
    expect(hits.map(({ chunkId, ranks, stores }) => [chunkId, ranks, stores])).toEqual([
      ['a', { near: 1, far: 2, hybrid: 1 }, ['near', 'far']],
      ['c', { near: 3, far: 1, hybrid: 2 }, ['near', 'far']],
      ['b', { near: 2, hybrid: 3 }, ['near']],
      ['d', { far: 3, hybrid: 4 }, ['far']],
    ]);
    expect(hits[0]?.score).toBe(1 / 61 + 1 / 62);
    expect(degraded).toEqual([]);
  });

  it('explains sums that add up, for any number of lists', async () => {
    const third = legOf('third', [['d', 1]], { kind: 'lexical' });
    const { hits, legs } = await searchLegs([near, far, third], query({ explain: true, limit: 2 }));
    for (const { score, explanation } of hits) {
      const lists = explanation?.lists ?? [];
      expect(lists.length).toBeGreaterThan(0);
      expect(lists.reduce((total, { contribution }) => total + contribution, 0)).toBe(score);
      for (const { weight, normalised, contribution } of lists) expect(weight * normalised).toBe(contribution);
    }
    expect(hits[0]?.explanation?.notes).toContain('near note');
    expect(legs?.lists).toEqual({ near: ['a', 'b'], far: ['c', 'a'], third: ['d'] });
  });

  it('looks deep into lists that it joins, and cuts afterwards', async () => {
    const deep = legOf('deep', [...Array.from({ length: 30 }, (_, at) => [`x${at}`, 30 - at] as const), ['d', 0.1]]);
    const { hits } = await searchLegs([deep, far], query({ limit: 4 }));
    expect(deep.asked[0]?.limit).toBe(50);
    expect(hits).toHaveLength(4);
    expect(hits.map(({ chunkId }) => chunkId)).toContain('d');
  });

  it('passes one leg on as it is, asked for what is wanted', async () => {
    const alone = legOf('alone', [['a', 7]]);
    const { hits } = await searchLegs([alone], query({ limit: 3 }));
    expect(hits).toEqual([{ chunkId: 'a', score: 7, scores: { vector: 7 }, ranks: { alone: 1 }, stores: ['alone'] }]);
    expect(alone.asked[0]?.limit).toBe(3);
  });

  it('tells of a leg that failed and serves the others', async () => {
    const { hits, degraded } = await searchLegs([broken, far], query());
    expect(hits.map(({ chunkId }) => chunkId)).toEqual(['c', 'a', 'd']);
    expect(degraded).toEqual([
      { component: 'broken', code: 'upstream-unavailable', detail: 'Down.', effect: 'Searched without broken.' },
    ]);
  });

  it('finds nothing only where somebody looked: it throws where all fail, or nobody serves the mode', async () => {
    await expect(searchLegs([broken, broken], query())).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await expect(searchLegs([broken], query())).rejects.toMatchObject({ code: 'upstream-unavailable' });
    await expect(searchLegs([near], query({ mode: 'embedded' }))).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('asks the legs of the mode, and those of a source only where it is wanted', async () => {
    const shop = legOf('shop', [['s', 1]], { source: 'shop' });
    const byWords = legOf('words', [['w', 1]], { modes: ['embedded'] });
    const found = async (more: Parameters<typeof query>[0]): Promise<string[]> =>
      (await searchLegs([shop, byWords, near], query(more))).hits.map(({ chunkId }) => chunkId);
    expect(await found({})).toContain('s');
    expect(await found({ sources: ['shop', 'docs'] })).toContain('s');
    expect(await found({ sources: ['docs'] })).toEqual(['a', 'b', 'c']);
    expect(await found({ mode: 'embedded' })).toEqual(['w']);
  });

  it('ends when the request is over, whatever the legs say', async () => {
    const stop = new AbortController();
    const leaving = legOf('leaving', [['a', 1]], {
      async search() {
        stop.abort();
        return { hits: [], degraded: [] };
      },
    });
    await expect(searchLegs([leaving, near], query(), stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
