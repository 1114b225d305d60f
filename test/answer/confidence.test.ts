// Confidence of a first claim: questions whose answer stands behind another one have a chance of their own, however well a sentence fits.
import { describe, expect, it } from 'vitest';
import { fitLogistic } from '../../scripts/logistic.ts';
import { closestBelow, confidenceOf } from '../../src/answer/confidence.ts';
import { confidenceModel } from '../../src/answer/confidence-weights.ts';
import { surenessNames } from '../../src/answer/extract/sureness.ts';
import { type HopModel, hopsOf } from '../../src/answer/hops.ts';

/** All that is measured in the middle, but for what is named. */
const numbersOf = (set: Readonly<Partial<Record<(typeof surenessNames)[number], number>>>): number[] =>
  surenessNames.map((name) => set[name] ?? 0.5);

const plain = {
  length: 0.3,
  'names asked': 0.25,
  describes: 0,
  'is put together': 0,
  lead: 0.7,
  'margin over documents': 0.8,
};
const hopping = {
  length: 1,
  'names asked': 0.75,
  describes: 1,
  'is put together': 1,
  lead: 0.05,
  'margin over documents': 0.05,
};

describe('confidence', () => {
  it('knows a question that takes two steps by its words and by documents that each hold a part of it', () => {
    expect(hopsOf(numbersOf(plain), confidenceModel.hops)).toBeLessThan(0.1);
    expect(hopsOf(numbersOf(hopping), confidenceModel.hops)).toBeGreaterThan(0.9);
  });

  it('of such a question is what the first claim is worth there, even where it covers everything', () => {
    const covered = { 'claim coverage': 1, piece: 1, window: 1, chunk: 1, answerable: 1, margin: 1, 'best score': 1 };
    const [sure, hop] = [plain, hopping].map((kind) => confidenceOf(numbersOf({ ...covered, ...kind }), 'fitting'));
    expect(sure).toBeGreaterThan(0.8);
    expect(hop).toBeLessThan(0.4);
  });

  it('is capped by what the claim lacks, and nothing is asserted of what seems to be of something else', () => {
    const numbers = numbersOf({ ...plain, 'claim coverage': 1, piece: 1, window: 1, answerable: 1, margin: 1 });
    const [unfitting, beside, lacking] = (['unfitting', 'beside', 'lacking'] as const).map((giving) =>
      confidenceOf(numbers, giving),
    );
    expect(unfitting).toBe(0.7);
    expect(beside).toBe(0.36);
    expect(beside).toBeLessThan(closestBelow);
    expect(lacking).toBe(0.2);
  });

  it('has a weight for numbers that are measured, and for no others', () => {
    const { hops, stumps } = confidenceModel;
    for (const [feature] of [...hops.weights, ...stumps]) expect(surenessNames[feature]).toBeDefined();
  });

  it('is fitted by steps that find the line in rows drawn from a known one', () => {
    const known: Pick<HopModel, 'bias' | 'weights'> = {
      bias: -1,
      weights: [
        [0, 3],
        [1, -2],
      ],
    };
    const rows = Array.from({ length: 400 }, (_, at) => [(at % 20) / 20, Math.floor(at / 20) / 20]).flatMap(
      (features) => {
        const share = hopsOf(features, known);
        return [
          { features, isTrue: true, weight: share },
          { features, isTrue: false, weight: 1 - share },
        ];
      },
    );
    const { bias, weights } = fitLogistic(rows, 0);
    expect(bias).toBeCloseTo(-1, 2);
    expect(weights[0]).toBeCloseTo(3, 2);
    expect(weights[1]).toBeCloseTo(-2, 2);
  });
});
