// Search by meaning for one request: on its budget and in its trace. A provider's model is asked for the vector of a query only as far as
// the request, its key and its tenant may spend; models that run here cost nothing. Invariant: each query that was made a vector is one
// call of port `embedding` in the trace, with the vector that came back, however many stores are asked with it.
import type { RequestContext } from '../../core/context.ts';
import { untilAborted } from '../../core/waiting/until-aborted.ts';
import type { EmbeddingModel, EmbedOptions } from '../../models/embedding/model.ts';
import type { FixedModel, ReadySemantics, Semantics } from '../../models/embedding/semantics.ts';
import { withRecorder } from '../../trace/recorder.ts';

export interface RequestSemantics extends Semantics {
  /** The fixed model that is configured, for stores that are given its vectors. Throws where it cannot be opened. */
  readonly fixed?: () => Promise<FixedModel>;
}

type Embed = EmbeddingModel['embed'];

export function requestSemantics({ fixed, ...semantics }: RequestSemantics, context: RequestContext): RequestSemantics {
  const recorded = withRecorder('semantics', { current: semantics.current, ...(fixed && { fixed }) }, context);
  const asked = new Map<string, Embed>();

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
  function embedOf(model: ReadySemantics['model']): Embed {
    const present = asked.get(model.id);
    if (present) return present;
    const { embed } = withRecorder('embedding', embedder(model), context);
    const shared = sharedEmbed(embed);
    asked.set(model.id, shared);
    return shared;
  }

  return {
    ...(semantics.isRemote !== undefined && { isRemote: semantics.isRemote }),
    async current(signal) {
      const now = await recorded.current(signal);
      return now.ready ? { ...now, model: { ...now.model, embed: embedOf(now.model) } } : now;
    },
    ...(recorded.fixed && {
      async fixed() {
        const model = await (recorded.fixed as NonNullable<typeof fixed>)();
        return { ...model, embed: embedOf(model) };
      },
    }),
  };
}

interface SharedCall {
  readonly vectors: ReturnType<Embed>;
  readonly stop: AbortController;
  waiting: number;
}

/** Whoever asks for a query that is being embedded waits for the same call, which ends when nobody waits for it. */
function sharedEmbed(embed: Embed): Embed {
  const calls = new Map<string, SharedCall>();

  function begin(text: string, options: EmbedOptions): SharedCall {
    const stop = new AbortController();
    const call = { vectors: embed([text], { ...options, signal: stop.signal }), stop, waiting: 0 };
    calls.set(text, call);
    // One that failed is tried again by the next to ask.
    call.vectors.catch(() => calls.delete(text));
    return call;
  }

  return async (texts, options) => {
    const { kind, signal } = options;
    const [text] = texts;
    if (kind !== 'query' || text === undefined || texts.length > 1) return embed(texts, options);
    const call = calls.get(text) ?? begin(text, options);
    call.waiting += 1;
    try {
      const vectors = await (signal ? untilAborted(call.vectors, signal) : call.vectors);
      return vectors.map((vector) => vector.slice());
    } finally {
      call.waiting -= 1;
      if (call.waiting === 0 && signal?.aborted) {
        calls.delete(text);
        call.stop.abort(signal.reason);
      }
    }
  };
}
