// What a model would take for a corpus before anything is begun: texts, what of them was paid for before, tokens, calls, money and
// time. Invariant: nothing is written, and nothing is sent to a provider.
import type { FixedModel } from '../models/semantics.ts';
import type { ReadChunkTexts, VectorKeeping } from './embed-ports.ts';
import { textHashOf } from './embed-remote.ts';

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
    readonly rate: { readonly textsPerSecond: number; readonly from: 'measured' | 'assumed' };
  };
}

export interface EmbedEstimateOptions {
  readonly setting: string;
  readonly model: FixedModel;
  readonly spaces: VectorKeeping;
  readonly readTexts: ReadChunkTexts;
  /** Texts a second, where this process has seen the provider at work. */
  readonly measured?: number | undefined;
}

const pageDocuments = 500;
/** A call takes a provider about a second, by no promise of theirs: an assumption, called so wherever it is shown. */
const assumedCallSeconds = 1;

export async function estimateEmbedding(options: EmbedEstimateOptions, signal?: AbortSignal): Promise<EmbedEstimate> {
  const { setting, model, spaces, readTexts, measured } = options;
  const { id, dimensions, remote } = model;
  const seen = new Set<string>();
  let [missing, texts, tokens, calls, truncated] = [0, 0, 0, 0, 0];
  let waiting: string[] = [];

  const plan = (some: readonly string[]): void => {
    if (!remote || some.length === 0) return;
    const planned = remote.plan(some);
    tokens += planned.tokens;
    calls += planned.calls;
    truncated += planned.truncated;
  };

  let after = '';
  for (;;) {
    const page = await spaces.missing(id, { after, limit: pageDocuments });
    for (const { documentId } of page) {
      signal?.throwIfAborted();
      const byHash = new Map<string, string>();
      for (const text of (await readTexts(documentId)) ?? []) {
        missing += 1;
        const hash = textHashOf(text);
        if (text.trim() !== '' && !seen.has(hash)) byHash.set(hash, text);
        seen.add(hash);
      }
      const unknown = remote ? await spaces.unknown(id, [...byHash.keys()]) : [...byHash.keys()];
      texts += unknown.length;
      waiting.push(...unknown.map((hash) => byHash.get(hash) ?? ''));
      while (remote && waiting.length >= remote.textsPerCall) {
        plan(waiting.slice(0, remote.textsPerCall));
        waiting = waiting.slice(remote.textsPerCall);
      }
      if (!remote) waiting = [];
    }
    after = page.at(-1)?.documentId ?? after;
    if (page.length < pageDocuments) break;
  }
  plan(waiting);

  const kept = (await spaces.models()).find(({ space }) => space.name === id);
  const { chunks } = await spaces.indexed();
  const costUsd = remote?.costOf(tokens);
  const assumed = remote ? (remote.textsPerCall * remote.callsAtOnce) / assumedCallSeconds : 1;
  const textsPerSecond = measured ?? assumed;
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
    ...(remote && {
      remote: {
        tokens,
        calls,
        ...(costUsd !== undefined && { costUsd }),
        seconds: texts / textsPerSecond,
        rate: { textsPerSecond, from: measured === undefined ? 'assumed' : 'measured' },
      },
    }),
  };
}
