// Links of answers and results. The record and traces keep the path of a link alone; what leaves begins with where this server is found
// now, so that an answer that was saved before the server moved opens as well.
import type { RequestCall } from '../../agent/run.ts';
import type { Answer } from '../../core/answer.ts';
import type { SearchResponse } from '../../core/search.ts';

/** The path of a link: older answers were saved with where the server was then. */
const pathOf = (url: string): string => url.slice(Math.max(0, url.indexOf('/v1/')));

export interface Links {
  inAnswer(answer: Answer): Answer;
  inResults(response: SearchResponse): SearchResponse;
  /** The call, with links in what it is told meanwhile. */
  inEvents(call: RequestCall): RequestCall;
}

export function createLinks(addressOf: () => string): Links {
  const linked = <Linked extends { readonly url: string }>(one: Linked): Linked => {
    const path = pathOf(one.url);
    return path.startsWith('/') ? { ...one, url: addressOf() + path } : one;
  };
  const inAnswer = (answer: Answer): Answer => ({ ...answer, citations: answer.citations.map(linked) });
  return {
    inAnswer,
    inResults: (response) => ({ ...response, results: response.results.map(linked) }),
    inEvents({ onEvent, ...call }) {
      if (!onEvent) return call;
      return {
        ...call,
        onEvent(event) {
          if (event.type === 'citation') onEvent({ ...event, citation: linked(event.citation) });
          else if (event.type === 'done') onEvent({ ...event, answer: inAnswer(event.answer) });
          else onEvent(event);
        },
      };
    },
  };
}

/** The answer with paths alone, and what its links begin with: two that were read while the server stood elsewhere compare by their paths. */
export function withoutOrigins(answer: Answer): { readonly answer: Answer; readonly origins: ReadonlySet<string> } {
  const origins = answer.citations.map(({ url }) => url.slice(0, url.length - pathOf(url).length));
  return { answer: createLinks(() => '').inAnswer(answer), origins: new Set(origins) };
}
