// Pages of the web and who is asked for them, as their settings say.
import type { webSearchProviders } from './settings-web.ts';

/** How passages of the web are ordered. */
export interface WebOrderConfig {
  /** By the provider's ranks, too; otherwise by words alone. */
  readonly sendsAnyWords: boolean;
  readonly isReranked: boolean;
  readonly topK: number;
  readonly rankConstant: number;
  /** 0: nothing is lifted. */
  readonly boost: number;
}

export interface WebSearchConfig extends WebOrderConfig {
  /** Undefined: nobody is asked. */
  readonly provider: (typeof webSearchProviders)[number] | undefined;
  readonly searxngUrl: string | undefined;
  readonly braveUrl: string;
  readonly tavilyUrl: string;
  /** Pages that are read for one search. */
  readonly pages: number;
  readonly timeoutMs: number;
  readonly ttlSeconds: number;
}

export interface WebConfig {
  readonly allowHosts: readonly string[];
  readonly hostGapMs: number;
  readonly maxPageBytes: number;
  readonly timeoutMs: number;
  readonly search: WebSearchConfig;
}

export function readWeb(values: ReadonlyMap<string, string | number | boolean>): WebConfig {
  const number = (name: string): number => Number(values.get(name) ?? 0);
  const string = (name: string): string => String(values.get(name) ?? '');
  return Object.freeze({
    allowHosts: Object.freeze(
      string('WEB_ALLOW_HOSTS')
        .split(',')
        .flatMap((host) => host.trim() || []),
    ),
    hostGapMs: number('WEB_HOST_GAP_MS'),
    maxPageBytes: number('WEB_MAX_PAGE_BYTES'),
    timeoutMs: number('WEB_TIMEOUT_MS'),
    search: Object.freeze({
      provider: values.get('WEB_SEARCH_PROVIDER') as WebSearchConfig['provider'],
      searxngUrl: values.has('SEARXNG_URL') ? string('SEARXNG_URL') : undefined,
      braveUrl: string('BRAVE_BASE_URL'),
      tavilyUrl: string('TAVILY_BASE_URL'),
      pages: number('WEB_SEARCH_RESULTS'),
      timeoutMs: number('WEB_SEARCH_TIMEOUT_MS'),
      ttlSeconds: number('WEB_SEARCH_TTL_SECONDS'),
      sendsAnyWords: values.get('ENABLE_WEB_SEARCH_ANY_WORDS') === true,
      isReranked: values.get('ENABLE_WEB_RERANKING') === true,
      topK: number('RERANKING_TOP_K'),
      rankConstant: number('RRF_K_CONSTANT'),
      boost: values.get('ENABLE_SEMANTIC_BOOST') === true ? number('SEMANTIC_BOOST_WEIGHT') : 0,
    }),
  });
}
