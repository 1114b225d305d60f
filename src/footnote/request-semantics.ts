// Search by meaning for one request: on its budget and in its trace. A provider's model is asked for the vector of a query only as far as
// the request, its key and its tenant may spend; models that run here cost nothing. Invariant: each query that was made a vector is one
// call of port `embedding` in the trace, with the vector that came back.
import type { RequestContext } from '../core/context.ts';
import type { EmbeddingModel } from '../models/embedding/model.ts';
import type { ReadySemantics, Semantics } from '../models/embedding/semantics.ts';
import { withRecorder } from '../trace/recorder.ts';

export function requestSemantics(semantics: Semantics, context: RequestContext): Semantics {
  const recorded = withRecorder('semantics', semantics, context);
  const embedder = (model: ReadySemantics['model']): Pick<EmbeddingModel, 'embed'> => ({
    async embed(texts, options) {
      if (model.kind !== 'fixed' || !model.remote) return model.embed(texts, options);
      const budget = context.budget.forRole('embed');
      const vectors = await model.embed(texts, { budget, ...options });
      // Also where its vector was still known.
      budget.served({ model: model.remote.name, failed: [] });
      return vectors;
    },
  });
  return {
    ...(semantics.isRemote !== undefined && { isRemote: semantics.isRemote }),
    async current(signal) {
      const now = await recorded.current(signal);
      if (!now.ready) return now;
      const { embed } = withRecorder('embedding', embedder(now.model), context);
      return { ...now, model: { ...now.model, embed } };
    },
  };
}
