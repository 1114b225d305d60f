// What a model would take for a corpus before anything is begun: texts, what of them was paid for before, tokens, calls, money and
// time. Invariant: nothing is written, and nothing is sent to a provider.
import type { FixedModel } from '../models/embedding/semantics.ts';
import type { ReadChunkTexts, VectorKeeping } from './ports.ts';
import { textHashOf } from './remote.ts';

export interface EmbedEstimate {
  /** As the settings name the model, and as its vectors are named. */
  readonly setting: string;
  readonly model: string;
  /** `active`: searches go by it; `building`: begun; `new`: not begun. */
  readonly state: 'active' | 'building' | 'new';
  readonly dimensions: number;
  readonly chunks: number;
  /** Chunks that have their vector of this model. */
  readonly embedded: number;
  /** Of the others: texts that were paid for before, or that stand in several chunks. They take no call. */
  readonly cached: number;
  /** Texts that have to be embedded. */
  readonly texts: number;
  /** Of those: longer than the model reads. */
  readonly truncated: number;
  /** Of a model of a provider. */
  readonly remote?: {
    readonly tokens: number;
    readonly calls: number;
    /** US dollars; absent where no price is known. */
    readonly costUsd?: number;
    readonly seconds: number;
    /** What `seconds` rests on. */
    readonly rate: { readonly textsPerSecond: number; readonly from: 'assumed' };
  };
}

/** What texts that are not yet in the record would take. */
export interface EmbedNeed extends Pick<EmbedEstimate, 'setting' | 'texts' | 'truncated'>, RemoteNeed {}

type RemoteNeed = NonNullable<EmbedEstimate['remote']>;

/** Counts texts as they come, in calls as they would be made; memory is bounded by the hashes of different texts. */
export interface EmbedPlan {
  add(texts: readonly string[]): Promise<void>;
  need(): EmbedNeed;
}

export interface EmbedEstimateOptions {
  readonly setting: string;
  readonly model: FixedModel;
  readonly spaces: VectorKeeping;
  readonly readTexts: ReadChunkTexts;
}

const pageDocuments = 500;
/** A call takes a provider about a second, by no promise of theirs: an assumption, called so wherever it is shown. */
const assumedCallSeconds = 1;

type Remote = NonNullable<FixedModel['remote']>;

/** Texts that need a call of a model, each once; of a model that runs here only their number is told. */
function createTextCount({ id, remote }: FixedModel, spaces: VectorKeeping) {
  const seen = new Set<string>();
  const counts = { texts: 0, tokens: 0, calls: 0, truncated: 0 };
  const waiting: string[] = [];

  const plan = (by: Remote, some: readonly string[]): void => {
    if (some.length === 0) return;
    const planned = by.plan(some);
    counts.tokens += planned.tokens;
    counts.calls += planned.calls;
    counts.truncated += planned.truncated;
  };

  return {
    async add(given: readonly string[]): Promise<void> {
      const byHash = new Map<string, string>();
      for (const text of given) {
        const hash = textHashOf(text);
        if (text.trim() !== '' && !seen.has(hash)) byHash.set(hash, text);
        seen.add(hash);
      }
      const unknown = remote ? await spaces.unknown(id, [...byHash.keys()]) : [...byHash.keys()];
      counts.texts += unknown.length;
      if (!remote) return;
      waiting.push(...unknown.map((hash) => byHash.get(hash) ?? ''));
      while (waiting.length >= remote.textsPerCall) plan(remote, waiting.splice(0, remote.textsPerCall));
    },
    end(): typeof counts {
      if (remote) plan(remote, waiting.splice(0));
      return counts;
    },
  };
}

function remoteNeed(
  remote: Remote,
  { texts, tokens, calls }: { readonly texts: number; readonly tokens: number; readonly calls: number },
): RemoteNeed {
  const costUsd = remote.costOf(tokens);
  const textsPerSecond = (remote.textsPerCall * remote.callsAtOnce) / assumedCallSeconds;
  return {
    tokens,
    calls,
    ...(costUsd !== undefined && { costUsd }),
    seconds: texts / textsPerSecond,
    rate: { textsPerSecond, from: 'assumed' },
  };
}

/** Undefined for a model that runs here: it costs nothing. Nothing is sent. */
export function createEmbedPlan({
  setting,
  model,
  spaces,
}: Pick<EmbedEstimateOptions, 'setting' | 'model' | 'spaces'>): EmbedPlan | undefined {
  const { remote } = model;
  if (!remote) return undefined;
  const count = createTextCount(model, spaces);
  return {
    add: (texts) => count.add(texts),
    need() {
      const counts = count.end();
      const { texts, truncated } = counts;
      return { setting, texts, truncated, ...remoteNeed(remote, counts) };
    },
  };
}

export async function estimateEmbedding(options: EmbedEstimateOptions, signal?: AbortSignal): Promise<EmbedEstimate> {
  const { setting, model, spaces, readTexts } = options;
  const { id, dimensions, remote } = model;
  const count = createTextCount(model, spaces);
  let missing = 0;
  let after = '';
  for (;;) {
    const page = await spaces.missing(id, { after, limit: pageDocuments });
    for (const { documentId } of page) {
      signal?.throwIfAborted();
      const given = (await readTexts(documentId)) ?? [];
      missing += given.length;
      await count.add(given);
    }
    after = page.at(-1)?.documentId ?? after;
    if (page.length < pageDocuments) break;
  }
  const counts = count.end();
  const { texts, truncated } = counts;

  const kept = (await spaces.models()).find(({ space }) => space.name === id);
  const { chunks } = await spaces.indexed();
  return {
    setting,
    model: id,
    state: kept?.state ?? 'new',
    dimensions,
    chunks,
    embedded: Math.max(0, chunks - missing),
    cached: missing - texts,
    texts,
    truncated,
    ...(remote && { remote: remoteNeed(remote, counts) }),
  };
}
