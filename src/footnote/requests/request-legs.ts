// The legs of one request: words and meaning of the store inside the record as one of them, and a leg for each store beside it that the
// configuration names. Here alone stands which of them a mode asks.
import type { Deadline } from '../../core/deadline.ts';
import { type Mode, modes } from '../../core/search.ts';
import type { TenantRecord } from '../../db/tenant-record.ts';
import { createChainLeg } from '../../retrieval/legs/chain-leg.ts';
import type { Leg } from '../../retrieval/legs/leg.ts';
import { createLocate } from '../../retrieval/legs/locate.ts';
import { createPair, type PairPorts } from '../../retrieval/legs/pair.ts';
import { createStoreLeg, type EmbedQuery } from '../../retrieval/legs/store-leg.ts';
import type { Searcher, StoreMode } from '../../stores/store.ts';
import type { RequestSemantics } from './request-semantics.ts';

/** A store beside the record, and when it is asked. */
export interface AskedStore {
  readonly searcher: Searcher;
  readonly kind: StoreMode;
  readonly modes: readonly Mode[];
}

export interface RequestLegsOptions extends Omit<PairPorts, 'names' | 'semantics'> {
  readonly semantics: RequestSemantics;
  readonly documents: Pick<TenantRecord['documents'], 'text' | 'chunks'>;
  /** In the order in which they stand in for each other. */
  readonly beside?: readonly AskedStore[] | undefined;
  /** Longest wait for one of them. */
  readonly storeTimeoutMs?: number | undefined;
  readonly deadline?: Deadline | undefined;
}

/** As they stand in the ranks of evidence, which are public. */
const names = { words: 'embedded', meaning: 'vector', joined: 'hybrid' };

/** The query as the fixed model sees it; undefined where there is none. */
function queryEmbedding({
  semantics: { fixed },
  embeddingTimeoutMs = Number.POSITIVE_INFINITY,
}: Pick<RequestLegsOptions, 'semantics' | 'embeddingTimeoutMs'>): EmbedQuery | undefined {
  if (!fixed) return undefined;
  return async (text, { signal, withinMs }) => {
    const model = await fixed();
    const most = model.remote ? Math.min(withinMs, embeddingTimeoutMs) : withinMs;
    const [vector] = await model.embed([text], {
      kind: 'query',
      signal,
      ...(Number.isFinite(most) && { withinMs: most }),
    });
    return { vector: vector ?? new Float32Array(model.dimensions), space: model.id };
  };
}

/**
 * Mode `embedded` asks the store inside the record; `vector` the first store beside it; `hybrid` both at the same time. The others beside it
 * stand in for the first, and in mode `vector` the one inside the record for all of them.
 */
export function openLegs({ documents, beside = [], storeTimeoutMs, ...pair }: RequestLegsOptions): readonly Leg[] {
  const own: Leg = {
    name: 'record',
    kind: 'hybrid',
    store: pair.store.name,
    modes,
    ...createPair({ ...pair, names }),
  };
  const [primary] = beside;
  if (!primary) return [own];
  const { deadline, clock } = pair;
  const locate = createLocate(documents);
  const embed = queryEmbedding(pair);
  const stores = beside.map(({ searcher, ...asked }) =>
    createStoreLeg(searcher, { ...asked, locate, embed, deadline, clock, longestMs: storeTimeoutMs }),
  );
  const chain = createChainLeg([...stores, { ...own, modes: ['vector'] }], {
    name: primary.searcher.name,
    modes: ['vector', 'hybrid'],
  });
  return [{ ...own, modes: ['embedded', 'hybrid'] }, chain];
}
