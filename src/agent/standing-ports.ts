// The ports of a request as answers are made from them: whatever they find comes without what is struck out in it, which blanks stand for, so that
// no composer, table or conflict reads it. Searches alone show it.
import type { RequestContext } from '../core/context.ts';
import type { Evidence } from '../core/search.ts';
import type { Retriever } from '../retrieval/retrieve.ts';
import { standingText } from '../text/struck-text.ts';
import type { RequestPorts } from './request-ports.ts';

const standing = <Found extends { readonly evidence: readonly Evidence[] }>(found: Found): Found => ({
  ...found,
  evidence: found.evidence.flatMap((item) => {
    const text = standingText(item.text);
    return text === item.text ? [item] : text.trim() === '' ? [] : [{ ...item, text }];
  }),
});

export function standingPorts<Ports extends RequestPorts>(ports: Ports): Ports {
  const { retriever, here, further } = ports;
  const standingOf = (one: Retriever): Retriever => ({
    ...one,
    retrieve: async (...asked) => standing(await one.retrieve(...asked)),
  });
  return {
    ...ports,
    retriever: standingOf(retriever),
    here: standingOf(here),
    ...(further && {
      further: further.map((one) => ({
        ...one,
        search: async (query: string, limit: number, context: RequestContext) =>
          standing(await one.search(query, limit, context)),
      })),
    }),
  };
}
