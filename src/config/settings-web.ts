// Settings of what the web brings.
import { decimal, flag, integer, later, type Setting, text } from './setting-kinds.ts';

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
  later('ENABLE_WEB_RERANKING', flag, { default: 'false', meaning: 'Web results are reranked' }),
  later('ENABLE_SEMANTIC_BOOST', flag, { default: 'false', meaning: 'Semantic boost of web results' }),
  later('SEMANTIC_BOOST_WEIGHT', decimal(0, 1), { default: '0.3', meaning: 'Weight of that boost' }),
];
