// SearXNG, the search that one runs oneself: `GET {address}/search?q=…&format=json`, which its settings have to allow (search.formats).
// https://docs.searxng.org/dev/search_api.html
import { z } from 'zod';
import type { Fetch } from '../../net/egress.ts';
import { askProvider, callAt, soundResults, toWebQuery, unreadable } from './ask-provider.ts';
import type { WebSearch } from './web-search.ts';

const answerSchema = z.object({
  results: z.array(z.object({ url: z.unknown(), title: z.unknown() })),
  /** Engines that it could not ask: `[["google", "timeout"]]`. */
  unresponsive_engines: z.array(z.unknown()).optional().catch(undefined),
});

const title = 'SearXNG';

export function createSearxng({ address, fetch }: { readonly address: string; readonly fetch: Fetch }): WebSearch {
  return {
    name: 'searxng',
    async search(query, { limit, signal }) {
      const url = callAt(address.replace(/\/search\/?$/u, ''), 'search');
      url.searchParams.set('q', toWebQuery(query));
      url.searchParams.set('format', 'json');
      const asked = { title, fetch, addressSetting: 'SEARXNG_URL' };
      const read = answerSchema.safeParse(
        await askProvider(asked, { url, headers: { accept: 'application/json' } }, signal),
      );
      if (!read.success) throw unreadable(title);
      const { results, unresponsive_engines: silent = [] } = read.data;
      return {
        results: soundResults(results, limit),
        ...(silent.length > 0 && {
          missing: `${title} could not ask ${silent.length} of its search engines.`,
        }),
      };
    },
  };
}
