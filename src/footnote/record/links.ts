// Links of answers that were saved: of what is kept the path alone counts, and what leaves begins with where this server is found now, so that an
// answer from before the server moved opens as well.
import type { Answer } from '../../core/answer.ts';

/** The path of a link, without what stood before it for others. Ids in it are escaped, so that the last one is that of the route. */
const pathOf = (url: string): string => url.slice(Math.max(0, url.lastIndexOf('/v1/')));

/** The answer with its links as they open now. */
export const linkedFrom = (address: string, answer: Answer): Answer => ({
  ...answer,
  citations: answer.citations.map((one) => {
    const path = pathOf(one.url);
    return path.startsWith('/') ? { ...one, url: address + path } : one;
  }),
});

/** The answer with paths alone, and what its links begin with: two that were read while the server stood elsewhere compare by their paths. */
export function withoutOrigins(answer: Answer): { readonly answer: Answer; readonly origins: ReadonlySet<string> } {
  const origins = answer.citations.map(({ url }) => url.slice(0, url.length - pathOf(url).length));
  return { answer: linkedFrom('', answer), origins: new Set(origins) };
}
