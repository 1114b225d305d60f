import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  corpusFusion,
  encodedFusion,
  type FusedHit,
  type FusionOptions,
  fixedFusion,
  fuse,
  fusionFor,
  type LegHit,
} from '../../../src/retrieval/fusion/fuse.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** A ranked leg: some chunks with scores that may be equal or below zero. */
const leg = fc
  .uniqueArray(fc.record({ chunkId: fc.constantFrom(...ids), score: fc.integer({ min: -2, max: 6 }) }), {
    selector: ({ chunkId }) => chunkId,
  })
  .map((hits) => hits.sort((left, right) => right.score - left.score || (left.chunkId < right.chunkId ? -1 : 1)));
const legs = fc.record({ lexical: leg, vector: leg });
const options: fc.Arbitrary<FusionOptions> = fc.record(
  {
    method: fc.constantFrom('min-max' as const, 'rrf' as const),
    semanticWeight: fc.constantFrom(0, 0.2, 0.3, 0.5, 1),
    lexicalSharpness: fc.constantFrom(1, 2, 5),
    floors: fc.record({
      lexical: fc.constantFrom(0, 'observed' as const),
      vector: fc.constantFrom(0, 'observed' as const),
    }),
  },
  { requiredKeys: ['semanticWeight'] },
);
const fused = (both: Parameters<typeof fuse>[0], given: FusionOptions) => fuse(both, given).hits;
const always = { seed: 1, numRuns: 300 };
const names = (hits: readonly FusedHit[]): string => hits.map(({ chunkId }) => chunkId).join('');

