// Stand-ins of the providers of web search on 127.0.0.1: each answers as its documentation says (SearXNG's search API, Brave's web search,
// Tavily's search), refuses what the real one refuses, and fails as a test says (testkit/faulty-server.ts). What they know is a list of pages
// with the words by which each is found.
import { type FaultyServer, openFaultyServer, type ServedReply, type ServedRequest } from '../faulty-server.ts';

export interface ListedPage {
  readonly url: string;
  readonly title: string;
  readonly words: string;
}

export const providerNames = ['searxng', 'brave', 'tavily'] as const;
export type ProviderName = (typeof providerNames)[number];

export interface WebProvider extends FaultyServer {
  readonly name: ProviderName;
  /** May be changed at any time. */
  readonly pages: ListedPage[];
  /** What was searched for, in order. */
  queries(): readonly string[];
  /** Settings under which a server asks it, its key among them. */
  readonly environment: Readonly<Record<string, string>>;
}

const key = 'the-key-of-the-operator';

const queryOf: Readonly<Record<ProviderName, (request: ServedRequest) => string | undefined>> = {
  searxng: ({ path }) => new URL(path, 'http://x').searchParams.get('q') ?? undefined,
  brave: ({ path }) => new URL(path, 'http://x').searchParams.get('q') ?? undefined,
  tavily: ({ body }) => (JSON.parse(String(body) || '{}') as { query?: string }).query,
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function found(pages: readonly ListedPage[], query: string): readonly ListedPage[] {
  const asked = new Set(wordsOf(query));
  const scored = pages.map((page) => ({ page, score: wordsOf(page.words).filter((word) => asked.has(word)).length }));
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ page }) => page);
}

function refused(name: ProviderName, { method, path, headers, body }: ServedRequest): ServedReply | undefined {
  const url = new URL(path, 'http://x');
  if (name === 'searxng')
    return url.pathname !== '/search' || url.searchParams.get('format') !== 'json'
      ? { status: 403, body: 'Forbidden' }
      : undefined;
  if (name === 'brave') {
    if (headers['x-subscription-token'] !== key)
      return { status: 422, body: { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } } };
    const [q, count] = [url.searchParams.get('q') ?? '', Number(url.searchParams.get('count'))];
    const isSound =
      url.pathname === '/res/v1/web/search' && q.length > 0 && q.length <= 400 && q.split(' ').length <= 50;
    return isSound && count >= 1 && count <= 20 ? undefined : { status: 422, body: { type: 'ErrorResponse' } };
  }
  if (headers.authorization !== `Bearer ${key}`)
    return { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } } };
  const { query = '', max_results: most = 5 } = JSON.parse(String(body)) as { query?: string; max_results?: number };
  return method === 'POST' && url.pathname === '/search' && query.length > 0 && query.length <= 400 && most <= 20
    ? undefined
    : { status: 400, body: { detail: { error: 'Query is invalid.' } } };
}

function replyOf(name: ProviderName, query: string, pages: readonly ListedPage[]): ServedReply {
  const results = found(pages, query).map(({ url, title, words }) => ({ url, title, words }));
  if (name === 'searxng')
    return {
      status: 200,
      body: {
        query,
        number_of_results: 0,
        results: results.map(({ words, ...one }) => ({
          ...one,
          content: words,
          engine: 'google',
          engines: ['google'],
          score: 1,
          category: 'general',
          publishedDate: null,
        })),
        answers: [],
        corrections: [],
        infoboxes: [],
        suggestions: [],
        unresponsive_engines: [],
      },
    };
  if (name === 'brave')
    return {
      status: 200,
      body: {
        type: 'search',
        query: { original: query, more_results_available: false },
        ...(results.length > 0 && {
          web: { type: 'search', results: results.map(({ words, ...one }) => ({ ...one, description: words })) },
        }),
      },
    };
  return {
    status: 200,
    body: {
      query,
      results: results.map(({ words, ...one }) => ({ ...one, content: words, score: 0.9, raw_content: null })),
      response_time: 0.3,
      request_id: '1',
    },
  };
}

export async function openWebProvider(name: ProviderName, listed: readonly ListedPage[] = []): Promise<WebProvider> {
  const pages = [...listed];
  const server = await openFaultyServer((request) => {
    const refusal = refused(name, request);
    return refusal ?? replyOf(name, queryOf[name](request) ?? '', pages);
  });
  const { address } = server;
  const environment = {
    searxng: { SEARXNG_URL: address },
    brave: { BRAVE_BASE_URL: address, BRAVE_API_KEY: key },
    tavily: { TAVILY_BASE_URL: address, TAVILY_API_KEY: key },
  }[name];
  return Object.assign(server, {
    name,
    pages,
    queries: () => server.requests.flatMap((request) => queryOf[name](request) ?? []),
    environment: { WEB_SEARCH_PROVIDER: name, ...environment },
  });
}
