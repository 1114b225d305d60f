import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readQrels } from '../../src/evals/datasets.ts';
import { measureQuery, type QueryMetrics, type ScoredDocument, seeded } from '../../src/evals/metrics.ts';
import { shareOfDay } from '../../testkit/sample.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { type TrecMeasures, trecEval } from '../../testkit/trec-eval.ts';

const sets = [
  'adi/test',
  'cacm/test',
  'cisi/test',
  'cosqa/dev',
  'cranfield/raw',
  'cranfield/test',
  'hotpotqa-100/test',
  'locomo/ir/test',
  'scifact/test',
  'scifact/train',
  'time/test',
  'xquad-ar/test',
  'xquad-de/test',
  'xquad-en/test',
  'xquad-zh/test',
];
const sameAs: Readonly<Record<keyof QueryMetrics, keyof TrecMeasures>> = {
  ndcg10: 'ndcg_cut_10',
  recall10: 'recall_10',
  recall100: 'recall_100',
  averagePrecision: 'map',
  reciprocalRank10: 'recip_rank_10',
};

/** Relevant and other documents in any order: many equal scores, some nearly equal ones, runs that are empty, short and too long. */
function runOf(judged: ReadonlyMap<string, number>, random: () => number): ScoredDocument[] {
  const depth = random() < 0.03 ? 1100 : ([0, 3, 40, 120][Math.floor(random() * 4)] ?? 0);
  if (depth === 0) return [];
  const relevant = [...judged.keys()].filter(() => random() < 0.7);
  const others = Array.from({ length: depth }, (_, at) => `other-${at}`);
  return [...relevant, ...others].map((documentId) => ({
    documentId,
    score: random() < 0.5 ? Math.floor(random() * 20) / 4 : 3 + random() * 1e-7,
  }));
}

describe('measures agree with trec_eval to 1e-6', () => {
  it.each(shareOfDay(sets, 3))('on the judgments of %s', async (set) => {
    const [folder = '', split = ''] = [set.slice(0, set.lastIndexOf('/')), set.slice(set.lastIndexOf('/') + 1)];
    const path = sharedData(folder, 'qrels', `${split}.tsv`);
    if (path === undefined) return;
    const judgments = await readQrels(path);
    const random = seeded(7);
    const runs = new Map([...judgments].map(([id, judged]) => [id, runOf(judged, random)]));
    const runLines = [...runs].flatMap(([id, run]) =>
      run.map(({ documentId, score }, at) => `${id} Q0 ${documentId} ${at + 1} ${score} t`),
    );
    const qrelLines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split('\t'))
      .map(([query, document, judgment]) => `${query} 0 ${document} ${judgment}`);
    const wanted = trecEval(runLines, qrelLines);
    expect(wanted.size).toBe(judgments.size);
    for (const [name, theirs] of Object.entries(sameAs) as [keyof QueryMetrics, keyof TrecMeasures][]) {
      let [ours, sum] = [0, 0];
      for (const [id, judged] of judgments) {
        const mine = measureQuery(runs.get(id) ?? [], judged)[name];
        const other = wanted.get(id)?.[theirs] ?? Number.NaN;
        expect(Math.abs(mine - other), `${name} of ${id}`).toBeLessThan(1e-6);
        ours += mine;
        sum += other;
      }
      expect(Math.abs(ours - sum) / judgments.size).toBeLessThan(1e-6);
      expect(sum).toBeGreaterThan(0);
    }
  });
});
