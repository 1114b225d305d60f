// Pages of the web and who is asked for them: the settings, and what they say.
import {
  apiUrl,
  decimal,
  flag,
  integer,
  oneOf,
  type SettingKinds,
  secret,
  text,
  url,
  type ValuesOf,
} from './setting-kinds.ts';

export const webSearchProviders = ['searxng', 'brave', 'tavily'] as const;

export const webSettings = {
  WEB_ALLOW_HOSTS: text.describe(
    'Hosts of your own network that pages may be read from, separated by commas: `wiki.example`, `wiki.example:8080`; not set: public ones alone',
  ),
  WEB_HOST_GAP_MS: integer(0, 60_000)
    .default(100)
    .describe('Least time between two requests to one host; what its robots.txt asks for counts, too'),
  WEB_MAX_PAGE_BYTES: integer(1024, 1_073_741_824)
    .default(10_485_760)
    .describe('Larger pages and files of the web are not read'),
  WEB_TIMEOUT_MS: integer(100, 600_000)
    .default(20_000)
    .describe('Time that reading one page may take, redirects included'),
  WEB_SEARCH_PROVIDER: oneOf(webSearchProviders).describe(
    'Who is asked for pages of the web where a question needs them, or what is here says too little; not set: nobody. It is sent words of the question, never of documents',
  ),
  SEARXNG_URL: url.describe('Address of your SearXNG, whose settings allow the format json'),
  BRAVE_API_KEY: secret('Key of Brave Search'),
  BRAVE_BASE_URL: apiUrl
    .default('https://api.search.brave.com')
    .describe('Where Brave Search is asked, if not at its own address'),
  TAVILY_API_KEY: secret('Key of Tavily'),
  TAVILY_BASE_URL: apiUrl
    .default('https://api.tavily.com')
    .describe('Where Tavily is asked, if not at its own address'),
  WEB_SEARCH_RESULTS: integer(1, 20).default(5).describe('Pages that are read for one search of the web'),
  WEB_SEARCH_TIMEOUT_MS: integer(100, 60_000)
    .default(6000)
    .describe(
      'Longest time of one search of the web, its pages included; less where the request has less left. What came by then is used, and what did not is told',
    ),
  WEB_SEARCH_TTL_SECONDS: integer(0, 31_536_000)
    .default(86_400)
    .describe(
      'So long lists of addresses and pages of the web serve the same caller again, and a quarter of it longer while they are asked for anew; `routing.kept` says how old they are. 0: never',
    ),
  ENABLE_WEB_SEARCH_ANY_WORDS: flag
    .default(false)
    .describe(
      'Queries leave for the web as a model or a step wrote them, with words of documents, memories and past conversations that it read; otherwise words that the person wrote in this session alone do, and `degraded` tells what was withheld',
    ),
  ENABLE_WEB_RERANKING: flag
    .default(false)
    .describe(
      'Passages of the web are ordered by the ranks of their pages at the provider and by their own words together (RRF_K_CONSTANT), the best RERANKING_TOP_K of them; otherwise by their words alone',
    ),
  ENABLE_SEMANTIC_BOOST: flag
    .default(false)
    .describe(
      'What is near the question in meaning is lifted among passages of the web, where search by meaning is ready',
    ),
  SEMANTIC_BOOST_WEIGHT: decimal(0, 1)
    .default(0.3)
    .describe('What a likeness of 1 adds there, as a share of the best score'),
} satisfies SettingKinds;

export const readWeb = (
  values: ValuesOf<typeof webSettings> & { readonly RERANKING_TOP_K: number; readonly RRF_K_CONSTANT: number },
) => ({
  allowHosts: (values.WEB_ALLOW_HOSTS ?? '').split(',').flatMap((host) => host.trim() || []),
  hostGapMs: values.WEB_HOST_GAP_MS,
  maxPageBytes: values.WEB_MAX_PAGE_BYTES,
  timeoutMs: values.WEB_TIMEOUT_MS,
  search: {
    /** Undefined: nobody is asked. */
    provider: values.WEB_SEARCH_PROVIDER,
    searxngUrl: values.SEARXNG_URL,
    braveUrl: values.BRAVE_BASE_URL,
    tavilyUrl: values.TAVILY_BASE_URL,
    /** Pages that are read for one search. */
    pages: values.WEB_SEARCH_RESULTS,
    timeoutMs: values.WEB_SEARCH_TIMEOUT_MS,
    ttlSeconds: values.WEB_SEARCH_TTL_SECONDS,
    sendsAnyWords: values.ENABLE_WEB_SEARCH_ANY_WORDS,
    /** Passages are ordered by the provider's ranks, too; otherwise by words alone. */
    isReranked: values.ENABLE_WEB_RERANKING,
    topK: values.RERANKING_TOP_K,
    rankConstant: values.RRF_K_CONSTANT,
    /** 0: nothing is lifted. */
    boost: values.ENABLE_SEMANTIC_BOOST ? values.SEMANTIC_BOOST_WEIGHT : 0,
  },
});