describe('fuse', () => {
  it('returns every hit of both legs once, best first, equal scores by id, ranks from 1', () => {
    fc.assert(
      fc.property(legs, options, (both, given) => {
        const hits = fused(both, given);
        const wanted = new Set([...both.lexical, ...both.vector].map(({ chunkId }) => chunkId));
        expect(new Set(hits.map(({ chunkId }) => chunkId))).toEqual(wanted);
        expect(hits).toHaveLength(wanted.size);
        return hits.every((hit, at) => {
          const before = hits[at - 1];
          const inOrder =
            !before || before.score > hit.score || (before.score === hit.score && before.chunkId < hit.chunkId);
          return hit.rank === at + 1 && inOrder;
        });
      }),
      always,
    );
  });

  it('explains each hit: what both legs say of it, and contributions that add up to its score', () => {
    fc.assert(
      fc.property(legs, options, (both, given) =>
        fused(both, given).every((hit) => {
          for (const name of ['lexical', 'vector'] as const) {
            const place = both[name].findIndex(({ chunkId }) => chunkId === hit.chunkId);
            const standing = hit[name];
            if ((standing === undefined) !== (place === -1)) return false;
            if (!standing) continue;
            if (standing.rank !== place + 1 || standing.score !== both[name][place]!.score) return false;
            if (standing.normalised < 0 || standing.normalised > 1) return false;
            if (standing.contribution !== standing.weight * standing.normalised) return false;
          }
          return hit.score === (hit.lexical?.contribution ?? 0) + (hit.vector?.contribution ?? 0);
        }),
      ),
      always,
    );
  });

  it('with no weight for a leg ranks as the other does', () => {
    const lexical = [4, 3, 1].map((score, at) => ({ chunkId: ids[at]!, score }));
    const vector = [0.9, 0.5].map((score, at) => ({ chunkId: ids[2 - at]!, score }));
    expect(names(fused({ lexical, vector }, { semanticWeight: 0 }))).toBe('abc');
    expect(names(fused({ lexical, vector }, { semanticWeight: 1 }))).toBe('cba');
  });

  it('counts from the floor: a depth more of hits does not change the order of the ones before', () => {
    const lexical: LegHit[] = [10, 8, 6].map((score, at) => ({ chunkId: ids[at]!, score }));
    const vector: LegHit[] = [0.8, 0.7].map((score, at) => ({ chunkId: ids[at + 1]!, score }));
    const deeper = {
      lexical: [...lexical, { chunkId: 'g', score: 1 }],
      vector: [...vector, { chunkId: 'h', score: 0.1 }],
    };
    const scores = (hits: readonly FusedHit[]) => hits.slice(0, 3).map(({ chunkId, score }) => [chunkId, score]);
    expect(scores(fused(deeper, { semanticWeight: 0.3 }))).toEqual(
      scores(fused({ lexical, vector }, { semanticWeight: 0.3 })),
    );
    const [first] = fused({ lexical, vector }, { semanticWeight: 0.5, floors: { vector: 'observed' } });
    expect(first?.chunkId).toBe('b');
    expect(first?.score).toBeCloseTo(0.5 * 0.8 + 0.5, 12);
  });

  it('sharpens the lexical leg: the best hit keeps its share, the tail loses it', () => {
    const lexical = [10, 5].map((score, at) => ({ chunkId: ids[at]!, score }));
    const [best, tail] = fused({ lexical, vector: [] }, { semanticWeight: 0.2, lexicalSharpness: 3 });
    expect([best?.score, tail?.score]).toEqual([0.8, 0.8 * 0.125]);
    const vector = [8, 4].map((score, at) => ({ chunkId: ids[at]!, score }));
    expect(fused({ lexical: [], vector }, { semanticWeight: 0.5, lexicalSharpness: 3 })[1]?.score).toBe(0.25);
  });

  it('trusts corpus-trained vectors less where there was little to learn from', () => {
    expect(corpusFusion(50).semanticWeight).toBeCloseTo(0.03, 12);
    expect(corpusFusion(500).semanticWeight).toBe(0.3);
    expect(corpusFusion(1_000_000).semanticWeight).toBe(0.3);
  });

  it('adds reciprocal ranks by weight', () => {
    const [first, second] = fused(
      { lexical: [{ chunkId: 'a', score: 9 }], vector: [{ chunkId: 'b', score: 0.2 }] },
      { method: 'rrf', semanticWeight: 0.4 },
    );
    expect([first?.chunkId, first?.score]).toEqual(['a', 0.6 * (1 / 61)]);
    expect([second?.chunkId, second?.score]).toEqual(['b', 0.4 * (1 / 61)]);
    const [own] = fused(
      { lexical: [], vector: [{ chunkId: 'b', score: 0.2 }] },
      { method: 'rrf', semanticWeight: 1, rankConstant: 1 },
    );
    expect(own?.score).toBe(0.5);
  });

  it('lets one leg answer alone where the other found nothing', () => {
    const only = [
      { chunkId: 'b', score: 2 },
      { chunkId: 'a', score: 1 },
    ];
    expect(names(fused({ lexical: [], vector: only }, { semanticWeight: 0.3 }))).toBe('ba');
    expect(names(fused({ lexical: only, vector: [] }, { semanticWeight: 0.3 }))).toBe('ba');
    expect(fused({ lexical: [], vector: [] }, { semanticWeight: 0.3 })).toEqual([]);
  });

  it('guards against a leg that agrees with nothing the words find: its weight shrinks with the agreement', () => {
    const ranked = (names: string): LegHit[] => [...names].map((chunkId, at) => ({ chunkId, score: 9 - at }));
    const lexical = ranked('abcdef');
    const guard = { first: 3, among: 4, needed: 2 };
    const weightOf = (vector: string) =>
      fuse({ lexical, vector: ranked(vector) }, { semanticWeight: 0.4, guard }).semanticWeight;
    expect(weightOf('xyza')).toBe(0);
    expect(weightOf('xya')).toBe(0.2);
    expect(weightOf('xab')).toBe(0.4);
    expect(weightOf('dcb')).toBe(0.4);
    expect(weightOf('xef')).toBe(0);
    // Too few to judge by.
    expect(weightOf('xy')).toBe(0.4);
    expect(fuse({ lexical: [], vector: ranked('xyz') }, { semanticWeight: 0.4, guard }).semanticWeight).toBe(0.4);
    const held = fuse({ lexical, vector: ranked('xyz') }, { semanticWeight: 0.9, guard }).hits;
    expect(names(held)).toBe('abcdefxyz');
    expect(held[0]?.lexical?.weight).toBe(1);
  });

  it('says how many hits the guard found, where it had enough to judge by', () => {
    const ranked = (names: string): LegHit[] => [...names].map((chunkId, at) => ({ chunkId, score: 9 - at }));
    const guard = { first: 3, among: 4, needed: 2 };
    const agreedIn = (lexical: string, vector: string) =>
      fuse({ lexical: ranked(lexical), vector: ranked(vector) }, { semanticWeight: 0.4, guard }).agreed;
    expect([agreedIn('abcdef', 'xyz'), agreedIn('abcdef', 'abz'), agreedIn('abcdef', 'cab')]).toEqual([0, 2, 3]);
    expect([agreedIn('ab', 'abc'), agreedIn('abc', 'ab')]).toEqual([undefined, undefined]);
    expect(fuse({ lexical: ranked('abc'), vector: ranked('abc') }, { semanticWeight: 0.4 }).agreed).toBeUndefined();
  });
});

describe('fusionFor', () => {
  const settings = { method: 'min-max' as const, semanticWeight: undefined, rankConstant: 60 };
  const corpus = { kind: 'corpus' as const, learnedFrom: 1000 };
  const fixed = { kind: 'fixed' as const, learnedFrom: 0 };

  it('goes by the kind of model unless a weight is set', () => {
    expect(fusionFor(corpus, settings)).toEqual(corpusFusion(1000));
    expect(fusionFor(fixed, settings)).toEqual(fixedFusion);
    expect(fusionFor({ kind: 'encoded', learnedFrom: 50 }, settings)).toEqual(encodedFusion);
    expect(fusionFor({ ...corpus, learnedFrom: 50 }, { ...settings, semanticWeight: 0.6 })).toEqual({
      ...corpusFusion(50),
      semanticWeight: 0.6,
    });
    expect(fusionFor(fixed, { ...settings, semanticWeight: 0 }).semanticWeight).toBe(0);
  });

  it('takes the constant of reciprocal ranks only where ranks are joined', () => {
    const wanted = { ...settings, method: 'rrf' as const, rankConstant: 10 };
    expect(fusionFor(corpus, wanted)).toMatchObject({ method: 'rrf', rankConstant: 10, semanticWeight: 0.3 });
    expect(fusionFor(corpus, { ...wanted, method: 'min-max' })).not.toHaveProperty('rankConstant');
  });
});
