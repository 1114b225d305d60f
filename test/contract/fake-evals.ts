// Nothing was judged, for contract tests that speak of other things.
import type { Evals } from '../../src/footnote/facade/evals.ts';

export const fakeEvals: Evals = {
  report: async () => ({
    stats: {
      totalEvaluations: 0,
      avgGroundedness: null,
      avgRelevance: null,
      avgRetrievalPrecision: null,
      lowGroundednessCount: 0,
      criticCorrelation: null,
      errors: 0,
    },
    recent: [],
    worst: [],
    days: [],
  }),
};
