// Retrieval quality on small judged sets against a committed baseline: a change that loses a hundredth of nDCG@10 on any set
// fails here, by words in the bare store and by words and meaning in the settled product. A change that gains is recorded by writing the new figures into the baseline file.
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openRetrievalDataset } from '../../src/evals/datasets.ts';
import { evaluateRetrieval } from '../../src/evals/retrieval.ts';
import { openEvaluatedSystem } from '../../src/footnote/trials/evaluated-system.ts';
import { sharedData } from '../../testkit/shared-data.ts';
import { openStoreSystem } from '../../testkit/store-system.ts';
import baseline from './quality-baseline.json' with { type: 'json' };

/** Below the baseline by more than this fails; above by more than this means that the baseline is stale. */
const tolerance = 0.01;
/** On these sets the product by words alone scores more than this below the baseline of hybrid, so it fails. */
const hybridTolerance = 0.005;

describe('quality gate', () => {
  for (const [set, expected] of Object.entries(baseline.ndcg10)) {
    const folder = sharedData(set);
    it.skipIf(folder === undefined)(`nDCG@10 on ${set} is that of the baseline`, { timeout: 120_000 }, async () => {
      const dataset = await openRetrievalDataset(folder ?? '', 'test');
      const system = await openStoreSystem();
      try {
        const report = await evaluateRetrieval({ dataset, system, mode: 'embedded', topK: 100 });
        expect(report.failed).toEqual([]);
        const { mean } = report.metrics.ndcg10;
        expect(mean).toBeGreaterThanOrEqual(expected - tolerance);
        expect(mean, 'better than the baseline: update test/evals/quality-baseline.json').toBeLessThanOrEqual(
          expected + tolerance,
        );
      } finally {
        await system.close();
      }
    });
  }

  for (const [set, expected] of Object.entries(baseline.hybridNdcg10)) {
    const folder = sharedData(set);
    it.skipIf(folder === undefined)(
      `nDCG@10 of hybrid on ${set} is that of the baseline`,
      { timeout: 120_000 },
      async () => {
        const dataset = await openRetrievalDataset(folder ?? '', 'test');
        const system = await openEvaluatedSystem(loadConfig({ environment: { ENCODER: 'off' } }));
        try {
          const report = await evaluateRetrieval({ dataset, system, mode: 'hybrid', topK: 100 });
          const { mean } = report.metrics.ndcg10;
          expect(mean).toBeGreaterThanOrEqual(expected - hybridTolerance);
          expect(mean, 'better than the baseline: update test/evals/quality-baseline.json').toBeLessThanOrEqual(
            expected + hybridTolerance,
          );
        } finally {
          await system.close();
        }
      },
    );
  }
});
