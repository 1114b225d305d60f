// The reranker that the configuration names, opened once for the process: a cross-encoder in a local folder, a rerank service, or the
// language model of the rerank role. Invariant: without MODEL_RERANK nothing is loaded and nothing leaves the machine, and a local
// model that cannot be opened fails the reranking of a search, never the start nor the search.
import type { Config } from '../../config.ts';
import { FootnoteError, isFootnoteError } from '../../core/errors.ts';
import { systemTiming } from '../../models/calls/attempts.ts';
import { type ModelWatch, unwatched } from '../../models/calls/watch.ts';
import type { LanguageModel } from '../../models/language/language-model.ts';
import { type LocalReranker, type LocalRerankerOptions, openLocalReranker } from '../../models/local/reranker.ts';
import { parsePrices } from '../../models/money/prices.ts';
import { createLanguageReranker } from '../../models/rerank/rerank-by-language-model.ts';
import type { RerankModel } from '../../models/rerank/rerank-model.ts';
import { openEgress } from '../../net/egress.ts';
import type { Reranking } from '../../retrieval/rerank.ts';

export interface RerankerSettings {
  /** `none`, `onnx:<folder>`, `service:<model>` or `provider:model` (MODEL_RERANK). */
  readonly model: string;
  /** Of a rerank service (RERANK_BASE_URL). */
  readonly address: string | undefined;
  readonly apiKey?: string | undefined;
  readonly topK: number;
  readonly timeoutMs: number;
  readonly threshold: number;
  /** Folder of local models. */
  readonly modelsFolder: string;
  /** Whether code in it may be run. */
  /** As `parsePrices` reads it. */
  readonly prices?: string;
}

export interface RerankerPorts {
  /** Of the rerank role: the one that MODEL_RERANK names as `provider:model`. */
  readonly language?: LanguageModel | undefined;
  /** How a local model is run; tests say. */
  readonly local?: Pick<LocalRerankerOptions, 'idleMs'>;
  /** Told how a rerank service fares. */
  readonly watch?: Pick<ModelWatch, 'circuit'>;
  /** Stands in the place of a local model or a service. */
  readonly model?: RerankModel;
}

export interface OpenedReranker {
  /** For every search; each adds the budget of its request. */
  readonly reranking: Reranking;
  /** Begins to load a local model, so that the first search does not wait for it. What goes wrong is told to searches. */
  warm(): void;
  close(): Promise<void>;
}

/** What a configuration says of reranking. */
export const rerankerSettingsOf = ({
  reranking,
  models,
  language,
  secret,
}: Pick<Config, 'reranking' | 'models' | 'language' | 'secret'>): RerankerSettings => ({
  ...reranking,
  apiKey: secret('RERANK_API_KEY'),
  modelsFolder: models.folder,
  prices: language.prices,
});

/** Undefined: no reranker is configured. Throws `config-invalid` where it lacks what it needs. Calls nothing. */
export async function openReranker(
  settings: RerankerSettings,
  ports: RerankerPorts = {},
): Promise<OpenedReranker | undefined> {
  const { model: named, topK, timeoutMs, threshold } = settings;
  if (named === 'none') return undefined;
  const { model, warm, close } = await openModel(named, settings, ports);
  return { reranking: { model, topK, timeoutMs, threshold }, warm, close };
}

interface Opened {
  readonly model: RerankModel;
  warm(): void;
  close(): Promise<void>;
}

async function openModel(named: string, settings: RerankerSettings, ports: RerankerPorts): Promise<Opened> {
  const [, kind = '', rest = ''] = /^(onnx|service):(.+)$/u.exec(named) ?? [];
  if (kind !== '' && ports.model) return { model: ports.model, warm: () => undefined, close: async () => undefined };
  if (kind === 'onnx')
    return openLazily(rest, (signal) =>
      openLocalReranker({ folder: settings.modelsFolder, name: rest, ...ports.local }, signal),
    );
  if (kind === 'service') return openHttp(rest, settings, ports.watch);
  if (!ports.language)
    throw new FootnoteError(
      'config-invalid',
      `MODEL_RERANK is ${named}, and there is no such model. Set it to none, onnx:<folder>, service:<model>, or a language model whose provider is configured.`,
    );
  return { model: createLanguageReranker(ports.language), warm: () => undefined, close: async () => undefined };
}

async function openHttp(
  model: string,
  settings: RerankerSettings,
  watch: Pick<ModelWatch, 'circuit'> = unwatched,
): Promise<Opened> {
  const { address, apiKey, prices = '' } = settings;
  if (address === undefined)
    throw new FootnoteError(
      'config-invalid',
      `MODEL_RERANK is service:${model}, and nothing says where it is. Set RERANK_BASE_URL to its address, such as http://127.0.0.1:8080/v1.`,
    );
  // Loaded only where it is used: it brings a package of its own.
  const { createHttpReranker } = await import('../../models/rerank/rerank-over-http.ts');
  const egress = openEgress({ addresses: [address] });
  const service = createHttpReranker({
    model,
    address,
    apiKey,
    fetch: egress.fetch,
    circuit: watch.circuit(`service:${model}`, systemTiming),
    prices: parsePrices(prices),
  });
  return { model: service, warm: () => undefined, close: async () => egress.close() };
}

/** A local model is hashed and loaded when it is first wanted: commands that rerank nothing do not wait for it. */
function openLazily(name: string, open: (signal: AbortSignal) => Promise<LocalReranker>): Opened {
  const closing = new AbortController();
  let opening: Promise<LocalReranker> | undefined;
  const opened = (): Promise<LocalReranker> => {
    if (opening) return opening;
    const started = open(closing.signal);
    opening = started;
    // One that could not be opened may be there the next time.
    started.catch(() => {
      if (opening === started) opening = undefined;
    });
    return started;
  };
  return {
    model: {
      id: name,
      provider: 'local',
      method: 'cross-encoder',
      async rerank(request, options) {
        const current = opened();
        try {
          return await (await current).rerank(request, options);
        } catch (error) {
          // Its files are others now: the next search gets what they have become.
          if (isFootnoteError(error) && error.code === 'conflict' && opening === current) {
            opening = undefined;
            await (await current).close();
          }
          throw error;
        }
      },
    },
    warm() {
      opened()
        .then((model) => model.warm())
        .catch(() => undefined);
    },
    async close() {
      closing.abort();
      await opening?.then((model) => model.close()).catch(() => undefined);
    },
  };
}
