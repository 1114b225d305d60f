// Tavily: `POST {address}/search`. Asked for addresses alone: what it read of the pages itself is nothing that could be cited.
// https://docs.tavily.com/documentation/api-reference/endpoint/search
import { z } from 'zod';
import { askProvider, callAt, soundResults, toWebQuery, unreadable } from './ask-provider.ts';
import type { KeyedOptions } from './brave.ts';
import type { WebSearch } from './web-search.ts';

const answerSchema = z.object({ results: z.array(z.object({ url: z.unknown(), title: z.unknown() })) });

const title = 'Tavily';

export function createTavily({ address, apiKey, fetch }: KeyedOptions): WebSearch {
  return {
    name: 'tavily',
    async search(query, { limit, signal }) {
      const body = JSON.stringify({
        query: toWebQuery(query),
        max_results: Math.min(20, limit),
        search_depth: 'basic',
        include_answer: false,
        include_raw_content: false,
        include_images: false,
      });
      const headers = {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
      };
      const asked = { title, fetch, keySetting: 'TAVILY_API_KEY', addressSetting: 'TAVILY_BASE_URL' };
      const sent = { url: callAt(address, 'search'), method: 'POST', headers, body };
      const read = answerSchema.safeParse(await askProvider(asked, sent, signal));
      if (!read.success) throw unreadable(title);
      return { results: soundResults(read.data.results, limit) };
    },
  };
}
