// Settings of what the web brings.
import { apiUrl, decimal, flag, integer, oneOf, type Setting, secret, text, url } from './setting-kinds.ts';

export const webSearchProviders = ['searxng', 'brave', 'tavily'] as const;

export const webSettings: readonly Setting[] = [
  {
    name: 'WEB_ALLOW_HOSTS',
    schema: text,
    meaning:
      'Hosts of your own network that pages may be read from, separated by commas: `wiki.example`, `wiki.example:8080`; not set: public ones alone',
  },
  {
    name: 'WEB_HOST_GAP_MS',
    schema: integer(0, 60_000),
    default: '100',
    meaning: 'Least time between two requests to one host; what its robots.txt asks for counts, too',
  },
  {
    name: 'WEB_MAX_PAGE_BYTES',
    schema: integer(1024, 1_073_741_824),
    default: '10485760',
    meaning: 'Larger pages and files of the web are not read',
  },
  {
    name: 'WEB_TIMEOUT_MS',
    schema: integer(100, 600_000),
    default: '20000',
    meaning: 'Time that reading one page may take, redirects included',
  },
  {
    name: 'WEB_SEARCH_PROVIDER',
    schema: oneOf(webSearchProviders),
    meaning:
      'Who is asked for pages of the web where a question needs them, or what is here says too little; not set: nobody. It is sent words of the question, never of documents',
  },
  { name: 'SEARXNG_URL', schema: url, meaning: 'Address of your SearXNG, whose settings allow the format json' },
  secret('BRAVE_API_KEY', 'Key of Brave Search'),
  {
    name: 'BRAVE_BASE_URL',
    schema: apiUrl,
    default: 'https://api.search.brave.com',
    meaning: 'Where Brave Search is asked, if not at its own address',
  },
  secret('TAVILY_API_KEY', 'Key of Tavily'),
  {
    name: 'TAVILY_BASE_URL',
    schema: apiUrl,
    default: 'https://api.tavily.com',
    meaning: 'Where Tavily is asked, if not at its own address',
  },
  {
    name: 'WEB_SEARCH_RESULTS',
    schema: integer(1, 20),
    default: '5',
    meaning: 'Pages that are read for one search of the web',
  },
  {
    name: 'WEB_SEARCH_TIMEOUT_MS',
    schema: integer(100, 60_000),
    default: '6000',
    meaning:
      'Longest time of one search of the web, its pages included; less where the request has less left. What came by then is used, and what did not is told',
  },
  {
    name: 'WEB_SEARCH_TTL_SECONDS',
    schema: integer(0, 31_536_000),
    default: '86400',
    meaning:
      'So long lists of addresses and pages of the web serve the same caller again, and a quarter of it longer while they are asked for anew; `routing.kept` says how old they are. 0: never',
  },
  {
    name: 'ENABLE_WEB_SEARCH_ANY_WORDS',
    schema: flag,
    default: 'false',
    meaning:
      'Queries leave for the web as a model or a step wrote them, with words of documents, memories and past conversations that it read; otherwise words that the person wrote in this session alone do, and `degraded` tells what was withheld',
  },
  {
    name: 'ENABLE_WEB_RERANKING',
    schema: flag,
    default: 'false',
    meaning:
      'Passages of the web are ordered by the ranks of their pages at the provider and by their own words together (RRF_K_CONSTANT), the best RERANKING_TOP_K of them; otherwise by their words alone',
  },
  {
    name: 'ENABLE_SEMANTIC_BOOST',
    schema: flag,
    default: 'false',
    meaning:
      'What is near the question in meaning is lifted among passages of the web, where search by meaning is ready',
  },
  {
    name: 'SEMANTIC_BOOST_WEIGHT',
    schema: decimal(0, 1),
    default: '0.3',
    meaning: 'What a likeness of 1 adds there, as a share of the best score',
  },
];
