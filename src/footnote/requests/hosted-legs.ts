// What the answering model finds by itself in its provider's store, as one more leg of mode `vector`: asked once for a question, at the same time as
// the store, and joined with what that found. Invariants: tenant, caller and filter stand in the tool that the model is given, and the
// record is asked of what comes back; a piece that stands nowhere in our text is left out, which is told.
import type { CallContext } from '../../core/context.ts';
import type { Degradation } from '../../core/search.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import type { AskHosted } from '../../retrieval/hosted-by-model.ts';
import type { Leg } from '../../retrieval/legs/leg.ts';
import { createLocate } from '../../retrieval/legs/locate.ts';
import { createStoreLeg } from '../../retrieval/legs/store-leg.ts';
import type { RetrievalRequest } from '../../retrieval/retrieve.ts';
import type { HostedPiece } from '../../stores/hosted-search.ts';
import type { Searcher } from '../../stores/store.ts';
import type { AskedStore } from './request-legs.ts';

export interface HostedLegsOptions {
  readonly ask: AskHosted | undefined;
  readonly documents: Pick<TenantRecord['documents'], 'text' | 'chunks'>;
  readonly context: CallContext;
}

interface Pieces {
  readonly pieces: readonly HostedPiece[];
  readonly degraded: readonly Degradation[];
}

/** As it is called in ranks, traces and `degraded`. */
const name = 'file_search';
/** The most that the provider gives for one search. */
const mostPieces = 50;

const keptBack: Degradation = {
  component: name,
  code: 'upstream-invalid',
  detail: 'The provider did not say what the model found.',
  effect: 'Searched without what the model found by itself.',
};

/** Undefined where no model may, or the store that serves the mode has nothing of the kind. */
export function openHostedLegs(
  [primary]: readonly AskedStore[] = [],
  { ask, documents, context }: HostedLegsOptions,
): ((request: RetrievalRequest) => readonly Leg[]) | undefined {
  const { searcher } = primary ?? {};
  const { hostedSearch, hostedHits } = searcher ?? {};
  if (!ask || !searcher || !hostedSearch || !hostedHits) return undefined;
  const locate = createLocate(documents);

  return ({ query, mode, filter }) => {
    if (mode !== 'vector') return [];
    let asked: Promise<Pieces> | undefined;

    /** Each kind of source is searched by itself, and the model is asked once. */
    async function askOnce(): Promise<Pieces> {
      const place = await hostedSearch?.(filter, context.deadline.signal);
      if (!place) return { pieces: [], degraded: [] };
      const where = { storeIds: [place.storeId], filter: place.filter, most: mostPieces };
      const searches = (await ask?.(query, where, context)) ?? [];
      return {
        pieces: searches.flatMap(({ pieces = [] }) => pieces),
        degraded: searches.some(({ pieces }) => pieces === undefined) ? [keptBack] : [],
      };
    }

    const byModel: Searcher = {
      ...searcher,
      async search(wanted, signal) {
        asked ??= askOnce();
        const found = await asked;
        const page = await hostedHits(found.pieces, wanted, signal);
        return { ...page, degraded: [...page.degraded, ...found.degraded] };
      },
    };
    const { deadline, clock } = context;
    return [createStoreLeg(byModel, { name, kind: 'vector', modes: ['vector'], locate, deadline, clock })];
  };
}
