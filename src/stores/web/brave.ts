// Brave Search: `GET {address}/res/v1/web/search`, its key in a header of its own.
// https://api-dashboard.search.brave.com/api-reference/web/search/get
import { z } from 'zod';
import type { Fetch } from '../../net/egress.ts';
import { askProvider, callAt, soundResults, toWebQuery, unreadable } from './ask-provider.ts';
import type { WebSearch } from './web-search.ts';

export interface KeyedOptions {
  readonly address: string;
  readonly apiKey: string;
  readonly fetch: Fetch;
}

/** Without `web` there were no results. */
const answerSchema = z.object({
  type: z.literal('search'),
  web: z.object({ results: z.array(z.object({ url: z.unknown(), title: z.unknown() })) }).optional(),
});

const title = 'Brave Search';

export function createBrave({ address, apiKey, fetch }: KeyedOptions): WebSearch {
  return {
    name: 'brave',
    async search(query, { limit, signal }) {
      const url = callAt(address, 'res/v1/web/search');
      url.searchParams.set('q', toWebQuery(query));
      url.searchParams.set('count', String(Math.min(20, limit)));
      url.searchParams.set('result_filter', 'web');
      url.searchParams.set('text_decorations', 'false');
      const headers = { accept: 'application/json', 'x-subscription-token': apiKey };
      const asked = { title, fetch, keySetting: 'BRAVE_API_KEY', addressSetting: 'BRAVE_BASE_URL' };
      const read = answerSchema.safeParse(await askProvider(asked, { url, headers }, signal));
      if (!read.success) throw unreadable(title);
      return { results: soundResults(read.data.web?.results ?? [], limit) };
    },
  };
}
