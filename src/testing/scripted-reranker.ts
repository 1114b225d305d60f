// A reranker that orders as its script says, for tests. Invariants: a call that the script does not expect fails, a step that was not
// used fails, and what it returns is a permutation of what it was given, as the port promises.
import { FootnoteError } from '../core/errors.ts';
import { createScript, type ScriptStep } from '../models/language/script.ts';
import type { RerankModel, RerankRequest } from '../models/rerank/rerank-model.ts';

/** Scores of the texts in the order given, 0..1; or what is thrown. */
export type RerankReply = readonly number[] | FootnoteError;

export interface ScriptedReranker extends RerankModel {
  readonly requests: readonly RerankRequest[];
  /** Throws if a call was not expected or a step not used. */
  assertFinished(): void;
}

export function createScriptedReranker(
  steps: readonly ScriptStep<RerankRequest, RerankReply>[],
  { id = 'script' }: { readonly id?: string } = {},
): ScriptedReranker {
  const name = 'Scripted reranker';
  const script = createScript<RerankRequest, RerankReply>(steps, {
    name,
    textOf: ({ query, texts }) => [query, ...texts].join('\n'),
  });
  return {
    id,
    provider: 'scripted',
    method: 'cross-encoder',
    requests: script.requests,
    async rerank(request, { deadline, signal }) {
      if (signal?.aborted)
        throw new FootnoteError('cancelled', 'The call of a model was cancelled.', { cause: signal.reason });
      deadline.check();
      const scores = script.next(request);
      if (scores instanceof FootnoteError) throw scores;
      if (scores.length !== request.texts.length) {
        script.fail(`${scores.length} scores for ${request.texts.length} texts`);
        throw new FootnoteError('internal', `${name}: a step does not give one score for each text.`);
      }
      const ranking = scores
        .map((score, index) => ({ index, score }))
        .sort((a, b) => b.score - a.score || a.index - b.index);
      const model = `scripted:${id}`;
      return { ranking, model, attempts: [{ model, latencyMs: 0 }] };
    },
    assertFinished: script.assertFinished,
  };
}
