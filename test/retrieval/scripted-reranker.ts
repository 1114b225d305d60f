// A reranker that does what a test says: scores by text, or whatever else may come back, or nothing in time. Counts what it was asked.
import type { CallOptions } from '../../src/models/language/call-options.ts';
import { toRanking } from '../../src/models/rerank/ranking.ts';
import type { RerankModel, RerankRequest, RerankResult } from '../../src/models/rerank/rerank-model.ts';
import type { Reranking } from '../../src/retrieval/rerank.ts';

export interface ScriptedReranker extends RerankModel {
  readonly requests: readonly RerankRequest[];
  readonly calls: readonly CallOptions[];
}

export type RerankScript = (request: RerankRequest, options: CallOptions) => RerankResult | Promise<RerankResult>;

export function createScriptedReranker(script: RerankScript): ScriptedReranker {
  const requests: RerankRequest[] = [];
  const calls: CallOptions[] = [];
  return {
    id: 'script',
    provider: 'scripted',
    method: 'cross-encoder',
    requests,
    calls,
    async rerank(request, options) {
      requests.push(request);
      calls.push(options);
      return script(request, options);
    },
  };
}

/** Scores each text; undefined leaves it out. */
export const scoring = (scoreOf: (text: string, index: number) => number | undefined): RerankScript => {
  return ({ texts }) => {
    const scores = texts.flatMap((text, index): [number, number][] => {
      const score = scoreOf(text, index);
      return score === undefined ? [] : [[index, score]];
    });
    return { ranking: toRanking(new Map(scores), texts.length), model: 'scripted:script', attempts: [] };
  };
};

/** A ranking as it is given. */
export const ranking = (given: RerankResult['ranking']): RerankScript => {
  return () => ({ ranking: given, model: 'scripted:script', attempts: [] });
};

export const rerankingBy = (script: RerankScript | RerankModel, more: Partial<Reranking> = {}): Reranking => ({
  model: typeof script === 'function' ? createScriptedReranker(script) : script,
  topK: 10,
  timeoutMs: 5000,
  threshold: 0,
  ...more,
});
