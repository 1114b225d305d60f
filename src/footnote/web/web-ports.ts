// What a request has of the web: the leg that searches it, the tool of whoever plans, and what is kept of pages that are shown. Invariant: a
// request that names sources, or whose filter leaves the web out, asks nobody there, whichever step of it wants to.
import type { RequestPorts } from '../../agent/request-ports.ts';
import { budgetedSearch } from '../../agent/turn/budgeted-search.ts';
import type { RequestContext } from '../../core/context.ts';
import { webSearchSource } from '../../core/document.ts';
import type { Filter } from '../../core/search.ts';
import type { Semantics } from '../../models/embedding/semantics.ts';
import type { Leg } from '../../retrieval/legs/leg.ts';
import type { Retriever } from '../../retrieval/retrieve.ts';
import { createOutgoingWords } from '../../retrieval/web/outgoing-words.ts';
import { createWebLeg } from '../../retrieval/web/web-leg.ts';
import { createWebOrder, type WebOrder } from '../../retrieval/web/web-order.ts';
import { withRecorder } from '../../trace/recorder.ts';
import type { RequestWeb } from './request-web.ts';

/** As the configuration says. */
export interface WebLegSettings extends WebOrder {
  readonly pages: number;
  readonly timeoutMs: number;
  /** Queries leave as a model or a step wrote them. */
  readonly sendsAnyWords: boolean;
}

export interface WebPortsRequest {
  readonly web: RequestWeb;
  readonly settings: WebLegSettings;
  /** The messages of its person, the one that is asked now first. */
  readonly said: readonly string[];
  readonly sources: readonly string[] | undefined;
  readonly filter: Filter | undefined;
  readonly semantics: Pick<Semantics, 'current'>;
}

export interface WebPortsOfRequest {
  readonly leg: Leg;
  /** Where the request leaves the web open. */
  further(retriever: Retriever): Pick<RequestPorts, 'further'>;
  readonly keep: Pick<RequestPorts, 'keepPages'>;
}

export function openWebPorts(request: WebPortsRequest, context: RequestContext): WebPortsOfRequest {
  const { web, settings, said, sources = [], filter, semantics } = request;
  const isOpen = sources.length === 0 || sources.includes(webSearchSource);
  return {
    leg: createWebLeg({
      access: withRecorder('web', web.access, context),
      pages: settings.pages,
      timeoutMs: settings.timeoutMs,
      outgoing: settings.sendsAnyWords ? (query) => ({ query, withheld: 0 }) : createOutgoingWords(said),
      order: createWebOrder(settings, { semantics, sink: context.sink }),
      context,
    }),
    further: (retriever) =>
      isOpen
        ? {
            further: [
              {
                name: 'search_web',
                description:
                  'Searches the web for pages and hands back numbered passages of them. For what the documents do not say.',
                async search(query, limit, own) {
                  const asked = { query, mode: 'embedded' as const, topK: limit, sources: [webSearchSource] };
                  const { legs: _, ...found } = await budgetedSearch(
                    retriever,
                    { ...asked, ...(filter && { filter }) },
                    own,
                  );
                  return found;
                },
              },
            ],
          }
        : {},
    keep: web.keep ? { keepPages: web.keep } : {},
  };
}
