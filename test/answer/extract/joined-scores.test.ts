// Confidence was fitted on scores by words. Evidence of joined legs carries scores on another scale, and some of it was found by
// meaning alone: neither may make an answer look surer than the words do.
import { describe, expect, it } from 'vitest';
import { assembleContext } from '../../../src/answer/context/context.ts';
import { candidatesOf } from '../../../src/answer/extract/candidates.ts';
import { signalsOf } from '../../../src/answer/extract/coverage.ts';
import { rankCandidates } from '../../../src/answer/extract/rank.ts';
import { analyzeQuestion } from '../../../src/answer/question/question.ts';
import type { Evidence } from '../../../src/core/search.ts';
import { evidenceOf } from '../../../testkit/evidence-of.ts';

const question = analyzeQuestion('Who designed the lighthouse?', 'en');

function signalsFor(...evidence: Evidence[]) {
  const set = candidatesOf(question, assembleContext(evidence), { language: 'en', statistics: undefined });
  const judgement = signalsOf(question, set, rankCandidates(set.candidates));
  if (!judgement) throw new Error('no candidate');
  return { ...judgement.signals, blockScores: set.blockScores };
}

const first = evidenceOf({ id: 'a', text: 'Marta Oliveira designed the lighthouse.', score: 10 });
const second = evidenceOf({ id: 'b', text: 'The lighthouse was designed by nobody that is known.', score: 9 });
/** As fusion leaves it: the sharpened scores stand far apart. */
const joined = (evidence: Evidence, fused: number): Evidence => ({
  ...evidence,
  score: fused,
  scores: { ...evidence.scores, vector: 0.5, fused },
  ranks: { embedded: 1, vector: 1, hybrid: 1 },
});

describe('scores of joined legs', () => {
  it('give the lead that the words give', () => {
    const words = signalsFor(first, second);
    const both = signalsFor(joined(first, 0.9), joined(second, 0.3));
    expect(both.lead).toBe(words.lead);
    expect(both.strength).toBe(words.strength);
    expect(words.lead).toBeCloseTo(0.1, 1);
  });

  it('count for nothing where meaning alone found the passage, and as they are where nothing was found by words', () => {
    const { bm25: _, ...byMeaning } = joined(first, 0.9).scores;
    const alone = { ...joined(first, 0.9), scores: byMeaning, ranks: { vector: 1, hybrid: 1 } };
    expect(signalsFor(alone, joined(second, 0.3)).lead).toBe(0);
    expect(signalsFor(alone, joined(second, 0.3)).blockScores.map(({ score }) => score)).toEqual([0, 9]);
    expect(signalsFor(alone).blockScores).toEqual([{ documentId: 'doc-a', score: 0.9, bm25: undefined }]);
  });

  it('count by the place in the list where another store alone found the passage, whatever its own scores are', () => {
    const cloud = (fused: number, bm25?: number): Evidence => ({
      ...first,
      score: fused,
      stores: ['cloud'],
      scores: { vector: 0.7, fused, ...(bm25 !== undefined && { bm25 }) },
      ranks: { cloud: 1, hybrid: 1 },
    });
    const scoreOf = (evidence: Evidence, fused: number): number | undefined =>
      signalsFor(evidence, { ...joined(second, fused), ranks: { embedded: 1, record: 1, hybrid: 2 } }).blockScores.find(
        ({ documentId }) => documentId === 'doc-a',
      )?.score;
    expect(scoreOf(cloud(1 / 61), 1 / 61)).toBe(9);
    expect(scoreOf(cloud(1 / 61), 2 / 61)).toBe(4.5);
    expect(scoreOf(cloud(1 / 61, 800), 2 / 61)).toBe(4.5);
    expect(signalsFor(cloud(1 / 61, 800)).blockScores[0]).toEqual({
      documentId: 'doc-a',
      score: 1 / 61,
      bm25: undefined,
    });
  });

  it('keep the share that a passage of a long chunk had', () => {
    const passage = { ...joined(first, 0.9), score: 0.45 };
    expect(
      signalsFor(passage, joined(second, 0.3)).blockScores.find(({ documentId }) => documentId === 'doc-a')?.score,
    ).toBe(5);
  });
});
