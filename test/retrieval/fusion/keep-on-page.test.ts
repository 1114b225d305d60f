// What one list alone can have found keeps its place: a store that lacks a document does not speak against it, and nothing that is weighed
// afterwards takes the best of a list off the page.
import { describe, expect, it } from 'vitest';
import { fuseRanks } from '../../../src/retrieval/fusion/fuse.ts';
import { keepOnPage, shownAlone } from '../../../src/retrieval/fusion/keep-on-page.ts';

const listOf = (name: string, ...ids: readonly string[]) => ({
  name,
  hits: ids.map((chunkId, at) => ({ chunkId, score: ids.length - at })),
});
const shared = Array.from({ length: 20 }, (_, at) => `s${at}`);

describe('fuseRanks', () => {
  it('takes the silence of a list that cannot have a hit for what the others say', () => {
    const lists = [listOf('near', ...shared), listOf('far', 'only', ...shared), listOf('third', ...shared)];
    const plain = fuseRanks(lists);
    expect(plain.at(-1)?.chunkId).toBe('only');
    const lacking = fuseRanks(lists, (chunkId, list) => chunkId === 'only' && list !== 'far');
    expect(lacking[0]?.chunkId).toBe('only');
    for (const { lists: standings, score } of lacking) {
      expect(standings.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score, 12);
      for (const { weight, normalised, contribution } of standings) expect(weight * normalised).toBe(contribution);
    }
    expect(lacking.filter(({ chunkId }) => chunkId !== 'only').map(({ chunkId }) => chunkId)).toEqual(
      plain.filter(({ chunkId }) => chunkId !== 'only').map(({ chunkId }) => chunkId),
    );
  });
});

describe('a page', () => {
  const hits = shared.map((chunkId, at) => ({ chunkId, stores: at % 4 === 3 ? ['far'] : ['near', 'far'] }));

  it('keeps what a page of its own store would show, and no more', () => {
    expect([...shownAlone(hits, new Set(['s3', 's7', 's11']), 5)]).toEqual(['s3']);
    expect([...shownAlone(hits, new Set(['s3', 's7']), 8)]).toEqual(['s3', 's7']);
  });

  it('takes in what is kept for what stood last, at most two of five places, and loses nothing', () => {
    const kept = keepOnPage(hits, new Set(['s8', 's1', 's15', 's19']), 5);
    expect(kept.slice(0, 5).map(({ chunkId }) => chunkId)).toEqual(['s0', 's1', 's2', 's8', 's15']);
    expect(kept.map(({ chunkId }) => chunkId).toSorted()).toEqual(shared.toSorted());
    expect(keepOnPage(hits, new Set(), 5)).toEqual(hits);
    expect(keepOnPage(hits, new Set(['s19']), 1)).toEqual(hits);
  });
});
